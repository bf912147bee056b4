# SPDX-License-Identifier: Apache-2.0
"""Models of Spark's data frames (extra `[spark]`): partitions are counted where they lie, only statistics travel.

>>> from pyspark.sql import SparkSession                                              # doctest: +SKIP
>>> import credence.spark                                                              # doctest: +SKIP
>>> model = credence.spark.fit(frame, target="y")                                      # doctest: +SKIP
>>> credence.spark.predict(frame, model).select("prediction", "probability.*").show()  # doctest: +SKIP
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial as bound
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F

from credence import partial
from credence._model import Model, lock
from credence.classifier import BayesClassifier

MERGED = 16  # parts that one task merges
Work = Callable[[Iterator[pa.RecordBatch], int], list[bytes]]


# Partitions

def _bytes_of(frame: Any, work: Work) -> Any:
    """A frame of (partition, place, part): what `work` makes of each partition, empty ones included."""
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId() if context is not None else 0
        try:
            parts, why = work(batches, number), None
        except (TypeError, ValueError) as error:  # the data: no other try would change it
            parts, why = [b""], str(error)
        yield pa.RecordBatch.from_pydict(
            {"partition": [number] * len(parts), "place": list(range(len(parts))), "part": parts,
             "why": [why] * len(parts)}, schema=_PARTS)

    return frame.mapInArrow(run, _COLUMNS)


_COLUMNS = "partition int, place int, part binary, why string"
_PARTS = pa.schema([("partition", pa.int32()), ("place", pa.int32()), ("part", pa.binary()), ("why", pa.string())])


def _collected(parts: Iterable[Any]) -> list[Any]:
    """Rows in the order of partitions and places, or our own message."""
    rows = sorted(parts, key=lambda row: (row["partition"], row["place"]))
    for row in rows:
        if row["why"]:
            raise ValueError(row["why"])
    return rows


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
                                          "why": [why]}, schema=_PARTS)


def _merged_in_a_tree(parts: Any, count: int) -> Any:
    """Neighbours are merged by tasks until few are left, in the order of the partitions: bits do not depend on who was first."""
    width = 1
    while count > MERGED:
        count, width = -(-count // MERGED), width * MERGED
        together = parts.repartition(count, F.floor(F.col("partition") / F.lit(width)))
        parts = together.mapInArrow(bound(_merge_some, width=width), _COLUMNS)
    return parts


def _partitions(frame: Any) -> int:
    """Up to the last one that has a row; asked in this way, as Spark Connect has no `rdd`."""
    last = frame.select(F.spark_partition_id().alias("number")).agg(F.max("number")).collect()[0][0]
    return 1 + int(last or 0)


# Learning

def plan(frame: Any, target: str, *, weights: str = "", **settings: Any) -> partial.Plan:
    """What the first partitions say of the columns: as many as one would look at of a file."""
    return partial.plan(_profiles(frame), target, weights=weights, **settings)


def _profiles(frame: Any) -> list[bytes]:
    def profiled(rows: int) -> Any:
        first = frame.filter(F.monotonically_increasing_id() % F.lit(2 ** 33) < F.lit(rows))
        return _bytes_of(first, _profile)

    # Mostly so many of the first partition are enough; the most that a profile wants are so many, as a cell has a byte at least.
    few, most = 2 * partial.SLICE, 2 ** 22 // max(1, len(frame.columns)) + partial.SLICE
    found = _collected(profiled(few).take(1))
    if partial.is_enough(bytes(row["part"]) for row in found):
        return [bytes(row["part"]) for row in found]
    wanted = 1
    while True:
        found = _collected(profiled(most).take(wanted))
        profiles = [bytes(row["part"]) for row in found]
        if len(found) < wanted or partial.is_enough(profiles):
            return profiles
        wanted *= 64


def _profile(batches: Iterator[pa.RecordBatch], _: int) -> list[bytes]:
    """The profile of a partition. All rows are taken, as a worker that leaves some is not used again."""
    found = [partial.profile(batches)]
    for _batch in batches:
        pass
    return found


def fit(frame: Any, target: str, *, weights: str = "", plan: partial.Plan | None = None, tree: bool = False,
        **settings: Any) -> BayesClassifier:
    """The model that one machine would make of the frame. `settings` are those of BayesClassifier.

    tree: statistics are merged by tasks before they come to the driver, for large vocabularies.
    """
    profiles = [] if plan else _profiles(frame)
    known = plan or partial.plan(profiles, target, weights=weights, **settings)
    summed = None if tree else _summed_up(frame, known, profiles)
    if summed:
        model = partial.merge([summed[0]], known)
        if known.settings.get("calibration", "auto") == "auto":
            numbers = sorted(summed[1])
            places = partial.sample_rows([summed[1][number] for number in numbers])
            partial.calibrate(model, _sample(frame, numbers, places))
        return known.classifier(model)
    found = _bytes_of(frame, lambda batches, number: [partial.statistics(batches, known, number)])
    if tree:
        model = partial.merge([bytes(row["part"]) for row in _collected(
            _merged_in_a_tree(found, _partitions(frame)).collect())], known)
        return known.classifier(model)
    rows = _collected(found.collect())
    parts = [bytes(row["part"]) for row in rows]
    model = partial.merge(parts, known)
    if known.settings.get("calibration", "auto") == "auto":
        counts = [partial.rows_of(part) for part in parts]
        partial.calibrate(model, _sample(frame, [row["partition"] for row in rows], partial.sample_rows(counts)))
    return known.classifier(model)


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


def _sample(frame: Any, numbers: Sequence[int], places: Sequence[Sequence[int]]) -> pa.Table:
    """The rows at these places: the engine picks them, for its numbers of rows begin anew, 2^33 apart, in every partition."""
    wanted = [(number << 33) + place for number, own in zip(numbers, places) for place in own]
    name = "__credence_row"
    if not wanted:
        return frame.limit(0).toArrow()
    listed = ", ".join(map(str, wanted))
    picked = frame.withColumn(name, F.monotonically_increasing_id()).filter(F.expr(f"`{name}` IN ({listed})"))
    return picked.toArrow().sort_by(name).drop_columns([name])


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
            found = _collected(_bytes_of(frame, lambda batches, part: [partial.statistics(batches, plan, part)]).collect())
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
    found = _bytes_of(frame, lambda batches, number: [partial.evaluate(batches, Model.from_bytes(data), number)])
    return partial.measures(bytes(row["part"]) for row in _collected(found.collect()))


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
    found = _collected(_bytes_of(frame, lambda batches, number: partial.fold_statistics(
        batches, known, folds, number, seed)).collect())
    return [[bytes(row["part"]) for row in found[i:i + folds]] for i in range(0, len(found), folds)]


def _judged(frame: Any, models: Sequence[Sequence[Model]], seed: int) -> list[partial.Measures]:
    data = [[model.to_bytes() for model in each] for each in models]

    def work(batches: Iterator[pa.RecordBatch], number: int) -> list[bytes]:
        rows = list(batches) if len(data) > 1 else batches
        return [partial.fold_evaluate(rows, [Model.from_bytes(each) for each in own], number, seed) for own in data]

    found = _collected(_bytes_of(frame, work).collect())
    return [partial.measures(bytes(row["part"]) for row in found if row["place"] == place) for place in range(len(data))]


def _model(model: BayesClassifier | Model) -> Model:
    return model if isinstance(model, Model) else model.to_model()
