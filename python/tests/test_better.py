# SPDX-License-Identifier: Apache-2.0
"""Where scikit-learn errs on data it accepts, or refuses data that have an answer: ours is right."""
import warnings

import numpy as np
import pytest
import sklearn.discriminant_analysis
import sklearn.naive_bayes
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits, load_iris

import credence


def test_epsilon_belongs_to_all_rows_and_not_to_the_last_part():
    """scikit-learn takes it anew from every part and subtracts the new one where the old one was added."""
    X, y = load_digits(return_X_y=True)
    order = np.argsort(X[:, 20])  # parts with different variances
    ours, other = credence.GaussianNB(var_smoothing=0.1), sklearn.naive_bayes.GaussianNB(var_smoothing=0.1)
    for part in np.array_split(order, 5):
        ours.partial_fit(X[part], y[part])
        other.partial_fit(X[part], y[part], classes=np.unique(y))
    whole = sklearn.naive_bayes.GaussianNB(var_smoothing=0.1).fit(X, y)
    assert np.abs(other.var_ - whole.var_).max() > 1e-3
    np.testing.assert_allclose(ours.var_, whole.var_, rtol=1e-10)


def test_linear_discriminants_do_not_depend_on_the_units_of_columns():
    X, y = load_breast_cancer(return_X_y=True)
    scale = 10.0 ** np.random.default_rng(1).integers(-6, 7, X.shape[1])
    for solver in ("svd", "lsqr", "eigen"):
        model = credence.LinearDiscriminantAnalysis(solver=solver)
        plain = model.fit(X, y).predict_log_proba(X)
        scaled = model.fit(X * scale, y).predict_log_proba(X * scale)
        np.testing.assert_allclose(scaled, plain, rtol=1e-6, atol=1e-6, err_msg=solver)
    other = sklearn.discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr")
    plain = other.fit(X, y).predict_proba(X)
    assert np.abs(other.fit(X * scale, y).predict_proba(X * scale) - plain).max() > 0.01


def test_log_probabilities_of_discriminants_do_not_end_at_the_smallest_double():
    X, y = load_iris(return_X_y=True)
    far = X[y == 0][:1] * 30
    other = sklearn.discriminant_analysis.LinearDiscriminantAnalysis().fit(X, y)
    ours = credence.LinearDiscriminantAnalysis().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert other.predict_log_proba(far).min() > -750
    scores = ours.decision_function(far)
    np.testing.assert_allclose(ours.predict_log_proba(far), scores - scores.max(), rtol=1e-12)
    assert ours.predict_log_proba(far).min() < -1000


def test_a_class_without_an_inverse_covariance_has_a_density():
    X, y = load_digits(return_X_y=True)  # pixels that are constant, in one class or in all
    with pytest.raises(np.linalg.LinAlgError):
        sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis().fit(X, y)
    half = np.arange(len(y)) % 2 == 0
    ours = credence.QuadraticDiscriminantAnalysis().fit(X[half], y[half])
    assert ours.score(X[~half], y[~half]) > 0.95


def test_a_category_never_seen_is_no_evidence():
    X, y = np.array([[0, 0], [1, 1], [0, 1]]), [0, 1, 1]
    with pytest.raises(IndexError):
        sklearn.naive_bayes.CategoricalNB().fit(X, y).predict([[0, 7]])
    ours = credence.CategoricalNB().fit(X, y)
    only_first = ours.class_log_prior_ + ours.feature_log_prob_[0][:, 0]
    np.testing.assert_allclose(ours.predict_joint_log_proba([[0, 7]])[0], only_first, rtol=1e-12)


def test_a_missing_number_is_left_out():
    X, y = load_iris(return_X_y=True)
    ours = credence.GaussianNB().fit(X, y)
    gaps = X.copy()
    gaps[:, 2] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        sklearn.naive_bayes.GaussianNB().fit(X, y).predict(gaps)
    columns = [0, 1, 3]
    fewer = credence.GaussianNB(var_smoothing=0).fit(X[:, columns], y)
    exact = credence.GaussianNB(var_smoothing=0).fit(X, y)
    np.testing.assert_allclose(exact.predict_log_proba(gaps), fewer.predict_log_proba(X[:, columns]), rtol=1e-10)
    assert ours.predict(gaps).shape == y.shape


def test_discriminants_take_weights_as_if_rows_stood_there_more_often():
    X, y = load_iris(return_X_y=True)
    times = np.random.default_rng(3).integers(1, 4, len(y))
    for make in (credence.LinearDiscriminantAnalysis, credence.QuadraticDiscriminantAnalysis):
        weighted = make().fit(X, y, sample_weight=times)
        repeated = make().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        np.testing.assert_allclose(weighted.predict_log_proba(X), repeated.predict_log_proba(X), rtol=1e-8, atol=1e-9)


def test_words_that_a_class_never_has_do_not_make_others_impossible():
    """alpha=0: scikit-learn multiplies a count of 0 by log 0 and gets NaN for every class."""
    X, y = np.array([[1.0, 0.0], [0.0, 1.0]]), [0, 1]
    ours = credence.MultinomialNB(alpha=0).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = sklearn.naive_bayes.MultinomialNB(alpha=0).fit(X, y)
        assert np.isnan(other.predict_joint_log_proba(X)).any()
    assert ours.predict(X).tolist() == [0, 1]


def test_indices_of_64_bits_are_taken():
    X, y = load_digits(return_X_y=True)
    rows = sparse.csr_array(X)
    rows.indices, rows.indptr = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    assert (credence.MultinomialNB().fit(rows, y).predict(rows) == credence.MultinomialNB().fit(X, y).predict(X)).all()
