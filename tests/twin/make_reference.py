"""Writes reference.csv: probabilities by scikit-learn's LogisticRegression (C=1) on columns that are
standardised (numbers) or one-hot (words), as docs/discriminative.md describes.

Run by hand with scikit-learn installed, in the project's root:
    python tests/twin/make_reference.py > tests/twin/reference.csv
Every tenth row is written, and all rows of the examples. Solved to a gradient of about 1e-12 by
Newton's method where scikit-learn offers it, checked against L-BFGS.
"""
import csv
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder, StandardScaler

SETS = [  # name, file, target, rows written, weighted
    ("iris", "../shared/data/tabular/iris.csv", "species", 10, False),
    ("wine", "../shared/data/tabular/wine.csv", "cultivar", 10, False),
    ("breast_cancer", "../shared/data/tabular/breast_cancer_wisconsin_diagnostic.csv", "diagnosis", 10, False),
    ("tennis", "examples/tennis.csv", "PlayTennis", 1, False),
    ("weighted_tennis", "examples/tennis.csv", "PlayTennis", 1, True),
    ("temperatures", "examples/temperatures.csv", "play", 1, False),
]


def design(rows, names):
    parts = []
    for name in names:
        column = [[row[name]] for row in rows]
        try:
            parts.append(StandardScaler().fit_transform(np.array(column, dtype=float)))
        except ValueError:
            parts.append(OneHotEncoder(sparse_output=False).fit_transform(column))
    return np.hstack(parts)


def fit(x, y, weights, solver):
    model = LogisticRegression(C=1.0, solver=solver, tol=1e-12, max_iter=100000)
    return model.fit(x, y, sample_weight=weights)


print("set,row,class,probability")
for name, path, target, every, weighted in SETS:
    rows = list(csv.DictReader(open(path)))
    names = [column for column in rows[0] if column != target]
    x, y = design(rows, names), np.array([row[target] for row in rows])
    weights = 1.0 + np.arange(len(rows)) % 3 if weighted else None
    model = fit(x, y, weights, "newton-cholesky")
    p = model.predict_proba(x)
    other = fit(x, y, weights, "lbfgs").predict_proba(x)
    print(f"{name}: solvers agree to {np.abs(p - other).max():.1e}", file=sys.stderr)
    for r in range(0, len(rows), every):
        for c, label in enumerate(model.classes_):
            print(f"{name},{r},{label},{p[r, c]:.15g}")
