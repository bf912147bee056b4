# SPDX-License-Identifier: Apache-2.0
"""What LDA and QDA share: weight, mean and scatter of every class, learned, merged and forgotten."""
from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from credence import _core
from credence._dropin import ClassCodes, DropIn, Floats, encoded


class ScatterBased(DropIn):
    """Keeps scatter matrices; the subclass derives its parameters from them in `_derive`."""

    _least_rows = 2
    _scatters: _core.ClassScatters | None
    shrinkage: Any
    priors: Any

    def _begin(self) -> None:
        self._codes = ClassCodes()
        self._scatters = None
        self._seen = 0

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Any:
        """Learns more rows. Classes may come late, so `classes` is never needed."""
        self._validate_params()  # type: ignore[attr-defined]
        first = not hasattr(self, "_scatters")
        if first:
            self._begin()
        return self._change(X, y, sample_weight, reset=first, classes=classes)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Takes rows away again. More rows of a class than were learned are refused."""
        check_is_fitted(self)
        return self._change(X, y, sample_weight, reset=False, forget=True)

    def merge(self, other: Any) -> Any:
        """Adds what another estimator of the same columns has learned."""
        self._check_mergeable(other)
        self._make_room(other.classes_)
        self._known.merge(other._known, self._codes.places(other.classes_).tolist())
        self._seen += other._seen
        return self._derived()

    @property
    def _known(self) -> _core.ClassScatters:
        """The scatters of the classes; none has any rows before the first."""
        if self._scatters is None:
            self._scatters = _core.ClassScatters(self.n_features_in_, isinstance(self.shrinkage, str))
        return self._scatters

    def _make_room(self, found: Any) -> None:
        self._known.rearrange(self._codes.add(found))

    def _change(self, X: Any, y: Any, sample_weight: Any, *, reset: bool, forget: bool = False,
                classes: Any = None) -> Any:
        X, y = self._training_rows(X, y, reset)
        weights = self._sample_weights(sample_weight, X)
        found, codes = encoded(y)
        if forget and not np.isin(found, self.classes_).all():
            raise ValueError("cannot forget what was not observed: a class that was never learned")
        self._make_room(found if classes is None else np.union1d(found, classes))
        if len(self._codes.known) != len(found):
            codes = self._codes.places(found).astype(np.int32)[codes]
        if forget:
            counts = np.bincount(codes, weights, minlength=len(self._codes.known))
            if (self._known.weight() < counts - 1e-9).any():
                raise ValueError("cannot forget what was not observed: more rows of a class than were learned")
        self._known.observe(X, codes, weights, forget, 0)
        self._seen += -len(y) if forget else len(y)
        return self._derived()

    def _derived(self) -> Any:
        self.classes_ = self._codes.known
        self.means_ = self._known.mean()
        weight = self._known.weight()
        if self.priors is None:
            self.priors_ = weight / weight.sum()
        else:
            self.priors_ = np.asarray(self.priors, dtype=np.float64)
            if len(self.priors_) != len(self.classes_):
                raise ValueError("Number of priors must match number of classes.")
        if (self.priors_ < 0).any():
            raise ValueError("priors must be non-negative")
        if abs(self.priors_.sum() - 1.0) > 1e-5:
            warnings.warn("The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=3)
            self.priors_ = self.priors_ / self.priors_.sum()
        self._derive()
        self._scorer = self._made_scorer()
        return self

    def _derive(self) -> None:
        raise NotImplementedError


def covariance(scatters: _core.ClassScatters, cls: int, shrinkage: Any) -> Floats:
    """Scatter over weight, shrunk towards what scikit-learn shrinks it towards."""
    weight = scatters.weight()[cls]
    plain: Floats = scatters.scatter(cls) / weight
    size = plain.shape[0]
    if shrinkage is None:
        return plain
    if not isinstance(shrinkage, str):
        mean = np.trace(plain) / size
        return np.asarray((1 - shrinkage) * plain + shrinkage * mean * np.eye(size))
    # Ledoit and Wolf, on standardised columns.
    scale = np.sqrt(np.diag(plain))
    scale[scale == 0] = 1.0
    outer = np.outer(scale, scale)
    standard = plain / outer
    if size == 1:
        return plain
    mean = np.trace(standard) / size
    fourth = (scatters.fourth(cls) / outer**2).sum() / weight
    squares = (standard**2).sum()
    delta = (squares - 2 * mean * np.trace(standard) + size * mean**2) / size
    beta = min((fourth - squares) / (size * weight), delta)
    share = 0.0 if beta == 0 else beta / delta
    return np.asarray(outer * ((1 - share) * standard + share * mean * np.eye(size)))
