# SPDX-License-Identifier: Apache-2.0
"""Calibration, novelty and tuning: what is learned from rows held out."""
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_score

from credence import BayesClassifier


@pytest.fixture
def halves():
    X, y = load_breast_cancer(return_X_y=True)
    half = np.arange(len(y)) % 2 == 0
    return X[half], y[half], X[~half], y[~half]


@pytest.mark.parametrize("method", ["temperature", "platt", "isotonic"])
def test_calibration_lowers_the_log_loss_of_rows_never_seen(halves, method):
    X, y, other, truth = halves
    model = BayesClassifier(calibration="none").fit(X, y)
    before = log_loss(truth, model.predict_proba(other))
    plain = model.predict_proba(other)
    report = model.calibrate(X, y, method=method)
    assert report.after["log_loss"] < report.before["log_loss"]
    assert log_loss(truth, model.predict_proba(other)) < before
    model.calibrate(method="none")
    np.testing.assert_array_equal(model.predict_proba(other), plain)


def test_temperature_never_changes_a_decision(halves):
    X, y, other, _ = halves
    model = BayesClassifier(calibration="none").fit(X, y)
    decided = model.predict(other)
    model.calibrate(X, y)
    np.testing.assert_array_equal(model.predict(other), decided)


def test_rows_unlike_all_others_are_novel_and_their_columns_named():
    X, y = load_iris(return_X_y=True)
    model = BayesClassifier(model="qda").fit(X, y)
    model.calibrate(X, y, method="none", novelty=True)
    strange = X[:1].copy()
    strange[0, 1] = 40.0
    assert model.novelty(strange)[0] < 0.01
    assert model.strange_columns(strange)[0][0] == "x1"
    assert np.median(model.novelty(X)) > 0.3


def test_novelty_needs_to_have_been_asked_for():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="novelty"):
        BayesClassifier().fit(X, y).novelty(X)
    with pytest.raises(NotFittedError):
        BayesClassifier().calibrate(X, y)


def test_tuning_takes_the_candidate_of_least_log_loss_and_becomes_it():
    X, y = load_iris(return_X_y=True)
    model = BayesClassifier()
    tuning = model.tune(X, y, tries=["rule: bayes=0.1 | bayes=1 | bayes=10", "trust: off | on"])
    assert len(tuning.candidates) == 6
    assert tuning.best["log_loss"] == min(one["log_loss"] for one in tuning.candidates)
    found = BayesClassifier(rule=tuning.best["rule"]).cross_validate(X, y)
    if tuning.best["trust"] == "off":
        assert found.log_loss == pytest.approx(tuning.best["log_loss"], rel=1e-9)
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_the_best_model_is_the_one_that_the_program_finds(load, command_line, tmp_path):
    X, y = load(return_X_y=True)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])]).assign(kind=y)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    command_line("fit", "rows.csv", "--target", "kind", "--best", "--quiet", "-o", "best.credence")
    model = BayesClassifier(best=True).fit(frame, "kind")
    assert model.to_model().to_bytes() == (tmp_path / "best.credence").read_bytes()
    assert [f"{name}: {family}" for name, family, _ in model.columns_ if family != "target"] == model.to_model().blocks


def test_rows_of_an_array_are_calibrated_by_as_those_of_a_frame_are():
    random = np.random.default_rng(3)
    y = random.integers(0, 2, 400)
    x = random.normal(y, 1.0)
    X = np.column_stack([x, x, x + 1e-3 * random.normal(size=400)])  # the same three times: too sure
    of_array = BayesClassifier().fit(X, y).predict_proba(X)
    of_frame = BayesClassifier().fit(pd.DataFrame(X, columns=["x0", "x1", "x2"]).assign(word="same"), y)
    plain = BayesClassifier(calibration="none").fit(X, y).predict_proba(X)
    np.testing.assert_allclose(of_array, of_frame.predict_proba(pd.DataFrame(X, columns=["x0", "x1", "x2"]).assign(word="same")), rtol=1e-9)
    assert log_loss(y, of_array) < log_loss(y, plain) - 0.05


def test_the_best_model_is_an_estimator_like_any_other():
    X, y = load_iris(return_X_y=True)
    model = clone(BayesClassifier(best=True)).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2] and model.score(X, y) > 0.95
    names = np.array(["setosa", "versicolor", "virginica"])
    assert BayesClassifier(best=True).fit(X, names[y]).predict(X[:1]).tolist() == ["setosa"]
    assert cross_val_score(BayesClassifier(best=True), X, y, cv=3).mean() > 0.93


def test_tuning_without_tries_becomes_the_best_model():
    X, y = load_iris(return_X_y=True)
    tuned, best = BayesClassifier(), BayesClassifier(best=True).fit(X, y)
    tuning = tuned.tune(X, y)
    assert len(tuning.candidates) > 2 and tuning.best in tuning.candidates
    np.testing.assert_array_equal(tuned.predict_proba(X), best.predict_proba(X))
    quick = BayesClassifier().tune(X, y, effort="quick")
    assert len(quick.candidates) <= len(tuning.candidates)


def test_what_cannot_be_tuned_or_calibrated_is_said_in_one_line():
    X, y = load_iris(return_X_y=True)
    model = BayesClassifier().fit(X, y)
    for attempt in (lambda: model.tune(X, y, tries=["nothing"]),
                    lambda: model.tune(X, y, tries=["no_such: gaussian | kernel"]),
                    lambda: model.tune(X, y, by="beauty"),
                    lambda: model.tune(X, y, by="cost"),
                    lambda: model.tune(X, y, effort="much"),
                    lambda: BayesClassifier(best=True).partial_fit(X, y),
                    lambda: BayesClassifier(best=True).cross_validate(X, y),
                    lambda: BayesClassifier(best=True, prior=[0.2, 0.3, 0.5]).fit(X, y),
                    lambda: model.calibrate(X, y, method="magic"),
                    lambda: model.calibrate(X[:50], y[:50])):
        with pytest.raises(ValueError) as caught:
            attempt()
        assert "\n" not in str(caught.value)


def test_every_change_leaves_an_entry_in_the_journal():
    X, y = load_iris(return_X_y=True)
    model = BayesClassifier().fit(X, y)
    model.forget(X[:10], y[:10]).partial_fit(X[:10], y[:10]).merge(BayesClassifier().fit(X, y))
    history = model.to_model()._core.history
    assert history == [("fit", 150), ("forget", 10), ("update", 10), ("fit", 150), ("merge", 150)]
