# SPDX-License-Identifier: Apache-2.0
"""What every estimator around a model answers, and how it is kept."""
from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credence import _core
from credence._explanation import Evidence, Explanation
from credence._labels import Labels
from credence._learned import Learned
from credence._model import Model
from credence._plot import Plots
from credence._tables import sample_as

Floats = NDArray[np.float64]


class Fitted:
    """Mixed into estimators. They have `_learned` when fitted, and `_open`, which makes rows of X a source."""

    _learned: Learned
    classes_: NDArray[Any]
    threads: int = 0

    def _open(self, X: Any) -> _core.Source:
        raise NotImplementedError

    def _adopt(self, learned: Learned) -> None:
        self._learned = learned
        self.classes_ = learned.labels.classes

    # Answers

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(c, x), a column for each of `classes_`."""
        source = self._open(X)
        return self._learned.log_joint(source, self.threads)

    def _scores(self, X: Any) -> Floats:
        """The same, or up to what all classes share of a row: what a posterior needs."""
        return self.predict_joint_log_proba(X)

    def predict_proba(self, X: Any) -> Floats:
        """P(c | x), a column for each of `classes_`; NaN where every class has probability 0."""
        return _core.posteriors(self._scores(X), self.threads)[0]

    def predict_log_proba(self, X: Any) -> Floats:
        """log P(c | x), also where P(c | x) is too small for a number."""
        joint = self._scores(X)
        with np.errstate(invalid="ignore"):
            return np.asarray(joint - self._evidence(joint)[:, np.newaxis])

    def score_samples(self, X: Any) -> Floats:
        """log p(x): how usual each row is."""
        return self._evidence(self.predict_joint_log_proba(X))

    def _evidence(self, joint: Floats) -> Floats:
        return _core.posteriors(joint, self.threads)[1]

    def explain(self, X: Any, against: Any = None) -> list[Explanation]:
        """For each row why it is of its class rather than of the second, or of `against`."""
        source = self._open(X)
        value = self._learned.answers.tolist()
        other = -1
        if against is not None:
            if against not in value:
                raise ValueError(f"against: no class {against!r}; the classes are {value}")
            other = value.index(against)
        return [
            Explanation(value[winner], value[second], log_odds, dict(zip(value, shares)), evidence,
                        tuple(Evidence(*line) for line in lines), because)
            for winner, second, log_odds, shares, evidence, lines, because
            in self._learned.scorer.explain(source, self.threads, other)]

    def sample(self, n_samples: int = 1, random_state: Any = 1) -> tuple[Any, NDArray[Any]]:
        """Rows drawn from the model, in the form of what it was fitted on, and their classes."""
        check_is_fitted(self)
        seed = random_state if isinstance(random_state, int) else (
            int(check_random_state(random_state).randint(2**31)))
        learned = self._learned
        columns, codes = learned.scorer.sample(n_samples, seed)
        features = learned.model.values[0] or [str(i) for i in range(getattr(self, "n_features_in_", 0))]
        X = sample_as(learned.form, learned.model.columns, columns, features)
        return X, np.asarray(learned.answers[np.asarray(codes, dtype=np.intp)])

    @property
    def plot(self) -> Plots:
        """Pictures of the model: `plot.density("age")` and others."""
        check_is_fitted(self)
        return Plots(self)

    # Keeping

    def to_model(self) -> Model:
        """The model, as files hold it."""
        check_is_fitted(self)
        return Model(self._learned.model.copy())

    def to_sql(self, dialect: str = "duckdb", table: str = "data") -> str:
        """A query for "duckdb", "postgres" or "spark" that scores rows where they are: `prediction`, and "P(…)" for each class."""
        return self.to_model().to_sql(dialect, table)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file that the command line reads too."""
        self.to_model().save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], labels: Callable[[str], Any] = str, **parameters: Any) -> Any:
        """Reads a model file. labels: what makes a class of its name, such as int."""
        return cls.from_model(Model.load(path), labels, **parameters)

    @classmethod
    def from_model(cls, model: Model, labels: Callable[[str], Any] = str, **parameters: Any) -> Any:
        """A fitted estimator around a model."""
        raise NotImplementedError

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learned")


def labels_of(model: _core.Model, convert: Callable[[str], Any]) -> Labels:
    """The classes of a model as the values that their names stand for."""
    result = Labels()
    result.add_new_names(model.classes, convert)
    return result
