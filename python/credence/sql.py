# SPDX-License-Identifier: Apache-2.0
"""Models that a database learns where the rows are: it groups and sums, and only statistics travel (extra `[sql]`).

DuckDB, PostgreSQL (psycopg) and Spark SQL; docs/scale.md says which families.

>>> import duckdb
>>> import credence.sql
>>> base = duckdb.connect()
>>> _ = base.execute("create table t as select i % 7 as x, case when i % 7 < 3 then 'low' else 'high' end as y from range(1000) r(i)")
>>> credence.sql.fit(base, "t", target="y").to_model().class_weights
{'high': 571.0, 'low': 429.0}
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from credence import _container, partial
from credence._container import Arrays
from credence._grouped import DIALECTS, Groups
from credence._moments import Moments, alone
from credence.classifier import BayesClassifier

FIRST = 20_000  # rows that are looked at for the plan
DISCRETE = ("categorical", "bernoulli", "poisson", "negative_binomial", "histogram", "kernel", "joint")


class Engine:
    """A connection: what it is called, how it is asked, and its first rows."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        home = type(connection).__module__
        known = {"duckdb": "duckdb", "_duckdb": "duckdb", "psycopg": "postgres", "pyspark": "spark"}
        name = known.get(home.split(".")[0])
        if name is None:
            raise TypeError(f"a connection of DuckDB, psycopg or Spark is wanted, not {home}.{type(connection).__name__}")
        self.name = name

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        if self.name == "spark":
            return [tuple(row) for row in self.connection.sql(query).collect()]
        if self.name == "duckdb":
            return list(self.connection.execute(query).fetchall())
        with self.connection.cursor() as cursor:
            return list(cursor.execute(query).fetchall())

    def first(self, rows: str) -> pa.Table:
        query = f"SELECT * FROM {rows} LIMIT {FIRST}"
        if self.name == "spark":
            return self.connection.sql(query).toArrow()
        if self.name == "duckdb":
            return self.connection.sql(query).to_arrow_table()
        with self.connection.cursor() as cursor:
            found = cursor.execute(query).fetchall()
            names = [column.name for column in cursor.description]
        return pa.table({name: pa.array([row[i] for row in found]) for i, name in enumerate(names)})


def fit(connection: Any, rows: str, target: str, *, weights: str = "", plan: partial.Plan | None = None,
        **settings: Any) -> BayesClassifier:
    """The model that one machine would make of these rows: a table, or a query. `settings` are those of BayesClassifier.

    It is not calibrated, as rows of a database have no order by which the same ones would be held out.
    """
    engine = Engine(connection)
    source = f"({rows}) AS rows_of_query" if len(rows.split()) > 1 else rows
    sample = engine.first(source)
    known = plan or partial.plan([partial.profile(sample)], target, weights=weights, **{"calibration": "none", **settings})
    if problem := unsaid(known):
        raise ValueError(problem)
    groups = Groups(engine.ask, DIALECTS[engine.name], source, known, sample)
    return known.classifier(partial.merge([statistics(groups)], known))


def unsaid(plan: partial.Plan) -> str:
    """Why a database cannot count what this plan wants, or ""."""
    model, _ = _container.read(plan.model)
    for block in model["blocks"]:
        columns = [model["columns"][c] for c in block["columns"]]
        names = ", ".join(column["name"] for column in columns)
        family, parameters = block["family"], block.get("parameters", "")
        told = family in (*DISCRETE, "gaussian", "pairs") or (family == "multinomial" and not parameters)
        if not told or "shrunk" in parameters or any(column["kind"] in ("bag", "text") or column.get("reading") for column in columns):
            return f'column "{names}": SQL does not count what {family} is learned from (use credence.duckdb or credence.spark)'
    return ""


def is_summed_up(plan: partial.Plan, numbers: Iterable[str]) -> bool:
    """Whether all that is to be counted are sums of columns, which are of these."""
    model, _ = _container.read(plan.model)
    return not unsaid(plan) and all(
        (is_alone(block) or block["family"] == "multinomial")
        and all(model["columns"][c].get("from", model["columns"][c]["name"]) in numbers for c in block["columns"])
        for block in model["blocks"])


