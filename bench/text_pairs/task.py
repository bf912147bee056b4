"""From a folder of messages to a model of their words and pairs of words, and from another folder to labels."""

from data import bytes_below
from data import newsgroups as generate  # noqa: F401
from messages import truth  # noqa: F401

TITLE = "20 Newsgroups, words and pairs of words"
WHAT = "folders of 11,314 messages to learn and 7,532 to label, read from files"
ROWS = {"full": 20_000, "quick": 20_000, "tiny": 400}
STEPS = ("fit", "predict")
QUICK = ("credence", "scikit_learn")


def bytes_of(folder):
    return bytes_below(folder / "train")
