"""Counts of words in memory, as a sparse matrix."""

from data import bytes_of_matrix as bytes_of  # noqa: F401
from data import newsgroup_counts as generate  # noqa: F401

TITLE = "MultinomialNB, sparse"
WHAT = "the words of the 11,314 messages to learn of 20 Newsgroups, counted, a sparse matrix in memory"
ROWS = {"full": 20_000, "quick": 20_000, "tiny": 200}
STEPS = ("fit", "predict")
WHY = {"scikit_learn": "fit makes a model that can be saved, merged and forgotten from: it names 130,107 features and keeps exact counts, which takes longer "
                       "than to count; predict is within the noise"}
QUICK = ("credence", "scikit_learn")