def statistics(groups: Groups) -> bytes:
    """A model file of the rows, as `credence.partial.statistics` gives for a partition."""
    arrays = dict(groups.base)
    apart = [b for b, block in enumerate(groups.model["blocks"]) if is_alone(block)]
    if apart:
        arrays.update(_moments_alone(groups, apart))
    for b, block in enumerate(groups.model["blocks"]):
        if b in apart:
            continue
        if block["family"] == "gaussian":
            arrays.update(_moments_together(groups, b))
        elif block["family"] == "pairs":
            arrays.update(_pairs(groups, b))
        elif block["family"] == "multinomial":
            arrays.update(_draws(groups, b))
        else:
            columns = block["columns"]
            arrays.update(_renamed(groups.learn(columns, [groups.grouped(columns, columns)], b)[1], b))
    model = {**groups.model, "journal": [{"what": partial.FIT, "rows": sum(groups.partitions.values())}]}
    return _container.write(model, arrays)


def is_alone(block: dict[str, Any]) -> bool:
    """Whether each column of a block has moments of its own."""
    parameters = block.get("parameters", "")
    return block["family"] == "gaussian" and (not parameters or "floor" in parameters or parameters == "diagonal")


def _renamed(arrays: Arrays, b: int) -> Arrays:
    return {f"block.{b}.{name[len('block.0.'):]}": array for name, array in arrays.items() if name.startswith("block.0.")}


def _moments_alone(groups: Groups, blocks: Iterable[int]) -> Arrays:
    """All columns in one query."""
    chosen = list(blocks)
    columns = [c for b in chosen for c in groups.model["blocks"][b]["columns"]]
    found = Moments(groups, columns, together=False).found
    result, start = {}, 0
    for b in chosen:
        block = groups.model["blocks"][b]
        places = range(start, start + len(block["columns"]))
        start = places.stop
        cells = [[found.get((label, alone(i, len(columns)))) for i in places] for label in groups.in_order()]
        flat = [(each, i) for row in cells for each, i in zip(row, places)]
        shape = (len(cells), len(places)) if len(places) > 1 else (len(cells),)
        there = [(each, i) if each is not None and each.weight else (None, i) for each, i in flat]
        result.update(_container.sums(f"block.{b}.weight", [each.weight if each else 0 for each, _ in there], shape))
        result.update(_container.sums(f"block.{b}.mean", [each.mean(i) if each else 0 for each, i in there], shape))
        result.update(_container.sums(f"block.{b}.m2", [each.m2(i, i) if each else 0 for each, i in there], shape))
        zeros = [each.zeros[0] if each else 0 for each, _ in there]
        if any(zeros) and "floor" not in block.get("parameters", ""):
            result.update(_container.sums(f"block.{b}.zeros", zeros, shape))
    return result


def _moments_together(groups: Groups, b: int) -> Arrays:
    columns = groups.model["blocks"][b]["columns"]
    found = Moments(groups, columns, together=True).found
    result: Arrays = {}
    for c, label in enumerate(groups.in_order()):
        patterns = sorted(pattern for own, pattern in found if own == label and "1" in pattern and found[own, pattern].weight)
        start = f"block.{b}.class.{c}."
        means, m2, weights = [], [], []
        for pattern in patterns:
            each = found[label, pattern]
            there = [i for i, letter in enumerate(pattern) if letter == "1"]
            weights.append(each.weight)
            means += [each.mean(i) for i in there]
            m2 += [each.m2(i, j) for i in there for j in there if j <= i]
        result.update(_container.texts(start + "patterns", patterns))
        for name, values in (("weight", weights), ("mean", means), ("m2", m2)):
            result.update(_container.sums(start + name, values, (len(values),)))
    return result


def _pairs(groups: Groups, b: int) -> Arrays:
    """Pairs from rows that have both columns; what each column has alone, from itself."""
    columns = groups.model["blocks"][b]["columns"]
    single = [groups.grouped([c], columns) for c in columns]
    both = [groups.grouped([c, d], columns, complete=True) for i, c in enumerate(columns) for d in columns[i + 1:]]
    single_columns = _renamed(groups.learn(columns, single, b)[1], b)
    result = _renamed(groups.learn(columns, [*single, *both], b)[1], b)
    result = {name: array for name, array in result.items() if ".column." not in name}
    result.update({name: array for name, array in single_columns.items() if ".column." in name})
    return result


def _draws(groups: Groups, b: int) -> Arrays:
    """Counts of several columns add up to those of one row; how many rows there were is counted apart."""
    columns = groups.model["blocks"][b]["columns"]
    table, rows = groups.totals(columns)
    result = _renamed(groups.learn(columns, [table], b)[1], b)
    result.pop(f"block.{b}.rows.low", None)
    result.update(_container.sums(f"block.{b}.rows", [rows.get(label, 0) for label in groups.in_order()], (len(groups.classes),)))
    return result
