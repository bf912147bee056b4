# SPDX-License-Identifier: Apache-2.0
"""What the estimators with scikit-learn's names share: scikit-learn's contract around a model.

Each is a subclass of scikit-learn's own estimator, so that parameters, defaults, constraints and tags are its own.
What is learned is a model of the library, the same that the command line makes of the same numbers: a subclass says
which one, and reads scikit-learn's attributes from it.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import _fit_context
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, assert_all_finite, check_is_fitted, validate_data

from credence import _core
from credence._fitted import Fitted, Floats, labels_of
from credence._labels import Labels
from credence._learned import Learned
from credence._model import Model
from credence._rows import target_name
from credence._settings import set_prior
from credence._tables import BAG, readable

Method = TypeVar("Method", bound=Callable[..., Any])


def checks_parameters(method: Method) -> Method:
    """A method that learns: parameters are checked first, as scikit-learn does."""
    checked: Method = _fit_context(prefer_skip_nested_validation=False)(method)
    return checked


@contextmanager
def whole_or_not_at_all(estimator: Any) -> Iterator[None]:
    """What fails leaves the estimator as it was."""
    before = dict(estimator.__dict__)
    try:
        yield
    except BaseException:
        estimator.__dict__.clear()
        estimator.__dict__.update(before)
        raise


class DropIn(Fitted):
    """Mixed into a subclass of scikit-learn's estimator. X is a matrix."""

    _sparse = False  # whether sparse rows are taken
    _missing = False  # whether NaN is a missing value
    _finds_bad_values = False  # whether bad values are left to the library to find, which looks at them anyway
    _least_rows = 1
    _presences = False  # whether it is only asked of a count if it is above 0
    _form = "matrix"  # "bag": the columns are one bag of counts; "whole": they are categories
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    # Of the subclass

    def _blocks(self, names: list[str], X: Any, y: Any, weights: Any) -> tuple[str, str]:
        """The family of all columns and its parameters."""
        raise NotImplementedError

    def _rule(self, names: list[str]) -> tuple[str, dict[str, dict[str, float]]]:
        """How statistics become parameters; and the shares of a prior, by column and value."""
        return "mle", {}

    def _prior(self) -> Any:
        """Of the classes: as in BayesClassifier."""
        return "empirical"

    def _read(self, learned: Learned) -> None:
        """Sets scikit-learn's attributes."""

    def _prepared(self, X: Any) -> Any:
        """Rows as the model counts and scores them."""
        return X

    def _made_to_fit(self, model: _core.Model, X: Any) -> None:
        """Makes room for values that a model does not know yet."""

    # Rows

    def _rows(self, X: Any) -> Any:
        """X as float64, row by row; sparse rows as CSR. A plain array of the right shape is taken as it is."""
        if not (type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and X.flags.c_contiguous
                and X.shape[0] > 0 and X.shape[1] == self.n_features_in_ and self._form != "whole"
                and "feature_names_in_" not in self.__dict__):
            X = self._validated(X, reset=False)
        return self._prepared(X)

    def _validated(self, X: Any, *y: Any, reset: bool) -> Any:
        finite: Any = "allow-nan" if self._missing else True
        learning: dict[str, Any] = {}
        if y:
            learning = {"ensure_min_samples": self._least_rows}
            finite = finite if sparse.issparse(X) or not self._finds_bad_values else False
        return validate_data(self, X, *y, reset=reset, dtype="int" if self._form == "whole" else np.float64,
                             order="C", accept_sparse="csr" if self._sparse else False, ensure_all_finite=finite,
                             **learning)

    def _training(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> tuple[Any, NDArray[Any], Floats | None]:
        X, y = self._validated(X, y, reset=reset)
        if y.dtype.kind not in "biuUS":  # integers and words are classes whatever they are
            check_classification_targets(y)
        weights = None
        if sample_weight is not None:
            weights = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64,
                                                                ensure_non_negative=True))
        return self._prepared(X), y, weights

    def _column_names(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        if names is not None:
            return [str(name) for name in names]
        return numbered("" if self._form == "bag" else "x", self.n_features_in_)

    def _frame(self, X: Any, names: list[str]) -> _core.Frame:
        frame = _core.Frame()
        if sparse.issparse(X):
            index = np.result_type(X.indptr.dtype, X.indices.dtype)
            frame.add_sparse(BAG, X.indptr.astype(index, copy=False), X.indices.astype(index, copy=False),
                             readable(X.data), X.shape[1], names if hasattr(self, "feature_names_in_") else None)
        elif self._form == "bag":
            frame.add_bag(BAG, X, names, self._presences)
        else:
            frame.add_matrix(names, X, self._missing)
        return frame

    def _open(self, X: Any) -> _core.Source:
        check_is_fitted(self)
        rows = self._rows(X)
        return self._frame(rows, self._column_names()).open("", [])

    def _labelled(self, X: Any, y: Any) -> _core.Source:
        rows, y, _ = self._training(X, y, None, reset=False)
        frame = self._frame(rows, self._column_names())
        frame.set_labels(*self._learned.labels.copy().encode(y))
        return frame.open(self._learned.model.target, [])

    # Learning

    @checks_parameters
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learns the rows of X anew."""
        with whole_or_not_at_all(self):
            target = target_name(y, [])
            X, y, weights = self._training(X, y, sample_weight, reset=True)
            learned = Learned(self._planned(target, X, y, weights), Labels(), self._form)
            self._learn(learned, X, y, weights, "fit")
        return self

    @checks_parameters
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Any:
        """Learns more rows. Classes may come late, so `classes` is never needed."""
        with whole_or_not_at_all(self):
            first = not hasattr(self, "_learned")
            target = target_name(y, [])
            X, y, weights = self._training(X, y, sample_weight, reset=first)
            model = self._planned(target, X, y, weights) if first else self._learned.model.copy()
            labels = Labels() if first else self._learned.labels.copy()
            if classes is not None:
                labels.add(np.unique(np.asarray(classes)))
            self._learn(Learned(model, labels, self._form), X, y, weights, "fit" if first else "update")
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Takes rows away again, exactly. What was never learned is refused."""
        check_is_fitted(self)
        with whole_or_not_at_all(self):
            X, y, weights = self._training(X, y, sample_weight, reset=False)
            learned = Learned(self._learned.model.copy(), self._learned.labels.copy(), self._form)
            change = self._change(learned, X, y, weights)
            learned.labels = self._learned.labels
            learned.model.forget(change)
            learned.model.record("forget", change.rows)
            self._adopt(learned)
        return self

    def merge(self, other: Any) -> Any:
        """Adds what another estimator of the same columns has learned."""
        check_is_fitted(self)
        check_is_fitted(other)
        if other.n_features_in_ != self.n_features_in_:
            raise ValueError(f"merge: {other.n_features_in_} columns there, {self.n_features_in_} here")
        with whole_or_not_at_all(self):
            learned = Learned(self._learned.model.copy(), self._learned.labels.copy(), self._form)
            added = other._learned.model.copy()
            self._made_alike(learned.model, added)
            learned.labels.add(other._learned.labels.classes)
            learned.model.merge(added)
            learned.model.record_merged(added)
            learned.model.record("merge", added.rows)
            self._adopt(learned)
        return self

    def _planned(self, target: str, X: Any, y: Any, weights: Any) -> _core.Model:
        names = self._column_names()
        family, parameters = self._blocks(names, X, y, weights)
        rule, shares = self._rule(names)
        kind = {"matrix": "number", "bag": "bag", "whole": "category"}[self._form]
        if self._form == "bag":
            columns: list[tuple[str, str, list[str]]] = [(BAG, kind, names)]
        else:
            columns = [(name, kind, []) for name in names]
        places = list(range(len(columns)))
        blocks = [(family, [place], parameters) for place in places] if self._form == "whole" else [
            (family, places, parameters)]
        while target in (name for name, _, _ in columns):
            target += "_"
        return _core.describe(target, columns, blocks, rule, "empirical", shares)

    def _change(self, learned: Learned, X: Any, y: Any, weights: Floats | None) -> _core.Model:
        """Rows learned apart, which the model then fits."""
        self._made_to_fit(learned.model, X)
        change = learned.model.empty()
        self._observe(change, learned, X, y, weights)
        return change

    def _observe(self, model: _core.Model, learned: Learned, X: Any, y: Any, weights: Floats | None) -> None:
        frame = self._frame(X, self._column_names())
        frame.set_labels(*learned.labels.encode(y))
        if weights is not None:
            frame.set_weights(weights)
        with self._refusing(X):
            model.learn(frame.open(model.target, []), self.threads)

    @contextmanager
    def _refusing(self, X: Any) -> Iterator[None]:
        """What the library refuses is refused in scikit-learn's words, where they say it."""
        try:
            yield
        except ValueError:
            self._refuse(X)
            raise

    def _refuse(self, X: Any) -> None:
        """What scikit-learn says of values that the library has found to be bad."""
        assert_all_finite(X, allow_nan=self._missing, estimator_name=type(self).__name__, input_name="X")

    def _learn(self, learned: Learned, X: Any, y: Any, weights: Floats | None, what: str) -> None:
        if what == "fit" and not learned.model.classes:
            self._made_to_fit(learned.model, X)
            self._observe(learned.model, learned, X, y, weights)
            rows = learned.model.rows
        else:
            change = self._change(learned, X, y, weights)
            learned.model.merge(change)
            rows = change.rows
        if not learned.model.classes:
            raise ValueError("every row has a sample weight of zero")
        learned.model.record(what, rows)
        self._adopt(learned)

    def _made_alike(self, model: _core.Model, other: _core.Model) -> None:
        """Makes two models have the same columns, before the one is added to the other."""

    def _adopt(self, learned: Learned) -> None:
        prior = self._prior()
        if not isinstance(prior, str):
            if len(prior) != len(learned.labels.classes):
                raise ValueError("Number of priors must match number of classes.")
            known = set(learned.model.classes)
            prior = {value: share for value, name, share in
                     zip(learned.labels.classes.tolist(), learned.labels.names(), prior) if name in known}
        set_prior(learned.model, prior, learned.labels)
        learned.model.rule = self._rule(self._column_names())[0]  # alpha may have changed since
        self._check_estimable(learned)
        super()._adopt(learned)
        self._read(learned)

    def _check_estimable(self, learned: Learned) -> None:
        """What cannot be estimated is refused before anything changes."""
        learned.scorer  # noqa: B018

    # Answers

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(c, x), a column for each of `classes_`."""
        return self._scores(X, exact=True)

    def _scores(self, X: Any, exact: bool = False) -> Floats:
        """log P(c, x), or up to what all classes share of a row: what a posterior needs."""
        learned: Learned | None = self.__dict__.get("_learned")
        if learned is not None and learned.scorer.reads_rows:
            rows = self._rows(X)
            if not sparse.issparse(rows):
                return learned.log_joint_of_rows(rows, self._missing, exact)
        return super().predict_joint_log_proba(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        learned = self.__dict__.get("_learned")
        if learned is not None:
            rows = self._rows(X)
            if learned.scorer.reads_rows and not sparse.issparse(rows):
                return np.asarray(learned.answers[learned.scorer.winners(rows, self._missing)])
            if rows.shape[0] > 256 and learned.answers is self.classes_:  # the first of equals is the same
                source = self._frame(rows, self._column_names()).open("", [])
                return np.asarray(self.classes_[learned.scorer.winners_of(source, self.threads)])
        winners = np.argmax(self._scores(X), axis=1)
        return np.asarray(self.classes_[winners])

    # Keeping

    @classmethod
    def from_model(cls, model: Model, labels: Callable[[str], Any] = str, **parameters: Any) -> Any:
        """A fitted estimator around a model that these parameters would make of the same rows."""
        result = cls(**parameters)
        core = model._core.copy()
        names = core.values[0] if cls._form == "bag" else core.columns
        plain = [f"{'' if cls._form == 'bag' else 'x'}{i}" for i in range(len(names))]
        result.n_features_in_ = len(names)
        if names != plain:
            result.feature_names_in_ = np.array(names, dtype=object)
        expected = result._planned(core.target, None, None, None)
        for what, found, wanted in (("columns", core.columns, expected.columns), ("rule", core.rule, expected.rule),
                                    ("blocks", core.blocks, expected.blocks)):
            if found != wanted:
                raise ValueError(f"the model's {what} are {found}; {result!r} has {wanted}")
        prior = result._prior()
        if isinstance(prior, str) and core.prior != prior:
            raise ValueError(f"the model's prior is {core.prior}; {result!r} has {prior}")
        result._adopt(Learned(core, labels_of(core, labels), cls._form))
        return result

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.array_api_support = False  # arrays are read where they lie, which must be in memory
        return tags


@lru_cache(maxsize=4)
def numbered(prefix: str, count: int) -> list[str]:
    """Names of columns that have none; nobody changes the list."""
    return [f"{prefix}{i}" for i in range(count)]


def checked_priors(priors: Any) -> Floats:
    """Shares of classes, or the error that scikit-learn's GaussianNB raises."""
    shares = np.array(priors, dtype=np.float64)
    if not np.isclose(shares.sum(), 1.0):
        raise ValueError("The sum of the priors should be 1.")
    if (shares < 0).any():
        raise ValueError("Priors must be non-negative.")
    return shares
