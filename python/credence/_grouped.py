# SPDX-License-Identifier: Apache-2.0
"""Statistics of blocks from the groups and sums of a database.

Counts come from groups of equal values, which the library learns as rows with weights: the same sums, and exact. Moments come
from sums of deviations from a value near the mean, so that nothing cancels.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pyarrow as pa

from credence import _container, partial
from credence._container import Arrays

WEIGHT = "__credence_weight"
BITS = 26  # a weight falls into whole multiples of 1, 2^-26, 2^-52 and 2^-78, whose sums are exact


@dataclass(frozen=True)
class Dialect:
    """What engines say in different words."""

    name: str
    quote: str
    double: str
    integer: str
    part: str  # what tells partitions apart, whose sums are added up exactly

    def column(self, name: str) -> str:
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote

    def literal(self, value: Any) -> str:
        """A value as it came out of the database."""
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, str):
            escaped = value.replace("\\", "\\\\").replace("'", "\\'") if self.name == "spark" else value.replace("'", "''")
            return f"'{escaped}'"
        return self.number(value) if isinstance(value, float) else str(value)

    def number(self, value: float) -> str:
        return f"CAST('{value!r}' AS {self.double})"

    def as_double(self, name: str) -> str:
        return f"CAST({self.column(name)} AS {self.double})"

    def real(self, name: str) -> str:
        """A column of numbers, in which NaN is missing."""
        return f"NULLIF({self.as_double(name)}, CAST('NaN' AS {self.double}))"


DIALECTS = {"duckdb": Dialect("duckdb", '"', "DOUBLE", "BIGINT", "0"),
            "postgres": Dialect("postgres", '"', "double precision", "bigint", "0"),
            "spark": Dialect("spark", "`", "DOUBLE", "BIGINT", "spark_partition_id()")}


class Unsteady(ValueError):
    """Two questions were answered from different rows."""


class Groups:
    """The rows of a table, as their groups."""

    def __init__(self, ask: Callable[[str], list[tuple[Any, ...]]], dialect: Dialect, rows: str, plan: partial.Plan,
                 sample: pa.Table) -> None:
        self.ask, self.dialect, self.rows, self.plan, self.sample = ask, dialect, rows, plan, sample
        self.model, _ = _container.read(plan.model)
        self.label = dialect.column(self.model["target"])
        self.weights = self.model["weights"]
        self.of_class, self.partitions = self._classes()
        _, learned = self.learn([], [])
        self.classes = _container.words(learned, "classes")
        self.base = {name: array for name, array in learned.items() if not name.startswith("block.")}
        self.base.update(_container.sums("rows", [self.counted[name] for name in self.classes], (len(self.classes),)))

    # Weights

    def weight_sums(self, times: str = "") -> str:
        """SQL of the sums of weights, in whole pieces."""
        if not self.weights:
            return f"SUM(CASE WHEN {times} THEN 1 ELSE 0 END)" if times else "COUNT(*)"
        weight = f"CAST({self.dialect.column(self.weights)} AS {self.dialect.double})"
        pieces, rest = [], weight
        for k in range(4):
            whole = f"FLOOR({rest})"
            piece = f"CAST({whole} AS {self.dialect.integer})"
            pieces.append(f"SUM(CASE WHEN {times} THEN {piece} ELSE 0 END)" if times else f"SUM({piece})")
            rest = f"(({rest} - {whole}) * {2 ** BITS})"
        return ", ".join(pieces)

    @property
    def pieces(self) -> int:
        return 4 if self.weights else 1

    @staticmethod
    def total(pieces: Sequence[Any]) -> Fraction:
        return sum((Fraction(int(piece or 0)) / 2 ** (BITS * k) for k, piece in enumerate(pieces)), Fraction(0))

    def weight(self) -> str:
        """SQL of one row's weight."""
        return f"CAST({self.dialect.column(self.weights)} AS {self.dialect.double})" if self.weights else "1"

    # Classes

    def name_of(self, label: Any) -> str | None:
        """What the library calls a class; None: a missing one."""
        text = None if label is None or label != label else str(label)
        return None if text is None or text in self.model["missing"] else text

    def _classes(self) -> tuple[dict[Any, Fraction], dict[int, int]]:
        """The weight of each label, and how many rows each partition has."""
        positive = f"SUM(CASE WHEN {self.weight()} > 0 THEN 1 ELSE 0 END)" if self.weights else "COUNT(*)"
        bad = f"SUM(CASE WHEN {self.weight()} >= 0 THEN 0 ELSE 1 END)" if self.weights else "0"
        found = self.ask(f"SELECT {self.label}, {self.dialect.part}, COUNT(*), {positive}, {bad}, {self.weight_sums()} "
                         f"FROM {self.rows} GROUP BY 1, 2")
        result: dict[Any, Fraction] = {}
        self.counted: dict[str, int] = {}
        self.seen: dict[Any, int] = {}
        parts: dict[int, int] = {}
        if wrong := sum(int(row[4]) for row in found):
            raise ValueError(f'column "{self.weights}": {wrong} weights are missing or below 0 (give every row a number from 0 on)')
        for label, part, count, above, _, *pieces in found:
            parts[part] = parts.get(part, 0) + count
            self.seen[label] = self.seen.get(label, 0) + count
            name = self.name_of(label)
            weight = self.total(pieces)
            if name is None or not weight:
                continue
            result[label] = result.get(label, Fraction(0)) + weight
            self.counted[name] = self.counted.get(name, 0) + int(above)
        if not result:
            raise ValueError(f'column "{self.model["target"]}": no class at all')
        return result, parts

    def in_order(self) -> list[Any]:
        """The labels of the classes as the database has them."""
        names = {self.name_of(label): label for label in self.of_class}
        return [names[name] for name in self.classes]

    def check_rows(self, counts: Iterable[tuple[Any, int]]) -> None:
        """Whether the rows of the labels are as many as they were."""
        found: dict[Any, int] = {}
        for label, count in counts:
            found[label] = found.get(label, 0) + count
        if any(self.seen.get(label) != count for label, count in found.items()):
            raise Unsteady("the rows are not the same when they are asked for again (ask a table, or in a transaction)")

    # Counts

    def learn(self, columns: Sequence[int], tables: Sequence[pa.Table], block: int | None = None) -> tuple[Any, Arrays]:
        """What the library makes of groups as rows with weights; classes weigh what they do in the table, at least."""
        at = {column: place for place, column in enumerate(columns)}
        chosen = [] if block is None else [self.model["blocks"][block]]
        blocks = [{**each, "columns": [at[c] for c in each["columns"]]} for each in chosen]
        model = {**self.model, "weights": WEIGHT, "columns": [self.model["columns"][c] for c in columns], "blocks": blocks,
                 "prior": "empirical", "p": {}}
        model.pop("p")
        empty = partial.Plan(self._without_rows(model, block))
        labels, weights = zip(*((label, each) for label, weight in self.of_class.items() for each in _pieces_of(weight)))
        self.labels = pa.array(labels)
        rows = [pa.table({self.model["target"]: self.labels, WEIGHT: pa.array(weights, pa.float64()),
                          **{self.column_name(c): pa.nulls(len(labels), self._type(c)) for c in columns}})]
        for table in tables:
            rows.append(table.select([self.model["target"], WEIGHT, *map(self.column_name, columns)]))
        whole = pa.concat_tables(rows, promote_options="permissive")
        return model, _container.read(partial.statistics(whole, empty))[1]

    def _without_rows(self, model: dict[str, Any], block: int | None) -> bytes:
        _, arrays = _container.read(self.plan.model)
        kept = {name: array for name, array in arrays.items() if not name.startswith("block.")}
        start = f"block.{block}."
        kept.update({"block.0." + name[len(start):]: array for name, array in arrays.items() if name.startswith(start)})
        return _container.write(model, kept)

    def _type(self, column: int) -> pa.DataType:
        return partial.numbers_for_decimals(self.sample.schema).field(self.column_name(column)).type

    def column_name(self, column: int) -> str:
        spec = self.model["columns"][column]
        return str(spec.get("from") or spec["name"])

    def grouped(self, columns: Sequence[int], all_columns: Sequence[int], complete: bool = False) -> pa.Table:
        """The different values of these columns as rows with weights; the others are missing. complete: rows without a gap."""
        names = [self.dialect.column(self.column_name(c)) for c in columns]
        there = f" {'AND' if complete else 'OR'} ".join(f"{name} IS NOT NULL" for name in names)
        found = self.ask(f"SELECT {', '.join([self.label, *names])}, {self.weight_sums()} FROM {self.rows} "
                         f"WHERE {self.label} IS NOT NULL AND ({there}) GROUP BY {', '.join(str(i + 1) for i in range(len(names) + 1))}")
        end = len(names) + 1
        rows = [(row[:end], each) for row in found for each in _pieces_of(self.total(row[end:]))]
        table = {self.model["target"]: pa.array([values[0] for values, _ in rows], self.labels.type),
                 WEIGHT: pa.array([each for _, each in rows], pa.float64())}
        for c in all_columns:
            cells = [_plain(values[columns.index(c) + 1]) if c in columns else None for values, _ in rows]
            table[self.column_name(c)] = pa.array(cells, self._type(c))
        return pa.table(table)

    def totals(self, columns: Sequence[int]) -> tuple[pa.Table, dict[Any, Fraction]]:
        """Of each class one row with what its counts add up to, and the weight of the rows that have any."""
        # Gaps, NaN and counts below 0 are looked for one by one where not all is well.
        found = [] if self.weights else self._ask_totals([self.dialect.as_double(self.column_name(c)) for c in columns], "AND")
        if self.weights or any(row[2] != row[3] or any(x != x for x in row[4:4 + len(columns)] if x is not None) for row in found):
            found = self._ask_totals([self.dialect.real(self.column_name(c)) for c in columns], "OR")
        rows: dict[Any, Fraction] = {}
        sums: dict[Any, list[list[float]]] = {}
        self.check_rows((row[0], row[2]) for row in found)
        for label, _, _, _, *values in found:
            if any(x is not None and x < 0 for x in values[-len(columns):]):
                raise ValueError(f"columns {', '.join(map(self.column_name, columns))}: a count is below 0")
            if label in self.of_class:
                rows[label] = rows.get(label, Fraction(0)) + self.total(values[len(columns):-len(columns)])
                sums.setdefault(label, []).append([each or 0.0 for each in values[:len(columns)]])
        table = {self.model["target"]: pa.array(list(sums), self.labels.type), WEIGHT: pa.array([1.0] * len(sums))}
        for i, c in enumerate(columns):
            table[self.column_name(c)] = pa.array([math.fsum(part[i] for part in parts) for parts in sums.values()], pa.float64())
        return pa.table(table), rows

    def _ask_totals(self, cells: list[str], which: str) -> list[tuple[Any, ...]]:
        """Label, partition, rows, those that have all (AND) or any (OR) of the counts, sums, their weight, the least counts."""
        times = f" * {self.weight()}" if self.weights else ""
        there = f" {which} ".join(f"{cell} {'>= 0' if which == 'AND' else 'IS NOT NULL'}" for cell in cells)
        sums = ", ".join(f"SUM({cell}{times})" for cell in cells)
        least = ", ".join("0" if which == "AND" else f"MIN({cell})" for cell in cells)
        return self.ask(f"SELECT {self.label}, {self.dialect.part}, COUNT(*), COUNT(CASE WHEN {there} THEN 1 END), {sums}, "
                        f"{self.weight_sums(there)}, {least} FROM {self.rows} WHERE {self.label} IS NOT NULL GROUP BY 1, 2")


def _pieces_of(weight: Fraction) -> Iterator[float]:
    """Doubles that are a weight together."""
    while weight:
        piece = float(weight)
        if piece > weight:
            piece = math.nextafter(piece, 0)
        yield piece
        weight -= Fraction(piece)


def _plain(value: Any) -> Any:
    return float(value) if type(value).__name__ == "Decimal" else value
