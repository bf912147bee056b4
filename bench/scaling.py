#!/usr/bin/env python3
"""How time and memory grow with rows, columns, classes and values, as exponents.

Every command runs on tables of doubled size. The exponent of a growth n^e is the slope of a line through the logarithms; 1 is
linear. What a command takes to start is measured with the smallest table and counts as part of it, so exponents are a little low.
Answers within a few minutes; `--many` adds 10,000 classes x 100,000 rows, each command against predict.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from common import PROGRAM

LARGEST = 1 << 30  # bytes that a command may take of 10,000 classes
SLOWEST = 20  # times predict


def run(*arguments):
    """Processor seconds, which other programs disturb least, and largest resident bytes of a command that must succeed."""
    with open(os.devnull, "wb") as nowhere, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=nowhere, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            sys.exit(f"credence {' '.join(map(str, arguments))}: {errors.read(2000).decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


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


def table_of_rows(path, rows, chance):
    def row(i):
        return [f"{chance.gauss(i % 3, 1):.3f}" for _ in range(8)] + ["abc"[i % 3]]

    return write(path, [f"x{i}" for i in range(8)] + ["y"], (row(i) for i in range(rows)))


def table_of_classes(path, classes, rows, chance):
    """Classes on a grid of three columns, neighbours a little more than their spread apart."""
    side = math.ceil(classes ** (1 / 3))

    def row(i):
        cls = i % classes
        places = cls % side, cls // side % side, cls // side // side
        return [f"{1.5 * place + chance.gauss(0, 1):.3f}" for place in places] + [f"c{cls:05}"]

    return write(path, ["x", "y", "z", "class"], (row(i) for i in range(rows)))


def table_of_values(path, values, chance):
    rows = ([f"v{chance.randrange(values)}", "ab"[i % 2]] for i in range(2 * values))
    return write(path, ["word", "y"], rows)


def hand_written(path, values):
    shares = {f"v{i}": 1 / values for i in range(values)}
    model = {"target": "y", "prior": {"a": 0.5, "b": 0.5},
             "columns": {"word": {"family": "categorical", "given": {"a": shares, "b": shares}}}}
    path.write_text(json.dumps(model))
    return path


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
    data, model = table_of_rows(folder / "rows.csv", n, chance), folder / "rows.credence"
    yield "fit", run("fit", data, "--target", "y", "-q", "-o", model)
    yield "predict", run("predict", model, data, "-q")
    yield "evaluate", run("evaluate", model, data, "-q")
    yield "cv", run("cv", data, "--target", "y", "-q")


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
    data, model = table_of_classes(folder / "classes.csv", n, 10_000, chance), folder / "classes.credence"
    yield "fit", run("fit", data, "--target", "class", "-q", "-o", model)
    yield from judging(folder, data, model)


def values_axis(folder, n, chance):
    data, model = table_of_values(folder / "values.csv", n, chance), folder / "values.credence"
    yield "fit", run("fit", data, "--target", "y", "--as", "word: categorical", "-q", "-o", model)
    yield "predict", run("predict", model, data, "-q")
    yield "show --json", run("show", model, "--json")
    yield "show, by hand", run("show", hand_written(folder / "values.json", n))


AXES = {
    "columns": (columns_axis, [12_500, 25_000, 50_000, 100_000]),
    "rows": (rows_axis, [50_000, 100_000, 200_000, 400_000]),
    "classes": (classes_axis, [625, 1_250, 2_500, 5_000]),
    "values": (values_axis, [50_000, 100_000, 200_000, 400_000]),
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
    print(f"{'':18}{'seconds':>36}  time ^  largest MB  memory ^")
    for command, points in found.items():
        seconds = [point[0] for point in points]
        memory = [point[1] for point in points]
        shown = " ".join(f"{value:8.2f}" for value in seconds)
        print(f"{command:18}{shown:>36}  {exponent(sizes, seconds):6.2f}  {max(memory) / 1e6:10.0f}  {exponent(sizes, memory):8.2f}")
    sys.stdout.flush()


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
        for name in arguments.axes or ([] if arguments.many else AXES):
            measure(name, Path(folder))
        if arguments.many:
            many_classes(Path(folder))


if __name__ == "__main__":
    main()
