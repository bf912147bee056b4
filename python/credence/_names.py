# SPDX-License-Identifier: Apache-2.0
"""Whether X has the columns that fit had, in scikit-learn's words."""
from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import Any

from credence._tables import Table


def default_columns(estimator: Any) -> list[str] | None:
    """What the columns of an array are called: as those of the frame that was learned."""
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]


def check_columns(estimator: Any, table: Table, apart: Collection[str | None]) -> None:
    """Refuses other columns than those of fit; `apart` holds classes and weights."""
    kind = type(estimator).__name__
    fitted = getattr(estimator, "feature_names_in_", None)
    found = None
    width = table.width
    if table.names is not None:
        found = [name for name in table.names if name not in apart]
        width = len(found)
    if fitted is not None and found is not None:
        if list(fitted) != found:
            raise ValueError(_difference([str(name) for name in fitted], found))
        return
    if fitted is not None and table.form != "text":
        warnings.warn(f"X does not have valid feature names, but {kind} was fitted with feature "
                      "names", UserWarning, stacklevel=4)
    elif found is not None:
        warnings.warn(f"X has feature names, but {kind} was fitted without feature names",
                      UserWarning, stacklevel=4)
    expected = getattr(estimator, "n_features_in_", width)
    if width != expected:
        raise ValueError(f"X has {width} features, but {kind} is expecting {expected} features as "
                         "input.")
    if table.form == "frame":
        names = default_columns(estimator)
        table.frame.rename(names or [f"x{i}" for i in range(width)])


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
