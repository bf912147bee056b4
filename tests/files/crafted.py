#!/usr/bin/env python3
"""Model files that nobody wrote, with right checksums: each is refused with status 4 and one clean line, or answers sanely.

Models of every family are changed in one place: a number, a text, a shape, a key. A sane answer is a label with
probabilities that sum to 1, or no label where no class is possible.
"""
import argparse
import copy
import csv
import io
import itertools
import json
import math
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from models import Parts, make_models

RAW = ["json.exception", "vector::", "_M_", "std::", "basic_string", "map::at", "terminate", "\x1b"]
NUMBERS = [-1.0, math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, 0.0, 1e30, 0.5]
JSON_VALUES = [None, -1, 0, 1e308, -1e308, 5.5, 1e-320, "", "x", [], {}, [0, 0], [99], True, 18446744073709551615]


def paths_in(value, path=()):
    """Every place in a tree of JSON."""
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in itertools.islice(children, 12):
        yield from paths_in(child, (*path, key))


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def changes_of_json(parts):
    for path in list(paths_in(parts.model)):
        if not path:
            continue
        *above, key = path
        for value in JSON_VALUES:
            def put(p, above=above, key=key, value=value):
                at(p.model, above)[key] = copy.deepcopy(value)
            yield f"{'/'.join(map(str, path))} = {json.dumps(value)}", put
        def remove(p, above=above, key=key):
            del at(p.model, above)[key]
        yield f"{'/'.join(map(str, path))} removed", remove
        if isinstance(at(parts.model, path), dict):
            def add(p, path=path):
                at(p.model, path)["surplus"] = 1
            yield f"{'/'.join(map(str, path))}/surplus added", add
        if isinstance(at(parts.model, path), list) and at(parts.model, path):
            def twice(p, path=path):
                at(p.model, path).append(copy.deepcopy(at(p.model, path)[0]))
            yield f"{'/'.join(map(str, path))}[0] twice", twice


