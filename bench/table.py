"""Writes the measured results into the README, between its markers."""

import csv
import re

from common import ROOT


def read(name):
    path = ROOT / "bench" / "results" / f"{name}.csv"
    return list(csv.DictReader(open(path))) if path.exists() else []


def main():
    lines = []
    speed = read("csv_fit") + read("csv_mixed") + read("text_speed")
    if speed:
        lines += ["| task | peer | peer | credence | times as fast | memory, peer | memory, credence |", "|---|---|---|---|---|---|---|"]
        lines += [f"| {r['task']} | {r['peer']} | {float(r['peer_seconds']):.2f} s | {float(r['credence_seconds']):.2f} s | {r['ratio']} "
                  f"| {r['peer_mb']} MB | {r['credence_mb']} MB |" for r in speed]
        lines += [""]
    accuracy = read("tabular") + read("text_accuracy")
    if accuracy:
        lines += ["| accuracy | peer | peer | credence | difference |", "|---|---|---|---|---|"]
        lines += [f"| {r['task']} | {r['peer']} | {r['peer_accuracy']} | {r['credence_accuracy']} | {r['difference']} |" for r in accuracy]
        lines += [""]
    if speed or accuracy:
        lines += [f"Measured on {(speed or accuracy)[0]['machine']}, by `make bench`; peers in the same run, answers compared first. Tables: ten folds, mean of five shuffles; 20 Newsgroups: its test part."]
    text = (ROOT / "README.md").read_text()
    block = "<!-- results -->\n" + "\n".join(lines) + "\n<!-- /results -->"
    text = re.sub(r"<!-- results -->.*<!-- /results -->", lambda _: block, text, flags=re.S)
    (ROOT / "README.md").write_text(text)
    print("wrote README.md")


if __name__ == "__main__":
    main()
