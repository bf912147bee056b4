# SPDX-License-Identifier: Apache-2.0
"""LinearDiscriminantAnalysis and QuadraticDiscriminantAnalysis from the scatters of the classes."""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLinear
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as TheirQuadratic
from sklearn.utils.validation import check_is_fitted, validate_data

from credence import _core
from credence._dropin import Floats, checks_parameters
from credence._scatters import ScatterBased, covariance


class LinearDiscriminantAnalysis(ScatterBased, TheirLinear):  # type: ignore[misc]
    """scikit-learn's LinearDiscriminantAnalysis on credence's statistics.

    All solvers read the same scatters: 'svd' pools the classes by their rows, 'lsqr' and 'eigen' by the priors, as
    scikit-learn's do. Beyond scikit-learn's: `sample_weight`, `partial_fit` with classes that come late, `forget`,
    `merge`, and log probabilities that do not end at -708.

    >>> from credence import LinearDiscriminantAnalysis
    >>> model = LinearDiscriminantAnalysis().fit([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]], [1, 1, 1, 2, 2, 2])
    >>> model.predict([[-0.8, -1]]).tolist()
    [1]
    """

    coef_: Floats
    intercept_: Floats

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        if self.solver == "svd" and self.covariance_estimator is not None:
            raise ValueError("covariance estimator is not supported with svd solver. Try another solver")
        self._begin()
        self._foreign: Floats | None = None
        if self.covariance_estimator is not None:
            # Covariances that others estimate need the rows themselves.
            super().fit(X, y)
            self._foreign = self.covariance_
        return self._change(X, y, sample_weight, reset=True)

    def _derive(self) -> None:
        classes, columns = len(self.classes_), self.means_.shape[1]
        if self._seen <= classes:
            raise ValueError("The number of samples must be more than the number of classes.")
        largest = min(classes - 1, columns)
        if self.n_components is not None and self.n_components > largest:
            raise ValueError("n_components cannot be larger than min(n_features, n_classes - 1).")
        self._max_components = largest if self.n_components is None else self.n_components
        if self.solver == "svd" and self.shrinkage is None:
            self._whiten()
        else:
            self._invert()
        if classes == 2:
            self.coef_ = self.coef_[1:] - self.coef_[:1]
            self.intercept_ = self.intercept_[1:] - self.intercept_[:1]
        self._n_features_out = self._max_components

    def _within(self, shrinkage: Any) -> Floats:
        """The classes' covariances, weighed by the priors."""
        foreign = getattr(self, "_foreign", None)
        if foreign is not None:
            return np.asarray(foreign)
        result = np.zeros((self.means_.shape[1],) * 2)
        for cls, share in enumerate(self.priors_):
            if self._known.weight()[cls] > 0:
                result += share * covariance(self._known, cls, shrinkage)
        return result

    def _whiten(self) -> None:
        """Directions in which rows of a class vary alike, then those in which the means of classes differ most."""
        if self.store_covariance:
            self.covariance_ = self._within(None)
        weight = self._known.weight()
        scatter = sum(self._known.scatter(cls) for cls in range(len(weight)))
        total = weight.sum()
        self.xbar_ = self.priors_ @ self.means_
        deviation = np.sqrt(np.diag(scatter) / total)
        deviation[deviation == 0] = 1.0
        values, vectors = linalg.eigh(scatter / np.outer(deviation, deviation) / total)
        values, vectors = values[::-1], vectors[:, ::-1]
        kept = np.sqrt(np.maximum(values, 0)) > self.tol
        scalings = vectors[:, kept] / deviation[:, np.newaxis] / np.sqrt(values[kept])
        count = max(len(weight) - 1, 1)
        centres = np.sqrt(total * self.priors_ / count)[:, np.newaxis] * (self.means_ - self.xbar_) @ scalings
        _, lengths, axes = linalg.svd(centres, full_matrices=False)
        spread = lengths**2
        self.explained_variance_ratio_ = (
            np.empty(0) if self._max_components == 0 else (spread / (spread.sum() or 1.0))[:self._max_components])
        rank = int((lengths > self.tol * lengths[0]).sum()) if lengths.size else 0
        self.scalings_ = scalings @ axes.T[:, :rank]
        centred = (self.means_ - self.xbar_) @ self.scalings_
        self.coef_ = centred @ self.scalings_.T
        self.intercept_ = -0.5 * (centred**2).sum(axis=1) + _logs(self.priors_) - self.xbar_ @ self.coef_.T

    def _invert(self) -> None:
        self.covariance_ = self._within(self.shrinkage)
        if self.solver == "lsqr":
            self.coef_ = _solved(self.covariance_, self.means_.T).T
        else:
            # svd with shrinkage, which scikit-learn refuses, is eigen.
            between = covariance(self._known.collapsed(), 0, self.shrinkage) - self.covariance_
            values, vectors = linalg.eigh(between, self.covariance_)
            order = np.argsort(values)[::-1]
            self.explained_variance_ratio_ = (values[order] / values.sum())[:self._max_components]
            self.scalings_ = vectors[:, order]
            self.coef_ = _solved(self.covariance_, self.means_.T).T
            if self.solver == "svd":
                self.xbar_ = np.zeros(self.means_.shape[1])
        self.intercept_ = -0.5 * np.einsum("ij,ij->i", self.means_, self.coef_) + _logs(self.priors_)

    def _made_scorer(self) -> _core.MatrixScorer:
        if len(self.classes_) != 2:
            return _core.LinearScorer(np.ascontiguousarray(self.coef_), np.ascontiguousarray(self.intercept_))
        coefficients = np.vstack([np.zeros_like(self.coef_), self.coef_])
        return _core.LinearScorer(coefficients, np.append(0.0, self.intercept_))

    def decision_function(self, X: Any) -> Floats:
        scores = self._scores(X)
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def transform(self, X: Any) -> Any:
        """Discriminant coordinates, at most one fewer than there are classes."""
        check_is_fitted(self)
        if self.solver == "lsqr":
            raise ValueError("transform: the solver 'lsqr' keeps no directions (use 'svd' or 'eigen')")
        rows = validate_data(self, X, reset=False, dtype=np.float64)
        origin = self.xbar_ if self.solver == "svd" else 0.0
        return ((rows - origin) @ self.scalings_)[:, :self._max_components]


