# SPDX-License-Identifier: Apache-2.0
"""CategoricalNB: a table of counts per column."""
from __future__ import annotations

from typing import Any

import numpy as np
import sklearn.naive_bayes
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, check_non_negative

from credence import _core
from credence._discrete_nb import _Discrete
from credence._fitted import Floats
from credence._learned import Learned


class CategoricalNB(_Discrete, sklearn.naive_bayes.CategoricalNB):  # type: ignore[misc]
    """scikit-learn's CategoricalNB around a model.

    A category that was never seen is no evidence, where scikit-learn's raises an IndexError. New categories may come
    in `partial_fit`, new classes too.

    >>> from credence import CategoricalNB
    >>> model = CategoricalNB().fit([[0, 1], [1, 0], [1, 1]], ["a", "b", "b"])
    >>> model.predict([[1, 7]]).tolist()
    ['b']
    """

    _form = "whole"
    min_categories: Any
    category_count_: list[Floats]

    def _blocks(self, names: list[str], X: Any, y: Any, weights: Any) -> tuple[str, str]:
        return "categorical", ""

    def _prepared(self, X: Any) -> Any:
        return np.ascontiguousarray(X, dtype=np.int64)

    def _refuse(self, X: Any) -> None:
        check_non_negative(X, "CategoricalNB (input X)")

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        check_is_fitted(self)
        rows = self._rows(X)
        with self._refusing(rows):
            return np.asarray(self._learned.answers[self._learned.scorer.winners_of_codes(rows)])

    def _scores(self, X: Any, exact: bool = False) -> Floats:
        check_is_fitted(self)
        rows = self._rows(X)
        with self._refusing(rows):
            return self._learned.log_joint_of_codes(rows)

    # Categories are declared: 0 up to the largest that rows have or that was asked for.

    def _made_to_fit(self, model: _core.Model, X: Any) -> None:
        largest = _core.largest_codes(X)
        if largest is None:
            self._refuse(X)
        known = [len(values) for values in model.values]
        _declare(model, np.maximum(np.maximum(known, self._least_categories()), np.asarray(largest) + 1))

    def _made_alike(self, model: _core.Model, other: _core.Model) -> None:
        sizes = [max(len(a), len(b)) for a, b in zip(model.values, other.values)]
        _declare(model, sizes)
        _declare(other, sizes)

    def _adopt(self, learned: Learned) -> None:
        arrays = learned.model.arrays()
        used = [_last_used(arrays[f"block.{i}.counts"]) + 1 for i in range(self.n_features_in_)]
        # What no row is left of was never there.
        _declare(learned.model, np.maximum(self._least_categories(), used))
        super()._adopt(learned)

    def _least_categories(self) -> NDArray[np.intp]:
        columns = self.n_features_in_
        if self.min_categories is None:
            return np.zeros(columns, dtype=np.intp)
        least = np.asarray(self.min_categories)
        if not np.issubdtype(least.dtype, np.signedinteger):
            raise ValueError("'min_categories' should have integral type. "
                             f"Got {least.dtype} instead.")
        if least.ndim and least.shape != (columns,):
            raise ValueError(f"'min_categories' should have shape ({columns},) when an array-like is provided. "
                             f"Got {least.shape} instead.")
        return np.broadcast_to(least, (columns,)).astype(np.intp)

    def _read(self, learned: Learned) -> None:
        super()._read(learned)
        arrays, alpha = learned.model.arrays(), self._alpha()
        self.category_count_ = [learned.in_order(arrays[f"block.{i}.counts"].T) for i in range(self.n_features_in_)]
        self.n_categories_ = np.array([table.shape[1] for table in self.category_count_])
        with np.errstate(divide="ignore", invalid="ignore"):
            self.feature_log_prob_ = [np.log(table + alpha) - np.log((table + alpha).sum(axis=1, keepdims=True))
                                      for table in self.category_count_]


def _declare(model: _core.Model, sizes: Any) -> None:
    values = {name: [str(i) for i in range(size)]
              for name, known, size in zip(model.columns, model.values, sizes) if len(known) != size}
    if values:
        model.declare(values)


def _last_used(table: Floats) -> int:
    used = np.flatnonzero(table.any(axis=1))
    return int(used[-1]) if used.size else -1
