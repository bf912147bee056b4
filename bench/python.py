"""The Python package against scikit-learn, in one process: answers are compared first, then timed.

    python bench/python.py            needs the package (make python)
"""
import sys
import threading
import time

import numpy as np
import sklearn.discriminant_analysis
import sklearn.naive_bayes
from sklearn.feature_extraction.text import CountVectorizer

import credence
from credence.text import Tokenizer

ROWS, COLUMNS, CLASSES = 100_000, 50, 5


def best(work, runs=7, times=1):
    """The least seconds of some runs, of the clock and of the processor: others on the machine only add."""
    work()
    clock, processor = [], []
    for _ in range(runs):
        start, spent = time.perf_counter(), time.process_time()
        for _ in range(times):
            work()
        clock.append((time.perf_counter() - start) / times)
        processor.append((time.process_time() - spent) / times)
    return min(clock), min(processor)


def line(what, ours, theirs, unit=1e3, name="ms"):
    print(f"{what:44} {ours[0] * unit:9.2f} {theirs[0] * unit:9.2f} {name}  {theirs[0] / ours[0]:7.1f} x   "
          f"processor {ours[1] * unit:9.2f} {theirs[1] * unit:9.2f}")


def numbers():
    rng = np.random.default_rng(1)
    y = rng.integers(0, CLASSES, ROWS)
    X = rng.normal(size=(ROWS, COLUMNS))
    X[np.arange(ROWS), y] += 1
    return X, y


def rows_for(name, X):
    if name in ("MultinomialNB", "ComplementNB"):
        return np.floor(np.abs(X) * 3)
    if name == "CategoricalNB":
        return np.floor(np.abs(X)).clip(0, 4).astype(int)
    return X


def batches(X, y):
    for module, names in ((sklearn.naive_bayes, ["GaussianNB", "BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB"]),
                          (sklearn.discriminant_analysis, ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"])):
        for name in names:
            rows = rows_for(name, X)
            ours, theirs = getattr(credence, name)().fit(rows, y), getattr(module, name)().fit(rows, y)
            if (ours.predict(rows) != theirs.predict(rows)).any():
                sys.exit(f"{name}: other answers than scikit-learn's")
            line(f"{name}.fit", best(lambda: ours.fit(rows, y)), best(lambda: theirs.fit(rows, y)))
            line(f"{name}.predict", best(lambda: ours.predict(rows)), best(lambda: theirs.predict(rows)))


def single_rows(X, y):
    row = X[:1].copy()
    theirs = sklearn.naive_bayes.GaussianNB().fit(X, y)
    for ours in (credence.GaussianNB().fit(X, y), credence.BayesClassifier(rule="mle").fit(X, y)):
        np.testing.assert_allclose(ours.predict_proba(row), theirs.predict_proba(row), rtol=1e-6)
        for method in ("predict", "predict_proba"):
            line(f"one row, {type(ours).__name__}.{method}",
                 best(lambda: getattr(ours, method)(row), times=200),
                 best(lambda: getattr(theirs, method)(row), times=200), 1e6, "µs")


def texts():
    rng = np.random.default_rng(2)
    words = np.array(["".join(chr(97 + letter) for letter in rng.integers(0, 26, 2 + length))
                      for length in rng.integers(1, 9, 30_000)])
    documents = [" ".join(words[(rng.pareto(1, 200) * 50).astype(int) % len(words)]) for _ in range(5_000)]
    for ngrams in ((1, 1), (1, 2)):
        ours, theirs = Tokenizer(tokens="plain", ngrams=ngrams), CountVectorizer(ngram_range=ngrams)
        if (ours.fit_transform(documents) != theirs.fit_transform(documents)).nnz:
            sys.exit("Tokenizer: other counts than CountVectorizer's")
        line(f"Tokenizer.fit_transform, {ngrams[0]}-{ngrams[1]} words", best(lambda: ours.fit_transform(documents), 3),
             best(lambda: theirs.fit_transform(documents), 3))
        line(f"Tokenizer.transform, {ngrams[0]}-{ngrams[1]} words", best(lambda: ours.transform(documents), 3),
             best(lambda: theirs.transform(documents), 3))


def two_threads(X, y):
    """Two models, one thread of ours each: at once and one after the other."""
    def fit():
        credence.BayesClassifier(threads=1).fit(X, y)

    def at_once():
        threads = [threading.Thread(target=fit) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    line("two fits: at once, one after the other", best(at_once, 5), best(lambda: (fit(), fit()), 5))


def main():
    X, y = numbers()
    print(f"{ROWS:,} rows, {COLUMNS} columns, {CLASSES} classes; scikit-learn {sklearn.__version__}\n")
    print(f"{'':44} {'credence':>9} {'sklearn':>9}")
    single_rows(X, y)
    batches(X, y)
    texts()
    two_threads(X, y)


if __name__ == "__main__":
    main()
