# SPDX-License-Identifier: Apache-2.0
"""An estimator with scikit-learn's name is a model: the program's file, exact forgetting, reasons, rows, and back."""
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris

import credence

COUNTING = ["MultinomialNB", "ComplementNB", "BernoulliNB", "PoissonNB"]
NUMBERS = ["GaussianNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis", "MixtureDiscriminantAnalysis"]
NAMES = [*COUNTING, "CategoricalNB", *NUMBERS]
of_every_name = pytest.mark.parametrize("name", NAMES)


def counts(rows=20_000, columns=12):
    """More than one chunk of counts; the last column is always 0."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, rows)
    X = rng.poisson(1 + np.abs(np.arange(columns) - 3 * y[:, None]) / 4).astype(float)
    X[:, -1] = 0
    return X, y


def numbers(rows=20_000):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, rows)
    return np.round(rng.normal(size=(rows, 4)) + y[:, None], 3), y


def table(name):
    X, y = numbers() if name in NUMBERS else counts()
    if name == "MixtureDiscriminantAnalysis":
        return X[:400], y[:400]
    return X, y


def made(name, **parameters):
    if name == "MixtureDiscriminantAnalysis":
        parameters = {"n_init": 2, **parameters}
    return getattr(credence, name)(**parameters)


def fitted(name, X, y, **parameters):
    y = pd.Series(y, name="label") if name in COUNTING else y
    return made(name, **parameters).fit(X, y)


def program_fit(name, X, y, command_line, folder, *options):
    if name in COUNTING:
        with open(folder / "x.svm", "w") as file:
            for row, label in zip(X, y):
                print(label, *(f"{i}:{count:g}" for i, count in enumerate(row) if count), file=file)
        file = ["x.svm", "--target", "label", "--values", "features=" + "|".join(str(i) for i in range(X.shape[1]))]
    else:
        whole = X.astype(int) if name == "CategoricalNB" else X
        frame = pd.DataFrame(whole, columns=[f"x{i}" for i in range(X.shape[1])]).assign(**{"class": y})
        frame.to_csv(folder / "x.csv", index=False)
        file = ["x.csv", "--target", "class"]
    command_line("fit", *file, "-o", "m.credence", "--quiet", *options)
    return (folder / "m.credence").read_bytes()


PROGRAM = {
    "MultinomialNB": ["--as", "features: multinomial", "--estimate", "laplace=1"],
    "ComplementNB": ["--as", "features: multinomial(complement)", "--estimate", "laplace=1", "--prior", "uniform"],
    "BernoulliNB": ["--as", "features: bernoulli", "--estimate", "laplace=1"],
    "PoissonNB": ["--as", "features: poisson", "--estimate", "m-estimate=1"],
    "CategoricalNB": ["--as", "x*: categorical", "--estimate", "laplace=1"],
    "GaussianNB": ["--as", "x*: gaussian(diagonal, floor=1e-09)", "--estimate", "mle"],
    "LinearDiscriminantAnalysis": ["--as", "x*: gaussian(tied, tol=0.0001)", "--estimate", "mle"],
    "QuadraticDiscriminantAnalysis": ["--as", "x*: gaussian(full, rescue=0.0001)", "--estimate", "mle"],
    "MixtureDiscriminantAnalysis": ["--as", "x*: mixture(2, full, starts=2, seed=1)", "--calibrate", "none"],
}


@of_every_name
def test_the_program_writes_the_same_file(name, command_line, tmp_path):
    X, y = table(name)
    options = PROGRAM[name]
    if name == "CategoricalNB":
        for i, most in enumerate(X.max(axis=0).astype(int)):
            options = [*options, "--values", f"x{i}=" + "|".join(str(value) for value in range(most + 1))]
    fitted(name, X, y).save(tmp_path / "ours.credence")
    assert (tmp_path / "ours.credence").read_bytes() == program_fit(name, X, y, command_line, tmp_path, *options)


@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize("weighted", [False, True])
def test_dense_and_sparse_rows_give_the_same_model(name, weighted):
    X, y = counts()
    weights = np.random.default_rng(3).gamma(2, 1, len(y)) if weighted else None
    dense = made(name).fit(X, y, weights).to_model().to_bytes()
    for form in (sparse.csr_array(X), sparse.csc_matrix(X), np.asfortranarray(X), X.astype(np.float32), X.astype(int)):
        assert made(name).fit(form, y, weights).to_model().to_bytes() == dense


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("form", [np.asfortranarray, lambda X: X[::-1][::-1], lambda X: pd.DataFrame(X)])
def test_rows_in_any_order_of_memory_give_the_same_model(name, form):
    X, y = table(name)
    assert fitted(name, form(X), y).to_model().to_bytes() == fitted(name, X, y).to_model().to_bytes()


@of_every_name
def test_what_is_forgotten_was_never_there(name):
    """Bit by bit where sums are exact: weights, counts, classes and categories."""
    X, y = table(name)
    kept = np.arange(len(y)) % 3 > 0
    model = fitted(name, X, y).forget(X[~kept], y[~kept])
    rest = fitted(name, X[kept], y[kept])
    if name not in NUMBERS:
        assert model.to_model().state == rest.to_model().state
    found, expected = model._learned.model.arrays(), rest._learned.model.arrays()
    assert found.keys() == expected.keys()
    for key, array in expected.items():
        if key.rpartition(".")[2] in ("weight", "class_weights", "rows", "counts"):
            np.testing.assert_array_equal(found[key], array, err_msg=key)
        else:
            np.testing.assert_allclose(found[key], array, rtol=1e-9, atol=1e-9, err_msg=key)


@pytest.mark.parametrize("name", [*COUNTING, "CategoricalNB"])
def test_weights_that_are_no_whole_numbers_are_forgotten_exactly(name):
    X, y = counts(3000)
    weights = np.random.default_rng(4).random(len(y))
    kept = np.arange(len(y)) % 3 > 0
    model = made(name).fit(X, y, weights).forget(X[~kept], y[~kept], weights[~kept])
    rest = made(name).fit(X[kept], y[kept], weights[kept])
    for key, array in rest._learned.model.arrays().items():
        if not key.endswith("log_factorial"):  # a sum of logarithms, which are rounded
            np.testing.assert_array_equal(model._learned.model.arrays()[key], array, err_msg=key)
    if name != "PoissonNB":
        assert model.to_model().state == rest.to_model().state


@of_every_name
def test_the_lines_of_an_explanation_sum_to_the_log_odds(name):
    X, y = table(name)
    model = fitted(name, X, y)
    for explanation, logs in zip(model.explain(X[:5]), model.predict_log_proba(X[:5])):
        ordered = np.sort(logs)
        assert explanation.log_odds == pytest.approx(ordered[-1] - ordered[-2], rel=1e-9, abs=1e-9)
        assert sum(line.weight for line in explanation.lines) == pytest.approx(explanation.log_odds, rel=1e-9, abs=1e-9)
        assert explanation.winner == model.classes_[np.argmax(logs)]


@of_every_name
def test_drawn_rows_have_the_form_of_those_learned(name):
    X, y = table(name)
    model = fitted(name, X, y)
    rows, classes = model.sample(500, random_state=3)
    assert rows.shape == (500, X.shape[1]) and set(classes) <= set(model.classes_)
    assert model.predict(rows).shape == (500,)
    if name != "ComplementNB":
        assert model.score(rows, classes) > 0.4


@of_every_name
def test_a_model_file_becomes_the_estimator_again(name, tmp_path):
    X, y = table(name)
    model = fitted(name, X, y)
    model.save(tmp_path / "m.credence")
    parameters = {"n_init": 2} if name == "MixtureDiscriminantAnalysis" else {}
    again = getattr(credence, name).load(tmp_path / "m.credence", int, **parameters)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.classes_.tolist() == model.classes_.tolist() and again.n_features_in_ == X.shape[1]
    assert again.to_model().to_bytes() == model.to_model().to_bytes()
    with pytest.raises(ValueError, match="the model's"):
        credence.MultinomialNB.from_model(model.to_model(), int, alpha=0.25)


@of_every_name
def test_columns_of_a_frame_are_those_of_the_model(name):
    X, y = table(name)
    frame = pd.DataFrame(X, columns=[f"column {i}" for i in range(X.shape[1])])
    model = fitted(name, frame, y).to_model()
    names = model._core.values[0] if name in COUNTING else model.columns
    assert names == list(frame.columns)


@of_every_name
def test_a_fit_that_fails_leaves_the_old_model_whole(name):
    X, y = table(name)
    X, y = X[:300], y[:300]
    model = fitted(name, X, y)
    before = {key: value for key, value in vars(model).items()}
    answers = model.predict_proba(X)
    wrong = X[:, :2].copy()
    wrong[0, 0] = np.inf
    for rows, classes in ((wrong, y), (X[:, :2], y[:5]), (X[:, :2], np.linspace(0, 1, len(y)))):
        with pytest.raises(ValueError):
            model.fit(rows, classes)
    assert vars(model).keys() == before.keys() and all(vars(model)[key] is before[key] for key in before)
    np.testing.assert_array_equal(model.predict_proba(X), answers)
    model.partial_fit(X, y)


def test_one_alpha_per_column_is_a_prior_with_shares():
    X, y = counts(2000)
    alpha = np.linspace(0.1, 2, X.shape[1])
    for name in ("MultinomialNB", "ComplementNB"):
        import sklearn.naive_bayes
        other = getattr(sklearn.naive_bayes, name)(alpha=alpha).fit(X, y)
        ours = made(name, alpha=alpha).fit(X, y)
        np.testing.assert_allclose(ours.feature_log_prob_, other.feature_log_prob_, rtol=1e-10)
        np.testing.assert_allclose(ours.predict_log_proba(X), other.predict_log_proba(X), rtol=1e-9, atol=1e-9)
        assert ours.to_model().rule == f"m-estimate={alpha.sum():.12g}"


@pytest.mark.parametrize("parameters", [{"solver": "lsqr"}, {"solver": "eigen"},
                                        {"solver": "eigen", "shrinkage": 0.3}, {"solver": "lsqr", "shrinkage": "auto"}])
def test_given_priors_weigh_the_covariances_as_scikit_learn_does(parameters):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    X, y = load_iris(return_X_y=True)
    parameters = {**parameters, "priors": [0.6, 0.3, 0.1]}
    other, ours = LinearDiscriminantAnalysis(**parameters).fit(X, y), credence.LinearDiscriminantAnalysis(**parameters).fit(X, y)
    np.testing.assert_allclose(ours.covariance_, other.covariance_, rtol=1e-9)
    np.testing.assert_allclose(ours.coef_, other.coef_, rtol=1e-8)
    np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), atol=1e-9)


def test_directions_are_not_implemented_for_least_squares():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(NotImplementedError, match="transform not implemented for 'lsqr'"):
        credence.LinearDiscriminantAnalysis(solver="lsqr").fit(X, y).transform(X)


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_coefficients_keep_the_type_of_the_numbers(solver):
    X, y = load_iris(return_X_y=True)
    for given, kept in ((np.float32, np.float32), (np.float64, np.float64), (np.int32, np.float64)):
        model = credence.LinearDiscriminantAnalysis(solver=solver).fit(np.round(X * 10).astype(given), y)
        assert model.coef_.dtype == kept


def test_priors_that_are_changed_later_change_no_model():
    X, y = load_iris(return_X_y=True)
    priors = np.array([0.2, 0.3, 0.5])
    for make in (credence.QuadraticDiscriminantAnalysis, credence.LinearDiscriminantAnalysis, credence.GaussianNB):
        model = make(priors=priors).fit(X, y)
        name = "class_prior_" if make is credence.GaussianNB else "priors_"
        priors[0] = 0.9
        assert getattr(model, name)[0] == 0.2
        priors[0] = 0.2


def test_covariances_of_others_need_all_rows_at_once():
    from sklearn.covariance import ShrunkCovariance
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    X, y = load_iris(return_X_y=True)
    parameters = {"solver": "lsqr", "covariance_estimator": ShrunkCovariance(shrinkage=0.2)}
    ours = credence.LinearDiscriminantAnalysis(**parameters).fit(X, y)
    other = LinearDiscriminantAnalysis(**parameters).fit(X, y)
    np.testing.assert_array_equal(ours.predict_proba(X), other.predict_proba(X))
    with pytest.raises(ValueError, match="all rows at once"):
        ours.partial_fit(X, y)
