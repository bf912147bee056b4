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

    def changed(self, labels: Labels | None = None) -> None:
        """To be called when the model has changed, with its classes if they have too."""
        self.labels = labels or self.labels
        self._scorer = None

    @property
    def scorer(self) -> _core.Scorer:
        if self._scorer is None:
            self._scorer = _core.Scorer(self.model)
        return self._scorer

    def log_joint(self, source: _core.Source, threads: int) -> NDArray[np.float64]:
        """log P(c, x) in the order of the labels; -inf for a class that has no row yet."""
        found = self.scorer.log_joint(source, threads)
        places = self.labels.places(self.scorer.classes)
        count = len(self.labels.classes)
        if count == len(places) and np.array_equal(places, np.arange(count)):
            return found
        joint = np.full((found.shape[0], count), -np.inf)
        joint[:, places] = found
        return joint

    def __getstate__(self) -> dict[str, Any]:
        return {"model": self.model.to_bytes(), "labels": self.labels, "form": self.form}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(  # type: ignore[misc]
            _core.Model.from_bytes(state["model"], "pickle"), state["labels"], state["form"])
