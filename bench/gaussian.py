"""Quadratic discriminant analysis as it comes, against scikit-learn's, on the same folds.

  bench/gaussian.py [defaults] [loo] [gaps]

defaults  ten folds, mean of five shuffles: `--model qda` and nothing else against QuadraticDiscriminantAnalysis()
loo       wine, leave one out: lda, qda, and what lies between
gaps      20 % of the entries removed at random: learned and scored with the gaps, against the means put in

Log-loss counts a probability below 2.2e-16 as 2.2e-16. A peer that refuses a fold has no figures.
Recent versions of scikit-learn refuse a covariance with a variance below 1e-4 in the columns' own units. So it is also given
what its users would try next: columns standardised and constant ones dropped, and then the reg_param that is best on the
test folds themselves.
"""

import csv
import io
import json
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as QDA
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.model_selection import LeaveOneOut, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from common import DATA, ROOT, commit, credence, machine

SEEDS = range(1, 6)
LEAST = np.finfo(float).eps


def bundled(name):
    return getattr(datasets, f"load_{name}")(return_X_y=True)


def shared(name):
    path = DATA / "tabular" / f"{name}.csv"
    if not path.exists():
        print(f"{path} is absent: left out")
        return None
    frame = pd.read_csv(path)
    return frame.iloc[:, :-1].to_numpy(float), frame.iloc[:, -1].astype("category").cat.codes.to_numpy()


SETS = {"ionosphere": shared, "breast_cancer": bundled, "digits": bundled, "wine": bundled, "iris": bundled, "vehicle": shared}


class Refused(Exception):
    """A contender that says it cannot estimate from these rows."""


