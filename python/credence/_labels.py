# SPDX-License-Identifier: Apache-2.0
"""Classes: in Python values of any type, in a model their names."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from credence import _core


def _python_value(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def checked(y: Any) -> NDArray[Any]:
    """The classes of rows as an array, or the error that scikit-learn would raise."""
    y = column_or_1d(y, warn=True)
    if y.dtype == object:
        for row, value in enumerate(y):
            if value is None:
                raise ValueError(f"y[{row}] is None: every row needs a class (leave the others out)")
    assert_all_finite(y, input_name="y")
    check_classification_targets(y)
    return np.asarray(y)


def encoded(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The classes there are, sorted, and the place of each row's among them."""
    if y.dtype.kind in "iu" and y.dtype != np.uint64:
        found = _core.encode_whole(np.ascontiguousarray(y, dtype=np.int64))  # quicker than sorting
        if found is not None:
            return found[0].astype(y.dtype, copy=False), found[1]
    values, codes = np.unique(y, return_inverse=True)
    return values, np.ascontiguousarray(codes.reshape(-1), dtype=np.int32)


class Labels:
    """Which value each class name stands for. Grows as classes come."""

    def __init__(self) -> None:
        self._names: dict[Any, str] = {}
        self.classes: NDArray[Any] = np.array([], dtype=object)

    def copy(self) -> Labels:
        result = Labels()
        result._names = dict(self._names)
        result.classes = self.classes
        return result

    def add(self, values: NDArray[Any]) -> None:
        """Makes room for values that are not known yet."""
        for value in values:
            self._names.setdefault(_python_value(value), str(value))
        known = values if self.classes.size == 0 else np.concatenate([self.classes, values])
        self.classes = np.unique(known)

    def add_new_names(self, names: Sequence[str], convert: Callable[[str], Any]) -> None:
        """The same for names that a model found, as the values they stand for."""
        known = set(self._names.values())
        names = [name for name in names if name not in known]
        if not names:
            return
        values = [convert(name) for name in names]
        for name, value in zip(names, values):
            self._names.setdefault(_python_value(value), name)
        self.add(np.array(values))

    def encode(self, y: NDArray[Any]) -> tuple[NDArray[np.int32], list[str]]:
        """The class of each row as a code, and what the codes stand for."""
        values, codes = encoded(y)
        self.add(values)
        return codes, [self._names[_python_value(value)] for value in values]

    def names(self) -> list[str]:
        """The names in the order of `classes`."""
        return [self._names[_python_value(value)] for value in self.classes]

    def places(self, names: Sequence[str]) -> NDArray[np.intp]:
        """Where in `classes` the names stand."""
        where = {name: place for place, name in enumerate(self.names())}
        return np.array([where[name] for name in names], dtype=np.intp)


def converter(kind: str) -> Callable[[str], Any]:
    """From the name of a class to its value, by the kind of the column it was read from."""
    if kind == "integer":
        return int
    if kind == "real":
        return float
    if kind == "boolean":
        return lambda name: name == "True"
    return str
