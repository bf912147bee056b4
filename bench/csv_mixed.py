"""From a CSV file of numbers and words, some of them quoted, to a model and to labels and probabilities: megabytes per second.

    python bench/csv_mixed.py [ROWS]

Ten columns of numbers with four digits, ten of six words of which one holds a comma, four classes. The peers read the
file with pandas or polars into their fastest types, and add up what GaussianNB says of the numbers and CategoricalNB of
the words.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from common import PROGRAM, credence, credence_into, peak_memory, seconds_of, spread_of, write_results

NUMBERS, WORDS = [f"x{i}" for i in range(10)], [f"w{i}" for i in range(10)]
VALUES = np.array(["red", "green", "blue", "light, grey", "yellow", "violet"])
CLASSES = np.array(["north", "south", "east", "west"])


def make_table(path, rows):
    random = np.random.default_rng(1)
    labels = random.integers(len(CLASSES), size=rows)
    frame = pd.DataFrame({name: (random.normal(size=rows) + 0.3 * labels).round(4) for name in NUMBERS})
    for name in WORDS:
        shares = random.dirichlet(np.full(len(VALUES), 2.0), len(CLASSES)).cumsum(axis=1)
        codes = (random.random(rows)[:, None] > shares[labels]).sum(axis=1)
        frame[name] = VALUES[codes.clip(0, len(VALUES) - 1)]
    frame["class"] = CLASSES[labels]
    frame.to_csv(path, index=False)


def read_pandas(path):
    frame = pd.read_csv(path, dtype={name: "category" for name in [*WORDS, "class"]})
    codes = np.column_stack([frame[name].cat.set_categories(sorted(VALUES)).cat.codes for name in WORDS])
    return frame[NUMBERS].to_numpy(), codes, frame["class"].cat.codes.to_numpy()


def read_polars(path):
    words = pl.Enum(sorted(VALUES))
    frame = pl.read_csv(path, schema_overrides={**{name: words for name in WORDS}, "class": pl.Enum(sorted(CLASSES))})
    codes = frame.select(pl.col(WORDS).to_physical()).to_numpy()
    return frame.select(NUMBERS).to_numpy(), codes, frame["class"].to_physical().to_numpy()


READERS = {"pandas": read_pandas, "polars": read_polars}


def peer_fit(read, path):
    numbers, codes, labels = READERS[read](path)
    return (GaussianNB(var_smoothing=0).fit(numbers, labels),
            CategoricalNB(alpha=0, force_alpha=True, min_categories=len(VALUES)).fit(codes, labels))


def peer_predict(read, path, models, output, proba):
    numbers, codes, _ = READERS[read](path)
    joint = models[0].predict_joint_log_proba(numbers) + models[1].predict_joint_log_proba(codes) - models[1].class_log_prior_
    names = np.array(sorted(CLASSES))
    columns = {"prediction": names[joint.argmax(axis=1)]}
    if proba:
        odds = np.exp(joint - joint.max(axis=1, keepdims=True))
        columns |= dict(zip(names, (odds / odds.sum(axis=1, keepdims=True)).T))
    if read == "polars":
        pl.DataFrame(columns).write_csv(output)
    else:
        pd.DataFrame(columns).to_csv(output, index=False)


def check_answers(ours, theirs):
    """The same labels and probabilities, or nothing is timed."""
    ours, theirs = pd.read_csv(ours), pd.read_csv(theirs)
    if (ours["prediction"] != theirs["prediction"]).any():
        sys.exit("answers differ: labels")
    names = sorted(CLASSES)
    if np.abs(ours[names] - theirs[names]).to_numpy().max() > 1e-9:
        sys.exit("answers differ: probabilities")


def main():
    rows_of_table = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    with tempfile.TemporaryDirectory() as folder:
        table, model = Path(folder, "table.csv"), Path(folder, "model.credence")
        ours, theirs = Path(folder, "ours.csv"), Path(folder, "theirs.csv")
        make_table(table, rows_of_table)
        megabytes = table.stat().st_size / 1e6
        fit = ["fit", table, "--target", "class", "--estimate", "mle", "-o", model, "--quiet"]
        predict = ["predict", model, table, "--quiet"]
        credence(*fit)
        credence_into(ours, *predict, "--proba")
        peers = {read: peer_fit(read, table) for read in READERS}
        for read, models in peers.items():
            peer_predict(read, table, models, theirs, proba=True)
            check_answers(ours, theirs)
        tasks = (
            ("fit", fit, lambda: credence(*fit), lambda read: peer_fit(read, table), "csv_mixed.peer_fit({0!r}, {1!r})"),
            ("predict", predict, lambda: credence_into(ours, *predict), lambda read: peer_predict(read, table, peers[read], theirs, False),
             "csv_mixed.peer_predict({0!r}, {1!r}, csv_mixed.peer_fit({0!r}, {1!r}), {2!r}, False)"),
            ("predict --proba", [*predict, "--proba"], lambda: credence_into(ours, *predict, "--proba"),
             lambda read: peer_predict(read, table, peers[read], theirs, True),
             "csv_mixed.peer_predict({0!r}, {1!r}, csv_mixed.peer_fit({0!r}, {1!r}), {2!r}, True)"),
        )
        results = []
        for task, command, us, them, code in tasks:
            seconds, peer_seconds = [], {read: [] for read in READERS}
            us()
            for _ in range(5):  # by turns, so that a slow minute of the machine is one for all
                seconds += [seconds_of(us) for _ in range(2)]
                for read in READERS:
                    peer_seconds[read].append(seconds_of(lambda: them(read)))
            median, spread = spread_of(seconds)
            memory = peak_memory([PROGRAM, *command])
            for read in READERS:
                peer_median, peer_spread = spread_of(peer_seconds[read])
                peer_command = [sys.executable, "-c", "import csv_mixed; " + code.format(read, str(table), str(theirs))]
                results.append({"task": f"CSV with quotes {task}, {megabytes:.0f} MB", "peer": f"{read} + scikit-learn",
                                "peer_seconds": f"{peer_median:.3f}", "peer_spread": f"{peer_spread:.2f}",
                                "credence_seconds": f"{median:.3f}", "credence_spread": f"{spread:.2f}",
                                "ratio": f"{peer_median / median:.1f}", "peer_mb": f"{peak_memory(peer_command):.0f}",
                                "credence_mb": f"{memory:.0f}"})
                print(f"{megabytes / median:.0f} MB/s", results[-1], flush=True)
        write_results("csv_mixed", results)


if __name__ == "__main__":
    main()
