#!/usr/bin/env python3
"""How time and memory grow with rows, columns, classes, words and threads, as exponents.

    python bench/scaling.py [AXIS...] [--many]

Every command runs on tables of growing size. The exponent of a growth n^e is the slope of a line through the logarithms of the
largest three sizes, for a small table measures how long a program takes to start; 1 is linear. Without axes it writes
bench/results/scaling.json, for report.py. `--many` adds 10,000 classes x 100,000 rows, each command against predict, and some minutes.
"""

import argparse
import json
import math
import os
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

from common import PROGRAM, ROOT, seconds_of, used

LARGEST = 1 << 30  # bytes that a command may take of 10,000 classes
SLOWEST = 20  # times predict


def run(*arguments, rows=None):
    """Processor seconds, which other programs disturb least, and largest resident bytes of a command that must succeed.

    rows: parts of a table that it reads from its standard input, made while it reads.
    """
    seconds, megabytes = used([PROGRAM, *arguments], rows)
    return seconds, megabytes * 1e6


def write(path, header, rows):
    with open(path, "w") as file:
        file.write(",".join(header) + "\n")
        for row in rows:
            file.write(",".join(row) + "\n")
    return path


def table_of_columns(path, columns, chance):
    def row(i):
        return [f"{chance.gauss(i % 2, 1):.3f}" for _ in range(columns)] + ["ab"[i % 2]]

    return write(path, [f"x{i}" for i in range(columns)] + ["y"], (row(i) for i in range(20)))


