# SPDX-License-Identifier: Apache-2.0
"""What an estimator with scikit-learn's name cannot learn from is refused in one line."""
import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

import credence

COUNTING = ["MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB", "PoissonNB"]
NAMES = ["GaussianNB", *COUNTING, "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis",
         "MixtureDiscriminantAnalysis"]
WITH_GAPS = ["GaussianNB", "MixtureDiscriminantAnalysis"]
of_every_name = pytest.mark.parametrize("name", NAMES)

X = np.array([[1.0, 0], [2, 3], [0, 1], [3, 1], [1, 2], [2, 2]])
Y = np.array([0, 0, 0, 1, 1, 1])


def refused(action, kind=ValueError, says=""):
    with pytest.raises(kind) as info:
        action()
    text = str(info.value)
    assert says in text
    return text


def one_line(text):
    assert text and "\n" not in text
    return text


def with_value(value):
    rows = X.copy()
    rows[4, 1] = value
    return rows


@of_every_name
def test_a_missing_number_is_refused_where_it_is_not_left_out(name):
    make = getattr(credence, name)
    if name in WITH_GAPS:
        assert make().fit(with_value(np.nan), Y).predict(with_value(np.nan)).shape == (6,)
        return
    refused(lambda: make().fit(with_value(np.nan), Y), says="NaN")
    refused(lambda: make().fit(X, Y).predict(with_value(np.nan)), says="NaN")


@of_every_name
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinite_number_is_refused(name, value):
    make = getattr(credence, name)
    refused(lambda: make().fit(with_value(value), Y), says="inf")
    model = make().fit(X, Y)
    refused(lambda: model.predict(with_value(value)), says="inf")
    refused(lambda: model.predict_proba(with_value(value)), says="inf")


@pytest.mark.parametrize("name", ["GaussianNB", "MultinomialNB", "LinearDiscriminantAnalysis"])
def test_rows_that_are_refused_change_nothing(name):
    model = getattr(credence, name)().fit(X, Y)
    before = model.predict_proba(X)
    refused(lambda: model.partial_fit(with_value(np.inf), Y + 1))
    assert model.classes_.tolist() == [0, 1]
    np.testing.assert_array_equal(model.predict_proba(X), before)
    model.partial_fit(X, Y)
    assert model.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("name", [name for name in COUNTING if name != "BernoulliNB"])
def test_a_count_below_zero_is_refused(name):
    make = getattr(credence, name)
    text = refused(lambda: make().fit(with_value(-1), Y), says="Negative values in data")
    assert name in one_line(text)
    if name != "CategoricalNB":
        refused(lambda: make().fit(sparse.csr_array(with_value(-1)), Y), says="Negative values in data")


@of_every_name
def test_another_number_of_columns_is_refused(name):
    model = getattr(credence, name)().fit(X, Y)
    for rows in (X[:, :1], np.hstack([X, X])):
        text = refused(lambda rows=rows: model.predict(rows), says=f"X has {rows.shape[1]} features")
        assert "2 features" in one_line(text)


@of_every_name
def test_words_among_numbers_are_refused(name):
    make = getattr(credence, name)
    words = X.astype(object)
    words[2, 0] = "red"
    one_line(refused(lambda: make().fit(words, Y), says="red"))
    one_line(refused(lambda: make().fit(X, Y).predict(words), says="red"))


@of_every_name
def test_nothing_at_all_is_refused(name):
    make = getattr(credence, name)
    one_line(refused(lambda: make().fit(np.empty((0, 2)), []), says="0 sample(s)"))
    one_line(refused(lambda: make().fit(np.empty((6, 0)), Y), says="0 feature(s)"))
    one_line(refused(lambda: make().fit(X, Y).predict(np.empty((0, 2))), says="0 sample(s)"))
    one_line(refused(lambda: make().fit(X, None)))


@of_every_name
def test_one_class_is_answered_or_refused(name):
    make = getattr(credence, name)
    if name == "QuadraticDiscriminantAnalysis":
        one_line(refused(lambda: make().fit(X, np.zeros(6)), says="greater than one"))
        return
    assert make().fit(X, np.zeros(6, dtype=int)).predict(X).tolist() == [0] * 6


@of_every_name
def test_rows_and_classes_must_be_equally_many(name):
    make = getattr(credence, name)
    one_line(refused(lambda: make().fit(X, Y[:5]), says="[6, 5]"))
    refused(lambda: make().fit(X, Y, sample_weight=np.ones(5)))


@of_every_name
def test_a_vector_or_a_cube_is_refused(name):
    make = getattr(credence, name)
    refused(lambda: make().fit(X[:, 0], Y), says="Expected 2D array")
    refused(lambda: make().fit(X.reshape(6, 2, 1), Y), says="dim 3")


@of_every_name
def test_a_model_that_was_not_fitted_says_so(name):
    model = getattr(credence, name)()
    for method in ("predict", "predict_proba", "predict_log_proba"):
        one_line(refused(lambda method=method: getattr(model, method)(X), NotFittedError, "not fitted yet"))
    if hasattr(model, "forget"):
        one_line(refused(lambda: model.forget(X, Y), NotFittedError, "not fitted yet"))


@of_every_name
def test_numbers_that_measure_are_no_classes(name):
    refused(lambda: getattr(credence, name)().fit(X, Y + np.linspace(0, 0.7, 6)), says="continuous")


@pytest.mark.parametrize("name", ["GaussianNB", "CategoricalNB", "LinearDiscriminantAnalysis"])
def test_a_sparse_matrix_is_a_type_error_where_it_is_not_taken(name):
    refused(lambda: getattr(credence, name)().fit(sparse.csr_array(X), Y), TypeError, "parse")


def test_classes_of_any_whole_type_are_themselves():
    for kind, least in ((np.int8, -128), (np.uint8, 0), (np.uint64, 2**63), (np.int64, -(2**63))):
        values = np.array([least, least + 127, least + 3], dtype=kind)
        y = values[[0, 1, 2, 0, 1, 2]]
        model = credence.GaussianNB().fit(X, y)
        assert model.classes_.dtype == kind and model.classes_.tolist() == sorted(values.tolist())
        assert model.class_count_.tolist() == [2, 2, 2]
