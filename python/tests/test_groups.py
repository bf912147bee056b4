# SPDX-License-Identifier: Apache-2.0
"""Groups and time in cross-validation, tuning and calibration, against models that are fitted anew."""
import numpy as np
import pytest
from sklearn.metrics import log_loss
from sklearn.model_selection import LeaveOneGroupOut

from credence import BayesClassifier


@pytest.fixture
def visits():
    random = np.random.default_rng(5)
    groups = random.integers(0, 9, 120)
    y = np.where(random.random(120) < 0.8, groups % 2, 1 - groups % 2)
    X = np.column_stack([groups + 0.3 * random.normal(size=120), y + random.normal(size=120)])
    return X, y, groups


def refitted(X, y, splits):
    """log-loss and accuracy of rows judged by classifiers that never saw them."""
    truth, shares = [], []
    for learnt, judged in splits:
        model = BayesClassifier().fit(X[learnt], y[learnt])
        assert model.classes_.tolist() == [0, 1]
        truth.extend(y[judged])
        shares.extend(model.predict_proba(X[judged]))
    shares = np.array(shares)
    return log_loss(truth, shares), float(np.mean(shares.argmax(axis=1) == truth))


def in_time(time, parts):
    """Four equal parts: each but the first is judged by those before."""
    return [(np.flatnonzero(time < part), np.flatnonzero(time == part)) for part in range(1, parts)]


def test_groups_are_judged_by_models_that_never_saw_them(visits):
    X, y, groups = visits
    expected = refitted(X, y, LeaveOneGroupOut().split(X, y, groups))
    names = np.array([f"patient {g}" for g in groups])
    found = BayesClassifier().cross_validate(X, y, leave_one_out=True, groups=names)
    assert (found.log_loss, found.accuracy) == pytest.approx(expected)
    tuned = BayesClassifier(calibration="none").tune(X, y, tries=["rule: bayes | mle"], leave_one_out=True,
                                                      groups=groups)
    assert tuned.candidates[0]["log_loss"] == pytest.approx(expected[0])
    without = BayesClassifier().cross_validate(X, y, leave_one_out=True)
    assert without.log_loss < found.log_loss


def test_time_is_judged_by_what_came_before(visits):
    X, y, _ = visits
    time = np.arange(120) // 30
    expected = refitted(X, y, in_time(time, 4))
    dates = np.datetime64("2024-02-27") + 9 * time
    for values in (time, dates, [f"week {10 + t}" for t in time]):
        found = BayesClassifier().cross_validate(X, y, folds=3, time=values)
        assert found.rows == 90
        assert (found.log_loss, found.accuracy) == pytest.approx(expected)
    tuned = BayesClassifier().tune(X, y, tries=["rule: bayes | mle"], folds=3, time=dates)
    assert tuned.candidates[0]["accuracy"] == pytest.approx(expected[1])


def test_calibration_is_not_deceived_by_rows_that_are_alike(visits):
    X, y, groups = visits
    model = BayesClassifier().fit(X, y)
    trusting = model.calibrate(X, y).before["log_loss"]
    report = model.calibrate(X, y, folds=5, groups=groups)
    assert report.before["log_loss"] > trusting
    assert report.after["log_loss"] < report.before["log_loss"]
    assert model.calibrate(X, y, time=np.arange(120), folds=5).before["log_loss"] > 0


def test_a_column_of_the_table_groups_its_rows_and_is_not_learned_from(visits):
    pandas = pytest.importorskip("pandas")
    X, y, groups = visits
    frame = pandas.DataFrame({"a": X[:, 0], "patient": [f"p{g}" for g in groups], "b": X[:, 1]})
    of_column = BayesClassifier().cross_validate(frame, y, leave_one_out=True, groups="patient")
    beside = BayesClassifier().cross_validate(X, y, leave_one_out=True, groups=groups)
    assert of_column.log_loss == pytest.approx(beside.log_loss)
    model = BayesClassifier()
    model.tune(frame, y, tries=["rule: bayes | mle"], folds=4, groups="patient")
    assert "patient" not in model.to_model().columns
    model = BayesClassifier(blocks={"patient": "ignore"}).fit(frame, y)
    assert model.calibrate(frame, y, folds=5, groups="patient").before["log_loss"] > 0
    with pytest.raises(ValueError, match="patinet"):
        BayesClassifier().cross_validate(frame, y, groups="patinet")


def test_what_does_not_go_together_is_refused(visits):
    X, y, groups = visits
    with pytest.raises(ValueError, match="groups and time"):
        BayesClassifier().cross_validate(X, y, groups=groups, time=groups)
    with pytest.raises(ValueError, match="later"):
        BayesClassifier().cross_validate(X, y, time=groups, leave_one_out=True)
    with pytest.raises(ValueError, match="7 values for 120 rows"):
        BayesClassifier().cross_validate(X, y, groups=groups[:7])
    with pytest.raises(ValueError, match="row 3 has no value"):
        BayesClassifier().cross_validate(X, y, time=[1.0, 2.0, 3.0, float("nan")] * 30)
