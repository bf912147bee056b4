# SPDX-License-Identifier: Apache-2.0
"""Rows that lie apart: what any engine needs to learn one model from many partitions.

A partition is an iterable of Arrow record batches, or anything with `__arrow_c_stream__`. Every function but `plan`,
`merge`, `measures` and `calibrate` runs where the partition is and returns bytes; these few run in one place. See
docs/scale.md.

>>> import pyarrow as pa
>>> from credence import partial
>>> parts = [pa.table({"x": [1.0, 2.0], "y": ["a", "b"]}), pa.table({"x": [1.5, 2.5], "y": ["a", "b"]})]
>>> plan = partial.plan([partial.profile(part) for part in parts], target="y")
>>> partial.merge([partial.statistics(part, plan) for part in parts]).class_weights
{'a': 2.0, 'b': 2.0}
"""
from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from credence import _core, _settings
from credence._labels import Labels, converter
from credence._model import Model
from credence.classifier import BayesClassifier

SLICE = 8192  # rows of a batch that are looked at together
FIT = "fit"


@dataclass(frozen=True)
class Plan:
    """Which columns are read, and how: a model before any row."""

    model: bytes
    columns: tuple[tuple[str, str, str], ...] = ()  # name, family, reason
    kind: str = "word"  # of the values in the column of the class
    settings: dict[str, Any] = field(default_factory=dict)  # of BayesClassifier

    @classmethod
    def of(cls, model: Model) -> Plan:
        """To learn what fits to a model that is there."""
        return cls(model._core.empty().to_bytes())

    def empty(self) -> _core.Model:
        return _core.Model.from_bytes(self.model, "plan")

    def classifier(self, model: Model) -> BayesClassifier:
        """The merged model with classes of the type that they have in the table."""
        found = BayesClassifier.from_model(model, converter(self.kind), **self.settings)
        found.columns_ = list(self.columns)
        return found


# Batches

def numbers_for_decimals(schema: pa.Schema) -> pa.Schema:
    """The schema as a model reads it: Arrow's decimals are numbers like others."""
    return pa.schema([each.with_type(pa.float64()) if pa.types.is_decimal(each.type) else each for each in schema])


def batches_of(partition: Any) -> Iterator[pa.RecordBatch]:
    """The record batches of a partition, without decimals."""
    if hasattr(partition, "__arrow_c_stream__"):
        partition = pa.RecordBatchReader.from_stream(partition)
    for batch in partition:
        schema = numbers_for_decimals(batch.schema)
        yield batch if schema.equals(batch.schema) else batch.cast(schema)


def frame_of(batches: Iterable[pa.RecordBatch], name: str = "X") -> _core.Frame | None:
    """A stream that the library reads; None where there is no batch."""
    batches = iter(batches)
    first = next(batches, None)
    if first is None:
        return None
    reader = pa.RecordBatchReader.from_batches(first.schema, chain([first], batches))
    return _core.Frame.of_stream(reader.__arrow_c_stream__(), name)


def _named(partition: int | None) -> str:
    return "X" if partition is None else f"partition {partition}"


# The plan

