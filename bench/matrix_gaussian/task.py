"""Numbers in memory, each a normal density for every class."""

from data import bytes_of_matrix as bytes_of  # noqa: F401
from data import numbers, save

TITLE = "GaussianNB"
WHAT = "1,000,000 rows of 50 numbers in 10 classes, in memory"
ROWS = {"full": 1_000_000, "quick": 200_000, "tiny": 400}
STEPS = ("fit", "predict")
QUICK = ("credence", "scikit_learn")


def generate(folder, rows):
    save(folder, *numbers(rows))
