"""Accuracy on tables, ten-fold, mean of five shuffles, against scikit-learn on the same rows.

scikit-learn's CategoricalNB gets ordinal codes with missing as a value of its own, and a domain
wide enough for unseen values; its GaussianNB gets the numbers.
"""

import statistics
import sys

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from common import DATA, credence_json, write_results

WORDS = [("mushroom", "class"), ("car", "class"), ("nursery", "class"), ("house_votes_84", "Class"), ("soybean_large", "class")]
NUMBERS = [("iris", None), ("wine", None), ("breast_cancer_wisconsin_diagnostic", None), ("pima_diabetes", None), ("glass", None),
           ("vehicle", None)]
SEEDS = range(1, 6)


def peer_words(frame):
    inputs = frame.iloc[:, :-1].astype("string").fillna("(missing)")
    codes = np.column_stack([inputs[name].astype("category").cat.codes for name in inputs])
    return codes, CategoricalNB(min_categories=codes.max(axis=0) + 1)


def peer_numbers(frame):
    return frame.iloc[:, :-1].to_numpy(float), GaussianNB()


def peer_accuracy(frame, make):
    inputs, estimator = make(frame)
    labels = frame.iloc[:, -1].astype(str)
    scores = []
    for seed in SEEDS:
        folds = StratifiedKFold(10, shuffle=True, random_state=seed)
        scores.append(cross_val_score(estimator, inputs, labels, cv=folds).mean())
    return statistics.mean(scores)


def our_accuracy(path, target, options):
    return statistics.mean(credence_json("cv", path, "--target", target, "--folds", 10, "--seed", seed, "--quiet", *options)["accuracy"]
                           for seed in SEEDS)


def main():
    folder = DATA / "tabular"
    if not folder.is_dir():
        sys.exit(f"{folder} is absent: nothing to measure")
    rows = []
    for names, make, peer, options in ((WORDS, peer_words, "CategoricalNB", ["--as", "*: categorical"]), (NUMBERS, peer_numbers, "GaussianNB", [])):
        for name, target in names:
            path = folder / f"{name}.csv"
            frame = pd.read_csv(path, keep_default_na=True)
            ours = our_accuracy(path, target or frame.columns[-1], options)
            theirs = peer_accuracy(frame, make)
            rows.append({"task": name, "peer": f"scikit-learn {peer}", "peer_accuracy": f"{theirs:.4f}", "credence_accuracy": f"{ours:.4f}",
                         "difference": f"{ours - theirs:+.4f}"})
            print(f"{name:40} credence {ours:.4f}  {peer} {theirs:.4f}  {ours - theirs:+.4f}", flush=True)
    write_results("tabular", rows)


if __name__ == "__main__":
    main()
