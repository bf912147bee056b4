"""Texts in memory to a sparse matrix of the counts of their words and pairs of words."""

import numpy as np

TITLE = "Texts to counts, words and pairs"
WHAT = "5,000 texts of 200 words, in memory, to a sparse matrix of the counts of words and pairs: learning the words, then new texts"
ROWS = {"full": 5_000, "quick": 2_000, "tiny": 100}
STEPS = ("fit", "predict")
QUICK = ("credence", "scikit_learn")


def generate(folder, rows):
    random = np.random.default_rng(2)
    words = np.array(["".join(chr(97 + letter) for letter in random.integers(0, 26, 2 + length)) for length in random.integers(1, 9, 30_000)])
    texts = [" ".join(words[(random.pareto(1, 200) * 50).astype(int) % len(words)]) for _ in range(rows)]
    (folder / "texts").write_text("\n".join(texts))


def bytes_of(folder):
    return (folder / "texts").stat().st_size
