"""20 Newsgroups by date, from a folder of files: time, peak memory and accuracy.

The peer is what people do today: load_files, CountVectorizer, MultinomialNB. For the comparison of speed credence
learns exactly the same model (the same tokens, counts and smoothing), and the labels are compared before anything is
timed. "in Python": both are called in one process that has imported everything, with the model in memory. "program":
credence as a command, a process that starts, reads or writes its model file and writes its answers to a file, against
the peer in a process that runs already and has its model in memory. Needs 20news-bydate.tar.gz among the data (see
bench/README.md), and for Python the package (make python).
"""

import sys
import tarfile
import tempfile
from pathlib import Path

from sklearn.datasets import load_files
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import ComplementNB, MultinomialNB

from common import DATA, PROGRAM, credence, credence_into, credence_json, peak_memory, timed_by_turns, write_results

ARCHIVE = DATA / "text" / "20news-bydate.tar.gz"
SAME_AS_PEER = ["--as", "text: text(multinomial, tokens=plain)", "--estimate", "laplace=1"]
# Chosen on the training part alone: see docs/text.md.
BEST = ["--format", "mail", "--prior", "empirical", "--as", "text: text(stem=english, alpha=0.03, pairs=1, scale=2.5)",
        "--as", "subject: text(alpha=0.1, pairs=1, scale=1)", "--as", "body: text(chars=4-5, alpha=0.1, scale=1.5)",
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


def our_predict(model, folder):
    lines = credence("predict", model, folder, "--quiet").splitlines()
    place = lines[0].split(",").index("prediction")
    return [line.split(",")[place] for line in lines[1:]]


def our_fit_in_python(folder):
    import credence

    return credence.BayesClassifier(blocks={"text": SAME_AS_PEER[1].partition(": ")[2]}, rule="laplace=1").fit(
        credence.read(folder), "label")


def our_predict_in_python(fitted, folder):
    import credence

    return list(fitted.predict(credence.read(folder)))


def have_package():
    try:
        import credence  # noqa: F401
    except ImportError:
        print("skipped the rows in Python: no package (make python)")
        return False
    return True


def peer_accuracy(vectoriser, model, train, test):
    model.fit(vectoriser.fit_transform(train.data), train.target)
    return (model.predict(vectoriser.transform(test.data)) == test.target).mean()


def speed(train, test, folder):
    model = folder / "same.credence"
    fit, predict = ["fit", train, *SAME_AS_PEER, "-o", model, "--quiet"], ["predict", model, test, "--quiet"]
    answers_file = folder / "answers.csv"
    credence(*fit)
    fitted = peer_fit(train)
    labels = peer_predict(test, fitted)
    peer_fits = f"text.peer_fit({str(train)!r})"
    peer_predicts = f"text.peer_predict({str(test)!r}, {peer_fits})"
    answers = {"program": our_predict(model, test)}
    tasks = []
    if have_package():
        ours = our_fit_in_python(train)
        answers["Python"] = our_predict_in_python(ours, test)
        our_fits = f"text.our_fit_in_python({str(train)!r})"
        tasks += [("fit, in Python", lambda: our_fit_in_python(train), lambda: peer_fit(train), our_fits, peer_fits),
                  ("predict, in Python", lambda: our_predict_in_python(ours, test), lambda: peer_predict(test, fitted),
                   f"text.our_predict_in_python({our_fits}, {str(test)!r})", peer_predicts)]
    for name, ours_said in answers.items():
        different = sum(a != b for a, b in zip(ours_said, labels, strict=True))
        if different:
            sys.exit(f"answers of the {name} differ: {different} of {len(labels)} labels")
    tasks += [("fit, program", lambda: credence(*fit), lambda: peer_fit(train), fit, peer_fits),
              ("predict, program", lambda: credence_into(answers_file, *predict), lambda: peer_predict(test, fitted), predict, peer_predicts)]
    size = sum(f.stat().st_size for f in train.rglob("*") if f.is_file()) / 1e6
    rows = []
    for task, us, them, our_command, code in tasks:
        (seconds, spread), (peer_seconds, peer_spread) = timed_by_turns(us, them)
        python = [sys.executable, "-c"]
        our_command = [*python, f"import text; {our_command}"] if isinstance(our_command, str) else [PROGRAM, *our_command]
        rows.append({"task": f"20 Newsgroups {task} ({size:.0f} MB to learn)",
                     "peer": "scikit-learn CountVectorizer + MultinomialNB",
                     "peer_seconds": f"{peer_seconds:.3f}", "peer_spread": f"{peer_spread:.2f}",
                     "credence_seconds": f"{seconds:.3f}", "credence_spread": f"{spread:.2f}",
                     "ratio": f"{peer_seconds / seconds:.1f}",
                     "peer_mb": f"{peak_memory([*python, f'import text; {code}']):.0f}",
                     "credence_mb": f"{peak_memory(our_command):.0f}"})
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
