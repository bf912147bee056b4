# SPDX-License-Identifier: Apache-2.0
"""Rows with their classes and weights, from X, y and sample_weight."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_sample_weight

from credence import _core
from credence._files import Files
from credence._labels import Labels, checked
from credence._learned import Learned
from credence._names import check_columns, expected_columns
from credence._tables import Table, as_table


@dataclass
class Rows:
    """A source with all that fitting wants to know of it."""

    source: _core.Source
    target: str  # the name of the class
    weights: str  # the column that holds weights; "": none does
    form: str  # what X was; see Learned
    kind: str = "word"  # of the values in the column of the class
    table: Table | None = None  # none for files


def known_table(estimator: Any, X: Any, learned: Learned, *apart: str) -> Table:
    """X as a table, checked against what was learned; `apart` are no features."""
    model = learned.model
    columns = expected_columns(estimator, model.columns)
    table = as_table(X, columns, learned.form)
    check_columns(estimator, table, columns, (model.target, model.weights, *apart))
    if table.form in ("text", "sparse") and len(model.columns) == 1:
        table.frame.rename(model.columns)  # texts and matrices do not name their only column
    return table


def training_rows(estimator: Any, X: Any, y: Any, sample_weight: Any, labels: Labels,
                  learned: Learned | None, missing: list[str]) -> Rows:
    """The rows to learn or to forget. New classes are added to `labels`."""
    weights = sample_weight if isinstance(sample_weight, str) else ""
    if isinstance(X, Files):
        return _file_rows(X, y, weights, missing)
    if y is None and learned is not None and _has_column(X, learned.model.target):
        y = learned.model.target
    if y is None:
        raise ValueError(f"This {type(estimator).__name__} estimator requires y to be passed, but "
                         "the target y is None.")
    target = y if isinstance(y, str) else ""
    table = known_table(estimator, X, learned, target, weights) if learned else as_table(X)
    frame = table.frame
    if sample_weight is not None and not weights:
        rows = frame.rows if frame.rows is not None else len(sample_weight)
        frame.set_weights(_checked_weights(sample_weight, rows))
    if target:
        source = frame.open("", missing)
        return Rows(source, target, weights, table.form, frame.kind(target), table)
    classes = checked(y)
    if frame.rows is not None and frame.rows != len(classes):
        raise ValueError("Found input variables with inconsistent numbers of samples: "
                         f"[{frame.rows}, {len(classes)}]")
    frame.set_labels(*labels.encode(classes))
    target = learned.model.target if learned else target_name(y, frame.names)
    return Rows(frame.open(target, missing), target, weights, table.form, "word", table)


def _file_rows(files: Files, y: Any, weights: str, missing: list[str]) -> Rows:
    if y is not None and not isinstance(y, str):
        raise TypeError("y: for files the name of the column that holds the class")
    source = files.open(missing)
    return Rows(source, y or source.default_target, weights, "files")


def _has_column(X: Any, name: str) -> bool:
    names: Any = getattr(X, "column_names", None)
    if names is None:
        names = getattr(X, "columns", ())
    return bool(name) and name in list(names)


def target_name(y: Any, columns: list[str]) -> str:
    """What the class is called: by the name of the series, if that is no column of X."""
    name = getattr(y, "name", None)
    name = name if isinstance(name, str) and name else "class"
    while name in columns:
        name += "_"
    return name


def _checked_weights(weights: Any, rows: int) -> NDArray[np.float64]:
    found = _check_sample_weight(weights, np.empty((rows, 1)), dtype=np.float64,
                                 ensure_non_negative=True)
    return np.ascontiguousarray(found)
