"""Training log-likelihood of mixtures, class by class, against scikit-learn's GaussianMixture.

Both fit three normal components to the rows of each class from ten starts, scikit-learn with its own way to start.
(Each start of ours is the best of three short openings, and moves then lead from the starts to higher maxima.)
GaussianMixture adds reg_covar, here 1e-6, to every variance in each step. There are two fair ways to compare:

- "floor": ours with floor=1e-6 does the same, and is compared with the best of scikit-learn's ten starts.
- "no floor": under mle nothing bounds the height of a component that collapses onto few rows, so ours prefers maxima
  without one. It is compared with the best of scikit-learn's starts that are sound, if there are any: all eigenvalues are
  above SOUND, or there is no spike by the rule that ours obeys (docs/families/mixture.md).

The real columns are standardised first, and digits reduced to eight principal components, so that reg_covar means the
same everywhere. The drawn sets are samples of known mixtures, two classes, from overlapping to clear, other rows for each seed;
spikes are of little use there, so the two comparisons should coincide. Log-likelihoods of ours are recomputed from `predict --evidence` with the
whole prior on one class, where log p(x) is log p(x | c). The least eigenvalue of the components' covariances stands in
brackets. The held-out column, for the first seed, is the mean of log p(x | c) over every fifth row when the others are
learned. --seeds 3 takes the seeds 1, 2 and 3 on both sides; --first 101 begins there; --jobs 2 runs two seeds at a time.
"""

import argparse
import csv
import io
import json
import multiprocessing
import tempfile
import warnings
from pathlib import Path

import numpy as np
from scipy.linalg import eigvalsh
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from common import ROOT, commit, credence, credence_json, machine
from gaussian import Refused, write_table

COMPONENTS, STARTS = 3, 10
REGULARISATION, SOUND, NOISE = 1e-6, 1e-5, 1e-3
THEIR_NAME = {"full": "full", "diagonal": "diag"}
REAL = ["iris", "wine", "breast_cancer", "digits"]
# Columns, rows, and how far apart the centres are, in units of a component's width.
DRAWN = [(2, 300, 1.0), (2, 600, 2.0), (3, 1000, 1.5), (4, 400, 3.0), (5, 2000, 1.0), (6, 800, 2.0), (6, 300, 5.0)]
SETS = [(name, covariance) for name in [*REAL, *DRAWN] for covariance in THEIR_NAME]
# What is compared with what.
READINGS = {"floor": ("credence, floor", "GaussianMixture"),
            "no floor": ("credence, mle", "GaussianMixture, sound starts")}


def least_eigenvalue(covariances):
    return min(float(np.linalg.eigvalsh(c)[0]) for c in covariances)


def spiked(model, covariances, rows):
    """Whether a component has few rows and is narrow, compared with all of them together."""
    apart = model.means_ - model.weights_ @ model.means_
    whole = np.einsum("k,kij->ij", model.weights_, covariances) + np.einsum("k,ki,kj->ij", model.weights_, apart, apart)
    columns, diagonal = len(whole), model.covariance_type == "diag"
    few = model.weights_ * rows < 2 * (2 if diagonal else columns + 1)
    narrowest = [min(np.diag(c) / np.diag(whole)) if diagonal else eigvalsh(c, whole)[0] for c in covariances]
    return any(few & (np.array(narrowest) < 1e-4))


def our_covariances(table, label, columns):
    result = np.zeros((COMPONENTS, columns, columns))
    for k in range(COMPONENTS):
        for i in range(columns):
            for j in range(i + 1):
                cells = table.get(f"{k + 1}: cov x{i}" + (f", x{j}" if i != j else ""), {label: 0})
                result[k, i, j] = result[k, j, i] = cells[label]
    return result


def ours(rule, more=""):
    def fitted(x, y, held, covariance, seed):
        """Of each class: log p(x | c) of its rows, held-out ones too, and the least eigenvalue."""
        with tempfile.TemporaryDirectory() as folder:
            table, model = Path(folder, "train.csv"), Path(folder, "model.credence")
            write_table(table, x, y)
            family = f"x*: mixture({COMPONENTS}, {covariance}, starts={STARTS}, seed={seed}{more})"
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
                    if len(part) == 0:
                        logs.append([])
                        continue
                    write_table(table, part[labels == c], labels[labels == c])
                    answers = credence("predict", model, table, "--evidence", "--prior", prior, "--quiet")
                    logs.append([float(row["log_evidence"]) for row in csv.DictReader(io.StringIO(answers))])
                result.append((*logs, least_eigenvalue(our_covariances(parameters, f"c{c}", x.shape[1]))))
            return {"": result}

    return fitted


def theirs(x, y, held, covariance, seed):
    """The best of all starts, and the best sound one; None where no start is sound."""
    result = {"": [], ", sound starts": []}
    for c in np.unique(y):
        # One stream for ten fits of one start each: the starts that n_init=10 makes.
        stream, best = np.random.RandomState(seed), dict.fromkeys(result)
        for _ in range(STARTS):
            one = GaussianMixture(COMPONENTS, covariance_type=THEIR_NAME[covariance], reg_covar=REGULARISATION, tol=1e-6,
                                  max_iter=2000, random_state=stream)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                one.fit(x[y == c])
            covariances = one.covariances_ if covariance == "full" else np.array([np.diag(v) for v in one.covariances_])
            least = least_eigenvalue(covariances)
            sound = least > SOUND or not spiked(one, covariances, np.sum(y == c))
            for which in result:
                if (not which or sound) and (not best[which] or one.lower_bound_ > best[which][0].lower_bound_):
                    best[which] = one, least
        for which, found in best.items():
            logs = [list(found[0].score_samples(part[labels == c])) if len(part) else [] for part, labels in ((x, y), held)] if found else []
            result[which].append((*logs, found[1]) if found else None)
    return result