def profile(partition: Any) -> bytes:
    """The first rows of a partition, as many as are looked at of a file: those of the first partitions make the plan."""
    seen: list[pa.RecordBatch] = []
    rest = (batch.slice(start, SLICE) for batch in batches_of(partition)
            for start in range(0, max(1, batch.num_rows), SLICE))

    def noted() -> Iterator[pa.RecordBatch]:
        for batch in rest:
            seen.append(batch)
            yield batch

    frame = frame_of(noted())
    if frame is None:
        return b""
    frame.open("", _core.missing_words()).columns  # reads as much as it wants to see
    whole = next(rest, None) is None
    sink = pa.BufferOutputStream()
    schema = seen[0].schema.with_metadata({"whole": str(whole)})
    with pa.ipc.new_stream(sink, schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        for batch in seen:
            writer.write_batch(batch.replace_schema_metadata(schema.metadata))
    return bytes(sink.getvalue())


def is_enough(profiles: Iterable[bytes]) -> bool:
    """Whether no later partition can change the plan: one of these is larger than what is looked at."""
    return any(pa.ipc.open_stream(each).schema.metadata[b"whole"] == b"False" for each in profiles if each)


def plan(profiles: Iterable[bytes], target: str, *, weights: str = "", **settings: Any) -> Plan:
    """What one would make of a file of the partitions in this order. `settings` are those of BayesClassifier."""
    tables = []
    for each in profiles:
        if each:
            tables.append(pa.ipc.open_stream(each).read_all())
            if is_enough([each]):
                break
    if not tables:
        raise ValueError("no rows at all: no partition has a batch")
    classifier = BayesClassifier(**settings)
    table = pa.concat_tables(tables, promote_options="permissive").replace_schema_metadata()
    missing = classifier._missing()
    frame = frame_of(table.to_batches())
    assert frame is not None
    model, columns = _settings.plan(frame.open("", missing), target, weights, classifier.get_params(deep=False), missing)
    return Plan(model.to_bytes(), tuple(columns), frame.kind(target), settings)


# The statistics

def statistics(partition: Any, plan: Plan, number: int | None = None, threads: int = 1) -> bytes:
    """A model file of the partition's rows; `number` is what messages call it."""
    return _learned(batches_of(partition), plan.empty(), number, threads).to_bytes()


def _learned(batches: Iterable[pa.RecordBatch], model: _core.Model, number: int | None, threads: int) -> _core.Model:
    rows = 0

    def counted() -> Iterator[pa.RecordBatch]:
        nonlocal rows
        for batch in batches:
            rows += batch.num_rows
            yield batch

    frame = frame_of(counted(), _named(number))
    if frame is not None:
        model.learn(frame.open("", model.missing), threads)
    model.record(FIT, rows)  # those without a class, too: sample_rows() wants all
    return model


def merge(parts: Iterable[bytes], plan: Plan | None = None) -> Model:
    """One model of all partitions. With a plan, whose settings may name classes, what a fit makes of them."""
    result, _ = _merged(parts)
    if plan is not None:
        if not result.classes:
            raise ValueError(f'column "{result.target}": no class at all')
        labels = Labels()
        labels.add_new_names(result.classes, converter(plan.kind))
        _settings.set_prior(result, plan.settings.get("prior", "usual"), labels)
    result.record(FIT, result.rows)
    return Model(result)


def merged(parts: Iterable[bytes]) -> bytes:
    """Some of the partitions as if they were one, for merges in a tree."""
    result, rows = _merged(parts)
    result.record(FIT, rows)
    return result.to_bytes()


def _merged(parts: Iterable[bytes]) -> tuple[_core.Model, int]:
    models = (_core.Model.from_bytes(each, f"part {i}") for i, each in enumerate(parts))
    first = next(models, None)
    if first is None:
        raise ValueError("nothing to merge")
    result, rows = first.empty(), 0
    for each in chain([first], models):
        result.merge(each)
        rows += _rows(each)
    return result, rows


def _rows(model: _core.Model) -> int:
    return int(sum(rows for what, rows in model.history if what == FIT))


def rows_of(part: bytes) -> int:
    """The rows that were read for these statistics, those without a class included."""
    return _rows(_core.Model.from_bytes(part, "part"))


# The calibration

def sample_rows(counts: Sequence[int]) -> list[list[int]]:
    """For partitions of so many rows the places of the few that `fit` of one table would calibrate by."""
    result: list[list[int]] = [[] for _ in counts]
    ends = np.cumsum(counts)
    for row in _core.sampled_rows(min(int(ends[-1]) if len(ends) else 0, 2**33)):
        part = int(np.searchsorted(ends, row, side="right"))
        result[part].append(row - int(ends[part] - counts[part]))
    return result


def noting(partition: Any, places: Sequence[int], picked: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The batches of a partition as they are; on their way the rows at these places, which are in order, are picked."""
    start, wanted = 0, np.asarray(places, dtype=np.int64)
    for batch in batches_of(partition):
        here = wanted[(wanted >= start) & (wanted < start + batch.num_rows)] - start
        start += batch.num_rows
        if len(here):
            picked.append(batch.take(pa.array(here)))
        yield batch


def rows_at(partition: Any, places: Sequence[int]) -> Iterator[pa.RecordBatch]:
    """The rows at these places of a partition, which are in order."""
    picked: list[pa.RecordBatch] = []
    for _ in noting(partition, places, picked):
        yield from picked
        picked.clear()


def calibrate(model: Model, sample: Any) -> Model:
    """Calibrates by rows that `sample_rows` named, in their order, where that helps: as `fit` does."""
    sample = frame_of(batches_of(sample))
    if sample is not None and len(model.classes) > 1:
        rows = _core.RowSample()
        model._core.empty().learn(sample.open("", model._core.missing), 1, sample=rows)
        _core.calibrate_by_sample(model._core, rows, 0)
    return model


# Answers

def answers(partition: Any, model: Model, *, explain: bool = False, number: int | None = None,
            threads: int = 1) -> Iterator[pa.RecordBatch]:
    """The batches with the columns `prediction`, `probability` (a field for each class) and, if asked for, `explanation`."""
    scorer = _core.Scorer(model._core)
    place = 0
    for batch in batches_of(partition):
        found = _scored(batch, scorer, model, _named(number), threads, place)
        names = np.array([*scorer.classes, None], dtype=object)
        shares = _core.posteriors(found, threads)[0]
        winners = _core.decide(found, 0.0, [], np.inf, threads)
        columns = [pa.array(names[winners], pa.string()),
                   pa.StructArray.from_arrays([pa.array(shares[:, c]) for c in range(shares.shape[1])], scorer.classes)]
        if explain:
            columns.append(_explained(batch, scorer, model, threads))
        place += batch.num_rows
        yield pa.RecordBatch.from_arrays([*batch.columns, *columns],
                                         schema=answer_schema(batch.schema, scorer.classes, explain))


EVIDENCE = pa.list_(pa.struct([("column", pa.string()), ("value", pa.string()), ("log_odds", pa.float64())]))


def answer_schema(schema: pa.Schema, classes: Sequence[str], explain: bool = False) -> pa.Schema:
    """The schema of what `answers` makes of batches of this one."""
    schema = schema.append(pa.field("prediction", pa.string()))
    schema = schema.append(pa.field("probability", pa.struct([(name, pa.float64()) for name in classes])))
    return schema.append(pa.field("explanation", EVIDENCE)) if explain else schema


def _scored(batch: pa.RecordBatch, scorer: _core.Scorer, model: Model, name: str, threads: int,
            place: int) -> NDArray[np.float64]:
    frame = frame_of([batch], f"{name}, from row {place}" if place else name)
    assert frame is not None
    return scorer.log_joint(frame.open("", model._core.missing), threads)


def _explained(batch: pa.RecordBatch, scorer: _core.Scorer, model: Model, threads: int) -> pa.Array:
    frame = frame_of([batch])
    assert frame is not None
    found = scorer.explain(frame.open("", model._core.missing), threads, -1)
    return pa.array([[{"column": line[0], "value": line[1], "log_odds": line[2]} for line in row[5]] for row in found],
                    EVIDENCE)


# Judgement

@dataclass(frozen=True)
class Measures:
    """How good posteriors are, by the weights of rows; docs/judge.md says what each means."""

    accuracy: float
    log_loss: float
    brier: float
    ece: float
    rows: float
    undecided: float
    impossible: float
    classes: list[str]
    confusion: NDArray[np.float64]  # [true, predicted]


def evaluate(partition: Any, model: Model, number: int | None = None, threads: int = 1) -> bytes:
    """What the partition's labelled rows say of a model, to be summed up by `measures`."""
    frame = frame_of(batches_of(partition), _named(number))
    if frame is None:
        return b""
    return _sums(_core.evaluate(_core.Scorer(model._core), frame.open("", model._core.missing), threads))


def _sums(found: _core.Metrics) -> bytes:
    cells = [(found.labels[i], found.labels[j], weight) for i, row in enumerate(found.confusion)
             for j, weight in enumerate(row[:len(found.labels)]) if weight]
    return json.dumps({
        "sums": [found.rows, found.weight, *(found.weight * mean if found.weight else 0.0 for mean in (
            found.accuracy, found.log_loss, found.brier)), found.undecided, found.impossible],
        "bins": found.bins, "labels": found.labels, "cells": cells}).encode()


def together(parts: Iterable[bytes]) -> bytes:
    """The sums of several partitions in one."""
    found = [json.loads(each) for each in parts if each]
    if not found:
        return b""
    cells: dict[tuple[str, str], float] = {}
    for each in found:
        for truth, predicted, cell in each["cells"]:
            cells[truth, predicted] = cells.get((truth, predicted), 0.0) + cell
    return json.dumps({
        "sums": np.sum([each["sums"] for each in found], axis=0).tolist(),
        "bins": np.sum([each["bins"] for each in found if each["bins"]], axis=0).tolist(),
        "labels": sorted({label for each in found for label in each["labels"]}),
        "cells": [(*pair, cell) for pair, cell in cells.items()]}).encode()


def measures(parts: Iterable[bytes]) -> Measures:
    """What all partitions come to."""
    found = json.loads(together(parts) or b"{}")
    if not found or not found["sums"][1]:
        raise ValueError("no row has a class and a weight")
    rows, weight, right, loss, brier, undecided, impossible = found["sums"]
    labels = found["labels"]
    confusion = np.zeros((len(labels), len(labels)))
    for truth, predicted, cell in found["cells"]:
        confusion[labels.index(truth), labels.index(predicted)] = cell
    ece = sum(abs(hits - confidence) for _, hits, confidence in found["bins"])
    return Measures(right / weight, loss / weight, brier / weight, ece / weight, rows, undecided, impossible, labels,
                    confusion)


# Rows held out

def fold_of_rows(count: int, folds: int, start: int, number: int, seed: int) -> NDArray[np.int64]:
    """Which fold rows from `start` on are in: by chance, but the same whenever it is asked."""
    with np.errstate(over="ignore"):
        x = np.arange(start, start + count, dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15) * np.uint64(
            (number << 20) + seed + 1)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
        return np.asarray((x ^ (x >> np.uint64(31))) % np.uint64(folds), dtype=np.int64)


def _dealt(partition: Any, folds: int, number: int, seed: int) -> Iterator[tuple[int, pa.RecordBatch]]:
    place = 0
    for batch in batches_of(partition):
        fold = fold_of_rows(batch.num_rows, folds, place, number, seed)
        place += batch.num_rows
        for f in range(folds):
            yield f, batch.filter(pa.array(fold == f))


def fold_statistics(partition: Any, plan: Plan, folds: int = 10, number: int = 0, seed: int = 1,
                    threads: int = 1) -> list[bytes]:
    """The statistics of each fold of a partition: what all rows have without them is learned from the others."""
    models = [plan.empty() for _ in range(folds)]
    for f, batch in _dealt(partition, folds, number, seed):
        _learned([batch], models[f], number, threads)
    return [model.to_bytes() for model in models]


def held_out_models(parts: Iterable[Sequence[bytes]], plan: Plan) -> list[Model]:
    """For each fold the model of all other rows."""
    by_fold = [merge(fold) for fold in zip(*parts)]
    result = []
    for out in by_fold:
        rest = merge([each.to_bytes() for each in by_fold if each is not out], plan)
        rest._core.complete_prior()
        result.append(rest)
    return result


def fold_evaluate(partition: Any, models: Sequence[Model], number: int = 0, seed: int = 1, threads: int = 1) -> bytes:
    """What the rows of a partition say of the models that have not seen them."""
    scorers = [_core.Scorer(model._core) for model in models]
    parts = []
    for f, batch in _dealt(partition, len(models), number, seed):
        if batch.num_rows:
            frame = frame_of([batch], _named(number))
            assert frame is not None
            parts.append(_sums(_core.evaluate(scorers[f], frame.open("", models[f]._core.missing), threads)))
    return together(parts)
