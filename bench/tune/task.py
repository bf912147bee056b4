"""Twelve strengths of smoothing chosen by ten folds, and the best fitted to all rows."""

import numpy as np

from data import save

TITLE = "Tuning, 12 strengths by 10 folds"
WHAT = "100,000 rows of 50 numbers in 2 classes, in memory; 12 strengths of smoothing, 10 folds, the best learned from all rows"
ROWS = {"full": 100_000, "quick": 20_000, "tiny": 400}
STEPS = ("fit",)
QUICK = ("credence", "scikit_learn")
COLUMNS = 50


def generate(folder, rows):
    random = np.random.default_rng(7)
    y = random.integers(0, 2, rows)
    shift = random.normal(0, 0.08, COLUMNS)
    spread = random.uniform(0.9, 1.1, (2, COLUMNS))
    scale = 10 ** random.uniform(-2, 2, COLUMNS)
    save(folder, scale * (random.normal(size=(rows, COLUMNS)) * spread[y] + np.outer(y, shift)), y)


def bytes_of(folder):
    return np.load(folder / "X.npy", mmap_mode="r").nbytes
