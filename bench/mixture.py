"""Training log-likelihood of mixtures, class by class, against scikit-learn's GaussianMixture.

Both fit three normal components to the rows of each class, the best of ten starts. The columns are standardised first,
and digits reduced to eight principal components, so that scikit-learn's reg_covar, which it adds to every variance,
means the same everywhere. Ours has no such constant: the rule is mle. The log-likelihood of a class is recomputed from
`predict --evidence` with the whole prior on that class, where log p(x) is log p(x | c).
A likelihood that is higher because a component has collapsed onto few rows is no merit: the held-out
column gives the mean of log p(x | c) over rows that were not learned, every fifth one. With a reg_covar next to none
scikit-learn does collapse (setosa under full: many petals are 0.2 wide), so it is also given 1e-3.
"""

import csv
import io
import json
import tempfile
import warnings
from pathlib import Path

import numpy as np
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from common import ROOT, commit, credence, machine
from gaussian import Refused, write_table

COMPONENTS, STARTS = 3, 10
REGULARISATIONS = (1e-9, 1e-3)
THEIR_NAME = {"full": "full", "diagonal": "diag"}
SETS = [("iris", "full"), ("iris", "diagonal"), ("wine", "full"), ("wine", "diagonal"), ("breast_cancer", "diagonal"),
        ("digits", "full"), ("digits", "diagonal")]


def fit_command(table, covariance, model):
    """The one place that spells the family."""
    family = f"mixture({COMPONENTS}, {covariance}, starts={STARTS})"
    return ["fit", table, "--target", "class", "--as", f"x*: {family}", "--estimate", "mle", "-o", model, "--quiet"]


def ours(x, y, parts, covariance):
    """log p(x | c) of the rows of each class c, for each part of the table."""
    with tempfile.TemporaryDirectory() as folder:
        table, model = Path(folder, "train.csv"), Path(folder, "model.credence")
        write_table(table, x, y)
        try:
            credence(*fit_command(table, covariance, model))
        except SystemExit as stopped:
            raise Refused(str(stopped).partition("credence: ")[2].strip()) from stopped
        result = []
        for c in np.unique(y):
            prior = ",".join(f"c{k}={int(k == c)}" for k in np.unique(y))
            result.append([])
            for part, labels in parts:
                write_table(table, part[labels == c], labels[labels == c])
                answers = csv.DictReader(io.StringIO(credence("predict", model, table, "--evidence", "--prior", prior, "--quiet")))
                result[-1].append([float(row["log_evidence"]) for row in answers])
        return result


def theirs(regularisation):
    def densities(x, y, parts, covariance):
        result = []
        for c in np.unique(y):
            mixture = GaussianMixture(COMPONENTS, covariance_type=THEIR_NAME[covariance], n_init=STARTS, reg_covar=regularisation,
                                      tol=1e-6, max_iter=2000, random_state=1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                mixture.fit(x[y == c])
            result.append([list(mixture.score_samples(part[labels == c])) for part, labels in parts])
        return result

    return densities


def load(name):
    x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    x = x[:, x.std(axis=0) > 0]
    if name == "digits":
        x = PCA(8, random_state=1).fit_transform(x)
    return StandardScaler().fit_transform(x), y


def judged(contender, x, y, covariance):
    """Log-likelihood of each class when all rows are learned, and the mean over held-out rows."""
    held = np.arange(len(y)) % 5 == 0
    try:
        everything = contender(x, y, [(x, y)], covariance)
        split = contender(x[~held], y[~held], [(x[held], y[held])], covariance)
    except (Refused, ValueError) as error:
        return {"refused": str(error).split(" (use")[0]}
    return {"log_likelihood": [float(np.sum(part[0])) for part in everything],
            "held_out": float(np.mean(np.concatenate([part[0] for part in split])))}


def main():
    rows = []
    contenders = {"credence": ours, **{f"GaussianMixture(reg_covar={r:g})": theirs(r) for r in REGULARISATIONS}}
    for name, covariance in SETS:
        x, y = load(name)
        first = None
        for who, contender in contenders.items():
            result = judged(contender, x, y, covariance)
            rows.append({"set": name, "covariance": covariance, "contender": who, **result})
            text = result.get("refused") or f"{' '.join(f'{v:10.3f}' for v in result['log_likelihood'])}  held out {result['held_out']:.4f}"
            print(f"{name:14} {covariance:9} {who:32} {text}", flush=True)
            first = first or result
            if result is not first and "refused" not in first and "refused" not in result:
                ahead = [a - b for a, b in zip(first["log_likelihood"], result["log_likelihood"])]
                rows[-1]["credence_ahead_by"] = ahead
                print(f"{'credence is ahead by':>57} {' '.join(f'{v:+10.3f}' for v in ahead)}")
    path = ROOT / "bench" / "results" / "mixture.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"commit": commit(), "machine": machine(), "components": COMPONENTS, "starts": STARTS, "results": rows},
                               indent=1) + "\n")
    print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
