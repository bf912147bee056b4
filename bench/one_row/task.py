"""One row at a time, as a service has them: the probabilities of a gaussian model."""

from data import numbers, save

TITLE = "One row at a time"
WHAT = "probabilities of one row of 50 numbers in 10 classes, a call for each row, in Python"
ROWS = {"full": 100_000, "quick": 100_000, "tiny": 2000}
STEPS = ("predict_proba",)
QUICK = ("credence", "scikit_learn")
CALLS = 200  # of a step: one alone is too short for a clock


def generate(folder, rows):
    save(folder, *numbers(rows))


def bytes_of(folder):
    return 50 * 8
