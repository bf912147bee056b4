# SPDX-License-Identifier: Apache-2.0
"""MultinomialNB, ComplementNB, BernoulliNB and PoissonNB: a bag of counts."""
from __future__ import annotations

from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import sklearn.naive_bayes
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_non_negative

from credence._dropin import DropIn
from credence._fitted import Floats
from credence._learned import Learned
from credence._tables import BAG


class _Discrete(DropIn):
    """Counts, smoothed by alpha; classes by their shares, evenly or as given."""

    alpha: Any
    fit_prior: bool
    class_prior: Any
    class_count_: Floats

    def _alpha(self) -> Any:
        """The smoothing as a number, or one for every column, checked as scikit-learn does."""
        checked = self._check_alpha()  # type: ignore[attr-defined]
        return np.asarray(checked, dtype=np.float64) if np.ndim(checked) else float(checked)

    def _rule(self, names: list[str]) -> tuple[str, dict[str, dict[str, float]]]:
        alpha = self._alpha()
        if isinstance(alpha, np.ndarray) and alpha.any():
            total = float(alpha.sum())
            return f"m-estimate={total!r}", {BAG: dict(zip(names, (alpha / total).tolist()))}
        return f"laplace={float(alpha)!r}" if np.any(alpha) else "mle", {}

    def _prior(self) -> Any:
        if self.class_prior is not None:
            return [float(share) for share in self.class_prior]
        return "empirical" if self.fit_prior else "uniform"

    def _read(self, learned: Learned) -> None:
        self.class_count_ = learned.in_order(learned.model.class_weights)
        with np.errstate(divide="ignore"):
            if self.class_prior is not None:
                self.class_log_prior_ = np.log(np.asarray(self.class_prior, dtype=np.float64))
            elif self.fit_prior:
                self.class_log_prior_ = np.log(self.class_count_) - np.log(self.class_count_.sum())
            else:
                self.class_log_prior_ = np.full(len(self.classes_), -np.log(len(self.classes_)))


class _Counting(_Discrete):
    """Columns are the features of one bag, whether X is dense or sparse."""

    _sparse = True
    _finds_bad_values = True
    _form = "bag"
    _family = ("multinomial", "")

    def _blocks(self, names: list[str], X: Any, y: Any, weights: Any) -> tuple[str, str]:
        return self._family

    def _training(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Any:
        rows, y, weights = super()._training(X, y, sample_weight, reset)
        if sparse.issparse(rows):
            self._refuse(rows)
        return rows, y, weights

    def _refuse(self, X: Any) -> None:
        super()._refuse(X)
        if not self._presences:
            check_non_negative(X, f"{type(self).__name__} (input X)")

    def _check_estimable(self, learned: Learned) -> None:
        if not np.all(self._alpha() > 0):  # every column has a share then
            super()._check_estimable(learned)

    # Tables as large as the model, made when somebody looks at them.

    def _read(self, learned: Learned) -> None:
        super()._read(learned)
        for name in ("feature_count_", "feature_log_prob_", "feature_all_", "rate_"):
            self.__dict__.pop(name, None)

    @cached_property
    def feature_count_(self) -> Floats:
        return self._learned.in_order(self._learned.model.arrays()["block.0.counts"].T)

    @cached_property
    def feature_log_prob_(self) -> Floats:
        even = -np.log(self.n_features_in_)  # of a class without rows
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._learned.in_order(self._learned.scorer.linear_form()[1], even)


class MultinomialNB(_Counting, sklearn.naive_bayes.MultinomialNB):  # type: ignore[misc]
    """scikit-learn's MultinomialNB around a model; with `forget`, `merge` and classes that come late.

    >>> from credence import MultinomialNB
    >>> model = MultinomialNB().fit([[2, 0], [0, 3]], ["ham", "spam"])
    >>> model.predict([[1, 0]]).tolist()
    ['ham']
    """


class ComplementNB(_Counting, sklearn.naive_bayes.ComplementNB):  # type: ignore[misc]
    """scikit-learn's ComplementNB around a model; with `forget`, `merge` and classes that come late.

    >>> from credence import ComplementNB
    >>> model = ComplementNB().fit([[2, 0], [0, 3]], ["ham", "spam"])
    >>> model.partial_fit([[1, 4]], ["news"]).classes_.tolist()
    ['ham', 'news', 'spam']
    """

    norm: bool

    def _blocks(self, names: list[str], X: Any, y: Any, weights: Any) -> tuple[str, str]:
        return "multinomial", "complement, normed" if self.norm else "complement"

    def _prior(self) -> Any:
        return "uniform"

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """The weights of the features summed up, without a prior."""
        joint = super().predict_joint_log_proba(X)
        return joint - max(self._learned.scorer.log_prior)

    @cached_property
    def feature_all_(self) -> Floats:
        return np.asarray(self.feature_count_.sum(axis=0))


class BernoulliNB(_Counting, sklearn.naive_bayes.BernoulliNB):  # type: ignore[misc]
    """scikit-learn's BernoulliNB around a model; with `forget`, `merge` and classes that come late.

    >>> from credence import BernoulliNB
    >>> model = BernoulliNB().fit([[1, 0], [1, 1], [0, 1]], ["a", "a", "b"])
    >>> model.forget([[1, 1]], ["a"]).feature_count_.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    _family = ("bernoulli", "")
    _presences = True
    binarize: float | None

    def _prepared(self, X: Any) -> Any:
        threshold = self.binarize or 0.0
        if sparse.issparse(X):
            if threshold < 0:
                raise ValueError("Cannot binarize a sparse matrix with threshold < 0")
            return sparse.csr_array(((X.data > threshold).astype(np.float64), X.indices, X.indptr), shape=X.shape)
        if threshold == 0:
            return X  # numbers above 0 are present anyway
        return np.where(np.isfinite(X), X > threshold, X).astype(np.float64)

    @cached_property
    def feature_log_prob_(self) -> Floats:
        alpha = self._alpha()
        rows = (self.class_count_ + 2 * alpha).reshape(-1, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log(self.feature_count_ + alpha) - np.log(rows))


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

    _family = ("poisson", "")
    _parameter_constraints: dict[str, Any] = {
        "alpha": [Interval(Real, 0, None, closed="left")],
        "fit_prior": ["boolean"],
        "class_prior": ["array-like", None],
    }

    def __init__(self, *, alpha: float = 1.0, fit_prior: bool = True, class_prior: Any = None) -> None:
        self.alpha = alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _alpha(self) -> Any:
        return float(self.alpha)

    def _rule(self, names: list[str]) -> tuple[str, dict[str, dict[str, float]]]:
        return f"m-estimate={self._alpha()!r}" if self.alpha else "mle", {}

    @cached_property
    def rate_(self) -> Floats:
        overall = self.feature_count_.sum(axis=0) / self.class_count_.sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((self.feature_count_ + self.alpha * overall) / (self.class_count_.reshape(-1, 1) + self.alpha))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags
