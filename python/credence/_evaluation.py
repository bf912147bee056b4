# SPDX-License-Identifier: Apache-2.0
"""How good a classifier is."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credence import _core
from credence._labels import Labels


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
