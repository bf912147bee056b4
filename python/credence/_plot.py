# SPDX-License-Identifier: Apache-2.0
"""Pictures of a model, drawn by the library: `model.plot.density("age")`."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from credence import _core


class Picture:
    """A drawing that a notebook shows; `save` writes an SVG, PNG or PDF."""

    def __init__(self, draw: Callable[[str], bytes]) -> None:
        self._draw = draw
        self.svg = draw(".svg").decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file, of the kind that its name ends in."""
        Path(path).write_bytes(self._draw(os.fspath(path)))

    def _repr_svg_(self) -> str:
        return self.svg


class Plots:
    """What `model.plot` is. Each method returns a `Picture`."""

    def __init__(self, estimator: Any, width: float = 800, height: float = 600) -> None:
        self._estimator = estimator
        self._learned = estimator._learned
        self._size = (float(width), float(height))

    def __call__(self, width: float = 800, height: float = 600) -> Plots:
        """The same in another size: `model.plot(width=1200).density("age")`."""
        return Plots(self._estimator, width, height)

    def density(self, column: Any) -> Picture:
        """p(x | class) along one column: how its values are spread in each class."""
        name, model = self._name(column), self._learned.model
        return Picture(lambda path: _core.plot_feature(model, name, path, *self._size))

    feature = density

    def posterior(self, column: Any, *, at: Mapping[str, Any] | None = None) -> Picture:
        """P(class | x) along one column of numbers. `at` has the values of other columns; the rest is unknown."""
        name, model = self._name(column), self._learned.model
        fixed = ", ".join(f"{self._name(other)}={value}" for other, value in (at or {}).items())
        return Picture(lambda path: _core.plot_posterior(model, name, fixed, path, *self._size))

    def evidence(self, row: Any, *, against: Any = None) -> Picture:
        """Why one row is of its class: what each column adds to the log-odds."""
        other = -1 if against is None else self._learned.answers.tolist().index(against)
        return Picture(lambda path: _core.plot_evidence(
            self._learned.scorer, self._estimator._open(row), other, path, *self._size))

    def calibration(self, X: Any, y: Any) -> Picture:
        """Whether decisions of probability p are right in p of all cases, on rows that were not learned."""
        return Picture(lambda path: _core.plot_reliability(
            self._learned.scorer, self._estimator._labelled(X, y), path, *self._size, self._estimator.threads))

    def _name(self, column: Any) -> str:
        names = self._learned.model.columns
        name = f"x{column}" if isinstance(column, (int, np.integer)) else str(column)
        if name not in names:
            raise ValueError(f"no column {column!r} in the model; it has {', '.join(names)}")
        return name
