# SPDX-License-Identifier: Apache-2.0
"""GaussianNB: scikit-learn's parameters and attributes, exact moments underneath."""
from __future__ import annotations

from typing import Any

import numpy as np
import sklearn.naive_bayes
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from credence import _core
from credence._dropin import ClassCodes, DropIn, Floats, checks_parameters, encoded, log_prior


class GaussianNB(DropIn, sklearn.naive_bayes.GaussianNB):  # type: ignore[misc]
    """scikit-learn's GaussianNB on credence's statistics.

    Beyond scikit-learn's: NaN is a missing value, classes may come late in `partial_fit`, `epsilon_` belongs to all
    rows seen and not to the last part, `forget` takes rows away again, `merge` adds another estimator's.

    >>> from credence import GaussianNB
    >>> model = GaussianNB().fit([[1.0], [2.0], [8.0], [9.0]], ["a", "a", "b", "b"])
    >>> model.predict([[1.6], [7.0]]).tolist()
    ['a', 'b']
    >>> model.theta_.tolist()
    [[1.5], [8.5]]
    """

    _missing = True
    _finds_infinity = True
    _moments: _core.ClassMoments | None
    _unweighted: _core.ClassMoments | None

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> GaussianNB:
        self._begin()
        return self._change(X, y, sample_weight, reset=True)

    @checks_parameters
    def partial_fit(self, X: Any, y: Any, classes: Any = None,
                    sample_weight: Any = None) -> GaussianNB:
        """Learns more rows. Classes may come late, so `classes` is never needed."""
        first = not hasattr(self, "classes_")
        if first:
            self._begin()
        return self._change(X, y, sample_weight, reset=first, classes=classes)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> GaussianNB:
        """Takes rows away again, exactly. What was never learned is refused."""
        check_is_fitted(self)
        return self._change(X, y, sample_weight, reset=False, forget=True)

    def merge(self, other: GaussianNB) -> GaussianNB:
        """Adds what another estimator of the same columns has learned."""
        self._check_mergeable(other)
        self._make_room(other.classes_)
        mine, theirs = self._known(), other._known()
        if self._unweighted is not None or other._unweighted is not None:
            if self._unweighted is None:
                self._unweighted = mine.collapsed()
            self._unweighted.merge(other._unweighted or theirs.collapsed(), [0])
        place = self._codes.places(other.classes_).tolist()
        mine.merge(theirs, place)
        self.class_count_[place] += other.class_count_
        return self._derive()

    def _begin(self) -> None:
        self._codes = ClassCodes()
        self._moments = None
        self._unweighted = None  # of all classes, once there are weights
        self.class_count_: Floats = np.zeros(0)

    def _known(self) -> _core.ClassMoments:
        if self._moments is None:
            self._moments = _core.ClassMoments(self.n_features_in_)
            self._moments.rearrange([-1] * len(self.class_count_))
        return self._moments

    def _make_room(self, found: NDArray[Any]) -> None:
        moments = self._known()
        origin = self._codes.add(found)
        count = np.zeros(len(origin))
        for place, old in enumerate(origin):
            if old >= 0:
                count[place] = self.class_count_[old]
        self.class_count_ = count
        moments.rearrange(origin)

    def _change(self, X: Any, y: Any, sample_weight: Any, *, reset: bool,
                forget: bool = False, classes: Any = None) -> GaussianNB:
        X, y = self._training_rows(X, y, reset)
        weights = self._sample_weights(sample_weight, X)
        found, codes = encoded(y)
        counts = np.bincount(codes, weights, minlength=len(found)).astype(np.float64)
        # Rows are learned apart first: what is refused changes nothing.
        change = _observed(X, codes, weights, len(found))
        if forget:
            self._check_forgotten(found, counts)
        self._make_room(found if classes is None else np.union1d(found, classes))
        moments = self._known()
        # The largest variance, of which epsilon_ is a part, is that of the rows without their weights.
        if weights is not None and self._unweighted is None:
            self._unweighted = moments.collapsed()
        place = self._codes.places(found).tolist()
        if self._unweighted is not None:
            plain = _observed(X, np.zeros_like(codes), None, 1)
            self._unweighted.forget(plain, [0]) if forget else self._unweighted.merge(plain, [0])
        moments.forget(change, place) if forget else moments.merge(change, place)
        self.class_count_[place] += -counts if forget else counts
        return self._derive()

    def _check_forgotten(self, found: NDArray[Any], counts: Floats) -> None:
        strange = found[~np.isin(found, self.classes_)]
        if strange.size:
            raise ValueError(f"cannot forget what was not observed: class {strange[0]!r}")
        if (self.class_count_[self._codes.places(found)] < counts - 1e-9).any():
            raise ValueError("cannot forget what was not observed: more rows of a class than were learned")

    def _derive(self) -> GaussianNB:
        self.classes_ = self._codes.known
        moments = self._known()
        spread = (self._unweighted or moments).column_variance()
        self.epsilon_ = float(self.var_smoothing * spread.max())
        self.theta_ = moments.mean()
        self.var_ = moments.variance() + self.epsilon_
        if self.priors is None:
            self.class_prior_ = self.class_count_ / self.class_count_.sum()
        else:
            self.class_prior_ = checked_priors(self.priors, len(self.classes_))
        self._scorer = self._made_scorer()
        return self

    def _made_scorer(self) -> _core.MatrixScorer:
        with np.errstate(divide="ignore"):
            return _core.NormalScorer(self.theta_, np.ascontiguousarray(self.var_),
                                      log_prior(self.class_prior_, self.class_count_))

    def predict_joint_log_proba(self, X: Any) -> Floats:
        return self._scores(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _observed(X: Floats, codes: NDArray[np.int32], weights: Floats | None, classes: int) -> _core.ClassMoments:
    moments = _core.ClassMoments(X.shape[1])
    moments.rearrange([-1] * classes)
    moments.observe(X, codes, weights, 0)
    return moments


def checked_priors(priors: Any, classes: int) -> Floats:
    shares = np.asarray(priors, dtype=np.float64)
    if len(shares) != classes:
        raise ValueError("Number of priors must match number of classes.")
    if not np.isclose(shares.sum(), 1.0):
        raise ValueError("The sum of the priors should be 1.")
    if (shares < 0).any():
        raise ValueError("Priors must be non-negative.")
    return shares
