# SPDX-License-Identifier: Apache-2.0
"""Estimators with scikit-learn's names give scikit-learn's answers and attributes."""
import numpy as np
import pytest
import sklearn.discriminant_analysis
import sklearn.naive_bayes
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

import credence

SETS = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer, "digits": load_digits}
GAUSSIAN = ["theta_", "var_", "class_prior_", "class_count_", "epsilon_"]
COUNTING = ["class_log_prior_", "feature_log_prob_", "class_count_", "feature_count_"]


def table(name):
    if name == "random":
        random = np.random.default_rng(5)
        X = random.normal(size=(300, 6)) * [1, 3, 0.3, 5, 2, 1] + 3
        return X, np.array(["a", "b", "c"])[random.integers(0, 3, 300)]
    return SETS[name](return_X_y=True)


def theirs(name):
    module = sklearn.naive_bayes if name.endswith("NB") else sklearn.discriminant_analysis
    return getattr(module, name)


def assert_log_proba(ours, other, X):
    """scikit-learn's LDA and QDA take logs of probabilities: what is tiny there has lost its digits."""
    expected = other.predict_log_proba(X)
    found = ours.predict_log_proba(X)
    if isinstance(other, sklearn.naive_bayes._BaseNB):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    else:
        np.testing.assert_allclose(np.exp(found), other.predict_proba(X), rtol=0, atol=1e-9)
        sure = expected > -15
        np.testing.assert_allclose(found[sure], expected[sure], rtol=1e-9, atol=1e-9)


def assert_same(ours, other, names, X):
    assert (ours.classes_ == other.classes_).all()
    for name in names:
        expected, found = getattr(other, name), getattr(ours, name)
        for a, b in zip(found, expected) if isinstance(expected, list) else [(found, expected)]:
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10 * np.abs(b).max(), err_msg=name)
    assert_log_proba(ours, other, X)
    assert (ours.predict(X) == other.predict(X)).all()


def weighted_variance(X, weights):
    return np.average((X - np.average(X, axis=0, weights=weights)) ** 2, axis=0, weights=weights)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("data", [*SETS, "random"])
@pytest.mark.parametrize("parameters", [{}, {"var_smoothing": 1e-3}])
def test_gaussian_nb_is_scikit_learns(data, weighted, parameters):
    X, y = table(data)
    weights = np.random.default_rng(1).gamma(2, 1, len(y)) if weighted else None
    other = theirs("GaussianNB")(**parameters).fit(X, y, weights)
    # scikit-learn takes epsilon_ from the rows as if each weighed 1; here a row of weight 2 is two rows.
    smoothing = other.var_smoothing * X.var(axis=0).max() / weighted_variance(X, weights).max()
    ours = credence.GaussianNB(var_smoothing=smoothing).fit(X, y, weights)
    assert_same(ours, other, GAUSSIAN, X)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), other.predict_joint_log_proba(X), rtol=1e-9)


@pytest.mark.parametrize("data", [*SETS, "random"])
def test_gaussian_nb_in_parts_is_scikit_learns_on_the_whole(data):
    X, y = table(data)
    order = np.random.default_rng(2).permutation(len(y))
    ours = credence.GaussianNB()
    for part in np.array_split(order, 7):
        ours.partial_fit(X[part], y[part])
    assert_same(ours, theirs("GaussianNB")().fit(X, y), GAUSSIAN, X)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name, parameters", [
    ("MultinomialNB", {}), ("MultinomialNB", {"alpha": 0.01, "fit_prior": False}),
    ("ComplementNB", {}), ("ComplementNB", {"norm": True, "alpha": 0.3}),
    ("BernoulliNB", {}), ("BernoulliNB", {"binarize": 3.0, "class_prior": [0.1] * 10})])
def test_counting_estimators_are_scikit_learns(name, parameters, weighted, form):
    X, y = table("digits")
    weights = np.random.default_rng(1).gamma(2, 1, len(y)) if weighted else None
    other = theirs(name)(**parameters).fit(form(X), y, weights)
    ours = getattr(credence, name)(**parameters).fit(form(X), y, weights)
    assert_same(ours, other, COUNTING, form(X))
    parts = getattr(credence, name)(**parameters)
    for part in np.array_split(np.random.default_rng(3).permutation(len(y)), 5):
        parts.partial_fit(form(X[part]), y[part], sample_weight=None if weights is None else weights[part])
    assert_same(parts, other, COUNTING, form(X))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("parameters", [{}, {"alpha": 0.1, "min_categories": 20}])
def test_categorical_nb_is_scikit_learns(parameters, weighted):
    X, y = table("digits")
    weights = np.random.default_rng(1).gamma(2, 1, len(y)) if weighted else None
    other = theirs("CategoricalNB")(**parameters).fit(X, y, weights)
    ours = credence.CategoricalNB(**parameters).fit(X, y, weights)
    assert_same(ours, other, ["class_log_prior_", "feature_log_prob_", "category_count_", "n_categories_"], X)


