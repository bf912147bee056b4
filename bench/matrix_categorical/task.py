"""Categories in memory, as whole numbers."""

from data import bytes_of_matrix as bytes_of  # noqa: F401
from data import categories, save

TITLE = "CategoricalNB"
WHAT = "1,000,000 rows of 20 categories of 8 values in 10 classes, in memory"
ROWS = {"full": 1_000_000, "quick": 200_000, "tiny": 400}
STEPS = ("fit", "predict")
QUICK = ("credence", "scikit_learn")


def generate(folder, rows):
    save(folder, *categories(rows))
