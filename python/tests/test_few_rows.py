# SPDX-License-Identifier: Apache-2.0
"""A few rows of plain numbers take a short way; the answers are those of the long one. And watched learning."""
import numpy as np
import pytest
from sklearn.datasets import load_iris

import credence
from credence import BayesClassifier


def long_way(model, X):
    """A list is no array, so that it goes through a table."""
    return model.predict_joint_log_proba([list(row) for row in X])


@pytest.mark.parametrize("parameters", [
    {}, {"model": "lda"}, {"model": "qda"}, {"rule": "mle"}, {"blocks": {"x1": "ignore"}},
    {"blocks": {"x0": "histogram", "x2": "kernel", "x3": "mixture(2)"}}, {"blocks": {"x0, x1": "bernoulli"}},
    {"blocks": {"x0": "categorical"}}, {"blocks": {"x*": "poisson"}}])
def test_the_short_way_gives_the_same_bits(parameters):
    X, y = load_iris(return_X_y=True)
    X = np.round(X)
    model = BayesClassifier(**parameters).fit(X, y)
    gaps = X.copy()
    gaps[::3, 2] = np.nan
    for rows in (X, gaps):
        np.testing.assert_array_equal(model.predict_joint_log_proba(rows), long_way(model, rows))
        np.testing.assert_array_equal(np.vstack([model.predict_joint_log_proba(row[None]) for row in rows[:20]]),
                                      long_way(model, rows[:20]))


def test_the_short_way_knows_classes_that_have_no_rows_and_come_late():
    X, y = load_iris(return_X_y=True)
    model = BayesClassifier().partial_fit(X[y > 0], y[y > 0], classes=[0, 1, 2])
    assert (model.predict_joint_log_proba(X[:2])[:, 0] == -np.inf).all()
    model.partial_fit(X[y == 0], y[y == 0])
    np.testing.assert_array_equal(model.predict_joint_log_proba(X), long_way(model, X))
    assert model.predict(X[:1]).tolist() == [0]


def test_what_is_refused_is_named_on_the_short_way_too():
    X, y = load_iris(return_X_y=True)
    model = BayesClassifier(blocks={"x0": "poisson"}).fit(np.round(X), y)
    for value, says in ((np.inf, "is not a finite number"), (-1.0, "it is below 0"), (1.5, "not a whole number")):
        row = np.round(X[:1])
        row[0, 0] = value
        with pytest.raises(ValueError, match=says):
            model.predict(row)
    with pytest.raises(ValueError, match="X has 3 features"):
        model.predict(X[:1, :3])


def test_learning_can_be_watched(capsys, tmp_path):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50_000, 3)), rng.integers(0, 2, 50_000)
    watched, plain = BayesClassifier(progress=True).fit(X, y), BayesClassifier().fit(X, y)
    shown = capsys.readouterr()
    assert "of 50,000 rows" in shown.err and shown.err.endswith("\r") and shown.out == ""
    assert watched.to_model().to_bytes() == plain.to_model().to_bytes()
    file = tmp_path / "x.csv"
    np.savetxt(file, np.column_stack([X, y]), delimiter=",", header="a,b,c,kind", comments="")
    BayesClassifier(progress=True).fit(credence.read(file), "kind")
    assert "MB" in capsys.readouterr().err


def test_an_error_of_whoever_watches_ends_learning():
    """Such as a key that interrupts it."""
    from credence import _core

    X, y = load_iris(return_X_y=True)
    model = BayesClassifier().fit(X, y)
    frame = _core.Frame()
    frame.add_matrix([f"x{i}" for i in range(4)], X)
    frame.set_labels(y.astype(np.int32), ["0", "1", "2"])

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model._learned.model.empty().learn(frame.open("class", []), 2, stop)
