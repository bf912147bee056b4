#!/usr/bin/env python3
"""Scaling a column changes no posterior: from 1e-300 to 1e300, for every family of numbers.

Tables made by chance are fitted as they are and with columns multiplied by powers of ten, by every family that
reads numbers, under several rules, with missing values and with weights. The probabilities of every row are
compared; so are those after rows were added, taken out and merged, and those of rows held out.
"""
import argparse
import csv
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

FAMILIES = [
    "gaussian", "gaussian(full)", "gaussian(tied)", "gaussian(shrunk)", "gaussian(shrunk=oas)", "gaussian(rda=0.4)",
    "gaussian(tied,tol=1e-4)", "kernel", "kernel(bandwidth=sj)", "kernel(bandwidth=isj)", "histogram", "histogram(fd)",
    "histogram(frequency=5)", "mixture(2)", "mixture(2,diagonal)",
]
# One variance is compared with another's: all columns are scaled alike.
TOGETHER = ["gaussian(spherical)", "gaussian(shrunk,spherical)", "gaussian(diagonal,floor=1e-9)"]
RULES = ["bayes", "m-estimate=2", "mle", "map"]
TOLERANCE = 1e-9


def table(seed, rows, gaps, weights):
    """Two columns that differ by class, the second with a mean far from 0."""
    chance = random.Random(seed)
    lines = []
    for i in range(rows):
        cls = "abc"[i % 3]
        at = "abc".index(cls)
        first = chance.gauss(at, 1 + 0.3 * at)
        second = 20 + chance.gauss(-0.7 * at, 0.5) + 0.4 * first
        cells = [None if gaps and chance.random() < 0.1 else x for x in (first, second)]
        lines.append((cells, cls, round(chance.uniform(0.2, 3), 3) if weights else 1))
    return lines


def write(path, lines, scales):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["u", "v", "w", "y"])
        for cells, cls, weight in lines:
            out.writerow(["" if x is None else repr(x * s) for x, s in zip(cells, scales)] + [weight, cls])


class Program:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def __call__(self, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def probabilities(self, model, data):
        rows = list(csv.reader(self("predict", model, data, "--proba", "-q").splitlines()))
        return [[float(cell) for cell in row[1:4]] for row in rows[1:]]


def apart(one, other):
    """The largest difference; infinite where one of them is no number."""
    worst = 0.0
    for left, right in zip(one, other, strict=True):
        for a, b in zip(left, right, strict=True):
            if math.isnan(a) != math.isnan(b):
                return math.inf
            if not math.isnan(a):
                worst = max(worst, abs(a - b))
    return worst


def answers(run, lines, family, rule, scales, weights):
    """Probabilities after fit, and after half was learnt, a third added, some taken out again and the rest merged in."""
    n = len(lines)
    parts = {"all": lines, "first": lines[:n // 2], "second": lines[n // 2:5 * n // 6], "third": lines[5 * n // 6:]}
    for name, part in parts.items():
        write(run.folder / f"{name}.csv", part, scales)
    how = ["--target", "y", "--as", f"u,v: {family}", "--estimate", rule, "-q"]
    how += ["--weights", "w"] if weights else ["--as", "w: ignore"]
    run("fit", "all.csv", *how, "-o", "all.credence")
    result = [run.probabilities("all.credence", "all.csv")]
    run("fit", "first.csv", *how, "-o", "m.credence")
    run("fit", "third.csv", *how, "-o", "third.credence")
    run("update", "m.credence", "second.csv", "-q")
    run("merge", "m.credence", "third.credence", "-o", "m.credence", "-q")
    run("forget", "m.credence", "second.csv", "-q")
    run("update", "m.credence", "second.csv", "-q")
    result.append(run.probabilities("m.credence", "all.csv"))
    return result


def held_out(run, lines, family, scales):
    write(run.folder / "all.csv", lines, scales)
    how = ["--target", "y", "--as", f"u,v: {family}", "--as", "w: ignore", "--folds", "5"]
    text = run("cv", "all.csv", *how, "--json", "-q")
    found = [line for line in text.splitlines() if '"log_loss"' in line]
    return [[float(found[0].split(":")[1].strip(" ,"))]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--tables", type=int, default=1, help="tables made by chance for every family")
    options = parser.parse_args()
    chance = random.Random(20261116)
    worst, bad, runs = 0.0, [], 0
    with tempfile.TemporaryDirectory() as folder:
        run = Program(str(Path(options.program).resolve()), Path(folder))
        for number in range(options.tables):
            for family in FAMILIES + TOGETHER:
                rule = RULES[(number + runs // 3) % len(RULES)]
                rule = "mle" if "tol=" in family else "bayes" if "mixture" in family else rule
                gaps, weights = chance.random() < 0.3 and "mixture" not in family, chance.random() < 0.3
                lines = table(chance.random(), 90, gaps, weights)
                plain = answers(run, lines, family, rule, (1, 1), weights)
                loss = held_out(run, lines, family, (1, 1))
                for power in (-300, 300, chance.choice([-200, -170, -156, 78, 120, 155, 200])):
                    other = power if family in TOGETHER else chance.choice([0, -power, power])
                    scales = (10.0 ** power, 10.0 ** other)
                    runs += 1
                    try:
                        scaled = answers(run, lines, family, rule, scales, weights)
                        far = max(apart(a, b) for a, b in zip(plain, scaled, strict=True))
                        far = max(far, apart(loss, held_out(run, lines, family, scales)))
                    except RuntimeError as error:
                        bad.append(f"{family}, {rule}, columns times {scales}: {error}")
                        continue
                    worst = max(worst, far)
                    if far > TOLERANCE:
                        bad.append(f"{family}, {rule}, columns times {scales}: off by {far:.3g}")
    print(f"{runs} tables scaled, the largest difference of a probability is {worst:.2g}")
    for line in bad:
        print(line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
