"""From a CSV file of numbers and words, some of them quoted, to a model, and from it to labels and probabilities in a file."""

import json

import numpy as np

TITLE = "CSV of numbers and words, some quoted"
WHAT = "a CSV file of 2,000,000 rows, 10 numbers of four digits, 10 columns of six words of which one holds a comma, and one of four classes"
ROWS = {"full": 2_000_000, "quick": 200_000, "tiny": 400}
STEPS = ("fit", "predict", "predict_proba")
QUICK = ("credence", "pandas", "polars")
NUMBERS, WORDS = [f"x{i}" for i in range(10)], [f"w{i}" for i in range(10)]
VALUES = np.array(["red", "green", "blue", "light, grey", "yellow", "violet"])
CLASSES = np.array(["north", "south", "east", "west"])


def generate(folder, rows):
    import pandas as pd

    random = np.random.default_rng(1)
    labels = random.integers(len(CLASSES), size=rows)
    frame = pd.DataFrame({name: (random.normal(size=rows) + 0.3 * labels).round(4) for name in NUMBERS})
    for name in WORDS:
        shares = random.dirichlet(np.full(len(VALUES), 2.0), len(CLASSES)).cumsum(axis=1)
        codes = (random.random(rows)[:, None] > shares[labels]).sum(axis=1)
        frame[name] = VALUES[codes.clip(0, len(VALUES) - 1)]
    frame["class"] = CLASSES[labels]
    frame.to_csv(folder / "table.csv", index=False)
    schema = {"numbers": NUMBERS, "words": WORDS, "values": VALUES.tolist(), "classes": CLASSES.tolist()}
    (folder / "columns.json").write_text(json.dumps(schema))


def bytes_of(folder):
    return (folder / "table.csv").stat().st_size


def truth(folder):
    import pandas as pd

    return pd.read_csv(folder / "table.csv", usecols=["class"])["class"].to_numpy(str)
