# SPDX-License-Identifier: Apache-2.0
"""CategoricalNB: a table of counts per column."""
from __future__ import annotations

from typing import Any

import numpy as np
import sklearn.naive_bayes
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from credence._discrete_nb import _Counting
from credence._dropin import ClassCodes, Floats, checks_parameters, encoded


class CategoricalNB(_Counting, sklearn.naive_bayes.CategoricalNB):  # type: ignore[misc]
    """scikit-learn's CategoricalNB on credence's statistics.

    A category that was never seen is no evidence, where scikit-learn's raises an IndexError. New categories may come
    in `partial_fit`, new classes too.

    >>> from credence import CategoricalNB
    >>> model = CategoricalNB().fit([[0, 1], [1, 0], [1, 1]], ["a", "b", "b"])
    >>> model.predict([[1, 7]]).tolist()
    ['b']
    """

    _sparse = False

    def _whole(self, X: Any, reset: bool) -> NDArray[np.intp]:
        X = validate_data(self, X, reset=reset, dtype="int", accept_sparse=False, ensure_all_finite=True)
        check_non_negative(X, "CategoricalNB (input X)")
        return np.asarray(X, dtype=np.intp)

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        self._codes = ClassCodes()
        self.category_count_: list[Floats] = []
        return self._change(X, y, sample_weight, reset=True)

    @checks_parameters
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Any:
        first = not hasattr(self, "classes_")
        if first:
            self._codes = ClassCodes()
            self.category_count_ = []
        return self._change(X, y, sample_weight, reset=first, classes=classes)

    def merge(self, other: CategoricalNB) -> Any:
        """Adds what another estimator of the same columns has learned."""
        self._check_mergeable(other)
        self._make_room(other.classes_)
        place = self._codes.places(other.classes_)
        self.class_count_[place] += other.class_count_
        for i, table in enumerate(other.category_count_):
            self._widen(i, table.shape[1])
            self.category_count_[i][place, :table.shape[1]] += table
        return self._derive()

    def _make_room(self, found: NDArray[Any]) -> None:
        origin = self._codes.add(found)
        known = [place for place, old in enumerate(origin) if old >= 0]
        old = [place for place in origin if place >= 0]
        if not known or not self.category_count_:
            return
        counts = np.zeros(len(origin))
        counts[known] = self.class_count_[old]
        self.class_count_ = counts
        for i, table in enumerate(self.category_count_):
            wider = np.zeros((len(origin), table.shape[1]))
            wider[known] = table[old]
            self.category_count_[i] = wider

    def _widen(self, column: int, categories: int) -> None:
        table = self.category_count_[column]
        if categories > table.shape[1]:
            self.category_count_[column] = np.pad(table, [(0, 0), (0, categories - table.shape[1])])

    def _change(self, X: Any, y: Any, sample_weight: Any, *, reset: bool, sign: float = 1.0,
                classes: Any = None) -> Any:
        X, y = validate_data(self, X, y, reset=reset, dtype="int", accept_sparse=False)
        check_classification_targets(y)
        check_non_negative(X, "CategoricalNB (input X)")
        weights = self._sample_weights(sample_weight, X)
        found, codes = encoded(y)
        if sign < 0 and not np.isin(found, self.classes_).all():
            raise ValueError("cannot forget what was not observed: a class that was never learned")
        self._make_room(found if classes is None else np.union1d(found, classes))
        size = len(self._codes.known)
        place = self._codes.places(found)[codes]
        least = self._least_categories(X.shape[1])
        if reset:
            self.category_count_ = [np.zeros((size, least[i])) for i in range(X.shape[1])]
            self.class_count_ = np.zeros(size)
        counts = self.class_count_ + sign * np.bincount(place, weights, minlength=size)
        tables = []
        for i in range(X.shape[1]):
            self._widen(i, int(X[:, i].max()) + 1)
            table = self.category_count_[i]
            width = table.shape[1]
            cells = np.bincount(place * width + X[:, i], weights, minlength=size * width)
            tables.append(table + sign * cells.reshape(size, width))
        if sign < 0 and (counts.min() < -1e-9 or min(t.min() for t in tables) < -1e-9):
            raise ValueError("cannot forget what was not observed: more rows than were learned")
        if sign < 0:  # what no row is left of was never there
            tables = [table[:, :max(least[i], _last_used(table) + 1)] for i, table in enumerate(tables)]
        self.class_count_, self.category_count_ = counts, tables
        return self._derive()

    def _least_categories(self, columns: int) -> NDArray[np.intp]:
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

    def _estimate(self) -> None:
        alpha = self._alpha()
        self.n_categories_ = np.array([table.shape[1] for table in self.category_count_])
        self.feature_log_prob_ = []
        for table in self.category_count_:
            smoothed = table + alpha
            self.feature_log_prob_.append(np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True)))

    def _made_scorer(self) -> None:
        """The tables are the scorer."""

    def _scores(self, X: Any) -> Floats:
        check_is_fitted(self)
        rows = self._whole(X, reset=False)
        joint = np.tile(self.class_log_prior_, (rows.shape[0], 1))
        for i, logs in enumerate(self.feature_log_prob_):
            with_unseen = np.vstack([logs.T, np.zeros(logs.shape[0])])
            joint += with_unseen.take(np.minimum(rows[:, i], logs.shape[1]), axis=0)
        return joint


def _last_used(table: Floats) -> int:
    used = np.flatnonzero(table.any(axis=0))
    return int(used[-1]) if used.size else -1