class QuadraticDiscriminantAnalysis(ScatterBased, TheirQuadratic):  # type: ignore[misc]
    """scikit-learn's QuadraticDiscriminantAnalysis on credence's statistics.

    A class whose covariance has no inverse, which scikit-learn refuses, gets one imaginary row with the variances of
    the whole columns: it then has a density, and the others stay as they are. Beyond scikit-learn's:
    `sample_weight`, `partial_fit` with classes that come late, `forget`, `merge`.

    >>> from credence import QuadraticDiscriminantAnalysis
    >>> model = QuadraticDiscriminantAnalysis().fit([[1.0], [2.0], [4.0], [9.0]], ["a", "a", "b", "b"])
    >>> model.predict([[1.4], [8.0]]).tolist()
    ['a', 'b']
    """

    _foreign: list[tuple[Floats, Floats]] | None

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        if getattr(self, "covariance_estimator", None) is not None:
            if self.solver == "svd":
                raise ValueError("covariance_estimator is not supported with solver='svd'. Try solver='eigen' instead.")
            super().fit(X, y)
            self._foreign = list(zip(self.scalings_, self.rotations_))
        else:
            self._foreign = None
        self._begin()
        return self._change(X, y, sample_weight, reset=True)

    def _derive(self) -> None:
        if len(self.classes_) < 2:
            raise ValueError(
                f"The number of classes has to be greater than one. Got {len(self.classes_)} class.")
        foreign = getattr(self, "_foreign", None)
        if foreign is not None:
            self._factors = [_lower_root(scaling, rotation) for scaling, rotation in foreign]
            return
        self.scalings_, self.rotations_, self._factors = [], [], []
        covariances = []
        for cls in range(len(self.classes_)):
            found = self._class_covariance(cls)
            values, vectors = linalg.eigh(found)
            self.scalings_.append(values[::-1])
            self.rotations_.append(vectors[:, ::-1])
            # Scoring goes by Cholesky's factor: it does not mind columns of very different scales.
            self._factors.append(linalg.cholesky(found, lower=True))
            covariances.append(found)
        if self.store_covariance:
            self.covariance_ = covariances

    def _class_covariance(self, cls: int) -> Floats:
        columns = self.means_.shape[1]
        weight = self._known.weight()[cls]
        if weight > 0:
            found = covariance(self._known, cls, getattr(self, "shrinkage", None))
            found = (1 - self.reg_param) * found + self.reg_param * np.eye(columns)
            if linalg.eigvalsh(found)[0] > self.tol:
                return np.asarray(found)
        # As if one more row of the class had been seen, with the variances of all rows.
        spread = np.diag(self._known.collapsed().scatter(0)) / self._known.weight().sum()
        spread = np.where(spread == 0, 1.0, spread)
        scatter = self._known.scatter(cls) + np.diag(spread)
        return np.asarray((1 - self.reg_param) * scatter / (weight + 1) + self.reg_param * np.eye(columns))

    def _made_scorer(self) -> _core.MatrixScorer:
        size = self.means_.shape[1]
        transforms = [np.ascontiguousarray(linalg.solve_triangular(factor, np.eye(size), lower=True))
                      for factor in self._factors]
        halves = np.array([np.log(np.diag(factor)).sum() for factor in self._factors])
        return _core.QuadraticScorer(np.ascontiguousarray(self.means_), transforms,
                                     _logs(self.priors_) - halves)

    def decision_function(self, X: Any) -> Floats:
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores


def _logs(shares: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(shares)


def _lower_root(scaling: Floats, rotation: Floats) -> Floats:
    return np.asarray(linalg.cholesky((rotation * scaling) @ rotation.T, lower=True))


def _solved(matrix: Floats, right: Floats) -> Floats:
    """By Cholesky, which does not mind columns of very different scales; by least squares where there is no inverse."""
    try:
        return np.asarray(linalg.cho_solve(linalg.cho_factor(matrix), right))
    except linalg.LinAlgError:
        return np.asarray(linalg.lstsq(matrix, right)[0])
