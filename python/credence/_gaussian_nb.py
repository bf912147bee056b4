# SPDX-License-Identifier: Apache-2.0
"""GaussianNB: every column a normal distribution in every class."""
from __future__ import annotations

from typing import Any

import numpy as np
import sklearn.naive_bayes

from credence._dropin import DropIn, checked_priors
from credence._fitted import Floats
from credence._learned import Learned


class GaussianNB(DropIn, sklearn.naive_bayes.GaussianNB):  # type: ignore[misc]
    """scikit-learn's GaussianNB around a model.

    Beyond scikit-learn's: NaN is a missing value, classes may come late in `partial_fit`, `epsilon_` belongs to all
    rows seen and not to the last part, and heeds their weights, `forget` takes rows away again, `merge` adds another estimator's.

    >>> from credence import GaussianNB
    >>> model = GaussianNB().fit([[1.0], [2.0], [8.0], [9.0]], ["a", "a", "b", "b"])
    >>> model.predict([[1.6], [7.0]]).tolist()
    ['a', 'b']
    >>> model.theta_.tolist()
    [[1.5], [8.5]]
    """

    _missing = True
    _finds_bad_values = True
    var_smoothing: float
    priors: Any
    class_count_: Floats

    def _blocks(self, names: list[str], X: Any, y: Any, weights: Any) -> tuple[str, str]:
        return "gaussian", f"diagonal, floor={float(self.var_smoothing)!r}"

    def _prior(self) -> Any:
        return "empirical" if self.priors is None else checked_priors(self.priors).tolist()

    def _read(self, learned: Learned) -> None:
        arrays = learned.model.arrays()
        columns = self.n_features_in_
        weight, mean, m2 = (arrays[f"block.0.{part}"].reshape(-1, columns) for part in ("weight", "mean", "m2"))
        # Extreme columns are told in units of powers of two.
        unit = np.exp2(arrays.get("block.0.exponent", np.zeros(mean.shape))).reshape(-1, columns)
        largest = unit.max(axis=0)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            scale = unit / largest
            rows = weight.sum(axis=0)
            shift = mean * scale - (weight * mean * scale).sum(axis=0) / rows
            spread = np.nan_to_num((m2 * scale**2 + weight * shift**2).sum(axis=0) / rows * largest * largest)
            self.epsilon_ = float(self.var_smoothing * spread.max())
            self.theta_ = learned.in_order(mean * unit)
            self.var_ = learned.in_order(m2 / weight * unit * unit) + self.epsilon_
        self.class_count_ = learned.in_order(learned.model.class_weights)
        self.class_prior_ = (self.class_count_ / self.class_count_.sum() if self.priors is None
                             else checked_priors(self.priors))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
