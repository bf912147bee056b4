# SPDX-License-Identifier: Apache-2.0
"""Whether X has the columns that fit had, in scikit-learn's words."""
from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import Any

from credence._tables import Table


def expected_columns(estimator: Any, of_model: list[str]) -> list[str] | None:
    """What the columns of an array are called: as those of the frame that was learned."""
    if not hasattr(estimator, "n_features_in_"):
        return of_model  # all that a file says
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]


def check_columns(estimator: Any, table: Table, expected: list[str] | None,
                  apart: Collection[str | None]) -> None:
    """Refuses other columns than those of fit; `apart` holds classes and weights."""
    kind = type(estimator).__name__
    found = None
    width = table.width
    if table.names is not None:
        found = [name for name in table.names if name not in apart]
        width = len(found)
    if not hasattr(estimator, "n_features_in_"):
        if table.form == "array" and expected is not None and width != len(expected):
            raise ValueError(_wrong_width(kind, width, len(expected)))
        return
    if expected is not None and found is not None:
        if expected != found:
            raise ValueError(_difference(expected, found))
        return
    if expected is not None and table.form != "text":
        warnings.warn(f"X does not have valid feature names, but {kind} was fitted with feature "
                      "names", UserWarning, stacklevel=4)
    elif found is not None:
        warnings.warn(f"X has feature names, but {kind} was fitted without feature names",
                      UserWarning, stacklevel=4)
    if width != estimator.n_features_in_:
        raise ValueError(_wrong_width(kind, width, estimator.n_features_in_))
    if table.form == "frame":
        table.frame.rename(expected or [f"x{i}" for i in range(width)])


def _wrong_width(kind: str, width: int, expected: int) -> str:
    return f"X has {width} features, but {kind} is expecting {expected} features as input."


def _listed(names: list[str]) -> str:
    most = 5
    lines = [f"- {name}\n" for name in names[:most]]
    return "".join(lines) + ("- ...\n" if len(names) > most else "")


def _difference(fitted: list[str], found: list[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    unexpected = sorted(set(found) - set(fitted))
    missing = sorted(set(fitted) - set(found))
    if unexpected:
        message += "Feature names unseen at fit time:\n" + _listed(unexpected)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + _listed(missing)
    if not unexpected and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message
