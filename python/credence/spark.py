# SPDX-License-Identifier: Apache-2.0
"""Models of Spark's data frames (extra `[spark]`): partitions are counted where they lie, only statistics travel.

>>> from pyspark.sql import SparkSession                                              # doctest: +SKIP
>>> import credence.spark                                                              # doctest: +SKIP
>>> model = credence.spark.fit(frame, target="y")                                      # doctest: +SKIP
>>> credence.spark.predict(frame, model).select("prediction", "probability.*").show()  # doctest: +SKIP
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial as bound
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F

from credence import partial
from credence._model import Model, lock
from credence._spark_rows import COLUMNS, PARTS, Files, Frame, Rows, collected, rows_of
from credence.classifier import BayesClassifier

MERGED = 16  # parts that one task merges


def _merge_some(batches: Iterator[pa.RecordBatch], width: int) -> Iterator[pa.RecordBatch]:
    groups: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for batch in batches:
        for row in batch.to_pylist():
            groups.setdefault((row["partition"] // width, row["place"]), []).append(row)
    for (_, place), rows in groups.items():
        rows.sort(key=lambda row: int(row["partition"]))
        why = next((row["why"] for row in rows if row["why"]), None)
        part = b"" if why else partial.merged(row["part"] for row in rows)
        yield pa.RecordBatch.from_pydict({"partition": [rows[0]["partition"]], "place": [place], "part": [part],
                                          "why": [why]}, schema=PARTS)


def _merged_in_a_tree(parts: Any, count: int) -> Any:
    """Neighbours are merged by tasks until few are left, in the order of the partitions: bits do not depend on who was first."""
    width = 1
    while count > MERGED:
        count, width = -(-count // MERGED), width * MERGED
        together = parts.repartition(count, F.floor(F.col("partition") / F.lit(width)))
        parts = together.mapInArrow(bound(_merge_some, width=width), COLUMNS)
    return parts


# Learning

def plan(frame: Any, target: str, *, weights: str = "", **settings: Any) -> partial.Plan:
    """What the first partitions say of the columns: as many as one would look at of a file."""
    return partial.plan(rows_of(frame).profiles(), target, weights=weights, **settings)


def fit(frame: Any, target: str, *, weights: str = "", plan: partial.Plan | None = None, tree: bool = False,
        **settings: Any) -> BayesClassifier:
    """The model that one machine would make of the frame. `settings` are those of BayesClassifier.

    tree: statistics are merged by tasks before they come to the driver, for large vocabularies.
    """
    rows = rows_of(frame)
    profiles = [] if plan else rows.profiles()
    known = plan or partial.plan(profiles, target, weights=weights, **settings)
    calibrated = not tree and known.settings.get("calibration", "auto") == "auto"
    if isinstance(rows, Frame) and not tree and (summed := _summed_up(frame, known, profiles)):
        model = partial.merge([summed[0]], known)
        if calibrated:
            numbers = sorted(summed[1])
            places = partial.sample_rows([summed[1][number] for number in numbers])
            partial.calibrate(model, rows.sample(numbers, places))
        return known.classifier(model)
    return known.classifier(_merged(rows, known) if tree else _learned(rows, known, calibrated))


def _merged(rows: Rows, known: partial.Plan) -> Model:
    """The model of all partitions, merged by tasks first."""
    found = _merged_in_a_tree(rows.bytes_of(lambda batches, number: [partial.statistics(batches, known, number)]),
                              rows.partitions())
    return partial.merge([bytes(row["part"]) for row in collected(found.collect())], known)


def _learned(rows: Rows, known: partial.Plan, calibrated: bool) -> Model:
    """The model of all partitions. Where their sizes are known before, the rows to calibrate by come along with the sums."""
    places = partial.sample_rows(rows.counts) if calibrated and rows.counts else []

    def work(batches: Iterator[pa.RecordBatch], number: int) -> list[bytes]:
        if not places:
            return [partial.statistics(batches, known, number)]
        picked: list[pa.RecordBatch] = []
        found = partial.statistics(partial.noting(batches, places[number], picked), known, number)
        return [found, _stream_of(picked)]

    found = collected(rows.bytes_of(work).collect())
    parts = [bytes(row["part"]) for row in found if row["place"] == 0]
    model = partial.merge(parts, known)
    if isinstance(rows, Files):
        partial.calibrate(model, [batch for row in found if row["place"] == 1 for batch in pa.ipc.open_stream(bytes(row["part"]))])
    elif calibrated:
        counts = [partial.rows_of(part) for part in parts]
        partial.calibrate(model, rows.sample([row["partition"] for row in found], partial.sample_rows(counts)))
    return model


def _stream_of(batches: Sequence[pa.RecordBatch]) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batches[0].schema if batches else pa.schema([])) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return bytes(sink.getvalue())


def _summed_up(frame: Any, plan: partial.Plan, profiles: Sequence[bytes]) -> tuple[bytes, dict[int, int]] | None:
    """Statistics that are a few sums of numbers, by Spark itself, which takes less than the way to Python; and how many rows
    each partition has. None where there are others, or a cell that is no finite number: the other way says where it is.
    """
    from credence import sql
    from credence._grouped import DIALECTS, Groups

    numbers = {field.name for field in frame.schema.fields if field.dataType.typeName() in NUMBERS}
    if not sql.is_summed_up(plan, numbers):
        return None
    session, name = frame.sparkSession, "__credence_rows"
    frame.createOrReplaceTempView(name)
    try:
        sample = pa.concat_tables([pa.ipc.open_stream(each).read_all().replace_schema_metadata() for each in profiles if each] or
                                  [frame.limit(sql.FIRST).toArrow()], promote_options="permissive")
        groups = Groups(sql.Engine(session).ask, DIALECTS["spark"], name, plan, sample.slice(0, partial.SLICE))
        return sql.statistics(groups), groups.partitions
    except ValueError:
        return None
    finally:
        session.catalog.dropTempView(name)


NUMBERS = ("byte", "short", "integer", "long", "float", "double", "decimal")


# Streams

def follow(stream: Any, path: str, *, keep: int | None = None) -> Any:
    """A writer of a stream that adds every batch to the model file at `path`, which is the old one or the new one at any time.

    A batch is a window of its own; with `keep` those older than so many batches are forgotten. A batch that Spark sends
    again after a failure takes its own place, so that no row counts twice. Begin it with `.start()`.
    """
    def learn(frame: Any, number: int) -> None:
        with lock(path):
            model = Model.load(path)
            plan = partial.Plan.of(model)
            found = collected(Frame(frame).bytes_of(lambda batches, part: [partial.statistics(batches, plan, part)]).collect())
            rows = partial.merge([bytes(row["part"]) for row in found])._core
            name = f"batch {number:012d}"
            known = sorted(each for each in model.windows if each.startswith("batch "))
            for old in known:
                if old == name or (keep is not None and int(old.split()[1]) <= number - keep):
                    model._core.forget_window(old)
            if rows.rows:
                rows.put_into_window(name)
                model._core.merge(rows)
            model._core.complete_prior()
            model._core.record("update", rows.rows)
            model.save(path)

    return stream.writeStream.foreachBatch(learn)


# Answers

def predict(frame: Any, model: BayesClassifier | Model, *, explain: bool = False) -> Any:
    """The frame with the columns `prediction`, `probability` and, if asked for, `explanation`."""
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructType

    known = _model(model)
    data = known.to_bytes()
    answers = from_arrow_schema(partial.answer_schema(pa.schema([]), known.classes, explain))
    # Decimals come back as the numbers that were scored.
    schema = StructType([field if field.dataType.typeName() != "decimal" else field.__class__(field.name, _double())
                         for field in frame.schema.fields] + answers.fields)

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return partial.answers(batches, Model.from_bytes(data), explain=explain)

    return frame.mapInArrow(run, schema)


def _double() -> Any:
    from pyspark.sql.types import DoubleType

    return DoubleType()


def evaluate(frame: Any, model: BayesClassifier | Model) -> partial.Measures:
    """How good a model is on labelled rows."""
    data = _model(model).to_bytes()
    found = rows_of(frame).bytes_of(lambda batches, number: [partial.evaluate(batches, Model.from_bytes(data), number)])
    return partial.measures(bytes(row["part"]) for row in collected(found.collect()))


def cross_validate(frame: Any, target: str, *, weights: str = "", folds: int = 10, random_state: int = 1,
                   **settings: Any) -> partial.Measures:
    """How good a model is on rows it has not seen, in two passes."""
    known = plan(frame, target, weights=weights, **settings)
    return _judged(frame, [partial.held_out_models(_folds(frame, known, folds, random_state), known)], random_state)[0]


def tune(frame: Any, target: str, rules: Sequence[str], *, weights: str = "", folds: int = 10, random_state: int = 1,
         by: str = "log_loss", **settings: Any) -> tuple[BayesClassifier, dict[str, partial.Measures]]:
    """The model under the rule that rows held out speak for, and what each rule was worth; in two passes."""
    known = plan(frame, target, weights=weights, **settings)
    parts = _folds(frame, known, folds, random_state)
    models = []
    for rule in rules:
        models.append(partial.held_out_models(parts, known))
        for model in models[-1]:
            model._core.rule = rule
    found = dict(zip(rules, _judged(frame, models, random_state)))
    best = max(rules, key=lambda rule: getattr(found[rule], by) * (1 if by == "accuracy" else -1))
    model = partial.merge([fold for part in parts for fold in part], known)
    model._core.rule = best
    return known.classifier(model), found


def _folds(frame: Any, known: partial.Plan, folds: int, seed: int) -> list[list[bytes]]:
    found = collected(rows_of(frame).bytes_of(lambda batches, number: partial.fold_statistics(
        batches, known, folds, number, seed)).collect())
    return [[bytes(row["part"]) for row in found[i:i + folds]] for i in range(0, len(found), folds)]


def _judged(frame: Any, models: Sequence[Sequence[Model]], seed: int) -> list[partial.Measures]:
    data = [[model.to_bytes() for model in each] for each in models]

    def work(batches: Iterator[pa.RecordBatch], number: int) -> list[bytes]:
        rows = list(batches) if len(data) > 1 else batches
        return [partial.fold_evaluate(rows, [Model.from_bytes(each) for each in own], number, seed) for own in data]

    found = collected(rows_of(frame).bytes_of(work).collect())
    return [partial.measures(bytes(row["part"]) for row in found if row["place"] == place) for place in range(len(data))]


def _model(model: BayesClassifier | Model) -> Model:
    return model if isinstance(model, Model) else model.to_model()
