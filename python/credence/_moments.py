# SPDX-License-Identifier: Apache-2.0
"""Means and scatters of columns from sums of deviations, which a database adds up.

Deviations are from a value near the mean of the class, taken from the first rows; where it turns out not to be near, the sums
are asked for again.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pyarrow.compute as pc

from credence._grouped import Groups

NEAR = 100  # variances between the mean and where deviations are taken from: two digits are lost
LARGEST = 2.0 ** 127


class NotFinite(ValueError):
    """A number of a column is none that can be learned from."""


@dataclass
class Scatter:
    """Of one class and pattern of presence."""

    weight: Fraction
    zeros: list[Fraction]
    first: list[float]  # sums of deviations
    second: list[list[float]]  # of their products, a lower triangle; of columns alone its diagonal
    origin: list[float]

    def mean(self, i: int) -> Fraction:
        return Fraction(self.origin[i]) + Fraction(self.first[i]) / self.weight

    def m2(self, i: int, j: int) -> float:
        found = Fraction(self.second[i][j]) - Fraction(self.first[i]) * Fraction(self.first[j]) / self.weight
        return max(0.0, self._but_for_rounding(i, float(found))) if i == j else float(found)

    def _but_for_rounding(self, i: int, m2: float) -> float:
        """What a column that is always the same comes to where deviations are taken from its neighbour."""
        return 0.0 if m2 <= float(self.weight) * math.ulp(float(self.mean(i))) ** 2 else m2

    def is_near(self, i: int) -> bool:
        return self.first[i] == 0 or self.first[i] ** 2 <= NEAR * float(self.weight) * self.m2(i, i)


class Moments:
    """Of some columns: each alone, or together."""

    def __init__(self, groups: Groups, columns: Sequence[int], together: bool) -> None:
        self.groups, self.columns, self.together = groups, list(columns), together
        self.names = [groups.column_name(c) for c in columns]
        origins = self._of_sample()
        for _ in range(4):
            self.found = self._ask(origins)
            self._check_finite()
            far = {(label, i) for (label, _), each in self.found.items() for i in range(len(self.columns))
                   if each.weight and not each.is_near(i)}
            if not far:
                break
            for label, i in far:
                origins[i][label] = self._mean(label, i)
        self._check()

    def _mean(self, label: Any, i: int) -> float:
        parts = [each for (own, pattern), each in self.found.items() if own == label and each.weight and pattern[i] == "1"]
        weight = sum((each.weight for each in parts), Fraction(0))
        return float(sum((each.mean(i) * each.weight for each in parts), Fraction(0)) / weight)

    def _of_sample(self) -> list[dict[Any, float]]:
        """For every column a value of the first rows that lies near the mean: for each class, or, by None, for the others."""
        table = self.groups.sample
        labels = table[self.groups.model["target"]].to_pylist()
        result = []
        for name in self.names:
            values: dict[Any, list[float]] = {None: []}
            for label, x in zip(labels, pc.cast(table[name], "float64").to_pylist()):
                if x is not None and math.isfinite(x):
                    values[None].append(x)
                    values.setdefault(label, []).append(x)
            near = {label: _nearest_to_mean(own) for label, own in values.items()}
            spread = {label: math.sqrt(math.fsum((x - near[label]) ** 2 for x in own) / max(1, len(own)))
                      for label, own in values.items()}
            one_for_all = all(abs(near[label] - near[None]) <= math.sqrt(NEAR) / 2 * spread[label] for label in near)
            result.append({None: near[None]} if one_for_all else near)
        return result

    def _origin(self, origins: dict[Any, float]) -> str:
        dialect = self.groups.dialect
        cases = [f"WHEN {dialect.literal(label)} THEN {dialect.number(x)}" for label, x in origins.items() if label is not None]
        other = dialect.number(origins.get(None, 0.0))
        return f"CASE {self.groups.label} {' '.join(cases)} ELSE {other} END" if cases else other

    def _ask(self, origins: list[dict[Any, float]]) -> dict[tuple[Any, str], Scatter]:
        # NaN is rare: it is looked for where a sum is one.
        found = self._rows(self._sums(), origins, careful=self.together)
        if not self.together and not all(_finite(row[2:]) for rows in found.values() for row in rows):
            found = self._rows(self._sums(), origins)
        exact = found
        if not self.together:
            self.groups.check_rows((label, row[0]) for (label, _), rows in found.items() for row in rows)
        if not self.together and any(row[0] != row[1] for rows in found.values() for row in rows):
            exact = self._rows(self._counts(), origins)
        result = {}
        for (label, own), rows in found.items():
            where = [each.get(label, each.get(None, 0.0)) for each in origins]
            if self.together:
                result[label, own] = self._together(rows, where)
            else:
                for i, each in enumerate(self._alone(rows, exact[label, own], where, exact is found)):
                    result[label, alone(i, len(self.names))] = each
        return result

    def _sums(self) -> list[str]:
        """Of deviations and their squares. Before them weights or, where each column has its own, the number of rows and of
        those that have neither a gap nor a zero: mostly the same, which saves two counts for every column.
        """
        groups, many = self.groups, range(len(self.names))
        times = f" * {groups.weight()}" if groups.weights else ""
        full = " AND ".join(f"x{i} <> 0" for i in many)
        sums = [groups.weight_sums()] if self.together else ["COUNT(*)", "0" if groups.weights else f"COUNT(CASE WHEN {full} THEN 1 END)"]
        for i in many:
            sums.append(f"SUM(d{i}{times})")
            sums += [f"SUM(d{i} * d{j}{times})" for j in range(i + 1) if self.together or i == j]
        return sums

    def _counts(self) -> list[str]:
        return [self.groups.weight_sums(f"x{i} {what}") for i in range(len(self.names)) for what in ("IS NOT NULL", "= 0")]

    def _rows(self, sums: Sequence[str], origins: list[dict[Any, float]],
              careful: bool = True) -> dict[tuple[Any, str], list[tuple[Any, ...]]]:
        """What the sums are, by label and pattern, a row for each partition."""
        groups, dialect = self.groups, self.groups.dialect
        cells = [groups.label, dialect.part + " AS part"]
        if groups.weights:
            cells.append(dialect.column(groups.weights))
        for i, name in enumerate(self.names):
            x = dialect.real(name) if careful else dialect.as_double(name)
            cells += [f"{x} AS x{i}", f"{x} - {self._origin(origins[i])} AS d{i}"]
        pattern = " || ".join(f"CASE WHEN x{i} IS NULL THEN '0' ELSE '1' END" for i in range(len(self.names)))
        keys = [groups.label, "part", pattern if self.together else "'1'"]
        found = groups.ask(f"SELECT {', '.join([*keys, *sums])} FROM (SELECT {', '.join(cells)} FROM {groups.rows}) AS g "
                           f"WHERE {groups.label} IS NOT NULL GROUP BY 1, 2{', 3' if self.together else ''}")
        result: dict[tuple[Any, str], list[tuple[Any, ...]]] = {}
        for label, _, own, *values in found:
            if label in groups.of_class:
                result.setdefault((label, own), []).append(tuple(values))
        return result

    def _together(self, rows: Sequence[tuple[Any, ...]], origin: list[float]) -> Scatter:
        pieces, many = self.groups.pieces, len(self.names)
        place, first, second = pieces, [], []
        for i in range(many):
            first.append(_sum(rows, place))
            second.append([_sum(rows, place + 1 + j) for j in range(i + 1)])
            place += i + 2
        return Scatter(self._weight(rows, 0), [], first, second, origin)

    def _alone(self, rows: Sequence[tuple[Any, ...]], counts: Sequence[tuple[Any, ...]], origin: list[float],
               whole: bool) -> list[Scatter]:
        """whole: no row has a gap or a zero, so that the number of rows says it all."""
        pieces, result, many = self.groups.pieces, [], len(self.names)
        for i in range(many):
            first = [0.0] * many
            second = [[0.0] * (k + 1) for k in range(many)]
            first[i], second[i][i] = _sum(rows, 2 + 2 * i), _sum(rows, 3 + 2 * i)
            weight = self._weight(rows, 0) if whole else self._weight(counts, 2 * i * pieces)
            zeros = Fraction(0) if whole else self._weight(counts, (2 * i + 1) * pieces)
            result.append(Scatter(weight, [zeros], first, second, origin))
        return result

    def _weight(self, rows: Sequence[tuple[Any, ...]], place: int) -> Fraction:
        return sum((self.groups.total(row[place:place + self.groups.pieces]) for row in rows), Fraction(0))

    def _check_finite(self) -> None:
        for each in self.found.values():
            for name, first, second in zip(self.names, each.first, each.second):
                if not math.isfinite(first) or not all(map(math.isfinite, second)):
                    raise NotFinite(f'column "{name}": a value is not a finite number, or too large to be squared')

    def _check(self) -> None:
        for (_, pattern), each in self.found.items():
            for i, name in enumerate(self.names):
                if not each.weight or pattern[i] == "0":
                    continue
                size = max(abs(float(each.mean(i))), math.sqrt(each.m2(i, i) / float(each.weight)))
                if not size < LARGEST or 0 < size < 1 / LARGEST:
                    raise ValueError(f'column "{name}": numbers as large or small as {size:g} are not for SQL '
                                     "(use credence.duckdb or credence.spark)")


def alone(i: int, many: int) -> str:
    """The pattern of one column."""
    return "0" * i + "1" + "0" * (many - i - 1)


def _finite(values: Sequence[Any]) -> bool:
    return all(value is None or math.isfinite(value) for value in values)


def _nearest_to_mean(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values) if values else 0.0
    return min(values, key=lambda x: abs(x - mean), default=0.0)


def _sum(rows: Sequence[tuple[Any, ...]], place: int) -> float:
    return math.fsum(row[place] or 0.0 for row in rows)
