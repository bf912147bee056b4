"""Matrices that Python holds: the package's estimators against scikit-learn's of the same names, in one process.

    python bench/matrices.py [--ours] [TASK...]

A million rows of 50 numbers (of 20 categories) in 10 classes; the counts of words of 20 Newsgroups as a sparse matrix; one
row alone. Answers are compared before anything is timed. The share of the bandwidth is the time that it takes both cores to
read the matrix once, over the time of the fit. --ours leaves the peers out and writes nothing: for work on the package. It
needs the package (make python), or one built apart on PYTHONPATH.
"""

import statistics
import sys
import tarfile
import threading
import time
import warnings

import numpy as np
import sklearn.discriminant_analysis as theirs_discriminant
import sklearn.naive_bayes as theirs_bayes
from sklearn.feature_extraction.text import CountVectorizer

import credence
from common import DATA, write_results

ROWS, COLUMNS, CLASSES = 1_000_000, 50, 10


def seconds_of(work):
    """Of the clock and of the processor."""
    start, spent = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - spent


def median(runs):
    return [statistics.median(values) for values in zip(*runs)]


def spread(runs):
    clock = [run[0] for run in runs]
    return (max(clock) - min(clock)) / statistics.median(clock)


def by_turns(us, them, rounds=5, per_round=2):
    """Runs of ours and of each of theirs, after one of each that does not count."""
    ours, others = [], [[] for _ in them]
    for work in (us, *them):
        work()
    for _ in range(rounds):
        ours += [seconds_of(us) for _ in range(per_round)]
        for runs, work in zip(others, them):
            runs.append(seconds_of(work))
    return ours, others


def numbers():
    random = np.random.default_rng(1)
    y = random.integers(0, CLASSES, ROWS)
    X = random.normal(size=(ROWS, COLUMNS))
    X += 0.4 * random.normal(size=(CLASSES, COLUMNS))[y]
    return X, y


def categories():
    random = np.random.default_rng(2)
    y = random.integers(0, CLASSES, ROWS)
    shares = random.dirichlet(np.full(8, 2.0), (20, CLASSES)).cumsum(axis=2)
    draws = random.random((ROWS, 20))
    return np.column_stack([(draws[:, [i]] > shares[i, y]).sum(axis=1).clip(0, 7) for i in range(20)]), y


def newsgroups():
    """Counts of words, as CountVectorizer has them, of the messages to learn."""
    path = DATA / "text" / "20news-bydate.tar.gz"
    if not path.exists():
        print(f"{path} is absent: left out")
        return None
    texts, groups = [], []
    with tarfile.open(path) as archive:
        for member in archive:
            parts = member.name.split("/")
            if member.isfile() and "train" in member.name:
                texts.append(archive.extractfile(member).read().decode("latin-1"))
                groups.append(parts[-2])
    return CountVectorizer().fit_transform(texts).astype(np.float64), np.array(groups)


def read_seconds(X):
    """Both cores, each half of the matrix."""
    flat = X.reshape(-1)

    def read():
        halves = [threading.Thread(target=part.max) for part in np.array_split(flat, 2)]
        for half in halves:
            half.start()
        for half in halves:
            half.join()

    read()
    return statistics.median(seconds_of(read)[0] for _ in range(9))


def report(rows, what, ours, peers, note=""):
    """peers: by their settings."""
    clock, processor = median(ours)
    line = f"{what:34} {clock * 1e3:9.3f} ms, processor {processor * 1e3:9.3f} ms"
    if peers:
        name, runs = min(peers.items(), key=lambda peer: median(peer[1])[0])
        peer_clock, peer_processor = median(runs)
        line += f" | {peer_clock * 1e3:9.3f} ms, processor {peer_processor * 1e3:9.3f} ms{name} | {peer_clock / clock:6.1f} x"
        rows.append({"task": what + name, "peer": "scikit-learn", "peer_seconds": f"{peer_clock:.6f}", "peer_spread": f"{spread(runs):.2f}",
                     "peer_processor": f"{peer_processor:.6f}", "credence_seconds": f"{clock:.6f}", "credence_spread": f"{spread(ours):.2f}",
                     "credence_processor": f"{processor:.6f}", "ratio": f"{peer_clock / clock:.1f}"})
    print(line + note, flush=True)


def estimators(name, **settings):
    module = theirs_discriminant if name.endswith("Analysis") else theirs_bayes
    return getattr(credence, name)(), getattr(module, name)(**settings)


def measure(rows, name, X, y, alone, settings=({},), bandwidth=None):
    ours = estimators(name)[0].fit(X, y)
    peers = [] if alone else [estimators(name, **each)[1].fit(X, y) for each in settings]
    answers = ours.predict(X)
    for peer in peers:
        if (answers != peer.predict(X)).mean() > 1e-6:  # of a million rows one may lie on the border
            sys.exit(f"{name}: other answers than scikit-learn's")
    for method, arguments in (("fit", (X, y)), ("predict", (X,))):
        own, others = by_turns(lambda: getattr(ours, method)(*arguments), [lambda peer=peer: getattr(peer, method)(*arguments) for peer in peers])
        named = {"" if len(settings) == 1 else f" ({each['solver']})": runs for each, runs in zip(settings, others)}
        note = f" | {100 * bandwidth / median(own)[0]:.0f} % of the bandwidth" if bandwidth and method == "fit" else ""
        report(rows, f"{name}.{method}", own, named, note)


def one_row(rows, X, y, alone):
    row = X[:1].copy()
    ours, theirs = (model.fit(X[:100_000], y[:100_000]) for model in estimators("GaussianNB"))
    np.testing.assert_allclose(ours.predict_proba(row), theirs.predict_proba(row), rtol=1e-6)
    many = 1000
    for method in ("predict", "predict_proba"):
        def repeated(model):
            return lambda: [getattr(model, method)(row) for _ in range(many)]
        own, others = by_turns(repeated(ours), [] if alone else [repeated(theirs)])
        scaled = [[(clock / many, spent / many) for clock, spent in runs] for runs in (own, *others)]
        report(rows, f"GaussianNB.{method}, one row", scaled[0], {"": runs for runs in scaled[1:]})


def main():
    warnings.filterwarnings("ignore")
    alone = "--ours" in sys.argv
    wanted = [task for task in sys.argv[1:] if task != "--ours"]
    rows = []

    def asked(*names):
        return [name for name in names if not wanted or name in wanted]

    if asked("GaussianNB", "BernoulliNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis", "row"):
        X, y = numbers()
        bandwidth = read_seconds(X)
        print(f"reading the matrix once: {bandwidth * 1e3:.1f} ms, {X.nbytes / bandwidth / 1e9:.1f} GB/s")
        for name in asked("GaussianNB", "BernoulliNB", "QuadraticDiscriminantAnalysis"):
            measure(rows, name, X, y, alone, bandwidth=bandwidth)
        for name in asked("LinearDiscriminantAnalysis"):
            measure(rows, name, X, y, alone, [{"solver": "svd"}, {"solver": "lsqr"}], bandwidth)
        for _ in asked("row"):
            one_row(rows, X, y, alone)
        del X
    for name in asked("CategoricalNB"):
        measure(rows, name, *categories(), alone)
    if asked("MultinomialNB") and (found := newsgroups()):
        measure(rows, "MultinomialNB", *found, alone)
    if rows and not wanted:
        write_results("matrices", rows)


if __name__ == "__main__":
    main()
