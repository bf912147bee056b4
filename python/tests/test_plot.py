# SPDX-License-Identifier: Apache-2.0
"""Pictures show the model's numbers, and say what they show."""
import sys

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from sklearn.datasets import load_iris

from credence import BayesClassifier

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def closed_figures():
    import matplotlib.pyplot as plt
    yield
    plt.close("all")


@pytest.fixture
def flowers():
    data = load_iris(as_frame=True)
    return BayesClassifier(rule="mle").fit(data.data, data.target_names[data.target]), data


@pytest.fixture
def tennis(examples):
    frame = pd.read_csv(examples / "tennis.csv")
    return BayesClassifier(rule="mle").fit(frame, "PlayTennis"), frame


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_density_of_a_number_is_that_of_its_normal_distribution(flowers):
    model, data = flowers
    ax = model.plot.density("petal width (cm)")
    assert legend(ax) == ["setosa", "versicolor", "virginica"]
    assert ax.get_xlabel() == "petal width (cm)" and ax.get_ylabel() == "Density p(petal width (cm) | class)"
    for cls, line in enumerate(ax.lines):
        values = data.data["petal width (cm)"][data.target == cls]
        expected = norm.pdf(line.get_xdata(), values.mean(), values.std(ddof=0))
        np.testing.assert_allclose(line.get_ydata(), expected, rtol=1e-9)
    assert len({line.get_color() for line in ax.lines}) == 3 == len({line.get_linestyle() for line in ax.lines})


def test_a_word_has_a_bar_in_each_class(tennis):
    model, _ = tennis
    ax = model.plot.density("Outlook")
    heights = [[bar.get_height() for bar in bars] for bars in ax.containers]
    np.testing.assert_allclose(heights, [[0, 2 / 5, 3 / 5], [4 / 9, 3 / 9, 2 / 9]], rtol=1e-12)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["Overcast", "Rain", "Sunny"]


def test_the_posterior_is_what_predict_proba_says(flowers):
    model, data = flowers
    others = data.data.columns[:3]
    ax = model.plot.posterior("petal width (cm)", at={name: data.data[name][70] for name in others})
    probabilities = np.array([line.get_ydata() for line in ax.lines])
    rows = data.data.iloc[[70] * probabilities.shape[1]].assign(**{"petal width (cm)": ax.lines[0].get_xdata()})
    np.testing.assert_allclose(probabilities.T, model.predict_proba(rows), rtol=1e-9, atol=1e-12)
    assert "sepal length" in ax.get_title()


def test_a_feature_speaks_by_the_ratio_of_its_densities(tennis):
    model, _ = tennis
    ax = model.plot.feature("Wind")
    heights = [[bar.get_height() for bar in bars] for bars in ax.containers]
    ratio = np.log((3 / 5) / (3 / 9))  # of Strong
    np.testing.assert_allclose(heights, [[ratio, np.log((2 / 5) / (6 / 9))], [-ratio, np.log((6 / 9) / (2 / 5))]])


def test_the_words_of_a_text_stand_by_class():
    texts = ["cheap pills", "cheap watches", "lunch at noon", "meeting at noon"]
    model = BayesClassifier().fit(texts, ["spam", "spam", "ham", "ham"])
    ax = model.plot.feature("text", most=2)
    assert legend(ax) == ["ham", "spam"]
    assert {tick.get_text() for tick in ax.get_yticklabels()} >= {"at", "cheap"}
    with pytest.raises(ValueError, match="see plot.feature"):
        model.plot.density("text")


def test_evidence_adds_up(tennis):
    model, frame = tennis
    row = pd.DataFrame([["Sunny", "Cool", "High", "Strong"]], columns=model.feature_names_in_)
    ax = model.plot.evidence(row)
    widths = [bar.get_width() for bar in ax.containers[0]]
    assert sum(widths[:-1]) == pytest.approx(widths[-1]) == pytest.approx(1.3579, abs=1e-4)
    assert ax.get_title() == "No rather than Yes: P = 0.795"
    few = [bar.get_width() for bar in model.plot.evidence(row, most=2).containers[0]]
    assert len(few) == 4 and sum(few[:-1]) == pytest.approx(few[-1])
    with pytest.raises(ValueError, match="one row"):
        model.plot.evidence(frame.drop(columns="PlayTennis"))


def test_calibration_shows_shares_of_right_decisions(flowers):
    model, data = flowers
    truth = data.target_names[data.target]
    ax = model.plot.calibration(data.data, truth, bins=1)
    said, held = ax.lines[1].get_xydata()[0]
    assert said == pytest.approx(model.predict_proba(data.data).max(axis=1).mean())
    assert held == pytest.approx(model.score(data.data, truth))


def test_counts_are_points(examples):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"calls": rng.poisson(np.repeat([2, 6], 300))})
    model = BayesClassifier(blocks={"calls": "poisson"}).fit(frame, np.repeat(["few", "many"], 300))
    ax = model.plot.density("calls")
    for line in ax.lines:
        assert (line.get_xdata() == np.arange(len(line.get_xdata()))).all() and 0.99 < line.get_ydata().sum() <= 1


def test_axes_that_are_given_are_drawn_on(flowers):
    import matplotlib.pyplot as plt
    ax = plt.subplots()[1]
    assert flowers[0].plot.density("petal width (cm)", ax=ax) is ax


def test_a_column_that_is_not_there_is_named(flowers):
    with pytest.raises(ValueError, match="no column 'height' in the model; it has sepal length"):
        flowers[0].plot.density("height")


def test_what_to_install_is_said(flowers, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        flowers[0].plot.density("petal width (cm)")
