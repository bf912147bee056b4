"""What a contender is. A task's folder has one small file for each, with a class Contender derived from one of these.

A contender lives in a process of its own (worker.py). It prepares itself once, and then takes each step of its task as often as
it is asked. A step does all that a user waits for, and nothing else. What it answered is read afterwards, by `answer`, which
takes no part in the times.
"""

import json
import subprocess
from importlib import metadata
from pathlib import Path

from common import PROGRAM, peak_memory

WEKA = Path(__file__).resolve().parent.parent / "build" / "weka" / "jars"


class Contender:
    name = ""  # as the tables have it
    needs = ()  # packages that have to be installed, by the names that pip knows
    share = 1.0  # of the rows; its seconds are those of all rows, at its rate
    agreement = 1 - 1e-6  # least share of labels that are those of the reference; of a million rows one may lie on a border
    lacks = ()  # steps that it does not have
    note = ""  # what readers have to know of it

    @classmethod
    def missing(cls):
        """Why this contender cannot run here, or nothing."""
        absent = [name for name in cls.needs if not installed(name)]
        return f"not installed: {', '.join(absent)}" if absent else ""

    @classmethod
    def version(cls):
        return ", ".join(f"{name} {metadata.version(name)}" for name in cls.needs)

    def prepare(self, folder):
        """Reads what task.py has put into the folder: for contenders of what is in memory. Not timed."""
        self.folder = folder

    def fit(self):
        raise NotImplementedError

    def predict(self):
        raise NotImplementedError

    def answer(self, step):
        """What the last step said: an array of labels, or of probabilities, or None where a step says nothing."""
        return None

    def memory(self, step):
        """Peak megabytes of a step in a process of its own; None: the worker looks at itself."""
        return None


def installed(name):
    try:
        metadata.version(name)
        return True
    except metadata.PackageNotFoundError:
        return False


class Program(Contender):
    """The program credence: every step is a command, and its output goes into a file, as in a shell."""

    name = "credence"

    @classmethod
    def version(cls):
        said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.split()
        return " ".join(said)

    def command(self, step):
        """The arguments of the program at a step."""
        raise NotImplementedError

    def output(self, step):
        return self.folder / f"credence_{step}.csv"

    def run(self, step):
        with open(self.output(step), "wb") as output:
            subprocess.run([PROGRAM, *map(str, self.command(step))], stdout=output, stderr=subprocess.PIPE, check=True)

    def fit(self):
        self.run("fit")

    def predict(self):
        self.run("predict")

    def memory(self, step):
        return peak_memory([PROGRAM, *self.command(step)])


class TableProgram(Program):
    """The program on table.csv, by maximum likelihood, which is what the peers estimate by."""

    reading = ("--estimate", "mle")

    def command(self, step):
        table, model = self.folder / "table.csv", self.folder / "model.credence"
        if step == "fit":
            return ["fit", table, "--target", "class", *self.reading, "-o", model, "--quiet"]
        return ["predict", model, table, "--quiet", *(["--proba"] if step == "predict_proba" else [])]

    def predict_proba(self):
        self.run("predict_proba")

    def answer(self, step):
        classes = sorted(json.loads((self.folder / "columns.json").read_text())["classes"])
        return said(self.output(step), step, classes)


class Estimator(Contender):
    """An object with fit and predict, of a matrix and labels in memory."""

    def make(self):
        raise NotImplementedError

    def prepare(self, folder):
        self.X, self.y = matrix(folder)
        self.labels = None
        self.model = self.make()

    def fit(self):
        self.model.fit(self.X, self.y)

    def predict(self):
        self.labels = self.model.predict(self.X)

    def answer(self, step):
        return self.labels if step == "predict" else None


def said(path, step, classes):
    """The labels or probabilities that a CSV file of answers has."""
    import pandas as pd

    if step == "fit":
        return None
    frame = pd.read_csv(path)
    return frame[classes].to_numpy() if step == "predict_proba" else frame["prediction"].to_numpy(str)


def matrix(folder):
    """The matrix and the labels that data.py has put into a folder."""
    import numpy as np
    import scipy.sparse

    sparse = folder / "X.npz"
    X = scipy.sparse.load_npz(sparse) if sparse.exists() else np.load(folder / "X.npy")
    return X, np.load(folder / "y.npy")


class Weka(Contender):
    """Weka's command line, one Java process for each step."""

    name = "Weka"

    @classmethod
    def missing(cls):
        return "" if list(WEKA.glob("*weka-stable-*.jar")) else "not installed: Weka (python bench/get_weka.py)"

    @classmethod
    def version(cls):
        return next(WEKA.glob("*weka-stable-*.jar")).stem.split("_", 1)[-1]

    def java(self, *arguments):
        settings = ["-Xmx6g", "-Djava.awt.headless=true", "-Dweka.packageManager.offline=true"]
        return ["java", *settings, "-cp", f"{WEKA}/*", *map(str, arguments)]

    def command(self, step):
        raise NotImplementedError

    def run(self, step):
        done = subprocess.run(self.command(step), capture_output=True, text=True)
        if done.returncode != 0 or "Exception" in done.stderr:
            raise RuntimeError(done.stderr[-500:])

    def fit(self):
        self.run("fit")

    def predict(self):
        self.run("predict")

    def memory(self, step):
        return peak_memory(["/usr/bin/env", *self.command(step)])


class WekaTable(Weka):
    """Weka's NaiveBayes of table.csv."""

    share = 0.1
    agreement = 0.97
    note = "a tenth of the rows; rounds numbers to a precision of its own before it learns"

    def command(self, step):
        table, model, output = (self.folder / name for name in ("table.csv", "weka.model", "weka.csv"))
        if step == "fit":
            return self.java("weka.classifiers.bayes.NaiveBayes", "-t", table, "-no-cv", "-v", "-d", model)
        return self.java("weka.classifiers.bayes.NaiveBayes", "-l", model, "-T", table, "-classifications",
                         f"weka.classifiers.evaluation.output.prediction.CSV -suppress -file {output}")

    def answer(self, step):
        import pandas as pd

        if step == "fit":
            return None
        return pd.read_csv(self.folder / "weka.csv")["predicted"].str.split(":", n=1).str[1].to_numpy(str)
