# SPDX-License-Identifier: Apache-2.0
"""Pictures are the library's: the files that the program draws."""
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris

import credence
from credence import BayesClassifier


@pytest.fixture
def flowers():
    data = load_iris(as_frame=True)
    return BayesClassifier(rule="mle").fit(data.data, data.target_names[data.target]), data


@pytest.fixture
def tennis(examples):
    frame = pd.read_csv(examples / "tennis.csv")
    return BayesClassifier(rule="mle").fit(frame, "PlayTennis"), frame


@pytest.fixture
def drawn(command_line, tmp_path):
    """What `credence plot` draws of a model."""
    def draw(model, *arguments, name="drawn.svg"):
        model.save(tmp_path / "m.credence")
        command_line("plot", "m.credence", *arguments, "-o", name)
        return (tmp_path / name).read_bytes()

    return draw


@pytest.mark.parametrize("column", ["Outlook", "Wind"])
def test_the_density_of_a_column_is_the_programs_picture(tennis, drawn, column):
    picture = tennis[0].plot.density(column)
    assert picture.svg.encode() == drawn(tennis[0], "feature", "--x", column)
    assert picture._repr_svg_() == picture.svg and picture.svg.startswith("<?xml")


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_is_saved_as_its_name_ends(flowers, drawn, tmp_path, ending):
    flowers[0].plot(width=640, height=480).density("petal width (cm)").save(tmp_path / f"ours.{ending}")
    expected = drawn(flowers[0], "feature", "--x", "petal width (cm)", "--width", "640", "--height", "480",
                     name=f"theirs.{ending}")
    assert (tmp_path / f"ours.{ending}").read_bytes() == expected


def test_an_ending_that_no_picture_has_is_refused(flowers, tmp_path):
    with pytest.raises(ValueError, match="svg"):
        flowers[0].plot.density("petal width (cm)").save(tmp_path / "picture.jpg")


def test_the_features_of_a_bag_are_drawn(drawn):
    X = sparse.csr_array([[2, 0, 1], [0, 3, 0], [1, 1, 0]])
    model = BayesClassifier(blocks={"features": "multinomial"}).fit(X, ["ham", "spam", "ham"])
    assert model.plot.feature("features").svg.encode() == drawn(model, "feature", "--x", "features")


def test_the_posterior_runs_along_one_of_many_columns(flowers):
    model, data = flowers
    names = data.data.columns
    plain = model.plot.posterior("petal width (cm)")
    fixed = model.plot.posterior("petal width (cm)", at={names[0]: 6.0, names[1]: 3.0})
    assert plain.svg != fixed.svg
    only = BayesClassifier(rule="mle").fit(data.data[["petal width (cm)"]], data.target_names[data.target])
    assert len(only.plot.posterior("petal width (cm)").svg) > 1000


def test_the_posterior_along_words_is_refused(tennis):
    with pytest.raises(ValueError, match="a curve needs numbers"):
        tennis[0].plot.posterior("Outlook")


def test_evidence_is_that_of_one_row(tennis, drawn):
    model, frame = tennis
    row = pd.DataFrame([["Sunny", "Cool", "High", "Strong"]], columns=model.feature_names_in_)
    given = ",".join(f"{name}={value}" for name, value in row.iloc[0].items())
    assert model.plot.evidence(row).svg.encode() == drawn(model, "evidence", "--given", given)
    assert model.plot.evidence(row, against="Yes").svg == model.plot.evidence(row).svg
    with pytest.raises(ValueError, match="one row"):
        model.plot.evidence(frame.drop(columns="PlayTennis"))


def test_calibration_is_the_programs_reliability(flowers, drawn, tmp_path):
    model, data = flowers
    truth = data.target_names[data.target]
    data.data.assign(**{"class": truth}).to_csv(tmp_path / "iris.csv", index=False)
    assert model.plot.calibration(data.data, truth).svg.encode() == drawn(model, tmp_path / "iris.csv", "reliability")


def test_estimators_with_scikit_learns_names_are_drawn_too(drawn):
    X, y = load_iris(return_X_y=True)
    for make in (credence.GaussianNB, credence.LinearDiscriminantAnalysis):
        model = make().fit(X, y)
        assert model.plot.density(2).svg.encode() == drawn(model, "feature", "--x", "x2")
        assert model.plot.calibration(X, y).svg and model.plot.evidence(X[:1]).svg
    counts = credence.MultinomialNB().fit(np.round(X), y)
    assert counts.plot.feature("features").svg.encode() == drawn(counts, "feature", "--x", "features")


def test_a_column_that_is_not_there_is_named(flowers):
    with pytest.raises(ValueError, match="no column 'height' in the model; it has sepal length"):
        flowers[0].plot.density("height")
