# SPDX-License-Identifier: Apache-2.0
"""The arrays of a model file, read as docs/format.md says and by none of our code, and compared."""
import json
import re
import struct
from fractions import Fraction

CODES = {"F64": "d", "I64": "q", "I32": "i", "U16": "H", "U8": "B"}
# Quotients and logarithms, which rounding touches. All else is a count.
MOMENTS = re.compile(r"(mean|m2|third|fourth|log_factorial)$")
# What mixtures found last, from which they go on: no statistics.
DERIVED = re.compile(r"block\.\d+\.solved\.|novelty\.")
TOLERANCE = 1e-11


def header_of(data):
    (length,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8:8 + length]), 8 + length


def description_of(path):
    return json.loads(header_of(path.read_bytes())[0]["__metadata__"]["model"])


def arrays_of(path):
    """By name: texts, or exact numbers, the low halves added to the high ones."""
    data = path.read_bytes()
    header, start = header_of(data)
    del header["__metadata__"]

    def numbers(name):
        begin, end = header[name]["data_offsets"]
        raw, code = data[start + begin:start + end], CODES[header[name]["dtype"]]
        return struct.unpack(f"<{len(raw) // struct.calcsize(code)}{code}", raw)

    found = {}
    for name in header:
        if name.endswith((".low", ".offsets")):
            continue
        if name + ".offsets" in header:
            raw, places = bytes(numbers(name)), numbers(name + ".offsets")
            found[name] = [raw[a:b].decode() for a, b in zip(places, places[1:])]
        elif name + ".low" in header:
            found[name] = [Fraction(a) + Fraction(b) for a, b in zip(numbers(name), numbers(name + ".low"))]
        else:
            found[name] = list(numbers(name))
    return found


def unit_of(name, arrays, largest_seen):
    """What an array of moments is measured by: sums of weight times x, x^2, … as large as its numbers make them.

    What was forgotten counts: of its last digits, which rounding touched when it came, some stay behind. Rows of a
    block are summed up as doubles, so those digits are of the numbers themselves.
    """
    group, _, kind = name.rpartition(".")
    largest = max((abs(float(value)) for value in arrays[name]), default=0)
    if kind == "log_factorial":
        return largest or 1
    block = ".".join(name.split(".")[:2])
    every = [key.rpartition(".")[0] for key in arrays if key.startswith(block) and key.endswith(".mean")]
    size = max((abs(float(value)) for key in every for value in arrays[key + ".mean"]), default=0)
    if kind in ("third", "fourth"):
        size = max(size, largest_seen)
    weight = max((float(value) for value in arrays[group + ".weight"]), default=0)
    power = {"mean": 1, "m2": 2, "third": 3, "fourth": 4}[kind]
    return max(largest, size ** power * (weight if power > 1 else 1)) or 1


def difference(model, wanted, prefix="", largest_seen=0):
    """What differs between the arrays of the model that have this prefix and those wanted, or None."""
    parts = ("window.", "rest.")
    mine = {name.removeprefix(prefix): values for name, values in model.items()
            if name.startswith(prefix) and (prefix or not name.startswith(parts))}
    for name in sorted(mine.keys() | wanted.keys()):
        if DERIVED.search(name):
            continue
        if name not in mine or name not in wanted:
            return f"array {prefix}{name}: {'absent' if name not in mine else 'should not be there'}"
        found, true = mine[name], wanted[name]
        if not MOMENTS.search(name):
            if found != true:
                return f"array {prefix}{name}: {shown(found)} instead of {shown(true)}"
        elif len(found) != len(true):
            return f"array {prefix}{name}: {len(found)} numbers instead of {len(true)}"
        else:
            apart = max((float(abs(Fraction(a) - Fraction(b))) for a, b in zip(found, true)), default=0)
            apart /= unit_of(name, wanted, largest_seen)
            difference.largest = max(difference.largest, apart)
            if apart > TOLERANCE:
                return f"array {prefix}{name}: {apart:.1e} apart: {shown(found)} instead of {shown(true)}"
    return None


difference.largest = 0.0


def shown(values):
    return str([float(v) if isinstance(v, Fraction) else v for v in values])[:300]
