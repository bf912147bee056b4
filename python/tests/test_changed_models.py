# SPDX-License-Identifier: Apache-2.0
"""Models that were loaded, adapted and changed."""
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from credence import BayesClassifier


@pytest.fixture
def people() -> pd.DataFrame:
    random = np.random.default_rng(5)
    size = 60
    kind = random.integers(0, 2, size)
    return pd.DataFrame({
        "age": random.normal(30 + 20 * kind, 8), "income": random.gamma(2 + kind, 1000),
        "town": random.choice(["north", "south"], size), "id": np.arange(size),
        "note": [f"word{k} and other{i % 3} words here{i}" for i, k in enumerate(kind)],
        "kind": np.where(kind == 1, "old", "young")})


@pytest.mark.parametrize("parameters", [
    {"blocks": {"age, income": "gaussian(full)", "town": "categorical", "id": "ignore", "note": "text(bernoulli)"}},
    {"blocks": {"age": "kernel", "note": "text(ngrams=1)"}, "rule": "laplace=2", "prior": "uniform"},
    {"blocks": {"note": "ignore"}, "values": {"town": ["east", "north", "south"]}, "unseen": "ignore"},
    {"blocks": {"town": "categorical"}, "unseen": "reserve"},
    {"blocks": {"town": "categorical"}, "rule": "m-estimate=2", "shares": {"town": {"north": 0.3, "south": 0.7}}},
])
def test_a_clone_of_a_loaded_classifier_learns_the_same_model(people, tmp_path, parameters):
    fitted = BayesClassifier(**parameters).fit(people, "kind")
    fitted.save(tmp_path / "m.credence")
    again = clone(BayesClassifier.load(tmp_path / "m.credence")).fit(people, "kind")
    assert again.to_model().blocks == fitted.to_model().blocks
    assert again.to_model().state == fitted.to_model().state


def shares(model: BayesClassifier) -> dict:
    return {name: float(share) for name, share in
            (part.rsplit("=", 1) for part in model.to_model().prior.split(","))}


def test_a_class_that_comes_after_adapt_gets_its_share_among_the_rows(people):
    model = BayesClassifier(blocks={"note": "ignore"}).fit(people, "kind")
    model.adapt(people.drop(columns="kind")[:20])
    before = shares(model)
    third = people[:20].assign(kind="other")
    model.partial_fit(third, "kind")
    after = shares(model)
    assert after["other"] == pytest.approx(20 / 80)
    assert sum(after.values()) == pytest.approx(1)
    assert after["old"] / after["young"] == pytest.approx(before["old"] / before["young"])
    assert model.prior_ == pytest.approx([after[name] for name in model.classes_])
    assert np.isfinite(model.predict_proba(people)).all()

    # Its rows go again, and so does its share.
    model.forget(third, "kind")
    assert shares(model) == pytest.approx(before)
    assert np.allclose(model.predict_proba(people)[:, list(model.classes_).index("other")], 0)


def test_merging_after_adapt_makes_room_for_the_other_models_classes(people):
    model = BayesClassifier(blocks={"note": "ignore", "id": "ignore"}).fit(people, "kind")
    model.adapt(people.drop(columns="kind")[:20])
    other = BayesClassifier(blocks={"note": "ignore", "id": "ignore"}).fit(
        people[:20].assign(kind=["other", "old"] * 10), "kind")
    model.merge(other)
    assert shares(model)["other"] == pytest.approx(10 / 80)
    assert np.isfinite(model.predict_proba(people)).all()


def test_forgetting_every_row_is_refused_and_changes_nothing(people):
    model = BayesClassifier(blocks={"note": "ignore"}).fit(people, "kind")
    before = model.to_model().state
    with pytest.raises(ValueError, match="nothing would be left"):
        model.forget(people, "kind")
    assert model.to_model().state == before
    assert model.forget(people[1:], "kind").to_model().rows == 1


@pytest.mark.parametrize("by, key", [("f1", "macro_f1"), ("auc", "roc_auc")])
def test_settings_are_chosen_by_f1_and_auc(people, by, key):
    tuning = BayesClassifier(blocks={"note": "ignore"}).tune(
        people, "kind", tries=["age: gaussian | histogram(3)"], by=by)
    assert tuning.best[key] == max(candidate[key] for candidate in tuning.candidates)
    with pytest.raises(ValueError, match="no objective"):
        BayesClassifier().tune(people, "kind", by="f2")
