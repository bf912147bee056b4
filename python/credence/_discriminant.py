# SPDX-License-Identifier: Apache-2.0
"""LinearDiscriminantAnalysis and QuadraticDiscriminantAnalysis: all columns are one gaussian block."""
from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLinear
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as TheirQuadratic

from credence import _core
from credence._dropin import DropIn, checks_parameters, whole_or_not_at_all
from credence._fitted import Floats
from credence._learned import Learned


def _of_either(name: str) -> Callable[[Any, Any], Any]:
    """A method of ours, or of scikit-learn's where an estimator of its own made the covariances."""
    def method(self: Any, X: Any) -> Any:
        return getattr(self._theirs if self.__dict__.get("_foreign") else DropIn, name)(self, X)

    method.__name__ = name
    method.__doc__ = getattr(DropIn, name).__doc__
    return method


class Discriminant(DropIn):
    """What both share. Covariances that others estimate need the rows themselves: then the rest is scikit-learn's."""

    _least_rows = 2
    _finds_bad_values = True
    _theirs: Any
    solver: str
    shrinkage: Any
    priors: Any
    covariance_estimator: Any
    coef_: Floats
    intercept_: Floats
    predict: Any = _of_either("predict")
    predict_proba: Any = _of_either("predict_proba")
    predict_log_proba: Any = _of_either("predict_log_proba")

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learns the rows of X anew."""
        with whole_or_not_at_all(self):
            self._narrow = getattr(X, "dtype", None) == np.float32
            if self.covariance_estimator is None:
                self.__dict__.pop("_foreign", None)
                return DropIn.fit(self, X, y, sample_weight)
            if sample_weight is not None:
                raise ValueError("covariance_estimator takes no sample_weight")
            self.__dict__.pop("_learned", None)
            self._theirs.fit(self, X, y)
            self._foreign = True
        return self

    def _training(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Any:
        if self.covariance_estimator is not None:
            raise ValueError("covariance_estimator needs all rows at once: fit")
        return super()._training(X, y, sample_weight, reset)

    def _shrunk(self) -> str:
        if not self.shrinkage:
            return ""
        return ", shrunk" if isinstance(self.shrinkage, str) else f", shrunk={float(self.shrinkage)!r}, spherical"

    def _prior(self) -> Any:
        if self.priors is None:
            return "empirical"
        shares = np.array(self.priors, dtype=np.float64)
        if (shares < 0).any():
            raise ValueError("priors must be non-negative")
        return shares.tolist()

    def _read(self, learned: Learned) -> None:
        self.means_ = learned.in_order(learned.scorer.gaussians()[0])
        weights = learned.in_order(learned.model.class_weights)
        self.priors_ = np.array(self.priors if self.priors is not None else weights / weights.sum(), dtype=np.float64)
        if abs(self.priors_.sum() - 1.0) > 1e-5:
            warnings.warn("The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=3)
            self.priors_ = self.priors_ / self.priors_.sum()

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learned") or hasattr(self, "_foreign")


class LinearDiscriminantAnalysis(Discriminant, TheirLinear):  # type: ignore[misc]
    """scikit-learn's LinearDiscriminantAnalysis around a model.

    All solvers read the same scatters: 'svd' pools the classes by their rows, 'lsqr' and 'eigen' by the priors, as
    scikit-learn's do. Beyond scikit-learn's: `sample_weight`, `partial_fit` with classes that come late, `forget`,
    `merge`, and log probabilities that do not end at -708.

    >>> from credence import LinearDiscriminantAnalysis
    >>> model = LinearDiscriminantAnalysis().fit([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]], [1, 1, 1, 2, 2, 2])
    >>> model.predict([[-0.8, -1]]).tolist()
    [1]
    """

    _theirs = TheirLinear
    n_components: int | None
    tol: float
    store_covariance: bool

    @property
    def _by_svd(self) -> bool:
        return self.solver == "svd" and not self.shrinkage  # with shrinkage, which scikit-learn refuses, it is eigen

    def _blocks(self, names: list[str], X: Any, y: Any, weights: Any) -> tuple[str, str]:
        if self._by_svd:
            return "gaussian", f"tied, tol={float(self.tol)!r}"
        tied = "tied" if self.priors is None else "tied=prior"
        apart = ", apart" if isinstance(self.shrinkage, str) else ""
        return "gaussian", f"{tied}{self._shrunk()}{apart}, tol=1e-07"

    def _read(self, learned: Learned) -> None:
        super()._read(learned)
        classes = len(self.classes_)
        if learned.model.rows <= classes:
            raise ValueError("The number of samples must be more than the number of classes.")
        largest = min(classes - 1, self.n_features_in_)
        if self.n_components is not None and self.n_components > largest:
            raise ValueError("n_components cannot be larger than min(n_features, n_classes - 1).")
        self._max_components = largest if self.n_components is None else self.n_components
        read = self._read_directions if self._by_svd else self._read_covariance
        read(learned, learned.scorer.gaussians()[1][0])
        if classes == 2:
            self.coef_ = self.coef_[1:] - self.coef_[:1]
            self.intercept_ = self.intercept_[1:] - self.intercept_[:1]
        if getattr(self, "_narrow", False):
            self.coef_, self.intercept_ = self.coef_.astype(np.float32), self.intercept_.astype(np.float32)
        self._n_features_out = self._max_components

    def _read_directions(self, learned: Learned, within: Floats) -> None:
        """As 'svd' has them: coefficients as seen from the mean of all rows."""
        if self.store_covariance:
            self.covariance_ = self._average(learned) if self.priors is not None else within
        self.xbar_ = self.priors_ @ self.means_
        scalings = _core.whitening(within, self.tol).T
        centres = (self.means_ - self.xbar_) @ scalings
        _, lengths, axes = linalg.svd(np.sqrt(self.priors_)[:, np.newaxis] * centres, full_matrices=False)
        shares = lengths**2 / ((lengths**2).sum() or 1.0)
        self.explained_variance_ratio_ = shares[:self._max_components]
        self.scalings_ = scalings @ axes[lengths > self.tol * lengths[:1]].T
        self.coef_ = centres @ scalings.T
        self._read_intercepts(self.means_ + self.xbar_)

    def _read_covariance(self, learned: Learned, within: Floats) -> None:
        """As 'lsqr' and 'eigen' have them: coefficients as seen from 0."""
        self.covariance_ = within
        scalings = _core.whitening(within, 1e-7).T
        self.coef_ = self.means_ @ scalings @ scalings.T
        self._read_intercepts(self.means_)
        if self.solver == "lsqr":
            return
        total = learned.model.joined().reread(f"full{self._shrunk()}, rescue=0")
        between = _core.Scorer(total).gaussians()[1][0] - within
        values, vectors = linalg.eigh(between, within)
        order = np.argsort(values)[::-1]
        self.explained_variance_ratio_ = (values[order] / values.sum())[:self._max_components]
        self.scalings_ = vectors[:, order]
        self.xbar_ = np.zeros(self.n_features_in_)

    def _read_intercepts(self, points: Floats) -> None:
        with np.errstate(divide="ignore"):
            self.intercept_ = np.log(self.priors_) - 0.5 * (points * self.coef_).sum(axis=1)

    def _average(self, learned: Learned) -> Floats:
        """The classes' covariances, weighed by the priors."""
        return np.asarray(_core.Scorer(learned.model.reread("tied=prior, tol=0")).gaussians()[1][0])


