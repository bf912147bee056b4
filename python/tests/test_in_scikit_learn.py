# SPDX-License-Identifier: Apache-2.0
"""Every estimator as a part of what scikit-learn builds of estimators."""
import pickle
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.ensemble import VotingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

import credence
from credence.text import Tokenizer

ESTIMATORS = [credence.BayesClassifier, credence.GaussianNB, credence.MultinomialNB, credence.ComplementNB,
              credence.BernoulliNB, credence.CategoricalNB, credence.PoissonNB, credence.LinearDiscriminantAnalysis,
              credence.QuadraticDiscriminantAnalysis, credence.MixtureDiscriminantAnalysis]
of_every_estimator = pytest.mark.parametrize("make", ESTIMATORS, ids=lambda make: make.__name__)


def flowers():
    """Whole numbers from 0 on: what every estimator takes."""
    X, y = load_iris(return_X_y=True)
    return np.round(10 * X), np.array(["setosa", "versicolor", "virginica"])[y]


@of_every_estimator
def test_a_pickle_predicts_the_same(make):
    X, y = flowers()
    model = make().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X) == model.predict(X)).all()
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@of_every_estimator
def test_it_claims_no_arrays_but_those_in_memory(make):
    assert not sklearn.utils.get_tags(make()).array_api_support


@of_every_estimator
def test_a_pickle_learns_on(make):
    X, y = flowers()
    model = make().fit(X[::2], y[::2])
    if not hasattr(model, "partial_fit"):
        pytest.skip("learns all at once")
    again = pickle.loads(pickle.dumps(model))
    for each in (model, again):
        each.partial_fit(X[1::2], y[1::2])
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@of_every_estimator
def test_a_pickle_that_is_cut_short_is_refused(make):
    """By pickle itself, which meets the end of the data before anything of ours is asked."""
    X, y = flowers()
    data = pickle.dumps(make().fit(X, y))
    for length in (0, 1, len(data) // 2, len(data) - 1):
        with pytest.raises((pickle.UnpicklingError, EOFError, ValueError)) as info:
            pickle.loads(data[:length])
        assert "\n" not in str(info.value)


@of_every_estimator
def test_a_pickle_whose_numbers_are_cut_short_is_a_value_error(make):
    X, y = flowers()
    learned = make().fit(X, y)._learned
    state = learned.__getstate__()
    state["model"] = state["model"][:-8]
    with pytest.raises(ValueError, match="pickle"):
        type(learned).__new__(type(learned)).__setstate__(state)


@of_every_estimator
def test_a_clone_is_not_fitted_and_has_the_same_parameters(make):
    X, y = flowers()
    model = make().fit(X, y)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    with pytest.raises(sklearn.exceptions.NotFittedError):
        copy.predict(X)


@of_every_estimator
def test_names_of_columns_are_kept_and_checked(make):
    X, y = flowers()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = make().fit(frame, y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert (model.predict(frame) == make().fit(X, y).predict(X)).all()
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame.rename(columns={"a": "e"}))


@of_every_estimator
def test_it_stands_at_the_end_of_a_pipeline(make):
    X, y = flowers()
    pipeline = make_pipeline(ColumnTransformer([("two", "passthrough", [0, 2])]), make())
    assert pipeline.fit(X, y).score(X, y) > (0.9 if make is credence.GaussianNB else 0.3)
    assert pipeline[-1].n_features_in_ == 2


@of_every_estimator
def test_its_probabilities_can_be_calibrated(make):
    X, y = flowers()
    calibrated = CalibratedClassifierCV(make(), cv=3).fit(X, y)
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1, rtol=1e-9)


@of_every_estimator
def test_two_processes_cross_validate_as_one_does(make):
    X, y = flowers()
    np.testing.assert_array_equal(cross_val_score(make(), X, y, cv=3, n_jobs=2), cross_val_score(make(), X, y, cv=3))


