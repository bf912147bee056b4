"""Training log-likelihood of mixtures, class by class, against scikit-learn's GaussianMixture.

Both fit three normal components to the rows of each class from ten starts, scikit-learn with its own way to start.
(Each start of ours is the best of three short openings, and moves then lead from the best two starts to higher maxima.) The columns are standardised first, and digits reduced to
eight principal components, so that scikit-learn's reg_covar, which it adds to every variance, means the same
everywhere. Ours has no such constant: the rule is mle, and where mle is refused, for all rows or for those that are not
held out, also m-estimate, whose likelihood the imaginary row lowers. Log-likelihoods are recomputed from `predict
--evidence` with the whole prior on one class, where log p(x) is log p(x | c).

A likelihood that is high because a component has collapsed onto few rows is no merit. So the least eigenvalue of the
components' covariances is given in brackets, and scikit-learn appears twice: the best of its ten starts, which is what
n_init=10 gives, and the best of those whose eigenvalues all are above SOUND, where there are any. Ours drops
starts that end in a singular covariance, and prefers those without a narrow component of few rows. The held-out column is the mean of log p(x | c) over rows that were not
learned, every fifth one. One seed is one draw: which of several maxima ten starts reach is luck on either side.
--seeds 3 takes the seeds 1, 2 and 3 on both sides.
"""

import argparse
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

from common import ROOT, commit, credence, credence_json, machine
from gaussian import Refused, write_table

COMPONENTS, STARTS = 3, 10
REGULARISATION, SOUND = 1e-6, 1e-5
THEIR_NAME = {"full": "full", "diagonal": "diag"}
SETS = [("iris", "full"), ("iris", "diagonal"), ("wine", "full"), ("wine", "diagonal"), ("breast_cancer", "full"),
        ("breast_cancer", "diagonal"), ("digits", "full"), ("digits", "diagonal")]


def least_eigenvalue(covariances):
    return min(float(np.linalg.eigvalsh(c)[0]) for c in covariances)


def our_covariances(table, label, columns):
    result = np.zeros((COMPONENTS, columns, columns))
    for k in range(COMPONENTS):
        for i in range(columns):
            for j in range(i + 1):
                cells = table.get(f"{k + 1}: cov x{i}" + (f", x{j}" if i != j else ""), {label: 0})
                result[k, i, j] = result[k, j, i] = cells[label]
    return result


def ours(rule):
    def fitted(x, y, held, covariance, seed):
        """Of each class: log p(x | c) of its rows, held-out ones too, and the least eigenvalue."""
        with tempfile.TemporaryDirectory() as folder:
            table, model = Path(folder, "train.csv"), Path(folder, "model.credence")
            write_table(table, x, y)
            family = f"x*: mixture({COMPONENTS}, {covariance}, starts={STARTS}, seed={seed})"
            try:
                credence("fit", table, "--target", "class", "--as", family, "--estimate", rule, "-o", model, "--quiet")
            except SystemExit as stopped:
                raise Refused(str(stopped).partition("credence: ")[2].strip()) from stopped
            parameters = credence_json("show", model)["columns"][0]["table"]
            result = []
            for c in np.unique(y):
                prior = ",".join(f"c{k}={int(k == c)}" for k in np.unique(y))
                logs = []
                for part, labels in (x, y), held:
                    write_table(table, part[labels == c], labels[labels == c])
                    answers = credence("predict", model, table, "--evidence", "--prior", prior, "--quiet")
                    logs.append([float(row["log_evidence"]) for row in csv.DictReader(io.StringIO(answers))])
                result.append((*logs, least_eigenvalue(our_covariances(parameters, f"c{c}", x.shape[1]))))
            return result

    return fitted


def theirs(sound):
    def fitted(x, y, held, covariance, seed):
        result = []
        for c in np.unique(y):
            # One stream for ten fits of one start each: the starts that n_init=10 makes.
            stream, best = np.random.RandomState(seed), None
            for _ in range(STARTS):
                one = GaussianMixture(COMPONENTS, covariance_type=THEIR_NAME[covariance], reg_covar=REGULARISATION, tol=1e-6,
                                      max_iter=2000, random_state=stream)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    one.fit(x[y == c])
                least = least_eigenvalue(one.covariances_ if covariance == "full" else map(np.diag, one.covariances_))
                if (not sound or least > SOUND) and (best is None or one.lower_bound_ > best[0].lower_bound_):
                    best = one, least
            if best is None:
                raise Refused(f"all starts of class c{c} have an eigenvalue below {SOUND:g}")
            logs = [list(best[0].score_samples(part[labels == c])) for part, labels in ((x, y), held)]
            result.append((*logs, best[1]))
        return result

    return fitted


CONTENDERS = {"credence, mle": ours("mle"), "credence, m-estimate": ours("m-estimate"), "GaussianMixture": theirs(False),
              "GaussianMixture, sound starts": theirs(True)}


def load(name):
    x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    x = x[:, x.std(axis=0) > 0]
    if name == "digits":
        x = PCA(8, random_state=1).fit_transform(x)
    return StandardScaler().fit_transform(x), y


def judged(contender, x, y, covariance, seed):
    """Log-likelihood of each class when all rows are learned, and the mean over held-out rows."""
    held = np.arange(len(y)) % 5 == 0
    try:
        whole = contender(x, y, (x, y), covariance, seed)
    except (Refused, ValueError) as error:
        return {"refused": str(error).split(" (use")[0].split(": ", 1)[-1]}
    result = {"log_likelihood": [float(np.sum(logs)) for logs, _, _ in whole], "least_eigenvalue": [least for _, _, least in whole]}
    try:
        split = contender(x[~held], y[~held], (x[held], y[held]), covariance, seed)
        result["held_out"] = float(np.mean(np.concatenate([logs for _, logs, _ in split])))
    except (Refused, ValueError):
        result["held_out"] = None  # four fifths of the rows are too few
    return result


def compared(seed):
    rows = []
    for name, covariance in SETS:
        x, y = load(name)
        first = None
        for who, contender in CONTENDERS.items():
            if who == "credence, m-estimate" and first.get("held_out") is not None:
                continue  # mle refused neither all rows nor four fifths of them
            result = judged(contender, x, y, covariance, seed)
            rows.append({"seed": seed, "set": name, "covariance": covariance, "contender": who, **result})
            first = first or result
            head = f"{name:14} {covariance:9} {who:30}"
            if "refused" in result:
                print(f"{head} refused: {result['refused']}", flush=True)
                continue
            pairs = zip(result["log_likelihood"], result["least_eigenvalue"])
            out = "refused" if result["held_out"] is None else f"{result['held_out']:.3f}"
            print(head, " ".join(f"{v:10.3f} ({least:.0e})" for v, least in pairs), f" held out {out}", flush=True)
            if result is not first and "refused" not in first:
                rows[-1]["credence_ahead_by"] = [a - b for a, b in zip(first["log_likelihood"], result["log_likelihood"])]
                print(f"{'credence, mle is ahead by':>55}", " ".join(f"{v:+10.3f}        " for v in rows[-1]["credence_ahead_by"]))
    return rows


def main():
    parser = argparse.ArgumentParser(description="Log-likelihood of mixtures against scikit-learn's.")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds, from 1 on")
    rows = []
    for seed in range(1, parser.parse_args().seeds + 1):
        print(f"seed {seed}")
        rows += compared(seed)
    path = ROOT / "bench" / "results" / "mixture.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"commit": commit(), "machine": machine(), "components": COMPONENTS, "starts": STARTS, "results": rows},
                               indent=1) + "\n")
    print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