class QuadraticDiscriminantAnalysis(Discriminant, TheirQuadratic):  # type: ignore[misc]
    """scikit-learn's QuadraticDiscriminantAnalysis around a model.

    A class whose covariance has no inverse, which scikit-learn refuses, gets one imaginary row with the variances of
    the whole columns: it then has a density, and the others stay as they are. Beyond scikit-learn's:
    `sample_weight`, `partial_fit` with classes that come late, `forget`, `merge`.

    >>> from credence import QuadraticDiscriminantAnalysis
    >>> model = QuadraticDiscriminantAnalysis().fit([[1.0], [2.0], [4.0], [9.0]], ["a", "a", "b", "b"])
    >>> model.predict([[1.4], [8.0]]).tolist()
    ['a', 'b']
    """

    _theirs = TheirQuadratic
    reg_param: float
    tol: float
    store_covariance: bool

    def _blocks(self, names: list[str], X: Any, y: Any, weights: Any) -> tuple[str, str]:
        unit = f", unit={float(self.reg_param)!r}" if self.reg_param else ""
        return "gaussian", f"full{self._shrunk()}{unit}, rescue={float(self.tol)!r}"

    def _read(self, learned: Learned) -> None:
        if len(self.classes_) < 2:
            raise ValueError(
                f"The number of classes has to be greater than one. Got {len(self.classes_)} class.")
        super()._read(learned)
        covariances = list(learned.in_order(learned.scorer.gaussians()[1]))
        self.scalings_, self.rotations_ = [], []
        for covariance in covariances:
            values, vectors = linalg.eigh(covariance)
            self.scalings_.append(values[::-1])
            self.rotations_.append(vectors[:, ::-1])
        if self.store_covariance:
            self.covariance_ = covariances

    def decision_function(self, X: Any) -> Floats:
        """log P(c, x) without the factor 2π; of two classes, the log-odds of the second."""
        if self.__dict__.get("_foreign"):
            return np.asarray(TheirQuadratic.decision_function(self, X))
        scores: Floats = self.predict_joint_log_proba(X) + 0.5 * self.n_features_in_ * np.log(2 * np.pi)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores
