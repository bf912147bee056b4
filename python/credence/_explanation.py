# SPDX-License-Identifier: Apache-2.0
"""Why a row is of one class rather than of another."""
from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass(frozen=True)
class Evidence:
    """What one column says: `weight` is what it adds to the log-odds."""

    column: str
    value: str
    weight: float
    log_winner: float
    log_other: float


@dataclass(frozen=True)
class Explanation:
    """The weights of the lines sum to the log-odds of the winner against the other class."""

    winner: Any
    other: Any
    log_odds: float
    probabilities: dict[Any, float]
    log_evidence: float
    lines: tuple[Evidence, ...]
    undecidable_because: str = ""

    def _rows(self) -> list[tuple[str, str, str]]:
        rows = [(line.column, line.value, f"{line.weight:+.4f}") for line in self.lines]
        return [*rows, ("log-odds", "", f"{self.log_odds:+.4f}")]

    def _title(self) -> str:
        if self.undecidable_because:
            return f"undecidable: {self.undecidable_because}"
        return f"{self.winner} rather than {self.other}: P = {self.probabilities[self.winner]:.6g}"

    def __str__(self) -> str:
        rows = self._rows()
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = [f"  {a:<{widths[0]}}  {b:<{widths[1]}}  {c:>{widths[2]}}" for a, b, c in rows]
        return "\n".join([self._title(), *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._rows())
        return f"<table><caption>{escape(self._title())}</caption>{rows}</table>"
