# SPDX-License-Identifier: Apache-2.0
"""How good a classifier is."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credence import _core
from credence._labels import Labels


def folds_of(count: int, leave_one_out: bool, stratified: bool, seed: int, groups: Any,
             time: Any) -> _core.Folds:
    """How rows are held out. groups, time: a value for each row, or the name of a column of X."""
    if groups is not None and time is not None:
        raise ValueError("groups and time do not go together: choose one")
    if time is not None and leave_one_out:
        raise ValueError("time: leave_one_out would judge rows by later ones")
    given = time if groups is None else groups
    column = given if isinstance(given, str) else ""
    codes = [] if given is None or column else _codes("groups" if time is None else "time", given)
    return _core.Folds(count, leave_one_out, stratified, seed, column, codes, time is not None)


def _codes(name: str, values: Any) -> list[float]:
    """The place of every value among all, in their order."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name}: one value for each row, not an array of shape {array.shape}")
    for row, value in enumerate(array):
        if value is None or value != value:  # NaN and NaT differ from themselves
            raise ValueError(f"{name}: row {row} has no value")
    codes: list[float] = np.unique(array, return_inverse=True)[1].astype(float).tolist()
    return codes


def without_column(blocks: Any, column: Any) -> Any:
    """The blocks without the column that says how rows are held out, unless they name it."""
    if not isinstance(column, str):
        return blocks
    named = {name.strip() for names in (blocks or {}) for name in str(names).split(",")}
    return blocks if column in named else {**(blocks or {}), column: "ignore"}


@dataclass(frozen=True)
class CrossValidation:
    """How good a classifier is on rows it did not see; no fold was fitted, each was subtracted."""

    accuracy: float
    log_loss: float
    brier: float
    ece: float
    rows: float
    undecided: float
    fold_accuracy: NDArray[np.float64]  # empty for leave-one-out
    classes: NDArray[Any]
    confusion: NDArray[np.float64]  # [true, predicted], by weight; the last column: no label


def cross_validation(found: _core.CrossValidation, labels: Labels) -> CrossValidation:
    """The core's answer, its classes in the order of `labels`."""
    places = labels.places(found.all.labels)
    order = np.argsort(places)
    confusion = np.asarray(found.all.confusion, dtype=np.float64)
    columns = np.append(order, np.arange(len(order), confusion.shape[1]))
    return CrossValidation(
        found.all.accuracy, found.all.log_loss, found.all.brier, found.all.ece, found.all.rows,
        found.all.undecided, np.asarray(found.fold_accuracy, dtype=np.float64),
        labels.classes[places[order]], confusion[np.ix_(order, columns)])
