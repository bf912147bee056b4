"""Writes coordinates_reference.csv: discriminant coordinates by scikit-learn's
LinearDiscriminantAnalysis, solvers "eigen" (for our rule mle) and "svd" (for our rule unbiased).

Centre and scale differ between its solvers and its versions (svd has divided the
covariance by n - classes, and by n), so both are settled here: the mean of all rows is 0, and the variance within
the classes is 1 when divided by n for mle, by n - classes for unbiased.

Run by hand with scikit-learn installed, in the project's root:
    python tests/model/make_coordinates_reference.py > tests/model/coordinates_reference.csv
Every tenth row is written; row -1 holds the shares of the between-class variance.
"""
import csv

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

SETS = [("iris", "species"), ("wine", "cultivar")]

print("set,rule,row,coordinate,value")
for name, target in SETS:
    rows = list(csv.DictReader(open(f"../shared/data/tabular/{name}.csv")))
    columns = [column for column in rows[0] if column != target]
    x = np.array([[float(row[column]) for column in columns] for row in rows])
    y = np.array([row[target] for row in rows])
    for rule, solver in ("unbiased", "svd"), ("mle", "eigen"):
        model = LinearDiscriminantAnalysis(solver=solver).fit(x, y)
        places = model.transform(x)
        places = places - places.mean(axis=0)
        labels = sorted(set(y))
        within = sum(((places[y == c] - places[y == c].mean(axis=0)) ** 2).sum(axis=0) for c in labels)
        places = places / np.sqrt(within / (len(y) - (len(labels) if rule == "unbiased" else 0)))
        table = [(-1, model.explained_variance_ratio_)]
        table += [(r, places[r]) for r in range(0, len(rows), 10)]
        for r, values in table:
            for k in range(2):
                print(f"{name},{rule},{r},{k},{values[k]:.15g}")