@pytest.mark.parametrize("data", ["iris", "wine", "breast cancer", "random"])
@pytest.mark.parametrize("parameters", [
    {"solver": "svd"}, {"solver": "lsqr"}, {"solver": "eigen"}, {"solver": "svd", "store_covariance": True},
    {"solver": "lsqr", "shrinkage": 0.3}, {"solver": "eigen", "shrinkage": "auto"}])
def test_linear_discriminants_are_scikit_learns(data, parameters):
    X, y = table(data)
    other = theirs("LinearDiscriminantAnalysis")(**parameters).fit(X, y)
    if data == "breast cancer" and parameters == {"solver": "lsqr"}:
        # Least squares on this covariance leaves scikit-learn 1e-9 away from what its own svd says.
        exact = theirs("LinearDiscriminantAnalysis")().fit(X, y)
        assert np.abs(exact.predict_proba(X) - other.predict_proba(X)).max() > 1e-9
        other.coef_, other.intercept_ = exact.coef_, exact.intercept_
    ours = credence.LinearDiscriminantAnalysis(**parameters).fit(X, y)
    names = ["coef_", "intercept_", "means_", "priors_"] + (["covariance_"] if hasattr(other, "covariance_") else [])
    assert_same(ours, other, names, X)
    np.testing.assert_allclose(ours.decision_function(X), other.decision_function(X), rtol=1e-9, atol=1e-9)
    if parameters["solver"] != "lsqr":
        np.testing.assert_allclose(ours.explained_variance_ratio_, other.explained_variance_ratio_, atol=1e-10)
        found, expected = ours.transform(X), other.transform(X)
        signs = np.sign((found * expected).sum(axis=0))
        np.testing.assert_allclose(found * signs, expected, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("data", ["iris", "wine", "breast cancer", "random"])
@pytest.mark.parametrize("parameters", [{"tol": 0.0}, {"reg_param": 0.1}, {"priors": "uniform", "tol": 0.0},
                                        {"solver": "eigen", "shrinkage": 0.2, "tol": 0.0}])
def test_quadratic_discriminants_are_scikit_learns(data, parameters):
    X, y = table(data)
    if "priors" in parameters:
        count = len(np.unique(y))
        parameters = {**parameters, "priors": [1 / count] * count}
    other = theirs("QuadraticDiscriminantAnalysis")(**parameters).fit(X, y)
    ours = credence.QuadraticDiscriminantAnalysis(**parameters).fit(X, y)
    assert_same(ours, other, ["means_", "priors_", "scalings_"], X)
    np.testing.assert_allclose(ours.decision_function(X), other.decision_function(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["GaussianNB", "MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB",
                                  "PoissonNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"])
def test_forgetting_and_merging_are_what_fitting_the_rest_or_all_would_give(name):
    X, y = table("digits")
    X = X[:, 2:30]
    X = X[:, X.std(axis=0) > 0]
    kept, gone = np.split(np.random.default_rng(7).permutation(len(y)), [1200])
    make = getattr(credence, name)
    whole = make().fit(X, y)
    rest = make().fit(X[kept], y[kept])
    forgotten = make().fit(X, y).forget(X[gone], y[gone])
    merged = make().fit(X[kept], y[kept]).merge(make().fit(X[gone], y[gone]))
    np.testing.assert_allclose(forgotten.predict_log_proba(X), rest.predict_log_proba(X), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(merged.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-9, atol=1e-9)
    with pytest.raises(ValueError, match="cannot forget"):
        make().fit(X[kept], y[kept]).forget(X, y)


@pytest.mark.parametrize("name", ["GaussianNB", "MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB",
                                  "PoissonNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"])
def test_a_class_that_comes_late_is_learned_as_if_it_had_been_there(name):
    X, y = table("digits")
    X = X[:, 2:20]
    X = X[:, X.std(axis=0) > 0]
    early = y != 3
    make = getattr(credence, name)
    late = make().partial_fit(X[early], y[early]).partial_fit(X[~early], y[~early])
    whole = make().fit(X, y)
    assert (late.classes_ == whole.classes_).all()
    np.testing.assert_allclose(late.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-9, atol=1e-9)


def test_discriminants_of_digits_are_scikit_learns():
    """Some pixels never vary: 'svd' leaves their directions out, reg_param gives them a variance."""
    X, y = table("digits")
    for make, parameters in ((credence.LinearDiscriminantAnalysis, {}),
                             (credence.LinearDiscriminantAnalysis, {"solver": "eigen", "shrinkage": 0.2}),
                             (credence.QuadraticDiscriminantAnalysis, {"reg_param": 0.1})):
        other = theirs(make.__name__)(**parameters).fit(X, y)
        ours = make(**parameters).fit(X, y)
        assert_same(ours, other, ["means_", "priors_"], X)
