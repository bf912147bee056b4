"""20 Newsgroups by date, from a folder of files: accuracy on its test part. (Times: text_folder and text_pairs, by run.py.)

The peer is what people do today: load_files, CountVectorizer, MultinomialNB; or words and pairs of words by TfidfVectorizer
with ComplementNB. Needs 20news-bydate.tar.gz among the data (see bench/README.md).
"""

import tarfile
import tempfile
from pathlib import Path

from sklearn.datasets import load_files
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import ComplementNB, MultinomialNB

from common import DATA, credence, credence_json, write_results

ARCHIVE = DATA / "text" / "20news-bydate.tar.gz"
SAME_AS_PEER = ["--as", "text: text(multinomial, tokens=plain)", "--estimate", "laplace=1"]


def peer_read(folder):
    return load_files(folder, encoding="latin-1", shuffle=False)


def peer_accuracy(vectoriser, model, train, test):
    model.fit(vectoriser.fit_transform(train.data), train.target)
    return (model.predict(vectoriser.transform(test.data)) == test.target).mean()


def accuracy(train, test, folder):
    read_train, read_test = peer_read(train), peer_read(test)
    model = folder / "model.credence"
    rows = []
    for name, options, peer_name, peer in (
        ("counts, laplace=1", SAME_AS_PEER, "CountVectorizer + MultinomialNB", (CountVectorizer(), MultinomialNB(alpha=1))),
        ("no options", [], "TfidfVectorizer, 1-2-grams + ComplementNB",
         (TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), ComplementNB(alpha=0.1))),
        ("fit --best", ["--best"], "the same", None),
    ):
        credence("fit", train, *options, "-o", model, "--quiet")
        ours = credence_json("evaluate", model, test)["accuracy"]
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
        accuracy(train, test, folder)


if __name__ == "__main__":
    main()
