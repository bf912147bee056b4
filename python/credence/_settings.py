# SPDX-License-Identifier: Apache-2.0
"""The parameters of BayesClassifier in the words of the command line."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from credence import _core
from credence._labels import Labels

NAMED_PRIORS = ("empirical", "uniform", "smoothed")


def as_lines(blocks: Any) -> list[str]:
    """{"age, income": "gaussian"} as ["age, income: gaussian"]; later ones win."""
    if blocks is None:
        return []
    if not isinstance(blocks, Mapping):
        raise TypeError(f"blocks: a dictionary such as {{'age': 'gaussian'}}, not {blocks!r}")
    return [f"{columns}: {family}" for columns, family in blocks.items()]


def value_lines(values: Any) -> list[str]:
    """{"size": ["small", "large"]} as ["size=small|large"]."""
    if values is None:
        return []
    if not isinstance(values, Mapping):
        raise TypeError(f"values: a dictionary such as {{'size': ['small', 'large']}}, not {values!r}")
    return [f"{column}={'|'.join(str(word) for word in words)}" for column, words in values.items()]


def read_from(model: _core.Model) -> dict[str, Any]:
    """The parameters under which a classifier learns such a model anew, as far as they can say it."""
    lines = [line.rpartition(": ") for line in model.blocks]
    plain = not any(mark in name for name in model.columns for mark in ",*|=:")
    values = {column: words for column, words in zip(model.columns, model.values)
              if words and not any("|" in word for word in words)}
    return {"blocks": {"*": "ignore", **{columns: family for columns, _, family in lines}} if plain else None,
            "values": values if values and plain else None, "shares": model.value_shares or None,
            "unseen": "reserve" if model.reserve_unseen else "ignore", "rule": model.rule, "prior": model.prior,
            "missing": model.missing}


def wishes(target: str, weights: str, settings: Mapping[str, Any], missing: Sequence[str]) -> _core.Wishes:
    """The parameters as the library takes them."""
    if not isinstance(settings["rule"], str):
        raise TypeError(f"rule: a text such as 'laplace=1', not {settings['rule']!r}")
    if settings["unseen"] not in ("ignore", "reserve"):
        raise ValueError(f"unseen: 'ignore' or 'reserve', not {settings['unseen']!r}")
    shares = {column: {str(word): float(share) for word, share in of.items()}
              for column, of in (settings["shares"] or {}).items()}
    prior = settings["prior"]
    return _core.Wishes(target, weights, settings["model"], as_lines(settings["blocks"]),
                        value_lines(settings["values"]), list(missing), settings["rule"],
                        prior if isinstance(prior, str) else "empirical", shares,
                        settings["unseen"] == "reserve")


def plan(source: _core.Source, target: str, weights: str, settings: Mapping[str, Any],
         missing: Sequence[str]) -> tuple[_core.Model, list[tuple[str, str, str]]]:
    """The model before any row, and how each column is used."""
    if settings.get("best"):
        raise ValueError("best=True: which model is the best is found by fit, from all rows at once; leave it out here")
    return _core.plan(source, wishes(target, weights, settings, missing))


def set_prior(model: _core.Model, prior: Any, labels: Labels) -> None:
    """A prior that is no text names its classes by their values."""
    if isinstance(prior, str):
        if prior != "usual":  # which the plan has chosen
            model.prior = prior
        return
    names = dict(zip((_plain(value) for value in labels.classes), labels.names()))
    if not isinstance(prior, Mapping):
        shares = [float(share) for share in prior]
        if len(shares) != len(names):
            raise ValueError(f"prior: {len(shares)} shares for {len(names)} classes")
        prior = dict(zip(names, shares))
    for value, share in prior.items():
        if not 0 <= float(share) < np.inf:
            raise ValueError(f"prior: {share} for class {value!r} is no share (a number from 0 to 1 is wanted)")
    model.set_shares([(names.get(value, str(value)), float(share))
                      for value, share in prior.items()])


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def cost_matrix(costs: Any, labels: Labels) -> tuple[list[float], float]:
    """What decisions cost, by true class and then by decision, and what no decision costs."""
    if costs is None:
        return [], np.inf
    if isinstance(costs, (str, os.PathLike)):
        return _core.read_costs(os.fspath(costs), labels.names())
    classes = [_plain(value) for value in labels.classes]
    if not isinstance(costs, Mapping):
        matrix = np.asarray(costs, dtype=np.float64)
        if matrix.shape != (len(classes), len(classes)):
            raise ValueError(f"costs: {len(classes)} rows and columns, not {matrix.shape}")
        return matrix.ravel().tolist(), np.inf
    reject = {float(row["reject"]) for row in costs.values() if "reject" in row}
    if len(reject) > 1:
        raise ValueError("costs: no label costs the same whatever the truth is")
    try:
        flat = [float(costs[truth][decided]) for truth in classes for decided in classes]
    except KeyError as error:
        raise ValueError(f"costs: nothing is said about class {error}") from None
    return flat, reject.pop() if reject else np.inf
