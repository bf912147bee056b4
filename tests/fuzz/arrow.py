#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arrow tables of every type, changed at random, through the Python package: a model or a ValueError.

    arrow.py --runs 300 --seed 1

Half of the tables are made up type by type: nulls, slices, empty and uneven batches, dictionaries, views of other
tables. The others are streams of Arrow's own format with bytes changed, of which those are used that pyarrow itself
finds valid: the C data interface has no sizes of buffers, so nobody after it could. What is in memory as Arrow and as
plain Python must give the same model. 77 where the package is not installed.
"""
import argparse
import io
import random
import sys

try:
    import pyarrow as pa
    from credence import BayesClassifier
except ImportError:
    print("the package is not installed in .venv: make python")
    sys.exit(77)

WORDS = ["red", "green", "blue", "", "NA", "Straße", "a\nb", "x" * 300, "\0", "1.5", "é" * 40]
NUMBERS = [0, 1, 2, 3, 7, 40, 1e300, -1e-300, float("nan"), float("inf"), -0.0, 0.25]
TYPES = {
    "number": [pa.float64(), pa.float32(), pa.float16()],
    "whole": [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()],
    "word": [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string()), pa.binary(), pa.string_view()],
    "truth": [pa.bool_()],
    "odd": [pa.null(), pa.date32(), pa.timestamp("us"), pa.decimal128(9, 2), pa.list_(pa.int32()),
            pa.struct([("u", pa.int32())]), pa.time32("s"), pa.duration("ms")],
}


def cell(kind, draw):
    if draw.random() < 0.1:
        return None
    if kind == "number":
        return draw.choice(NUMBERS) if draw.random() < 0.2 else draw.gauss(0, 1)
    return {"whole": lambda: draw.randrange(100), "word": lambda: draw.choice(WORDS),
            "truth": lambda: draw.random() < 0.5, "odd": lambda: None}[kind]()


def column(rows, draw):
    (kind,) = draw.choices(list(TYPES), [4, 3, 4, 2, 1])
    of = draw.choice(TYPES[kind])
    values = [cell(kind, draw) for _ in range(rows)]
    if pa.types.is_binary(of):
        values = [value if value is None else value.encode() for value in values]
    if pa.types.is_float16(of):
        import numpy
        values = [value if value is None else numpy.float16(min(value, 6e4)) for value in values]
    if pa.types.is_dictionary(of):
        return pa.array(values, pa.string()).dictionary_encode()
    return pa.array(values, of)


def table(draw):
    rows = draw.choice([0, 1, 2, 5, 20, 70])
    columns = {f"c{i}": column(rows, draw) for i in range(draw.randrange(1, 6))}
    columns["y"] = pa.array([draw.choice(["a", "b", "c"]) for _ in range(rows)], draw.choice(TYPES["word"][:2]))
    made = pa.table(columns)
    if draw.random() < 0.5:
        begin = draw.randrange(0, rows + 1)
        made = made.slice(begin, draw.randrange(0, rows + 1))
    pieces = [made.slice(i, size) for i, size in ((0, draw.randrange(0, 4)), (1, 0), (2, 9))]
    return pa.concat_tables(pieces) if draw.random() < 0.3 else made


def changed(made, draw):
    """The table after a few bytes of its stream were changed, or None where that is no table."""
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, made.schema) as stream:
        stream.write_table(made, max_chunksize=draw.choice([1, 3, 100]))
    data = bytearray(sink.getvalue())
    for _ in range(draw.randrange(1, 5)):
        data[draw.randrange(len(data))] = draw.randrange(256)
    try:
        found = pa.ipc.open_stream(bytes(data)).read_all()
        found.validate(full=True)
        return found
    except (pa.ArrowException, OSError, ValueError, MemoryError, UnicodeDecodeError):
        return None


def learn(frame):
    """The bytes of the model, or the error's text."""
    try:
        model = BayesClassifier(threads=1).fit(frame, "y")
        model.predict_proba(frame)
        model.forget(frame.slice(0, 1), "y")
        return model.to_model().to_bytes()
    except ValueError as error:
        message = str(error)
        assert message and "\n" not in message, f"an error is one line: {message!r}"
        return message
    except TypeError as error:
        return str(error)


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--runs", type=int, default=300)
    options.add_argument("--seed", type=int, default=20261116)
    arguments = options.parse_args()
    draw = random.Random(arguments.seed)
    models = valid = 0
    for _ in range(arguments.runs):
        made = table(draw)
        if draw.random() < 0.5:
            made = changed(made, draw)
        if made is None:
            continue
        valid += 1
        found = learn(made)
        models += isinstance(found, bytes)
        # The same rows in one piece, without offsets into longer buffers.
        assert learn(pa.concat_tables([made]).combine_chunks()) == found, "the same rows give the same model"
    print(f"{arguments.runs} tables, {valid} of them valid, {models} models")
    return 0


if __name__ == "__main__":
    sys.exit(main())
