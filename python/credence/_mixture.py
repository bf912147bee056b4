# SPDX-License-Identifier: Apache-2.0
"""MixtureDiscriminantAnalysis: several normal components in every class."""
from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from credence._dropin import Floats, checks_parameters
from credence._gaussian_nb import checked_priors
from credence.classifier import BayesClassifier


class MixtureDiscriminantAnalysis(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Every class is a mixture of normal distributions, fitted by EM.

    Parameters
    ----------
    n_components : int or "bic", default=2
        Components of a class; "bic": chosen for each model by BIC. A class with fewer rows gets as many as it has.
    covariance_type : "full" or "diag", default="full"
    n_init : int, default=10
        Starts of EM, of which the best is kept.
    reg_covar : float, default=0
        Added to every variance, as in scikit-learn's GaussianMixture (there 1e-6). With it, components may collapse.
    random_state : int, default=1
    rule : default="bayes"
        "bayes" has a prior of one imaginary row; "mle" has none and refuses components that collapse.
    priors : array of shares, default=None

    >>> from credence import MixtureDiscriminantAnalysis
    >>> X = [[0.0], [0.2], [4.0], [4.2], [2.0], [2.1], [2.2], [1.9]]
    >>> model = MixtureDiscriminantAnalysis().fit(X, ["a"] * 4 + ["b"] * 4)
    >>> model.predict([[4.1], [2.05]]).tolist()
    ['a', 'b']
    """

    _parameter_constraints: dict[str, Any] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), StrOptions({"bic"})],
        "covariance_type": [StrOptions({"full", "diag"})],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "reg_covar": [Interval(Real, 0, None, closed="left")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
        "rule": [str],
        "priors": ["array-like", None],
    }

    def __init__(self, *, n_components: Any = 2, covariance_type: str = "full", n_init: int = 10,
                 reg_covar: float = 0.0, random_state: int = 1, rule: str = "bayes", priors: Any = None) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.n_init = n_init
        self.reg_covar = reg_covar
        self.random_state = random_state
        self.rule = rule
        self.priors = priors

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MixtureDiscriminantAnalysis:
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        components = self.n_components
        if components != "bic":
            components = min(components, _fewest_different(X, y, sample_weight))
        shape = "full" if self.covariance_type == "full" else "diagonal"
        floor = f", floor={float(self.reg_covar)!r}" if self.reg_covar > 0 else ""
        family = f"mixture({components}, {shape}, starts={self.n_init}, seed={self.random_state}{floor})"
        prior = "empirical" if self.priors is None else list(checked_priors(self.priors, len(np.unique(y))))
        self._model = BayesClassifier(blocks={"x*": family}, rule=self.rule, prior=prior)
        self._model.fit(X, y, sample_weight)
        self.classes_ = self._model.classes_
        return self

    def _rows(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan")

    def predict(self, X: Any) -> NDArray[Any]:
        rows = self._rows(X)
        return self._model.predict(rows)

    def predict_proba(self, X: Any) -> Floats:
        rows = self._rows(X)
        return self._model.predict_proba(rows)

    def predict_log_proba(self, X: Any) -> Floats:
        rows = self._rows(X)
        return self._model.predict_log_proba(rows)

    def score_samples(self, X: Any) -> Floats:
        """log p(x): how usual each row is."""
        rows = self._rows(X)
        return self._model.score_samples(rows)

    def sample(self, n_samples: int = 1, random_state: Any = 1) -> tuple[Any, NDArray[Any]]:
        """Rows drawn from the model, and their classes."""
        check_is_fitted(self)
        return self._model.sample(n_samples, random_state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _fewest_different(X: Floats, y: NDArray[Any], sample_weight: Any) -> int:
    """Of all classes the least number of different rows that count."""
    counts = np.ones(len(y), dtype=bool) if sample_weight is None else np.asarray(sample_weight) > 0
    if not counts.any():
        raise ValueError("every row has a sample weight of zero")
    return min(len(np.unique(X[(y == value) & counts], axis=0)) for value in np.unique(y[counts]))
