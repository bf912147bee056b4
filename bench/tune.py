"""Tuning the strength of smoothing by ten folds, against scikit-learn's GridSearchCV.

  bench/tune.py

100,000 rows of 50 normal columns, 2 classes, 12 strengths, in memory on both sides, one model fitted to all rows at
the end. The rule is the m-estimate, whose densities are normal, as those of GaussianNB are. bench/tune.cpp is built as the target tune_bench. scikit-learn gets the folds of credence, and once one
process, once as many as there are cores; its least time counts, as does that of credence. Written:
bench/results/tune.json.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, PredefinedSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from common import ROOT, commit, machine

ROWS, COLUMNS, RUNS = 100_000, 50, 2
BENCH = Path(os.environ.get("CREDENCE_TUNE_BENCH", ROOT / "build" / "tune_bench"))
STRENGTHS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000]
SMOOTHING = list(np.logspace(-12, -1, 12))


def make_data():
    random = np.random.default_rng(7)
    y = random.integers(0, 2, ROWS).astype(np.uint8)
    shift = random.normal(0, 0.08, COLUMNS)
    spread = random.uniform(0.9, 1.1, (2, COLUMNS))
    scale = 10 ** random.uniform(-2, 2, COLUMNS)
    x = scale * (random.normal(size=(ROWS, COLUMNS)) * spread[y] + np.outer(y, shift))
    return np.ascontiguousarray(x), y


def processor_seconds():
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def main():
    x, y = make_data()
    with tempfile.TemporaryDirectory() as folder:
        numbers, labels, folds = (Path(folder) / name for name in ("numbers", "labels", "folds"))
        np.ascontiguousarray(x.T).tofile(numbers)
        y.tofile(labels)
        rules = [f"m-estimate={s}" for s in STRENGTHS]
        done = subprocess.run([BENCH, numbers, labels, folds, str(ROWS), str(COLUMNS), *rules],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        ours = json.loads(done.stdout)
        fold = np.fromfile(folds, np.uint8)
    cv = PredefinedSplit(fold)
    peer = {}
    for jobs in sorted({1, os.cpu_count()}):
        walls, processors = [], []
        for _ in range(RUNS):
            search = GridSearchCV(GaussianNB(), {"var_smoothing": SMOOTHING}, cv=cv, n_jobs=jobs)
            start, before = time.perf_counter(), processor_seconds()
            search.fit(x, y)
            walls.append(time.perf_counter() - start)
            processors.append(processor_seconds() - before)
        peer[jobs] = {"seconds": min(walls), "processor_seconds": min(processors)}
    chosen = search.best_params_["var_smoothing"]
    held_out = cross_val_predict(GaussianNB(var_smoothing=chosen), x, y, cv=cv, method="predict_proba")
    best = ours["tried"][ours["best"]]
    result = {
        "machine": machine(),
        "commit": commit(),
        "credence": {"seconds": ours["seconds"], "processor_seconds": ours["processor_seconds"],
                     "chosen": rules[ours["best"]], "accuracy": best[0], "log_loss": best[1]},
        "sklearn": {"jobs": peer, "chosen": f"var_smoothing={chosen:g}",
                    "accuracy": float((held_out.argmax(1) == y).mean()), "log_loss": float(log_loss(y, held_out))},
        "times_as_fast": {f"{jobs} processes": round(p["seconds"] / ours["seconds"], 1) for jobs, p in peer.items()},
    }
    print(json.dumps(result, indent=2))
    (ROOT / "bench" / "results" / "tune.json").write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