def changes_of_array(name, parts):
    dtype, shape, numbers = parts.arrays[name]
    places = sorted({0, len(numbers) // 2, len(numbers) - 1}) if numbers else []
    is_text = name + ".offsets" in parts.arrays
    for place, value in itertools.product(places, NUMBERS if not is_text else [0, 0xFF, 0xC3, 0x1B, 0x7F, 0x41]):
        def put(p, place=place, value=value):
            wide = list(map(float, p.arrays[name][2])) if not is_text else list(p.arrays[name][2])
            wide[place] = value
            p.arrays[name] = ("U8" if is_text else "F64", shape, wide)
        yield f"{name}[{place}] = {value}", put
    if not is_text and name + ".low" not in parts.arrays and not name.endswith((".low", ".offsets")):
        for value in (1.0, -1e300, 1e-3):
            def low(p, value=value):
                p.arrays[name + ".low"] = ("F64", shape, [value] * len(numbers))
            yield f"{name}.low = {value}", low
    def whole(value):
        def put(p):
            p.arrays[name] = ("I32", shape, [value] * len(numbers))
        return put
    for value in (-1, 10**6, 0, 1):
        yield f"{name} all {value}", whole(value)
    def absent(p):
        del p.arrays[name]
    yield f"{name} absent", absent
    def renamed(p):
        p.arrays[name + "x"] = p.arrays.pop(name)
    yield f"{name} renamed", renamed
    def shorter(p):
        p.arrays[name] = (dtype, [max(0, len(numbers) - 1)], numbers[:-1])
    yield f"{name} shorter", shorter
    def longer(p):
        p.arrays[name] = (dtype, [len(numbers) + 1], [*numbers, *(numbers[-1:] or [0])])
    yield f"{name} longer", longer
    def flat(p):
        p.arrays[name] = (dtype, [len(numbers), 1, 1], numbers)
    yield f"{name} of another shape", flat
    def none(p):
        p.arrays[name] = (dtype, [0] * len(shape), [])
    yield f"{name} empty", none
    def turned(p):
        p.arrays[name] = (dtype, shape, numbers[::-1])
    yield f"{name} turned round", turned


def all_changes(models):
    for name, (path, data) in models.items():
        parts = Parts(path.read_bytes())
        assert Parts(parts.pack()).arrays == parts.arrays
        for what, change in itertools.chain(changes_of_json(parts), *(changes_of_array(n, parts) for n in parts.arrays)):
            yield name, what, path, data, change


def unclean(done):
    if done.returncode < 0:
        return f"ended by signal {-done.returncode}"
    try:
        lines = done.stderr.decode().splitlines()
        done.stdout.decode()
    except UnicodeDecodeError:
        return f"not UTF-8: {done.stdout + done.stderr!r}"
    if any(raw in line for raw in RAW for line in lines):
        return "a raw message: " + "\n".join(lines)
    if done.returncode != 0 and (len(lines) != 1 or not lines[0].startswith("credence: ")):
        return f"{len(lines)} lines of error"
    return ""


def another_model(done):
    """It is a model, but of other columns, or one whose numbers are no basis for an estimate: that is refused, too."""
    words = (b"which is needed", b"below 0", b"(use --estimate", b"(rescale them)")
    return done.returncode == 3 and any(text in done.stderr for text in words)


def insane(text):
    """What is wrong with the answers of predict --proba."""
    for row in csv.reader(io.StringIO(text)):
        if row[0] == "prediction" or not row:
            continue
        shares = [float(cell) for cell in row[1:]]
        if row[0] == "" and all(math.isnan(p) for p in shares):
            continue
        if not all(0 <= p <= 1 for p in shares) or abs(sum(shares) - 1) > 1e-6:
            return ",".join(row)
    return ""


def judge(program, folder, number, case):
    name, what, path, data, change = case
    parts = Parts(path.read_bytes())
    change(parts)
    try:
        made = parts.pack()
    except (UnicodeEncodeError, ValueError, OverflowError, TypeError):
        return "not made", ""
    file = folder / f"crafted{number}.credence"
    file.write_bytes(made)
    def run(*arguments):
        return subprocess.run([program, *arguments], cwd=folder, capture_output=True, timeout=60)
    try:
        done = run("predict", str(file), *data, "--proba", "-q")
        wrong = unclean(done)
        if not wrong and done.returncode not in (0, 4) and not another_model(done):
            wrong = f"status {done.returncode}: {done.stderr.decode()}"
        if not wrong and done.returncode == 0:
            found = insane(done.stdout.decode())
            wrong = f"it answers {found}" if found else ""
            for other in (["sample", str(file), "-n", "2"], ["show", str(file)], ["explain", str(file), *data]):
                if not wrong:
                    more = run(*other)
                    wrong = unclean(more) and f"{other[0]}: {unclean(more)}"
    except subprocess.TimeoutExpired:
        wrong = "it never ends"
    file.unlink()
    return ("refused" if done.returncode == 4 else "answers"), f"{name}: {what}: {wrong}" if wrong else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--mutations", type=int, default=800)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        cases = [case for case in all_changes(make_models(program, folder)) if options.only in f"{case[0]}: {case[1]}"]
        random.Random(options.seed).shuffle(cases)
        cases = cases[:options.mutations]
        with ThreadPoolExecutor(2) as crew:
            found = list(crew.map(lambda pair: judge(program, folder, *pair), enumerate(cases)))
    wrong = [text for _, text in found if text]
    print("\n".join(wrong))
    counts = {kind: sum(1 for k, _ in found if k == kind) for kind in ("refused", "answers", "not made")}
    print(f"{len(cases)} mutated models: {counts['refused']} refused, {counts['answers']} answer, {len(wrong)} wrong")
    if len(cases) - counts["not made"] < 500 and not options.only:
        sys.exit("too few mutations")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
