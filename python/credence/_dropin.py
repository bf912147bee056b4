# SPDX-License-Identifier: Apache-2.0
"""What the estimators with scikit-learn's names share: rows, classes, answers.

Each is a subclass of scikit-learn's own estimator, so that parameters, defaults, constraints and tags are its own.
Every public method that computes is ours: statistics are kept by the C++ library, and can be added to, merged and
taken away again; parameters are derived from them.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import _fit_context
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from credence import _core

Floats = NDArray[np.float64]
Method = TypeVar("Method", bound=Callable[..., Any])


def checks_parameters(method: Method) -> Method:
    """A method that learns: parameters are checked first, as scikit-learn does."""
    checked: Method = _fit_context(prefer_skip_nested_validation=False)(method)
    return checked


def encoded(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The classes there are, sorted, and the place of each row's among them."""
    if y.dtype.kind in "iu" and y.size:
        least, most = int(y.min()), int(y.max())
        # A table of all that lie between is quicker than sorting.
        if most - least <= 2 * y.size and most < 2**62:
            offsets = y.astype(np.intp) - least
            present = np.bincount(offsets, minlength=most - least + 1) > 0
            places = np.cumsum(present, dtype=np.int32) - np.int32(1)
            return (np.flatnonzero(present) + least).astype(y.dtype), places[offsets]
    values, codes = np.unique(y, return_inverse=True)
    return values, np.ascontiguousarray(codes.reshape(-1), dtype=np.int32)


class ClassCodes:
    """Classes in sorted order; they may come late."""

    def __init__(self) -> None:
        self.values: NDArray[Any] | None = None

    def add(self, found: NDArray[Any]) -> list[int]:
        """Makes room for more. Of every class now: its place before, -1 where it is new."""
        if self.values is None:
            self.values = np.unique(found)
            return [-1] * len(self.values)
        before = self.values
        self.values = np.unique(np.concatenate([before, found]))
        place = np.searchsorted(before, self.values)
        known = (place < len(before)) & (before[np.minimum(place, len(before) - 1)] == self.values)
        return [int(p) if k else -1 for p, k in zip(place, known)]

    def places(self, classes: NDArray[Any]) -> NDArray[np.intp]:
        """Where classes that are known stand."""
        return np.searchsorted(self.known, classes)

    @property
    def known(self) -> NDArray[Any]:
        if self.values is None:
            raise RuntimeError("no class yet")
        return self.values


class DropIn:
    """Mixed into a subclass of scikit-learn's estimator."""

    _sparse = False  # whether sparse rows are taken
    _missing = False  # whether NaN is a missing value
    _finds_infinity = False  # whether what learns the rows refuses infinite values itself
    _least_rows = 1
    _scorer: _core.MatrixScorer | None
    classes_: NDArray[Any]
    n_features_in_: int

    # Rows and classes

    def _rows(self, X: Any, *, reset: bool = False) -> Any:
        """X as float64, row by row; sparse rows as CSR. A plain array of the right shape is taken as it is."""
        if (not reset and type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2
                and X.flags.c_contiguous and X.shape[0] > 0 and X.shape[1] == self.n_features_in_
                and "feature_names_in_" not in self.__dict__):
            return X
        return validate_data(self, X, reset=reset, dtype=np.float64, order="C",
                             accept_sparse="csr" if self._sparse else False,
                             ensure_all_finite="allow-nan" if self._missing else True)

    def _training_rows(self, X: Any, y: Any, reset: bool) -> tuple[Any, NDArray[Any]]:
        finite = False if self._finds_infinity else "allow-nan" if self._missing else True
        X, y = validate_data(self, X, y, reset=reset, dtype=np.float64, order="C",
                             accept_sparse="csr" if self._sparse else False,
                             ensure_all_finite=finite, ensure_min_samples=self._least_rows)
        if y.dtype.kind not in "biuUS":  # integers and words are classes whatever they are
            check_classification_targets(y)
        return X, y

    def _sample_weights(self, sample_weight: Any, X: Any) -> Floats | None:
        if sample_weight is None:
            return None
        checked = _check_sample_weight(sample_weight, X, dtype=np.float64)
        return np.ascontiguousarray(checked, dtype=np.float64)

    def _check_mergeable(self, other: Any) -> None:
        check_is_fitted(self)
        check_is_fitted(other)
        if other.n_features_in_ != self.n_features_in_:
            raise ValueError(f"merge: {other.n_features_in_} columns there, {self.n_features_in_} here")

    # Answers

    def _made_scorer(self) -> _core.MatrixScorer | None:
        raise NotImplementedError

    def _scores(self, X: Any) -> Floats:
        """log P(c, x), or what differs from it by the same for all classes."""
        scorer: Any = self.__dict__.get("_scorer")
        if scorer is None:
            check_is_fitted(self)
            scorer = self._scorer = self._made_scorer()
        rows = self._rows(X)
        if sparse.issparse(rows):
            return _sparse_scores(scorer, rows)
        scores: Floats = scorer.scores(rows)
        return scores

    def predict(self, X: Any) -> NDArray[Any]:
        scorer = self.__dict__.get("_scorer")
        if scorer is not None:
            rows = self._rows(X)
            if not sparse.issparse(rows):
                return np.asarray(self.classes_[scorer.winners(rows)])
        winners = np.argmax(self._scores(X), axis=1)
        return np.asarray(self.classes_[winners])

    def predict_log_proba(self, X: Any) -> Floats:
        return _core.log_posterior(self._scores(X))

    def predict_proba(self, X: Any) -> Floats:
        return np.exp(self.predict_log_proba(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.array_api_support = False  # arrays are read where they lie, which must be in memory
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())  # type: ignore[call-overload]
        state.pop("_scorer", None)
        return state


def _sparse_scores(scorer: Any, rows: Any) -> Floats:
    return np.asarray(scorer.sparse_scores(rows.indptr.astype(np.int64, copy=False),
                                           rows.indices.astype(np.int64, copy=False),
                                           np.ascontiguousarray(rows.data, dtype=np.float64)))


def log_prior(priors: Any, counts: Floats) -> Floats:
    """log P(c) of given shares, or of those among the rows."""
    shares = np.asarray(counts / counts.sum() if priors is None else priors, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return np.log(shares)
