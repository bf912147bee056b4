# SPDX-License-Identifier: Apache-2.0
"""Models of whatever DuckDB reads: Parquet and CSV files, tables, frames, queries (extra `[duckdb]`).

Rows come as a stream of Arrow batches and are let go as soon as they are counted, so they need not fit into memory.

>>> import credence.duckdb
>>> rows = "select i % 7 as x, case when i % 7 < 3 then 'low' else 'high' end as y from range(1000) t(i)"
>>> model = credence.duckdb.fit(rows, target="y")
>>> credence.duckdb.evaluate(rows, model).rows
1000.0
"""
from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa

from credence import partial
from credence._model import Model
from credence.classifier import BayesClassifier

BATCH = 65_536  # rows


def batches(rows: Any, connection: Any = None) -> pa.RecordBatchReader:
    """A relation, a query, or a file or table that a query could name, as a stream that can be read once."""
    if isinstance(rows, str):
        text = rows if len(rows.split()) > 1 else f"from {rows}" if rows.isidentifier() else f"from '{rows}'"
        rows = (connection or duckdb).cursor().sql(text)  # apart from whatever else is being asked
    return rows.to_arrow_reader(BATCH)


def fit(rows: Any, target: str, *, weights: str | None = None, connection: Any = None,
        **settings: Any) -> BayesClassifier:
    """A classifier of what the engine's rows say: the very model of a file of them. `settings` are BayesClassifier's."""
    reader = batches(rows, connection)
    stream = pa.RecordBatchReader.from_batches(partial.numbers_for_decimals(reader.schema), partial.batches_of(reader))
    return BayesClassifier(**settings).fit(stream, target, sample_weight=weights)


def predict(rows: Any, model: BayesClassifier | Model, *, explain: bool = False,
            connection: Any = None) -> pa.RecordBatchReader:
    """The rows with `prediction`, `probability` and `explanation`: a stream that DuckDB, too, can read."""
    reader = batches(rows, connection)
    known = _model(model)
    schema = partial.answer_schema(partial.numbers_for_decimals(reader.schema), known.classes, explain)
    return pa.RecordBatchReader.from_batches(schema, partial.answers(reader, known, explain=explain, threads=0))


def evaluate(rows: Any, model: BayesClassifier | Model, *, connection: Any = None) -> partial.Measures:
    """How good a model is on labelled rows."""
    return partial.measures([partial.evaluate(batches(rows, connection), _model(model), threads=0)])


def cross_validate(rows: Any, target: str, *, weights: str = "", folds: int = 10, random_state: int = 1,
                   connection: Any = None, **settings: Any) -> partial.Measures:
    """How good a model is on rows it has not seen, in two passes over the rows, none of which are kept."""
    with batches(rows, connection) as reader:
        plan = partial.plan([partial.profile(reader)], target, weights=weights, **settings)
    parts = partial.fold_statistics(batches(rows, connection), plan, folds, 0, random_state, 0)
    models = partial.held_out_models([parts], plan)
    return partial.measures([partial.fold_evaluate(batches(rows, connection), models, 0, random_state, 0)])


def _model(model: BayesClassifier | Model) -> Model:
    return model if isinstance(model, Model) else model.to_model()
