"""20 Newsgroups by date, from a folder of files: time, peak memory and accuracy.

The peer is what people do today: load_files, CountVectorizer, MultinomialNB. For the comparison of speed credence
learns exactly the same model (the same tokens, counts and smoothing), and the labels are compared before anything is
timed. A run of credence is a process that starts, and reads or writes its model file; the peer is timed in a process
that has imported everything, once with the model in memory, and once reading or writing it with pickle, which is the
same job. Needs 20news-bydate.tar.gz among the data (see bench/README.md).
"""

import pickle
import sys
import tarfile
import tempfile
from pathlib import Path

from sklearn.datasets import load_files
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import ComplementNB, MultinomialNB

from common import DATA, PROGRAM, credence, credence_json, peak_memory, timed, write_results

ARCHIVE = DATA / "text" / "20news-bydate.tar.gz"
SAME_AS_PEER = ["--as", "text: text(multinomial, tokens=plain)", "--estimate", "laplace=1"]
# Chosen on the training part alone: see docs/text.md.
BEST = ["--format", "mail", "--as", "text: text(stem=english, alpha=0.03, scale=2.5)",
        "--as", "subject: text(alpha=0.1, scale=1)", "--as", "body: text(chars=4-5, alpha=0.1, scale=1.5)",
        "--as", "from: ignore"]


def peer_read(folder):
    return load_files(folder, encoding="latin-1", shuffle=False)


def peer_fit(folder):
    documents = peer_read(folder)
    vectoriser = CountVectorizer()
    model = MultinomialNB(alpha=1).fit(vectoriser.fit_transform(documents.data), documents.target)
    return vectoriser, model, documents.target_names


def peer_predict(folder, fitted):
    vectoriser, model, names = fitted
    return [names[i] for i in model.predict(vectoriser.transform(peer_read(folder).data))]


def peer_fit_and_save(folder, file):
    file.write_bytes(pickle.dumps(peer_fit(folder)))


def peer_load_and_predict(folder, file):
    return peer_predict(folder, pickle.loads(file.read_bytes()))


def our_predict(model, folder):
    lines = credence("predict", model, folder, "--quiet").splitlines()
    place = lines[0].split(",").index("prediction")
    return [line.split(",")[place] for line in lines[1:]]


def peer_accuracy(vectoriser, model, train, test):
    model.fit(vectoriser.fit_transform(train.data), train.target)
    return (model.predict(vectoriser.transform(test.data)) == test.target).mean()


def speed(train, test, folder):
    model = folder / "same.credence"
    fit = ["fit", train, *SAME_AS_PEER, "-o", model, "--quiet"]
    credence(*fit)
    fitted = peer_fit(train)
    ours, theirs = our_predict(model, test), peer_predict(test, fitted)
    different = sum(a != b for a, b in zip(ours, theirs, strict=True))
    if different:
        sys.exit(f"answers differ: {different} of {len(ours)} labels")
    size = sum(f.stat().st_size for f in train.rglob("*") if f.is_file()) / 1e6
    saved = folder / "peer.pickle"
    rows = []
    predict = ["predict", model, test, "--quiet"]
    peer_fits = f"text.peer_fit({str(train)!r})"
    for task, us, them, command, code in (
        ("fit", lambda: credence(*fit), lambda: peer_fit(train), fit, peer_fits),
        ("fit and save", lambda: credence(*fit), lambda: peer_fit_and_save(train, saved), fit, peer_fits),
        ("predict", lambda: credence(*predict), lambda: peer_predict(test, fitted), predict,
         f"text.peer_predict({str(test)!r}, {peer_fits})"),
        ("load and predict", lambda: credence(*predict), lambda: peer_load_and_predict(test, saved), predict,
         f"text.peer_predict({str(test)!r}, {peer_fits})"),
    ):
        seconds, spread = timed(us, runs=11)
        peer_seconds, peer_spread = timed(them, runs=3)
        rows.append({"task": f"20 Newsgroups {task}, a folder ({size:.0f} MB to learn)",
                     "peer": "scikit-learn CountVectorizer + MultinomialNB",
                     "peer_seconds": f"{peer_seconds:.3f}", "peer_spread": f"{peer_spread:.2f}",
                     "credence_seconds": f"{seconds:.3f}", "credence_spread": f"{spread:.2f}",
                     "ratio": f"{peer_seconds / seconds:.1f}",
                     "peer_mb": f"{peak_memory([sys.executable, '-c', f'import text; {code}']):.0f}",
                     "credence_mb": f"{peak_memory([PROGRAM, *command]):.0f}"})
        print(rows[-1], flush=True)
    write_results("text_speed", rows)


def accuracy(train, test, folder):
    read_train, read_test = peer_read(train), peer_read(test)
    model = folder / "model.credence"
    rows = []
    for name, options, peer_name, peer in (
        ("counts, laplace=1", SAME_AS_PEER, "CountVectorizer + MultinomialNB", (CountVectorizer(), MultinomialNB(alpha=1))),
        ("no options", [], "TfidfVectorizer, 1-2-grams + ComplementNB",
         (TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), ComplementNB(alpha=0.1))),
        ("best command", BEST, "the same", None),
    ):
        credence("fit", train, *options, "-o", model, "--quiet")
        read = options[:2] if options[:1] == ["--format"] else []
        ours = credence_json("evaluate", model, test, *read)["accuracy"]
        if peer:
            theirs = peer_accuracy(*peer, read_train, read_test)
        rows.append({"task": f"20 Newsgroups by date, {name}", "peer": peer_name, "peer_accuracy": f"{theirs:.4f}",
                     "credence_accuracy": f"{ours:.4f}", "difference": f"{ours - theirs:+.4f}"})
        print(rows[-1], flush=True)
    write_results("text_accuracy", rows)


def main():
    if not ARCHIVE.exists():
        print(f"skipped: no {ARCHIVE.name} (see bench/README.md)")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(folder, filter="data")
        train, test = folder / "20news-bydate-train", folder / "20news-bydate-test"
        speed(train, test, folder)
        accuracy(train, test, folder)


if __name__ == "__main__":
    main()
