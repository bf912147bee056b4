# SPDX-License-Identifier: Apache-2.0
"""Model files as docs/format.md has them, for statistics that were counted elsewhere: `Model.from_bytes` checks what they say."""
from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

TYPES = {"F64": "<f8", "I64": "<i8", "I32": "<i4", "U16": "<u2", "U8": "u1"}
Arrays = dict[str, NDArray[Any]]


def read(data: bytes) -> tuple[dict[str, Any], Arrays]:
    """The description of a model, and its arrays as they stand in the file."""
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__")
    arrays = {}
    for name, entry in header.items():
        begin, end = (8 + length + place for place in entry["data_offsets"])
        arrays[name] = np.frombuffer(data[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    return json.loads(metadata["model"]), arrays


def write(model: dict[str, Any], arrays: Arrays) -> bytes:
    """The file with this description and these arrays: of doubles, and of bytes and offsets of texts."""
    kinds = {"f": "F64", "i": "I64", "u": "U8"}
    entries, parts, place = {}, [], 0
    for name in sorted(arrays):
        kind = kinds[arrays[name].dtype.kind] if arrays[name].dtype.itemsize != 2 else "U16"
        if arrays[name].dtype == np.int32:
            kind = "I32"
        parts.append(np.ascontiguousarray(arrays[name], TYPES[kind]).tobytes())
        entries[name] = {"dtype": kind, "shape": list(arrays[name].shape), "data_offsets": [place, place + len(parts[-1])]}
        place += len(parts[-1])
    mark = "crc32:00000000"
    header = {"__metadata__": {"format": "credence", "version": "1", "checksum": mark, "model": json.dumps(model)}, **entries}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    whole = struct.pack("<Q", len(text)) + text + b"".join(parts)
    return whole.replace(mark.encode(), f"crc32:{zlib.crc32(whole):08x}".encode(), 1)


def texts(name: str, words: Iterable[str]) -> Arrays:
    """A list of texts as two arrays."""
    pieces = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, pieces)]).astype(np.int64)
    return {name: np.frombuffer(b"".join(pieces), np.uint8), f"{name}.offsets": ends}


def words(arrays: Arrays, name: str) -> list[str]:
    """The texts of such a list."""
    joined, ends = arrays[name].tobytes(), arrays[f"{name}.offsets"].tolist()
    return [joined[a:b].decode() for a, b in zip(ends, ends[1:])]


def sums(name: str, values: Any, shape: tuple[int, ...]) -> Arrays:
    """Exact sums as doubles and what these leave out."""
    high = np.array([float(value) for value in values]).reshape(shape)
    low = np.array([float(Fraction(value) - Fraction(top)) for value, top in zip(values, high.ravel().tolist())]).reshape(shape)
    return {name: high, **({f"{name}.low": low} if low.any() else {})}
