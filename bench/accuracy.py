#!/usr/bin/env python3
"""Error and log-loss of whole programs on every table, ten-fold, in several shuffles, on the same folds for all.

Each contender gets the training rows of a fold as it likes them and answers with probabilities for the rest. Ours are commands: what a user
types. `--sets` and `--contenders` choose; results go to bench/results/accuracy.csv, one row for a set, shuffle and contender. Seconds are those of
processors. accuracy_report.py makes docs/accuracy.md of them. Khiops is in accuracy_requirements.txt.
"""

import argparse
import csv
import io
import os
import resource
import shlex
import statistics
import sys
import tempfile
import warnings
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # of the peers: threads that wait for each other on a shared machine count as work

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from common import DATA, credence, write_results
from accuracy_peers import PEERS

SMALLEST = np.finfo(float).eps  # probabilities are held off 0 by this, for every contender

OURS = {
    "fit": ["fit"],
    "tune": ["tune"],
    "fit --best": ["fit", "--best"],
}


def our_probabilities(command, folder, train, test, classes):
    target, paths = train.columns[-1], (folder / "train.csv", folder / "test.csv", folder / "m.credence")
    train.to_csv(paths[0], index=False)
    test.iloc[:, :-1].to_csv(paths[1], index=False)
    credence(*command, paths[0], "--target", target, "-q", "-o", paths[2])
    rows = list(csv.reader(io.StringIO(credence("predict", paths[2], paths[1], "--proba", "-q"))))
    places = {name.removeprefix("p:").removeprefix("p_"): i for i, name in enumerate(rows[0]) if i > 0}
    answer = np.zeros((len(test), len(classes)))
    for j, name in enumerate(classes):
        if name in places:
            answer[:, j] = [float(row[places[name]]) for row in rows[1:]]
    return answer


def share_probabilities(train, test, classes):
    shares = train.iloc[:, -1].value_counts()
    return np.tile([shares.get(name, 0) / len(train) for name in classes], (len(test), 1))


def contender(name, folder):
    if name in OURS or name.startswith("fit ") or name.startswith("tune "):
        command = OURS.get(name) or name.split(" ", 1)[:1] + shlex.split(name)[1:]
        return lambda train, test, classes: our_probabilities(command, folder, train, test, classes)
    return share_probabilities if name == "class shares" else PEERS[name]


def judge(probabilities, labels, classes):
    truth = np.array([classes.index(label) for label in labels])
    right = np.clip(probabilities[np.arange(len(truth)), truth], SMALLEST, 1)
    return np.sum(probabilities.argmax(axis=1) != truth), -np.sum(np.log(right))


def processor_seconds():
    """Of this process and of all that it has started: the machine may be shared."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def measure(frame, seed, work):
    labels = frame.iloc[:, -1]
    classes = sorted(labels.unique())
    wrong, loss, seconds, failed = 0, 0.0, 0.0, 0
    for train, test in StratifiedKFold(10, shuffle=True, random_state=seed).split(frame, labels):
        start = processor_seconds()
        try:
            answer = work(frame.iloc[train], frame.iloc[test], classes)
        except ValueError:  # QDA, of a class with one row: who uses it is left with the shares
            answer, failed = share_probabilities(frame.iloc[train], frame.iloc[test], classes), failed + 1
        seconds += processor_seconds() - start
        one_wrong, one_loss = judge(answer, labels.iloc[test], classes)
        wrong, loss = wrong + one_wrong, loss + one_loss
    return wrong / len(frame), loss / len(frame), seconds, failed


def load(path):
    frame = pd.read_csv(path, dtype={pd.read_csv(path, nrows=0).columns[-1]: str}, keep_default_na=False, na_values=[""])
    return frame[frame.iloc[:, -1].notna()].reset_index(drop=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sets", help="names with commas between (default: all tables)")
    parser.add_argument("--contenders", default="fit,class shares,naive Bayes,LDA,QDA,logistic,boosting")
    parser.add_argument("--shuffles", type=int, default=5)
    parser.add_argument("--results", default="accuracy")
    arguments = parser.parse_args()
    folder = DATA / "tabular"
    if not folder.is_dir():
        sys.exit(f"{folder} is absent: nothing to measure")
    names = arguments.sets.split(",") if arguments.sets else sorted(path.name.split(".")[0] for path in folder.iterdir())
    warnings.simplefilter("ignore")
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        for name in names:
            if name in ("adult_test", "play_tennis"):
                continue
            path = next(folder.glob(f"{name}.csv*"))
            frame = load(path)
            for who in arguments.contenders.split(","):
                work, found = contender(who, Path(temporary)), []
                for seed in range(1, arguments.shuffles + 1):
                    error, loss, seconds, failed = measure(frame, seed, work)
                    found.append((error, loss, seconds))
                    rows.append({"set": name, "shuffle": seed, "contender": who, "error": f"{error:.6f}", "log_loss": f"{loss:.6f}",
                                 "seconds": f"{seconds:.3f}", "folds_failed": failed})
                error, loss, seconds = (statistics.mean(column) for column in zip(*found))
                write_results(arguments.results, rows, said=False)  # of a run that is cut short, too
                print(f"{name:36} {who:24} {100 * error:6.2f} % {loss:8.4f} {seconds:7.2f} s", flush=True)
    write_results(arguments.results, rows)


if __name__ == "__main__":
    main()
