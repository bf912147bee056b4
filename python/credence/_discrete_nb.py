# SPDX-License-Identifier: Apache-2.0
"""MultinomialNB, ComplementNB, BernoulliNB and PoissonNB: counts per class and column."""
from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
import sklearn.naive_bayes
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, check_non_negative

from credence import _core
from credence._dropin import ClassCodes, DropIn, Floats, checks_parameters, encoded


class _Counting(DropIn):
    """Sums of every column by class; parameters follow from them."""

    _sparse = True
    feature_count_: Floats
    class_count_: Floats

    def _prepared(self, X: Any) -> Any:
        """Rows as they are counted and scored."""
        check_non_negative(X, f"{type(self).__name__} (input X)")
        return X

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        self._codes = ClassCodes()
        return self._change(X, y, sample_weight, reset=True)

    @checks_parameters
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Any:
        """Learns more rows. Classes may come late, so `classes` is never needed."""
        first = not hasattr(self, "classes_")
        if first:
            self._codes = ClassCodes()
        return self._change(X, y, sample_weight, reset=first, classes=classes)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Takes rows away again. What was never learned is refused."""
        check_is_fitted(self)
        return self._change(X, y, sample_weight, reset=False, sign=-1.0)

    def merge(self, other: Any) -> Any:
        """Adds what another estimator of the same columns has learned."""
        self._check_mergeable(other)
        self._make_room(other.classes_)
        place = self._codes.places(other.classes_)
        self.feature_count_[place] += other.feature_count_
        self.class_count_[place] += other.class_count_
        return self._derive()

    def _make_room(self, found: NDArray[Any]) -> None:
        origin = self._codes.add(found)
        known = [place for place, old in enumerate(origin) if old >= 0]
        old = [place for place in origin if place >= 0]
        if not known or not hasattr(self, "feature_count_"):
            return
        for name in ("feature_count_", "class_count_"):
            before = getattr(self, name)
            after = np.zeros((len(origin), *before.shape[1:]))
            after[known] = before[old]
            setattr(self, name, after)

    def _change(self, X: Any, y: Any, sample_weight: Any, *, reset: bool, sign: float = 1.0,
                classes: Any = None) -> Any:
        X, y = self._training_rows(X, y, reset)
        X = self._prepared(X)
        weights = self._sample_weights(sample_weight, X)
        found, codes = encoded(y)
        if sign < 0 and not np.isin(found, self.classes_).all():
            strange = found[~np.isin(found, self.classes_)][0]
            raise ValueError(f"cannot forget what was not observed: class {strange!r}")
        self._make_room(found if classes is None else np.union1d(found, classes))
        size = len(self._codes.known)
        if size != len(found):
            codes = self._codes.places(found).astype(np.int32)[codes]
        sums = np.zeros((size, X.shape[1]))
        if sparse.issparse(X):
            _core.add_sparse_counts(X.indptr.astype(np.int64, copy=False),
                                    X.indices.astype(np.int64, copy=False),
                                    np.ascontiguousarray(X.data, dtype=np.float64), codes, weights, sums)
        else:
            _core.add_counts(np.ascontiguousarray(X), codes, weights, sums)
        rows = np.bincount(codes, weights, minlength=size).astype(np.float64)
        if reset:
            self.feature_count_ = np.zeros_like(sums)
            self.class_count_ = np.zeros(size)
        features, counts = self.feature_count_ + sign * sums, self.class_count_ + sign * rows
        if sign < 0:
            slack = 1e-9 * (1 + self.feature_count_)
            if (counts < -1e-9).any() or (features < -slack).any():
                raise ValueError("cannot forget what was not observed: more counts than were learned")
            features, counts = np.maximum(features, 0), np.maximum(counts, 0)
        self.feature_count_, self.class_count_ = features, counts
        return self._derive()

    def _derive(self) -> Any:
        self.classes_ = self._codes.known
        size = len(self.classes_)
        priors = self.class_prior  # type: ignore[attr-defined]
        with np.errstate(divide="ignore"):
            if priors is not None:
                if len(priors) != size:
                    raise ValueError("Number of priors must match number of classes.")
                self.class_log_prior_ = np.log(np.asarray(priors, dtype=np.float64))
            elif self.fit_prior:  # type: ignore[attr-defined]
                self.class_log_prior_ = np.log(self.class_count_) - np.log(self.class_count_.sum())
            else:
                self.class_log_prior_ = np.full(size, -np.log(size))
            self._estimate()
        self._scorer = self._made_scorer()
        return self

    def _alpha(self) -> Any:
        """The smoothing as a number, or one for every column, checked as scikit-learn does."""
        checked = self._check_alpha()  # type: ignore[attr-defined]
        return np.asarray(checked, dtype=np.float64) if np.ndim(checked) else float(checked)

    def _estimate(self) -> None:
        raise NotImplementedError

    def _rows(self, X: Any, *, reset: bool = False) -> Any:
        return self._prepared_rows(super()._rows(X, reset=reset))

    def _prepared_rows(self, X: Any) -> Any:
        return X

    def predict_joint_log_proba(self, X: Any) -> Floats:
        return self._scores(X)


class MultinomialNB(_Counting, sklearn.naive_bayes.MultinomialNB):  # type: ignore[misc]
    """scikit-learn's MultinomialNB on credence's statistics; with `forget`, `merge` and classes that come late.

    >>> from credence import MultinomialNB
    >>> model = MultinomialNB().fit([[2, 0], [0, 3]], ["ham", "spam"])
    >>> model.predict([[1, 0]]).tolist()
    ['ham']
    """

    def _estimate(self) -> None:
        smoothed = self.feature_count_ + self._alpha()
        self.feature_log_prob_ = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))

    def _made_scorer(self) -> _core.MatrixScorer:
        return _core.LinearScorer(np.ascontiguousarray(self.feature_log_prob_), self.class_log_prior_)


class ComplementNB(_Counting, sklearn.naive_bayes.ComplementNB):  # type: ignore[misc]
    """scikit-learn's ComplementNB on credence's statistics; with `forget`, `merge` and classes that come late.

    >>> from credence import ComplementNB
    >>> model = ComplementNB().fit([[2, 0], [0, 3]], ["ham", "spam"])
    >>> model.partial_fit([[1, 4]], ["news"]).classes_.tolist()
    ['ham', 'news', 'spam']
    """

    def _estimate(self) -> None:
        self.feature_all_ = self.feature_count_.sum(axis=0)
        others = self.feature_all_ + self._alpha() - self.feature_count_
        logs = np.log(others / others.sum(axis=1, keepdims=True))
        if self.norm:
            self.feature_log_prob_ = logs / logs.sum(axis=1, keepdims=True)
        else:
            self.feature_log_prob_ = -logs

    def _made_scorer(self) -> _core.MatrixScorer:
        # Where there is but one class its complement says nothing.
        prior = self.class_log_prior_ if len(self.classes_) == 1 else np.zeros(len(self.classes_))
        return _core.LinearScorer(np.ascontiguousarray(self.feature_log_prob_), prior)


class BernoulliNB(_Counting, sklearn.naive_bayes.BernoulliNB):  # type: ignore[misc]
    """scikit-learn's BernoulliNB on credence's statistics; with `forget`, `merge` and classes that come late.

    >>> from credence import BernoulliNB
    >>> model = BernoulliNB().fit([[1, 0], [1, 1], [0, 1]], ["a", "a", "b"])
    >>> model.forget([[1, 1]], ["a"]).feature_count_.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def _prepared(self, X: Any) -> Any:
        return self._prepared_rows(X)

    def _prepared_rows(self, X: Any) -> Any:
        if self.binarize is None:
            return X
        if sparse.issparse(X):
            if self.binarize < 0:
                raise ValueError("Cannot binarize a sparse matrix with threshold < 0")
            return sparse.csr_array(((X.data > self.binarize).astype(np.float64), X.indices, X.indptr),
                                    shape=X.shape)
        return np.where(np.isfinite(X), X > self.binarize, X).astype(np.float64)

    def _estimate(self) -> None:
        alpha = self._alpha()
        smoothed = self.feature_count_ + alpha
        rows = self.class_count_ + alpha * 2
        self.feature_log_prob_ = np.log(smoothed) - np.log(rows.reshape(-1, 1))

    def _made_scorer(self) -> _core.MatrixScorer:
        with np.errstate(divide="ignore", invalid="ignore"):
            absent = np.log(1 - np.exp(self.feature_log_prob_))
            present = np.ascontiguousarray(self.feature_log_prob_ - absent)
        return _core.LinearScorer(present, self.class_log_prior_ + absent.sum(axis=1))


