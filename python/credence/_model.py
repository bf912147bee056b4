# SPDX-License-Identifier: Apache-2.0
"""Model files: the same that the command line writes and reads."""
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from credence import _core
from credence._page import page


@dataclass(frozen=True)
class ParameterTable:
    """The parameters of a block: one row for each, one value per class."""

    title: str
    family: str
    remark: str
    rows: dict[str, list[float]]
    words: dict[str, list[tuple[str, float]]]


@contextmanager
def lock(path: str | os.PathLike[str], *, wait: bool = True) -> Iterator[None]:
    """Keeps other programs from changing a model file, from before it is loaded until it is saved.

    Whatever changes the file at the same time, here or on the command line, waits its turn, so that no change is lost. With
    `wait=False` an OSError says that somebody else has the lock.
    """
    held = _core.ModelLock(os.fspath(path), wait)
    try:
        yield
    finally:
        held.release()


class Model:
    """What was observed, and how it is read: schema, blocks, settings and statistics."""

    def __init__(self, core: _core.Model) -> None:
        self._core = core

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file, or a model written by hand as JSON."""
        name = os.fspath(path)
        try:
            return cls(_core.Model.load(name))
        except ValueError as error:
            if os.path.exists(name):
                raise
            raise FileNotFoundError(str(error)) from None

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "bytes") -> Model:
        return cls(_core.Model.from_bytes(data, name))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file at once: the old one or the new one is there at any time."""
        self._core.save(os.fspath(path))

    def to_bytes(self) -> bytes:
        return self._core.to_bytes()

    def to_sql(self, dialect: str = "duckdb", table: str = "data") -> str:
        """A query for "duckdb", "postgres" or "spark" that scores rows where they are: `prediction`, and "P(…)" for each class.

        The table may be anything that stands after FROM.
        """
        return self._core.to_sql(dialect, table)

    def __reduce__(self) -> tuple[object, ...]:
        return (Model.from_bytes, (self.to_bytes(), "pickle"))

    @property
    def classes(self) -> list[str]:
        return self._core.classes

    @property
    def class_weights(self) -> dict[str, float]:
        return dict(zip(self._core.classes, self._core.class_weights))

    @property
    def state(self) -> str:
        """A checksum of all but the history: equal where models answer alike to the last digit."""
        return _core.fingerprint(self._core)

    @property
    def rows(self) -> float:
        return self._core.rows

    @property
    def columns(self) -> list[str]:
        return self._core.columns

    @property
    def blocks(self) -> list[str]:
        """As `blocks` of BayesClassifier would say them: "age, income: gaussian(full)"."""
        return self._core.blocks

    @property
    def target(self) -> str:
        return self._core.target

    @property
    def rule(self) -> str:
        return self._core.rule

    @property
    def prior(self) -> str:
        return self._core.prior

    @property
    def windows(self) -> dict[str, float]:
        """Rows kept apart by name, which can be forgotten without the data."""
        return dict(self._core.windows)

    def tables(self) -> list[ParameterTable]:
        """The parameters of every block under the model's rule."""
        return [ParameterTable(title, family, remark, dict(rows), dict(words))
                for title, family, remark, rows, words in _core.Scorer(self._core).tables()]

    def _repr_html_(self) -> str:
        return page("Model", self, ((name, name) for name in self.classes))

    def __repr__(self) -> str:
        return (f"<credence.Model: {self.rows:g} rows, {len(self.classes)} classes, "
                f"{len(self.columns)} columns, rule {self.rule}>")
