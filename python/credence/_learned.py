# SPDX-License-Identifier: Apache-2.0
"""What a fitted classifier holds besides scikit-learn's attributes."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credence import _core
from credence._labels import Labels


class Learned:
    """A model, its classes as Python knows them, and the scorer made of both when it is needed."""

    def __init__(self, model: _core.Model, labels: Labels, form: str) -> None:
        self.model = model
        self.labels = labels
        self.form = form  # what X was: "frame", "array", "sparse", "text" or "files"
        self._scorer: _core.Scorer | None = None
        self._order: NDArray[np.intp] | None = None  # of the scorer's classes among `_ordered`
        self._ordered: NDArray[Any] | None = None

    def changed(self, labels: Labels | None = None) -> None:
        """To be called when the model has changed, with its classes if they have too."""
        self.labels = labels or self.labels
        self._scorer = None
        self._order = None

    @property
    def scorer(self) -> _core.Scorer:
        if self._scorer is None:
            self._scorer = _core.Scorer(self.model)
            self._places = _places_in_array(self.model.columns) if self.form == "array" else []
        return self._scorer

    @property
    def answers(self) -> NDArray[Any]:
        """The values of the scorer's classes, in its order."""
        if self._order is None or self._ordered is not self.labels.classes:  # which grow by a new array
            self._order, self._ordered = self.labels.places(self.scorer.classes), self.labels.classes
            count = len(self.labels.classes)
            same = count == len(self._order) and (self._order == np.arange(count)).all()
            self._answers = self._ordered if same else self._ordered[self._order]
        return self._answers

    def in_order(self, values: Any, absent: float = 0.0) -> NDArray[np.float64]:
        """What a model has of its classes, of all classes in their order."""
        found = np.asarray(values, dtype=np.float64)
        result = np.full((len(self.labels.classes), *found.shape[1:]), absent)
        result[self.labels.places(self.model.classes)] = found
        return result

    def log_joint(self, source: _core.Source, threads: int) -> NDArray[np.float64]:
        """log P(c, x) in the order of the labels; -inf for a class that has no row yet."""
        return self._in_order(self.scorer.log_joint(source, threads))

    def log_joint_of_rows(self, rows: NDArray[np.float64], gaps: bool, exact: bool = True) -> NDArray[np.float64]:
        """The same for rows that the scorer reads as they lie; not exact: up to what all classes share of a row."""
        return self._in_order(self.scorer.log_joint_of_rows(rows, gaps, exact))

    def log_joint_of_codes(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same for a few rows of categories that are whole numbers."""
        return self._in_order(self.scorer.log_joint_of_codes(rows))

    def log_joint_of_numbers(self, rows: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """The same for a few rows of the array's columns; None where they are not that simple."""
        found = self.scorer.log_joint_of_numbers(rows, self._places)
        return None if found is None else self._in_order(found)

    def _in_order(self, found: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.answers is self._ordered:
            return found
        places, count = self._order, len(self.labels.classes)
        joint = np.full((found.shape[0], count), -np.inf)
        joint[:, places] = found
        return joint

    _places: list[int]
    _answers: NDArray[Any]

    def __getstate__(self) -> dict[str, Any]:
        return {"model": self.model.to_bytes(), "labels": self.labels, "form": self.form}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(  # type: ignore[misc]
            _core.Model.from_bytes(state["model"], "pickle"), state["labels"], state["form"])


def _places_in_array(columns: list[str]) -> list[int]:
    """Columns of arrays are called x0, x1, ..."""
    return [int(name[1:]) for name in columns]
