"""Peers of folders of messages: the 20 Newsgroups by date, learned from one folder and judged on another."""

import numpy as np

from contender import Contender, Program

class Folders(Program):
    """The program on a folder, with the options of a task."""

    options = ()

    def command(self, step):
        model = self.folder / "model.credence"
        if step == "fit":
            return ["fit", self.folder / "train", *self.options, "-o", model, "--quiet"]
        return ["predict", model, self.folder / "test", "--quiet"]

    def answer(self, step):
        import pandas as pd

        return None if step == "fit" else pd.read_csv(self.output(step))["prediction"].to_numpy(str)


class Package(Contender):
    """The package on a folder, in a process that has imported it."""

    name = "credence, in Python"
    needs = ("credence",)
    settings = {}

    def fit(self):
        import credence

        self.model = credence.BayesClassifier(**self.settings).fit(credence.read(self.folder / "train"), "label")

    def predict(self):
        import credence

        self.labels = self.model.predict(credence.read(self.folder / "test"))

    def answer(self, step):
        return None if step == "fit" else np.array(self.labels, str)


class Pipeline(Contender):
    """load_files, then what scikit-learn makes of it."""

    name = "scikit-learn"
    needs = ("scikit-learn",)

    def make(self):
        raise NotImplementedError

    def read(self, part):
        from sklearn.datasets import load_files

        return load_files(self.folder / part, encoding="latin-1", shuffle=False)

    def fit(self):
        documents = self.read("train")
        self.model, self.names = self.make().fit(documents.data, documents.target), np.array(documents.target_names)

    def predict(self):
        self.labels = self.names[self.model.predict(self.read("test").data)]

    def answer(self, step):
        return None if step == "fit" else self.labels


def truth(folder):
    return np.array([path.parent.name for path in sorted((folder / "test").glob("*/*"))])
