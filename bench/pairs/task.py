"""Averaged one-dependence estimators of columns that lean on each other."""

import numpy as np

from data import save

TITLE = "AODE, pairs of columns"
WHAT = "1,000,000 rows of 20 columns of 8 values in 3 classes: from a CSV file to a model and to labels; scikit-bayes has its codes in memory"
ROWS = {"full": 1_000_000, "quick": 100_000, "tiny": 2000}
STEPS = ("fit", "predict")
QUICK = ("credence", "scikit_bayes")
COLUMNS, VALUES, CLASSES = 20, 8, 3


def generate(folder, rows):
    """Every column leans on the one before it, more so in the first class."""
    import polars as pl

    random = np.random.default_rng(1)
    y = random.integers(0, CLASSES, rows)
    x = np.empty((rows, COLUMNS), int)
    x[:, 0] = (random.integers(0, VALUES, rows) + y) // 2
    for i in range(1, COLUMNS):
        follows = random.random(rows) < 0.6 - 0.2 * y
        x[:, i] = np.where(follows, x[:, i - 1], random.integers(0, VALUES, rows))
    save(folder, x, y)
    frame = pl.DataFrame(x, schema=[f"x{i}" for i in range(COLUMNS)]).with_columns(pl.Series("class", y))
    names = [pl.concat_str(pl.lit("c" if name == "class" else "v"), name).alias(name) for name in frame.columns]
    frame.select(names).write_csv(folder / "table.csv")


def bytes_of(folder):
    return (folder / "table.csv").stat().st_size