@of_every_estimator
def test_weights_are_routed_to_it(make):
    X, y = flowers()
    weights = np.where(y == "setosa", 0.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        model = make().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        found = cross_validate(model, X, y, cv=3, params={"sample_weight": weights}, return_estimator=True)
    rows = X[y != "setosa"]
    for fitted in found["estimator"]:
        assert "setosa" not in fitted.predict(rows)


def test_parameters_are_found_by_a_grid():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(credence.GaussianNB(), {"var_smoothing": [1e-9, 1.0, 1e3]}, n_jobs=2).fit(X, y)
    assert search.best_params_ == {"var_smoothing": 1e-9}
    search = GridSearchCV(credence.BayesClassifier(), {"model": ["naive", "lda", "qda"]}, cv=5).fit(X, y)
    assert search.best_score_ > 0.97 and search.best_params_["model"] != "naive"


def test_mixed_columns_go_through_a_column_transformer():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"size": rng.normal(size=300), "colour": rng.choice(["red", "blue"], 300)})
    y = np.where(frame["colour"] == "red", frame["size"] > 0, frame["size"] > 1)
    prepared = ColumnTransformer([("number", StandardScaler(), ["size"]), ("word", OrdinalEncoder(), ["colour"])])
    prepared.set_output(transform="pandas")
    model = make_pipeline(prepared, credence.BayesClassifier(blocks={"word__colour": "categorical"})).fit(frame, y)
    assert model.score(frame, y) > 0.8
    assert model[-1].feature_names_in_.tolist() == ["number__size", "word__colour"]


def test_discriminant_coordinates_come_as_a_frame():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = credence.LinearDiscriminantAnalysis().set_output(transform="pandas").fit(X, y)
    found = model.transform(X)
    assert list(found.columns) == ["lineardiscriminantanalysis0", "lineardiscriminantanalysis1"]
    assert (found.index == X.index).all()


def test_several_vote():
    X, y = flowers()
    voters = [("normal", credence.GaussianNB()), ("mixed", credence.BayesClassifier())]
    assert VotingClassifier(voters, voting="soft").fit(X, y).score(X, y) > 0.9


def test_words_and_counts_go_through_a_pipeline():
    texts = ["cheap pills", "buy cheap", "lunch at noon", "noon meeting"] * 5
    labels = ["spam", "spam", "ham", "ham"] * 5
    search = GridSearchCV(make_pipeline(Tokenizer(), credence.MultinomialNB()),
                          {"tokenizer__ngrams": [(1, 1), (1, 2)], "multinomialnb__alpha": [0.1, 1.0]}, cv=2)
    assert search.fit(texts, labels).score(texts, labels) == 1


def test_others_run_while_a_model_learns():
    """Python's lock is free meanwhile: a thread that counts goes on."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400_000, 20))
    y = rng.integers(0, 2, len(X))
    for make in (credence.BayesClassifier, credence.GaussianNB, credence.LinearDiscriminantAnalysis):
        ticks = []
        done = threading.Event()

        def count(ticks=ticks, done=done):
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.0005)

        # Handing the lock over is forbidden for a minute: a thread gets it only from one that gives it.
        before = sys.getswitchinterval()
        counter = threading.Thread(target=count)
        sys.setswitchinterval(60)
        try:
            counter.start()
            within = 0
            for _ in range(20):  # a busy machine may leave the thread little time in one of them
                started = time.perf_counter()
                make().fit(X, y)
                ended = time.perf_counter()
                within += sum(started < tick < ended for tick in ticks)
                if within >= 5:
                    break
        finally:
            sys.setswitchinterval(before)
            done.set()
        counter.join()
        assert within >= 5, make.__name__


def test_threads_that_share_a_model_get_the_same_answers():
    X, y = flowers()
    for make in ESTIMATORS:
        model = make().fit(X, y)
        expected = model.predict_proba(X)
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(model.predict_proba(X))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(answers) == 4 and all((answer == expected).all() for answer in answers)
