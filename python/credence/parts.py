# SPDX-License-Identifier: Apache-2.0
"""One model from a list of partitions, by whatever applies a function to each of them: threads, Dask, Ray.

>>> import pandas as pd
>>> from credence import parts
>>> halves = [pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}), pd.DataFrame({"x": [1.5, 2.5], "y": ["a", "b"]})]
>>> parts.fit(halves, "y").to_model().class_weights
{'a': 2.0, 'b': 2.0}
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa

from credence import partial
from credence._model import Model
from credence.classifier import BayesClassifier

Work = Callable[[Any, int], Any]
Run = Callable[[Work, Sequence[Any]], list[Any]]


def in_threads(work: Work, partitions: Sequence[Any]) -> list[Any]:
    """Partitions that are here."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(work, partitions, range(len(partitions))))


def on_dask(work: Work, partitions: Sequence[Any]) -> list[Any]:
    """Partitions of a Dask frame (`to_delayed()`), where they lie."""
    import dask

    return list(dask.compute(*(dask.delayed(work)(each, i) for i, each in enumerate(partitions))))


def on_ray(work: Work, partitions: Sequence[Any]) -> list[Any]:
    """Blocks of a Ray dataset (`to_arrow_refs()`, `to_pandas_refs()`), where they lie."""
    import ray

    task = ray.remote(work)
    return list(ray.get([task.remote(each, i) for i, each in enumerate(partitions)]))


def _batches(partition: Any) -> Any:
    """A frame of pandas, too; its index is no column."""
    if hasattr(partition, "iloc"):
        return pa.Table.from_pandas(partition, preserve_index=False)
    return partition


def fit(partitions: Iterable[Any], target: str, *, weights: str = "", run: Run = in_threads,
        plan: partial.Plan | None = None, **settings: Any) -> BayesClassifier:
    """The model that one table of the partitions in this order would give. `settings` are those of BayesClassifier."""
    lying = list(partitions)
    known = plan or partial.plan(run(lambda part, _: partial.profile(_batches(part)), lying), target, weights=weights,
                                 **settings)
    found = run(lambda part, number: partial.statistics(_batches(part), known, number), lying)
    model = partial.merge(found, known)
    if known.settings.get("calibration", "auto") == "auto":
        places = partial.sample_rows([partial.rows_of(each) for each in found])
        rows = run(lambda part, number: list(partial.rows_at(_batches(part), places[number])), lying)
        partial.calibrate(model, [batch for own in rows for batch in own])
    return known.classifier(model)


def evaluate(partitions: Iterable[Any], model: BayesClassifier | Model, *, run: Run = in_threads) -> partial.Measures:
    """How good a model is on labelled rows."""
    known = model if isinstance(model, Model) else model.to_model()
    return partial.measures(run(lambda part, number: partial.evaluate(_batches(part), known, number), list(partitions)))