def rows_of_numbers(rows):
    """A table of three columns in parts of at most 100,000 rows, the same part again and again."""
    chance = np.random.default_rng(1)
    many = min(rows, 100_000)
    classes = chance.integers(0, 3, many)
    numbers = chance.normal(size=(many, 3)) + classes[:, None]
    part = "".join(f"{a:.2f},{b:.2f},{c:.2f},{'abc'[y]}\n" for (a, b, c), y in zip(numbers, classes)).encode()
    yield b"x,y,z,class\n"
    for _ in range(rows // many):
        yield part


def table_of_classes(path, classes, rows, chance):
    """Classes on a grid of three columns, neighbours a little more than their spread apart."""
    side = math.ceil(classes ** (1 / 3))

    def row(i):
        cls = i % classes
        places = cls % side, cls // side % side, cls // side // side
        return [f"{1.5 * place + chance.gauss(0, 1):.3f}" for place in places] + [f"c{cls:05}"]

    return write(path, ["x", "y", "z", "class"], (row(i) for i in range(rows)))


def table_of_words(path, words, chance):
    """Texts of twenty words, so many that every word comes about twice."""
    rows = ([" ".join(f"w{word}" for word in chance.choices(range(words), k=20)), "ab"[i % 2]] for i in range(max(words // 10, 20)))
    return write(path, ["text", "class"], rows)


def columns_axis(folder, n, chance):
    data, model = table_of_columns(folder / "columns.csv", n, chance), folder / "columns.credence"
    yield "fit", run("fit", data, "--target", "y", "-q", "-o", model)
    yield "predict", run("predict", model, data, "-q")
    yield "show", run("show", model)
    yield "show --json", run("show", model, "--json")
    yield "explain", run("explain", model, data, "--limit", 5)
    yield "sample", run("sample", model, "-n", 20)
    yield "cv", run("cv", data, "--target", "y", "-q")


def rows_axis(folder, n, chance):
    model = folder / "rows.credence"
    yield "fit", run("fit", "-", "--target", "class", "-q", "-o", model, rows=rows_of_numbers(n))
    yield "predict", run("predict", model, "-", "-q", rows=rows_of_numbers(n))


def threads_axis(folder, n, chance):
    """Of the clock: what threads are for."""
    data, model = folder / "threads.csv", folder / "threads.credence"
    if not data.exists():
        data.write_bytes(b"".join(rows_of_numbers(2_000_000)))
    for name, command in (("fit", ("fit", data, "--target", "class", "-q", "-o", model)), ("predict", ("predict", model, data, "-q"))):
        def work():
            nonlocal memory
            _, memory = run(*command, "--threads", n)

        memory = 0
        seconds = min(seconds_of(work) for _ in range(3))
        yield name, (seconds, memory)


def judging(folder, data, model):
    """The commands that look at every row under every class."""
    yield "predict", run("predict", model, data, "-q")
    yield "evaluate", run("evaluate", model, data, "-q")
    yield "cv", run("cv", data, "--target", "class", "-q")
    yield "tune", run("tune", data, "--target", "class", "-q", "-o", folder / "tuned.credence")
    yield "calibrate", run("calibrate", model, data, "-q", "-o", folder / "calibrated.credence")
    yield "adapt", run("adapt", model, data, "-q", "-o", folder / "adapted.credence")
    yield "predict, adapted", run("predict", folder / "adapted.credence", data, "-q")
    yield "report", run("report", model, data, "-q", "-o", folder / "report.html")


def classes_axis(folder, n, chance):
    data, model = table_of_classes(folder / "classes.csv", n, 20_000, chance), folder / "classes.credence"
    yield "fit", run("fit", data, "--target", "class", "-q", "-o", model)
    yield from judging(folder, data, model)


def words_axis(folder, n, chance):
    data, model = table_of_words(folder / "words.csv", n, chance), folder / "words.credence"
    yield "fit", run("fit", data, "--target", "class", "--as", "text: text(multinomial)", "--calibrate", "none", "-q", "-o", model)
    yield "predict", run("predict", model, data, "-q")


AXES = {
    "rows": (rows_axis, [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]),
    "columns": (columns_axis, [1, 10, 100, 1_000, 10_000]),
    "classes": (classes_axis, [2, 10, 100, 1_000, 10_000]),
    "words": (words_axis, [1_000, 10_000, 100_000, 1_000_000, 10_000_000]),
    "threads": (threads_axis, list(range(1, os.cpu_count() + 1))),
}


def exponent(sizes, measured):
    """The slope of the line of least squares through the logarithms."""
    x = [math.log(n) for n in sizes]
    y = [math.log(max(value, 1e-9)) for value in measured]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def measure(name, folder):
    axis, sizes = AXES[name]
    found = {}
    for n in sizes:
        for command, (seconds, memory) in axis(folder, n, random.Random(n)):
            found.setdefault(command, []).append((seconds, memory))
    print(f"\n{name}: {', '.join(f'{n:,}' for n in sizes)}")
    print(f"{'':18}{'seconds':>45}  time ^  largest MB  memory ^")
    commands = {}
    for command, points in found.items():
        seconds, memory = [point[0] for point in points], [point[1] / 1e6 for point in points]
        growth = [exponent(sizes[-3:], values[-3:]) for values in (seconds, memory)]
        commands[command] = {"seconds": seconds, "megabytes": memory, "time_exponent": growth[0], "memory_exponent": growth[1]}
        shown = " ".join(f"{value:8.2f}" for value in seconds)
        print(f"{command:18}{shown:>45}  {growth[0]:6.2f}  {max(memory):10.0f}  {growth[1]:8.2f}")
    sys.stdout.flush()
    return {"sizes": sizes, "commands": commands}


def many_classes(folder):
    data, model = folder / "many.csv", folder / "many.credence"
    table_of_classes(data, 10_000, 100_000, random.Random(1))
    run("fit", data, "--target", "class", "-q", "-o", model)
    print("\n10,000 classes x 100,000 rows")
    print(f"{'':18}{'seconds':>9}{'of predict':>12}{'MB':>8}")
    ours = None
    for command, (seconds, memory) in judging(folder, data, model):
        ours = ours or seconds
        verdict = "" if seconds <= SLOWEST * ours and memory <= LARGEST else "  beyond the limits"
        print(f"{command:18}{seconds:9.1f}{seconds / ours:12.1f}{memory / 1e6:8.0f}{verdict}")
        sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("axes", nargs="*", help=f"of {', '.join(AXES)} (default: all)")
    parser.add_argument("--many", action="store_true", help="10,000 classes x 100,000 rows, too: some minutes more")
    arguments = parser.parse_args()
    if unknown := set(arguments.axes) - set(AXES):
        parser.error(f"no axis {', '.join(sorted(unknown))}; choose {', '.join(AXES)}")
    with tempfile.TemporaryDirectory() as folder:
        found = {name: measure(name, Path(folder)) for name in arguments.axes or ([] if arguments.many else AXES)}
        if arguments.many:
            many_classes(Path(folder))
    if len(found) == len(AXES):
        path = ROOT / "bench" / "results" / "scaling.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
