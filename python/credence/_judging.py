# SPDX-License-Identifier: Apache-2.0
"""What BayesClassifier learns from rows held out: calibration, novelty, settings."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from credence import _core, _settings
from credence._evaluation import folds_of, without_column
from credence._labels import Labels, converter
from credence._learned import Learned
from credence._rows import Rows

METHODS = ("temperature", "platt", "isotonic", "none")


@dataclass(frozen=True)
class Calibrated:
    """Measures on the rows that a calibration was fitted to, before and after."""

    before: dict[str, float]
    after: dict[str, float]


@dataclass(frozen=True)
class Tuning:
    """What was tried, and which candidate was taken."""

    axes: list[str]
    candidates: list[dict[str, Any]]  # the choice of every axis, accuracy, log_loss, cost, (macro_f1, roc_auc,) failure
    best: dict[str, Any]
    trust: dict[str, float]  # in the blocks


def _figures(metrics: _core.Metrics) -> dict[str, float]:
    return {"accuracy": metrics.accuracy, "log_loss": metrics.log_loss, "brier": metrics.brier,
            "ece": metrics.ece}


class Judging:
    """Mixed into BayesClassifier."""

    def calibrate(self: Any, X: Any = None, y: Any = None, *, method: str = "temperature",
                  novelty: bool = False, held_out: bool = False, folds: int = 10,
                  leave_one_out: bool = False, random_state: int = 1,
                  sample_weight: Any = None, groups: Any = None,
                  time: Any = None) -> Calibrated | None:
        """Makes probabilities mean what they say, from rows held out by subtraction.

        X and y are the rows that were learned, or, with `held_out=True`, others. `method` is
        "temperature", "platt" or "isotonic"; "none" removes the calibration. `novelty=True` also
        keeps what evidence is usual, for `novelty`. Rows of one of the `groups` are held out
        together; with `time`, each part of the rows is judged by what came before. Both are values
        for the rows, or the name of a column of X.

        >>> from credence import BayesClassifier
        >>> X, y = [[0.0], [1.0], [2.0], [1.5], [3.0], [4.0]], ["a", "a", "a", "b", "b", "b"]
        >>> model = BayesClassifier().fit(X, y)
        >>> report = model.calibrate(X, y, leave_one_out=True)
        >>> report.after["log_loss"] <= report.before["log_loss"]
        True
        """
        check_is_fitted(self)
        if method not in METHODS:
            raise ValueError(f"method: {method!r} is none of {', '.join(METHODS)}")
        if method == "none":
            _core.remove_calibration(self._learned.model)
        report = None
        if method != "none" or novelty:
            rows = self._rows(X, y, sample_weight, self._learned.labels, self._learned)
            report = _core.calibrate(self._learned.model, rows.source,
                                     "" if method == "none" else method, novelty, held_out,
                                     folds_of(folds, leave_one_out, True, random_state, groups, time),
                                     self.threads)
        self._learned.model.record("calibrate", 0 if report is None else report.before.rows)
        self._learned.changed()
        if report is None or method == "none":
            return None
        return Calibrated(_figures(report.before), _figures(report.after))

    def novelty(self: Any, X: Any) -> NDArray[np.float64]:
        """For every row the share of rows learned that were as unusual or more: a p-value.

        Needs `calibrate(..., novelty=True)`.
        """
        return np.asarray(self._novelty(X, 0.0)[0])

    def strange_columns(self: Any, X: Any, below: float = 0.05) -> list[list[str]]:
        """For rows whose p-value is below `below` the columns that are strange, at most three."""
        return list(self._novelty(X, below)[1])

    def _novelty(self: Any, X: Any, below: float) -> tuple[NDArray[np.float64], list[list[str]]]:
        check_is_fitted(self)
        learned = self._learned
        p_values, columns = _core.novelty(learned.model, learned.scorer, self._open(X), below,
                                          self.threads)
        return p_values, columns

    def tune(self: Any, X: Any, y: Any = None, *, tries: Sequence[str] = (), by: str = "log-loss",
             folds: int = 10, random_state: int = 1, sample_weight: Any = None,
             leave_one_out: bool = False, groups: Any = None, time: Any = None,
             effort: str = "normal") -> Tuning:
        """Chooses settings by cross-validation without refitting, and becomes the chosen model.

        `tries` are lines such as "rule: bayes=0.1 | bayes=1", "age: gaussian | kernel",
        "prior: empirical | uniform", "trust: off | on"; every combination is tried. Without any:
        the automatic choice, on which "quick", "normal" or "thorough" `effort` is spent. `by` is
        "log-loss", "accuracy", "cost", "f1" (the mean over the classes) or "auc".
        `groups` and `time` are as in `calibrate`; a column that they name is not learned from
        unless `blocks` names it.

        >>> from credence import BayesClassifier
        >>> X, y = [[0.0], [1.0], [2.0], [1.5], [3.0], [4.0]], ["a", "a", "a", "b", "b", "b"]
        >>> tuning = BayesClassifier().tune(X, y, tries=["rule: bayes=0.1 | bayes=1"], folds=3)
        >>> len(tuning.candidates)
        2
        """
        of: list[float] = []
        reject = float("inf")
        labels = Labels()
        rows = self._rows(X, y, sample_weight, labels)
        if self.costs is not None:
            of, reject = _settings.cost_matrix(self.costs, labels)
        if by == "cost" and not of:
            raise ValueError("by: 'cost' needs the costs of decisions (costs=...)")
        calibrated = by == "log-loss" and self.calibration == "auto"
        choosing = _core.Choosing(list(tries), by, effort, of, reject, fewer_folds=False, calibrated=calibrated)
        found = self._choose(rows, labels, choosing,
                             folds_of(folds, leave_one_out, True, random_state, groups, time),
                             without_column(self.blocks, time if groups is None else groups), "tune")
        candidates = [
            {**dict(zip(found.axes, choices)), "accuracy": accuracy, "log_loss": log_loss,
             "cost": cost, **({"macro_f1": f1} if by == "f1" else {}), **({"roc_auc": auc} if by == "auc" else {}),
             "failure": failure}
            for choices, accuracy, log_loss, cost, f1, auc, failure in found.tried]
        return Tuning(found.axes, candidates, candidates[found.best], dict(found.trust))

    def _fit_best(self: Any, X: Any, y: Any, sample_weight: Any) -> None:
        """What `credence fit --best` does."""
        labels = Labels()
        rows = self._rows(X, y, sample_weight, labels)
        choosing = _core.Choosing([], "log-loss", "normal", [], float("inf"), fewer_folds=True,
                                  calibrated=self.calibration == "auto")
        self._choose(rows, labels, choosing, folds_of(10, False, True, 1, None, None), self.blocks, "fit")

    def _choose(self: Any, rows: Rows, labels: Labels, choosing: _core.Choosing, folds: _core.Folds,
                blocks: Any, what: str) -> _core.Tuned:
        """Becomes the chosen model."""
        if not isinstance(self.prior, str):
            raise ValueError(f"prior: {self.prior!r}: the prior is chosen as well; give one by its name")
        # What is usual rules nothing out; a model that was asked for does.
        settings = {**self.get_params(deep=False), "blocks": blocks, "model": "" if self.model == "naive" else self.model}
        wishes = _settings.wishes(rows.target, rows.weights, settings, self._missing())
        found = _core.tune(rows.source, wishes, choosing, folds, self.threads)
        labels.add_new_names(found.model.classes, converter(rows.kind))
        found.model.record(what, found.model.rows)
        self._describe(rows)
        self.columns_ = found.columns
        self._adopt(Learned(found.model, labels, rows.form))
        return found