class PoissonNB(_Counting, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Counts that are Poisson in every class: a rate per class and column.

    Parameters
    ----------
    alpha : float, default=1.0
        Imaginary rows per class, each with the mean counts of all rows; 0: maximum likelihood.
    fit_prior, class_prior : as in MultinomialNB

    Attributes
    ----------
    rate_ : array (classes, columns), the mean count
    class_count_, feature_count_, class_log_prior_, classes_, n_features_in_ : as in MultinomialNB

    >>> from credence import PoissonNB
    >>> model = PoissonNB(alpha=0).fit([[1], [3], [7], [9]], [0, 0, 1, 1])
    >>> model.rate_.tolist()
    [[2.0], [8.0]]
    """

    _parameter_constraints: dict[str, Any] = {
        "alpha": [Interval(Real, 0, None, closed="left")],
        "fit_prior": ["boolean"],
        "class_prior": ["array-like", None],
    }

    def __init__(self, *, alpha: float = 1.0, fit_prior: bool = True, class_prior: Any = None) -> None:
        self.alpha = alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _estimate(self) -> None:
        overall = self.feature_count_.sum(axis=0) / self.class_count_.sum()
        rows = self.class_count_.reshape(-1, 1) + self.alpha
        with np.errstate(invalid="ignore"):
            self.rate_ = (self.feature_count_ + self.alpha * overall) / rows

    def _made_scorer(self) -> _core.MatrixScorer:
        with np.errstate(divide="ignore"):
            logs = np.log(self.rate_)
        return _core.LinearScorer(np.ascontiguousarray(logs), self.class_log_prior_ - self.rate_.sum(axis=1))

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(c, x), the factorials included."""
        rows = self._rows(X)
        counts = rows.data if sparse.issparse(rows) else rows
        factorials = gammaln(counts + 1)
        if sparse.issparse(rows):
            sums = np.asarray(sparse.csr_array((factorials, rows.indices, rows.indptr),
                                               shape=rows.shape).sum(axis=1)).reshape(-1, 1)
        else:
            sums = factorials.sum(axis=1, keepdims=True)
        return np.asarray(self._scores(X) - sums)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags
