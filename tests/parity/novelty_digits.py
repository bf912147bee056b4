#!/usr/bin/env python3
"""Nine of the ten digits are learned, the tenth has to be found: all ten in turn.

The data are scikit-learn's bundled digits (1797 images of 8 x 8). Three in ten images of the nine are
kept apart: their p-values must be uniform, and the tenth digit's must be lower. Skipped (77) without
scikit-learn. --families lists other ways to model the pixels, for comparison.
"""
import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    from scipy.stats import kstest
    from sklearn.datasets import load_digits
    from sklearn.metrics import roc_auc_score
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

PIXELS = [f"p{i // 8}{i % 8}" for i in range(64)]
RECOMMENDED = ["--as", "p*: gaussian(shrunk=0.3, spherical)"]


def write(path, pixels, labels):
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow([*PIXELS, "digit"])
        table.writerows([*(int(v) for v in row), label] for row, label in zip(pixels, labels))


def p_values(program, model, path):
    out = subprocess.run([program, "predict", model, path, "--novelty"], check=True, capture_output=True, text=True)
    return np.array([float(row["novelty"]) for row in csv.DictReader(out.stdout.splitlines())])


def leave_out(program, folder, digit, family, seed=1):
    digits = load_digits()
    random = np.random.default_rng(seed)
    order = random.permutation(len(digits.target))
    known = [i for i in order if digits.target[i] != digit]
    cut = len(known) * 7 // 10
    for name, rows in {"train": known[:cut], "test": known[cut:],
                       "novel": np.flatnonzero(digits.target == digit)}.items():
        write(folder / f"{name}.csv", digits.data[rows], digits.target[rows])
    model = str(folder / "nine.credence")
    subprocess.run([program, "fit", str(folder / "train.csv"), "--target", "digit", *family, "--novelty", "-q",
                    "-o", model], check=True)
    usual = p_values(program, model, str(folder / "test.csv"))
    novel = p_values(program, model, str(folder / "novel.csv"))
    auc = roc_auc_score([0] * len(usual) + [1] * len(novel), -np.concatenate([usual, novel]))
    return auc, kstest(usual, "uniform").pvalue, (novel < 0.01).mean(), (usual < 0.01).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/credence")
    parser.add_argument("--as", dest="family", default=None, help="how to model the pixels: gaussian, mixture, …")
    parser.add_argument("--digits", default="0123456789")
    options = parser.parse_args()
    family = ["--as", f"p*: {options.family}"] if options.family else RECOMMENDED
    failures = 0
    print("left out  AUC     uniform?  found at 0.01  false at 0.01")
    for digit in map(int, options.digits):
        with tempfile.TemporaryDirectory() as folder:
            auc, uniform, found, false = leave_out(options.program, Path(folder), digit, family)
        failures += auc < 0.95 or uniform < 0.001
        print(f"{digit}         {auc:.4f}  {uniform:.4f}    {found:.3f}          {false:.3f}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
