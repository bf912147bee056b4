#!/usr/bin/env python3
"""Posteriors of discriminant analysis against scikit-learn's, on the sets that come with it.

  sklearn_parity.py --program build/credence

Both sides learn all rows and give the probability of every class for every row; the largest difference is printed
and must stay within 1e-8. What is matched:

  LDA svd      by N or by N - C, as its version has it           gaussian(tied), mle or unbiased
  LDA lsqr     pools the classes' covariances by their shares    gaussian(tied), mle
  LDA lsqr, covariances times N / (N - C)                        gaussian(tied), unbiased
  LDA lsqr, shrinkage=s     towards the mean variance            gaussian(tied, shrunk=s, spherical), mle
  QDA          by n or by n - 1, as its version has it           gaussian(full), mle or unbiased
  QDA eigen, covariances times n / (n - 1)                       gaussian(full), unbiased
  QDA eigen, shrinkage=s                                         gaussian(shrunk=s, spherical), mle
  QDA eigen, shrinkage=auto   Ledoit and Wolf, standardised      gaussian(shrunk), mle

Class priors are the classes' shares. Digits lose the pixels that are 0 in every image. Many others are 0 in every image of
one class, so QDA of digits exists only shrunk towards the mean variance. The tolerance that makes scikit-learn drop or
refuse directions of small variance depends on the columns' units, so it is set to 0.
"""
import argparse
import csv
import io
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
try:
    import numpy as np
    from sklearn import datasets
    from sklearn.covariance import EmpiricalCovariance
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as QDA
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(SKIPPED)

TOLERANCE = 1e-8
HAS_EIGEN = "solver" in QDA().get_params()  # newer versions only


def load(name):
    x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return x[:, x.std(axis=0) > 0], y


class Unbiased(EmpiricalCovariance):
    """The covariance times n / (n - 1), or times a factor that is given."""

    def __init__(self, factor=None):
        super().__init__()
        self.factor = factor

    def fit(self, x, y=None):
        super().fit(x)
        self.covariance_ = self.covariance_ * (self.factor or len(x) / (len(x) - 1))
        return self


def rules():
    """Older versions divide by n - 1 and N - C, newer ones by n and N: asked of two classes of variance 1 and 4."""
    x, y = np.array([[0.0], [2.0], [5.0], [9.0]]), [0, 0, 1, 1]
    slope = LDA(solver="svd").fit(x, y).coef_.item()
    variance = QDA(store_covariance=True).fit(x, y).covariance_[0].item()
    return {2.4: "mle", 1.2: "unbiased"}[round(slope, 9)], {1.0: "mle", 2.0: "unbiased"}[round(variance, 9)]


def contenders(name, freedom):
    """What it is called, scikit-learn's estimator, our family and rule. `freedom` is N / (N - C)."""
    lda_rule, qda_rule = rules()
    yield "LDA svd", LDA(solver="svd", tol=0), "tied", lda_rule
    yield "LDA lsqr", LDA(solver="lsqr"), "tied", "mle"
    yield "LDA lsqr", LDA(solver="lsqr", covariance_estimator=Unbiased(freedom)), "tied", "unbiased"
    for share in 0.1, 0.5:
        yield f"LDA shrinkage={share}", LDA(solver="lsqr", shrinkage=share), f"tied, shrunk={share}, spherical", "mle"
    if name != "digits":
        yield "QDA", QDA(tol=0), "full", qda_rule
    if HAS_EIGEN:
        for share in 0.1, 0.5:
            yield (f"QDA shrinkage={share}", QDA(solver="eigen", shrinkage=share, tol=0), f"shrunk={share}, spherical", "mle")
        if name != "digits":
            yield "QDA eigen", QDA(solver="eigen", covariance_estimator=Unbiased(), tol=0), "full", "unbiased"
            yield "QDA shrinkage=auto", QDA(solver="eigen", shrinkage="auto", tol=0), "shrunk", "mle"


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"credence {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def write_table(path, x, y):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([f"x{i}" for i in range(x.shape[1])] + ["class"])
        # repr of a double gives back the same double.
        writer.writerows([repr(float(value)) for value in row] + [f"c{label}"] for row, label in zip(x, y))


def our_posterior(program, table, family, rule, labels):
    model = table.with_suffix(".credence")
    run(program, "fit", table, "--target", "class", "--as", f"x*: gaussian({family})", "--estimate", rule, "-o", model, "--quiet")
    answers = csv.DictReader(io.StringIO(run(program, "predict", model, table, "--proba", "--quiet")))
    return np.array([[float(row[f"c{label}"]) for label in labels] for row in answers])


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", required=True)
    program = arguments.parse_args().program
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("iris", "wine", "breast_cancer", "digits"):
            x, y = load(name)
            table = Path(folder, f"{name}.csv")
            write_table(table, x, y)
            for title, estimator, family, rule in contenders(name, len(y) / (len(y) - len(set(y)))):
                theirs = estimator.fit(x, y).predict_proba(x)
                ours = our_posterior(program, table, family, rule, estimator.classes_)
                difference = np.abs(ours - theirs).max()
                failures += not difference <= TOLERANCE  # NaN fails too
                print(f"{name:14} {title:20} gaussian({family}), {rule}: {difference:.2e}{'' if difference <= TOLERANCE else '  TOO LARGE'}")
    if not HAS_EIGEN:
        print("this scikit-learn has no QDA with shrinkage: not compared")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
