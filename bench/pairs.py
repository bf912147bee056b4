"""Counts of pairs: from a CSV file to a model, and from it to labels, against scikit-bayes' AODE. Run by hand, with scikit-bayes installed.

    python bench/pairs.py [ROWS]

Ours reads and writes files; theirs has its codes in memory, and is given a tenth of the rows, for it takes too long otherwise: its
seconds are those of ten times as many. Both must agree on nearly every label before anything is timed.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from skbn import AnDE

from common import credence, credence_into, seconds_of

COLUMNS, VALUES, CLASSES = 20, 8, 3
READING = "x*: pairs(aode, backoff=1)"  # theirs adds one row, too


def table(rows):
    """Every column leans on the one before it, more so in the first class."""
    random = np.random.default_rng(1)
    y = random.integers(0, CLASSES, rows)
    x = np.empty((rows, COLUMNS), int)
    x[:, 0] = (random.integers(0, VALUES, rows) + y) // 2
    for i in range(1, COLUMNS):
        follows = random.random(rows) < 0.6 - 0.2 * y
        x[:, i] = np.where(follows, x[:, i - 1], random.integers(0, VALUES, rows))
    return x, y


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    few = rows // 10
    x, y = table(rows)
    names = [f"x{i}" for i in range(COLUMNS)]
    with tempfile.TemporaryDirectory() as folder:
        path, model, labels = Path(folder) / "rows.csv", Path(folder) / "m.credence", Path(folder) / "labels.csv"
        frame = pd.DataFrame(np.char.add("v", x.astype(str)), columns=names)
        frame["y"] = np.char.add("c", y.astype(str))
        frame.to_csv(path, index=False)

        def fit():
            credence("fit", path, "--target", "y", "--as", READING, "--quiet", "-o", model)

        def predict():
            credence_into(labels, "predict", model, path, "--quiet")

        theirs = AnDE(n_dependence=1, categorical_features=list(range(COLUMNS)))
        codes, classes = x[:few], y[:few]
        their_fit = 10 * seconds_of(lambda: theirs.fit(codes, classes))
        found = []
        their_predict = 10 * seconds_of(lambda: found.append(theirs.predict(codes)))
        part = Path(folder) / "few.csv"
        frame[:few].to_csv(part, index=False)
        credence("fit", part, "--target", "y", "--as", READING, "--quiet", "-o", model)
        credence_into(labels, "predict", model, part, "--quiet")
        ours = pd.read_csv(labels).iloc[:, 0].str[1:].astype(int).to_numpy()
        same = (ours == found[0]).mean()
        if same < 0.95:
            sys.exit(f"only {same:.1%} of the labels agree")
        our_fit, our_predict = (min(seconds_of(work) for _ in range(3)) for work in (fit, predict))
        print(f"{rows} rows x {COLUMNS} columns x {VALUES} values, {CLASSES} classes; {same:.2%} of the labels agree")
        for what, us, them in ("fit", our_fit, their_fit), ("predict", our_predict, their_predict):
            print(f"{what:8} credence {us:8.2f} s, scikit-bayes {them:8.2f} s: {them / us:.0f} times")


if __name__ == "__main__":
    main()
