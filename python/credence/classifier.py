# SPDX-License-Identifier: Apache-2.0
"""BayesClassifier: the whole model, as a scikit-learn estimator."""
from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from credence import _core, _settings
from credence._evaluation import (CrossValidation, cross_validation, folds_of,
                                  without_column)
from credence._files import Files
from credence._fitted import Fitted, Floats, labels_of
from credence._judging import Judging
from credence._labels import Labels, checked, converter
from credence._learned import Learned
from credence._model import Model
from credence._page import page
from credence._progress import Bar
from credence._rows import Rows, known_table, training_rows


class BayesClassifier(Judging, Fitted, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learns what each class looks like and decides by Bayes' rule.

    X may be a data frame (pandas, polars, pyarrow, anything with `__arrow_c_stream__`), a numpy
    array, a sparse matrix (a bag of counts), a list of texts, or `credence.read(...)`. Missing
    values are left out of account. y is the class of every row, or the name of X's column that
    holds it.

    Parameters
    ----------
    blocks : dict, e.g. {"age, income": "gaussian(full)", "notes": "text", "id": "ignore"}
        Families of columns; the rest is told from the data.
    model : "naive", "lda" or "qda"
        Whether numbers are modelled each alone, or together with one covariance or one per class.
    rule : "bayes", "mle", "unbiased", "map", "m-estimate=m", "laplace=a"
        How counts and sums become parameters.
    prior : "usual", "empirical", "uniform", "tempered", "smoothed", a dictionary of classes, or shares in their order
    values : dict, e.g. {"size": ["small", "large"]}
        All words a column may have.
    shares : dict, e.g. {"size": {"small": 0.3, "large": 0.7}}
        The p of the m-estimate.
    unseen : "ignore" or "reserve"
        Words never seen are no evidence, or one imaginary value.
    costs : dict of dicts [truth][decision], array, or the path of a CSV file
    reject : float
        No label (None) below this probability.
    calibration : "auto" or "none"
        Whether `fit` calibrates by some of its rows, held out, where that helps.
    missing : sequence of str
        Words that mean "no value"; without it "", NA, ?, NaN and null.
    threads : int
        0: one per core. The result does not depend on it.
    progress : bool
        Shows on stderr how far learning is.
    best : bool
        `fit` chooses families, which columns go together, strengths and trust by rows held out, as
        `credence fit --best` does; `tune` does the same and says what was tried.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn
    columns_ : list of (column, family, reason)
        How each column is used, and why where nobody said so.

    >>> import numpy as np
    >>> from credence import BayesClassifier
    >>> rows = np.array([["sunny", "hot"], ["rain", "cool"], ["rain", "mild"], ["sunny", "cool"]])
    >>> model = BayesClassifier(rule="laplace=1").fit(rows, ["no", "yes", "yes", "no"])
    >>> model.predict(np.array([["rain", "hot"]])).tolist()
    ['yes']
    >>> print(model.explain(np.array([["rain", "hot"]]))[0])
    yes rather than no: P = 0.6
      prior           +0.0000
      x0        rain  +1.0986
      x1        hot   -0.6931
      log-odds        +0.4055
    """

    def __init__(self, *, blocks: Any = None, model: str = "naive", rule: str = "bayes",
                 prior: Any = "usual", values: Any = None, shares: Any = None,
                 unseen: str = "ignore", costs: Any = None, reject: float = 0.0,
                 calibration: str = "auto", missing: Any = None, threads: int = 0, progress: bool = False,
                 best: bool = False) -> None:
        self.blocks = blocks
        self.model = model
        self.rule = rule
        self.prior = prior
        self.values = values
        self.shares = shares
        self.unseen = unseen
        self.costs = costs
        self.reject = reject
        self.calibration = calibration
        self.missing = missing
        self.threads = threads
        self.progress = progress
        self.best = best

    # Learning

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> BayesClassifier:
        """Learns the rows of X anew. y: classes, or the name of the column that holds them."""
        if self.calibration not in ("auto", "none"):
            raise ValueError(f'calibration="{self.calibration}": "auto" or "none" is wanted (see calibrate)')
        if self.best:
            self._fit_best(X, y, sample_weight)
        else:
            self._adopt(self._learn_anew(X, y, sample_weight, calibrated=self.calibration == "auto"))
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None,
                    sample_weight: Any = None) -> BayesClassifier:
        """Learns more rows. Classes may come late, so `classes` is never needed."""
        if not hasattr(self, "_learned"):
            learned = self._learn_anew(X, y, sample_weight)
        else:
            learned = self._learned
            change, labels = self._change(X, y, sample_weight)
            learned.model.merge(change)
            learned.model.record("update", change.rows)
            self._changed(labels)
        if classes is not None:
            learned.labels.add(np.unique(np.asarray(classes)))
        self._adopt(learned)
        return self

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> BayesClassifier:
        """Takes rows away again, exactly; what was never learned is refused, and so is all that was."""
        check_is_fitted(self)
        change, _ = self._change(X, y, sample_weight)
        rest = self._learned.model
        if change.rows >= rest.rows:
            rest = rest.copy()
        rest.forget(change)
        if not rest.classes:
            raise ValueError("nothing would be left: fit another model instead (this one is unchanged)")
        self._learned.model = rest
        self._learned.model.record("forget", change.rows)
        self._changed()
        return self

    def merge(self, other: BayesClassifier | Model) -> BayesClassifier:
        """Adds what another classifier of the same columns has learned."""
        check_is_fitted(self)
        labels = self._learned.labels.copy()
        if isinstance(other, BayesClassifier):
            check_is_fitted(other)
            labels.add(other._learned.labels.classes)
            added = other._learned.model
        else:
            labels.add_new_names(other.classes, str)
            added = other._core
        rows = added.rows
        self._learned.model.merge(added)
        self._learned.model.record_merged(added)
        self._learned.model.record("merge", rows)
        self._changed(labels)
        self._adopt(self._learned)
        return self

    def adapt(self, X: Any) -> BayesClassifier:
        """Takes over the class shares of rows without labels, when classes come as before but in
        other shares. They become `prior_`."""
        check_is_fitted(self)
        found = _core.adapt(self._learned.model, self._open(X), self.threads)
        names = self._learned.scorer.classes
        self._learned.model.set_shares(list(zip(names, found.after)))
        self._learned.model.record("adapt", found.rows)
        self._learned.changed()
        return self

    def _changed(self, labels: Labels | None = None) -> None:
        """To be called when rows have come or gone: a prior that adapt or somebody gave is one over the classes that are there."""
        self._learned.model.complete_prior()
        self._learned.changed(labels)

    @property
    def prior_(self) -> Floats:
        """The shares that adapt found or `prior` gave, in the order of `classes_`."""
        shares = self._learned.model.shares
        if not shares:
            raise AttributeError("prior_: the class shares are those of the rows (see adapt)")
        result = np.zeros(len(self.classes_))
        result[self._learned.labels.places([name for name, _ in shares])] = [share for _, share in shares]
        return result

    def _missing(self) -> list[str]:
        return _core.missing_words() if self.missing is None else list(self.missing)

    def _learn_anew(self, X: Any, y: Any, sample_weight: Any, calibrated: bool = False) -> Learned:
        labels = Labels()
        rows = self._rows(X, y, sample_weight, labels)
        model, columns = _settings.plan(rows.source, rows.target, rows.weights,
                                        self.get_params(deep=False), self._missing())
        sample = _core.RowSample() if calibrated else None
        self._watched_learning(model, rows, sample)
        if not model.classes:
            raise ValueError(f'column "{rows.target}": no class at all')
        labels.add_new_names(model.classes, converter(rows.kind))
        _settings.set_prior(model, self.prior, labels)
        model.record("fit", model.rows)
        Learned(model, labels, rows.form).scorer  # a rule that has nothing to go on is refused before anything changes
        if sample is not None and len(model.classes) > 1:
            _core.calibrate_by_sample(model, sample, self.threads)
        learned = Learned(model, labels, rows.form)
        self._describe(rows)
        self.columns_ = columns
        return learned

    def _change(self, X: Any, y: Any, sample_weight: Any) -> tuple[_core.Model, Labels]:
        """Rows learned apart, and the classes there are with them."""
        labels = self._learned.labels.copy()
        rows = self._rows(X, y, sample_weight, labels, self._learned)
        change = self._learned.model.empty()
        self._watched_learning(change, rows)
        labels.add_new_names(change.classes, converter(rows.kind))
        return change, labels

    def _watched_learning(self, model: _core.Model, rows: Rows,
                          sample: _core.RowSample | None = None) -> None:
        if not self.progress:
            model.learn(rows.source, self.threads, sample=sample)
            return
        bar = Bar(rows.table.frame.rows if rows.table is not None else None)
        try:
            model.learn(rows.source, self.threads, bar, sample)
        finally:
            bar.close()

    def _describe(self, rows: Rows) -> None:
        """Sets what scikit-learn wants to know of X. Of files it is not known."""
        for name in ("feature_names_in_", "n_features_in_"):
            if hasattr(self, name):
                delattr(self, name)
        if rows.table is None:
            return
        self.n_features_in_ = rows.table.width
        if rows.table.names is not None:
            apart = (rows.target, rows.weights)
            names = [name for name in rows.table.names if name not in apart]
            self.feature_names_in_ = np.array(names, dtype=object)
            self.n_features_in_ = len(names)

    def _rows(self, X: Any, y: Any, sample_weight: Any, labels: Labels,
              learned: Learned | None = None) -> Rows:
        return training_rows(self, X, y, sample_weight, labels, learned, self._missing())

    # Answering

    def _open(self, X: Any) -> _core.Source:
        """The rows of X, to be scored."""
        check_is_fitted(self)
        missing = self._learned.model.missing
        if isinstance(X, Files):
            return X.open(missing)
        return known_table(self, X, self._learned).frame.open("", missing)

    def _labelled(self, X: Any, y: Any) -> _core.Source:
        """The rows of X with their classes, to be judged."""
        return self._rows(X, y, None, self._learned.labels.copy(), self._learned).source

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(c, x), a column for each of `classes_`."""
        if self._is_small_array(X):
            found = self._learned.log_joint_of_numbers(X)
            if found is not None:
                return found
        return super().predict_joint_log_proba(X)

    def _is_small_array(self, X: Any) -> bool:
        """Whether X is a few rows in the very form that was learned: nothing needs checking then."""
        return (type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and 0 < len(X) <= 256
                and X.flags.c_contiguous and hasattr(self, "_learned") and self._learned.form == "array"
                and X.shape[1] == self.n_features_in_)

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class, or that of least expected cost; None where none is given."""
        joint = self.predict_joint_log_proba(X)
        of, reject = _settings.cost_matrix(self.costs, self._learned.labels)
        found = _core.decide(joint, float(self.reject), of, reject, self.threads)
        if found.size and found.min() < 0:
            labels = np.empty(len(self.classes_) + 1, dtype=object)  # the last one stays None
            labels[:-1] = self.classes_
            return np.asarray(labels[found])
        return np.asarray(self.classes_[found])

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of rows whose class is predicted. y may be a column's name, as in `fit`."""
        if isinstance(X, Files) or y is None or isinstance(y, str):
            check_is_fitted(self)
            rows = self._rows(X, y, sample_weight, self._learned.labels.copy(), self._learned)
            return float(_core.evaluate(self._learned.scorer, rows.source, self.threads).accuracy)
        truth = checked(y)
        hits = self.predict(X) == truth
        return float(np.average(hits, weights=sample_weight))

    def cross_validate(self, X: Any, y: Any = None, *, folds: int = 10, leave_one_out: bool = False,
                       stratified: bool = True, random_state: int = 1,
                       sample_weight: Any = None, groups: Any = None,
                       time: Any = None) -> CrossValidation:
        """Cross-validates without fitting again: a fold is subtracted from the whole.

        `groups` and `time` are values for the rows, or the name of a column of X that is not
        learned from unless `blocks` names it. Rows of one group are in one fold; with `time`, each
        part of the rows is judged by what came before.
        """
        labels = Labels()
        rows = self._rows(X, y, sample_weight, labels)
        settings = self.get_params(deep=False)
        settings["blocks"] = without_column(self.blocks, time if groups is None else groups)
        model, _ = _settings.plan(rows.source, rows.target, rows.weights, settings,
                                  self._missing())
        if labels.classes.size:  # else they are known only when all rows are read
            _settings.set_prior(model, self.prior, labels)
        how = folds_of(folds, leave_one_out, stratified, random_state, groups, time)
        found = _core.cross_validate(model, rows.source, how, self.threads)
        labels.add_new_names(found.all.labels, converter(rows.kind))
        return cross_validation(found, labels)

    # Keeping

    @classmethod
    def from_model(cls, model: Model, labels: Callable[[str], Any] = str, **parameters: Any) -> BayesClassifier:
        """A fitted classifier around a model, which knows the columns it needs but not those that
        fit ignored: frames are read by name, and arrays have its columns in their order."""
        core = model._core.copy()
        form = {"text": "text", "bag": "sparse"}.get(core.kinds[0], "frame")
        result = cls(**{**_settings.read_from(core), **parameters})
        result._adopt(Learned(core, labels_of(core, labels), form if len(core.kinds) == 1 else "frame"))
        return result

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def _repr_html_(self) -> str:
        if not hasattr(self, "_learned"):
            return f"<pre>{escape(repr(self))}</pre>"
        labels = self._learned.labels
        return page(type(self).__name__, self.to_model(), zip(labels.classes, labels.names()))
