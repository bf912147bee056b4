"""From a CSV file of numbers to a model, and from it to a CSV file of labels."""

import json

from data import numbers

TITLE = "CSV of numbers"
WHAT = "a CSV file of 1,000,000 rows, 20 numbers of four digits and one of three classes; predict writes a file of labels"
ROWS = {"full": 1_000_000, "quick": 200_000, "tiny": 400}
STEPS = ("fit", "predict")
QUICK = ("credence", "pandas", "polars")
CLASSES = ["a", "b", "c"]


def generate(folder, rows):
    import polars as pl

    X, y = numbers(rows, 20, len(CLASSES))
    names = [f"x{i}" for i in range(X.shape[1])]
    frame = pl.DataFrame(X.round(4), schema=names).with_columns(pl.Series("class", [CLASSES[c] for c in y]))
    frame.write_csv(folder / "table.csv")
    (folder / "columns.json").write_text(json.dumps({"numbers": names, "words": [], "values": [], "classes": CLASSES}))


def bytes_of(folder):
    return (folder / "table.csv").stat().st_size


def truth(folder):
    import pandas as pd

    return pd.read_csv(folder / "table.csv", usecols=["class"])["class"].to_numpy(str)
