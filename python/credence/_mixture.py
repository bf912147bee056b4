# SPDX-License-Identifier: Apache-2.0
"""MixtureDiscriminantAnalysis: several normal components in every class."""
from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions

from credence._dropin import DropIn, checked_priors
from credence._fitted import Floats


class MixtureDiscriminantAnalysis(DropIn, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
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

    _missing = True
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

    def _blocks(self, names: list[str], X: Any, y: Any, weights: Any) -> tuple[str, str]:
        components = self.n_components
        if components != "bic" and X is not None:
            components = min(components, _fewest_different(X, y, weights))
        shape = "full" if self.covariance_type == "full" else "diagonal"
        floor = f", floor={float(self.reg_covar)!r}" if self.reg_covar > 0 else ""
        return "mixture", f"{components}, {shape}, starts={self.n_init}, seed={self.random_state}{floor}"

    def _rule(self, names: list[str]) -> tuple[str, dict[str, dict[str, float]]]:
        return self.rule, {}

    def _prior(self) -> Any:
        return "empirical" if self.priors is None else checked_priors(self.priors).tolist()

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