def write_table(path, x, y):
    """An empty field is a missing value; repr of a double gives back the same double."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([f"x{i}" for i in range(x.shape[1])] + ["class"])
        writer.writerows(["" if np.isnan(v) else repr(float(v)) for v in row] + [f"c{label}"] for row, label in zip(x, y))


def ours(*options):
    """Learns a fold by the program and gives the posterior of its test rows."""

    def posterior(x, y, test):
        with tempfile.TemporaryDirectory() as folder:
            train_file, test_file, model = (Path(folder, name) for name in ("train.csv", "test.csv", "model.credence"))
            write_table(train_file, x, y)
            write_table(test_file, test, ["?"] * len(test))
            try:
                credence("fit", train_file, "--target", "class", *options, "-o", model, "--quiet")
            except SystemExit as stopped:
                raise Refused(str(stopped).partition("credence: ")[2].strip()) from stopped
            answers = csv.DictReader(io.StringIO(credence("predict", model, test_file, "--proba", "--quiet")))
            return np.array([[float(row[f"c{label}"]) for label in np.unique(y)] for row in answers])

    return posterior


def theirs(*steps):
    return lambda x, y, test: make_pipeline(*steps).fit(x, y).predict_proba(test)


def imputed(posterior):
    """The column means of the training rows in place of what is missing."""

    def with_means(x, y, test):
        filler = SimpleImputer(keep_empty_features=True).fit(x)
        return posterior(filler.transform(x), y, filler.transform(test))

    return with_means


def judge(posterior, x, y, splits):
    """Accuracy and log-loss over the test rows of all folds."""
    losses, hits = [], []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for train, test in splits:
                p = posterior(x[train], y[train], x[test])
                right = np.searchsorted(np.unique(y[train]), y[test])
                losses += list(-np.log(np.maximum(p[np.arange(len(test)), right], LEAST)))
                hits += list(p.argmax(axis=1) == right)
    except (Refused, np.linalg.LinAlgError) as error:
        return {"refused": str(error).split(". ")[0].split(" (use")[0]}
    return {"accuracy": float(np.mean(hits)), "log_loss": float(np.mean(losses))}


def average(results):
    refused = [r for r in results if "refused" in r]
    if refused:
        return {**refused[0], "times": f"{len(refused)} of {len(results)}"}
    return {key: float(np.mean([r[key] for r in results])) for key in results[0]}


def folds(x, y, seed):
    return list(StratifiedKFold(10, shuffle=True, random_state=seed).split(x, y))


def report(rows, task, name, contender, result):
    rows.append({"task": task, "set": name, "contender": contender, **result})
    text = (f"accuracy {result['accuracy']:.4f}  log-loss {result['log_loss']:.4f}" if "accuracy" in result
            else f"refused ({result['times']} shuffles): {result['refused']}")
    print(f"{task:9} {name:14} {contender:46} {text}", flush=True)
    return result


def defaults(rows):
    for name, load in SETS.items():
        found = load(name)
        if found is None:
            continue
        x, y = found

        def measure(posterior):
            return average([judge(posterior, x, y, folds(x, y, seed)) for seed in SEEDS])

        report(rows, "defaults", name, "credence --model qda", measure(ours("--model", "qda")))
        report(rows, "defaults", name, "QDA()", measure(theirs(QDA())))
        scaled = (VarianceThreshold(), StandardScaler())
        report(rows, "defaults", name, "standardised, QDA()", measure(theirs(*scaled, QDA())))
        tried = {r: measure(theirs(*scaled, QDA(reg_param=r))) for r in (1e-3, 1e-2, 0.03, 0.1, 0.3, 0.5)}
        for what, best in ("accuracy", max), ("log_loss", min):
            usable = [r for r in tried if what in tried[r]]
            if usable:
                r = best(usable, key=lambda r: tried[r][what])
                report(rows, "defaults", name, f"standardised, QDA(reg_param={r}), best {what}", tried[r])


def leave_one_out(rows):
    x, y = bundled("wine")
    splits = list(LeaveOneOut().split(x))
    for options in (("--model", "lda"), ("--model", "lda", "--estimate", "mle"), ("--model", "qda"), ("--model", "qda", "--estimate", "mle"),
                    ("--model", "qda", "--estimate", "unbiased"), ("--as", "x*: gaussian(shrunk)", "--estimate", "mle"),
                    ("--as", "x*: gaussian(shrunk)"), ("--as", "x*: gaussian(rda=0.5)"),
                    ("--as", "x*: gaussian(rda=0.5)", "--estimate", "mle"), ("--as", "x*: gaussian(rda=0.5, shrunk=oas)", "--estimate", "mle")):
        report(rows, "loo", "wine", "credence " + " ".join(options), judge(ours(*options), x, y, splits))


def with_gaps(x, seed):
    x = x.copy()
    x[np.random.default_rng(seed).random(x.shape) < 0.2] = np.nan
    return x


def gaps(rows):
    for name in ("wine", "iris", "breast_cancer"):
        x, y = bundled(name)
        contenders = {
            "credence --model qda, gaps": ours("--model", "qda"),
            "means, credence --model qda": imputed(ours("--model", "qda")),
            "means, credence --model qda --estimate mle": imputed(ours("--model", "qda", "--estimate", "mle")),
            "means, QDA()": imputed(theirs(QDA())),
            "means, standardised, QDA()": imputed(theirs(StandardScaler(), QDA())),
        }
        # With fewer complete rows of a class than columns the likelihood has no maximum: only iris has enough.
        if name == "iris":
            contenders["credence --model qda --estimate mle, gaps"] = ours("--model", "qda", "--estimate", "mle")
        for contender, posterior in contenders.items():
            report(rows, "gaps", name, contender, average([judge(posterior, with_gaps(x, seed), y, folds(x, y, seed)) for seed in SEEDS]))


def main():
    tasks = {"defaults": defaults, "loo": leave_one_out, "gaps": gaps}
    wanted = sys.argv[1:] or list(tasks)
    for task in wanted:
        rows = []
        tasks[task](rows)
        path = ROOT / "bench" / "results" / f"gaussian_{task}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"commit": commit(), "machine": machine(), "results": rows}, indent=1) + "\n")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