CONTENDERS = {"credence, floor": ours("mle", f", floor={REGULARISATION}"), "credence, mle": ours("mle"), "GaussianMixture": theirs}


def load(name, seed):
    if name in REAL:
        x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        x = x[:, x.std(axis=0) > 0]
        if name == "digits":
            x = PCA(8, random_state=1).fit_transform(x)
        return StandardScaler().fit_transform(x), y
    columns, rows, apart = name
    random, parts = np.random.RandomState(1000 + seed), []
    for share in (0.5, 0.3, 0.2, 0.5, 0.3, 0.2):
        mixing = random.normal(size=(columns, columns)) / np.sqrt(columns)
        width = np.linalg.cholesky(mixing @ mixing.T + 0.2 * np.eye(columns))
        parts.append(apart * random.normal(size=columns) + random.normal(size=(round(share * rows), columns)) @ width.T)
    return StandardScaler().fit_transform(np.concatenate(parts)), np.repeat([0, 1], rows)


def judged(contender, x, y, covariance, seed, hold_out):
    """Log-likelihood of each class when all rows are learned, and the mean over held-out rows; None: no sound start."""
    held, nothing = np.arange(len(y)) % 5 == 0, (x[:0], y[:0])
    try:
        whole = contender(x, y, nothing, covariance, seed)
    except (Refused, ValueError) as error:
        return {"": {"refused": str(error).split(" (use")[0].split(": ", 1)[-1]}}
    result = {which: {"log_likelihood": [found and float(np.sum(found[0])) for found in classes],
                      "least_eigenvalue": [found and found[2] for found in classes]} for which, classes in whole.items()}
    if not hold_out:
        return result
    try:
        split = contender(x[~held], y[~held], (x[held], y[held]), covariance, seed)
    except (Refused, ValueError):
        split = {}  # four fifths of the rows are too few
    for which in result:
        classes = split.get(which, [None])
        result[which]["held_out"] = None if None in classes else float(np.mean(np.concatenate([logs for _, logs, _ in classes])))
    return result


def described(result):
    if "refused" in result:
        return f"refused: {result['refused']}"
    pairs = zip(result["log_likelihood"], result["least_eigenvalue"])
    text = " ".join("no sound start" if v is None else f"{v:10.3f} ({least:.0e})" for v, least in pairs)
    if "held_out" in result:
        text += "  held out " + ("refused" if result["held_out"] is None else f"{result['held_out']:.3f}")
    return text


def compared(seed, sets, hold_out):
    """The rows of the result file, by how much ours is ahead in each class, and lines to read."""
    rows, margins, lines = [], {reading: [] for reading in READINGS}, [f"seed {seed}"]
    for name, covariance in sets:
        x, y = load(name, seed)
        label = name if name in REAL else "drawn {}x{} {:g}".format(*name)
        found = {}
        for who, contender in CONTENDERS.items():
            for which, result in judged(contender, x, y, covariance, seed, hold_out and name in REAL).items():
                found[who + which] = result
                rows.append({"seed": seed, "set": label, "covariance": covariance, "contender": who + which, **result})
                lines.append(f"{label:18} {covariance:9} {who + which:30} {described(result)}")
        for reading, (we, they) in READINGS.items():
            refused = [-np.inf] * len(np.unique(y))
            pairs = zip(found[we].get("log_likelihood", refused), found[they]["log_likelihood"])
            ahead = [None if b is None else a - b for a, b in pairs]
            rows.append({"seed": seed, "set": label, "covariance": covariance, "reading": reading, "credence_ahead_by": ahead})
            margins[reading] += [(v, f"{label} {covariance} c{c} seed {seed}") for c, v in enumerate(ahead) if v is not None]
            each = " ".join("             -" if v is None else f"{v:+10.3f}        " for v in ahead)
            lines.append(f"{reading + ': credence is ahead by':>58} {each}")
    return rows, margins, lines


def summary(parts):
    result = {}
    for reading in READINGS:
        all_margins = [margin for part in parts for margin in part[reading]]
        behind = [m for m in all_margins if m[0] < -NOISE]
        worst = min(all_margins)
        result[reading] = {"compared": len(all_margins), "behind": len(behind), "level": sum(abs(v) <= NOISE for v, _ in all_margins),
                           "least_margin": worst[0], "where": worst[1]}
        print(f"{reading}: {len(all_margins)} classes x seeds compared, {len(behind)} behind by more than {NOISE:g}, "
              f"{result[reading]['level']} level; the worst {worst[0]:+.5f} ({worst[1]})")
    return result


def main():
    parser = argparse.ArgumentParser(description="Log-likelihood of mixtures against scikit-learn's.")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--jobs", type=int, default=1, help="how many seeds at a time")
    options = parser.parse_args()
    tasks = [(seed, SETS, seed == options.first) for seed in range(options.first, options.first + options.seeds)]
    rows, margins = [], []
    with multiprocessing.Pool(options.jobs) as pool:
        for task in [pool.apply_async(compared, task) for task in tasks]:
            more, ahead, lines = task.get()
            rows += more
            margins.append(ahead)
            print("\n".join(lines), flush=True)
    path = ROOT / "bench" / "results" / "mixture.json"
    path.parent.mkdir(exist_ok=True)
    summed = summary(margins)
    path.write_text(json.dumps({"commit": commit(), "machine": machine(), "components": COMPONENTS, "starts": STARTS,
                                "summary": summed, "results": rows}, indent=1) + "\n")
    print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
