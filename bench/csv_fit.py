"""From a CSV file on disk to a model, and from a CSV file to labels: time and peak memory.

The peer is what people do today: pandas.read_csv, then scikit-learn's GaussianNB.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.naive_bayes import GaussianNB

from common import PROGRAM, credence, credence_json, peak_memory, timed, write_results

ROWS, COLUMNS, CLASSES = 1_000_000, 10, 3


def make_table(path):
    random = np.random.default_rng(1)
    labels = random.integers(CLASSES, size=ROWS)
    values = random.normal(size=(ROWS, COLUMNS)) + labels[:, None] * 0.5
    frame = pd.DataFrame(values.round(6), columns=[f"x{i}" for i in range(COLUMNS)])
    frame["class"] = np.array(["a", "b", "c"])[labels]
    frame.to_csv(path, index=False)


def peer_fit(path):
    frame = pd.read_csv(path)
    return GaussianNB(var_smoothing=0).fit(frame.drop(columns="class"), frame["class"])


def peer_predict(path, model, output):
    frame = pd.read_csv(path)
    pd.Series(model.predict(frame.drop(columns="class")), name="prediction").to_csv(output, index=False)


def check_answers(model, peer, ours, theirs):
    """The same means, variances and labels, or nothing is timed."""
    for i, column in enumerate(credence_json("show", model)["columns"]):
        for c, label in enumerate(peer.classes_):
            mean, sd = column["table"]["mean"][label], column["table"]["sd"][label]
            if abs(mean - peer.theta_[c, i]) > 1e-9 or abs(sd**2 / peer.var_[c, i] - 1) > 1e-9:
                sys.exit(f"answers differ: {column['column']} of class {label}")
    if Path(ours).read_text() != Path(theirs).read_text():
        sys.exit("answers differ: labels")


def main():
    with tempfile.TemporaryDirectory() as folder:
        table, model = Path(folder, "table.csv"), Path(folder, "model.credence")
        ours, theirs = Path(folder, "ours.csv"), Path(folder, "theirs.csv")
        make_table(table)
        megabytes = table.stat().st_size / 1e6
        fit = ["fit", table, "--target", "class", "--estimate", "mle", "-o", model, "--quiet"]

        def predict():
            ours.write_text(credence("predict", model, table, "--quiet"))

        credence(*fit)
        peer = peer_fit(table)
        predict()
        peer_predict(table, peer, theirs)
        check_answers(model, peer, ours, theirs)

        rows = []
        for task, us, them, command, peer_code in (
            ("fit", lambda: credence(*fit), lambda: peer_fit(table), fit, f"csv_fit.peer_fit({str(table)!r})"),
            ("predict", predict, lambda: peer_predict(table, peer, theirs), ["predict", model, table, "--quiet"],
             f"csv_fit.peer_predict({str(table)!r}, csv_fit.peer_fit({str(table)!r}), {str(theirs)!r})"),
        ):
            seconds, spread = timed(us)
            peer_seconds, peer_spread = timed(them)
            peer_command = [sys.executable, "-c", f"import csv_fit; {peer_code}"]
            rows.append({"task": f"CSV {task}, {megabytes:.0f} MB, {ROWS:,} rows", "peer": "pandas + scikit-learn GaussianNB",
                         "peer_seconds": f"{peer_seconds:.3f}", "peer_spread": f"{peer_spread:.2f}", "credence_seconds": f"{seconds:.3f}",
                         "credence_spread": f"{spread:.2f}", "ratio": f"{peer_seconds / seconds:.1f}", "peer_mb": f"{peak_memory(peer_command):.0f}",
                         "credence_mb": f"{peak_memory([PROGRAM, *command]):.0f}"})
            print(rows[-1], flush=True)
        write_results("csv_fit", rows)


if __name__ == "__main__":
    main()
