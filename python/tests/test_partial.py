# SPDX-License-Identifier: Apache-2.0
"""Many partitions make the model of one table."""
import numpy as np
import pyarrow as pa
import pytest

from credence import BayesClassifier, partial
from engine_rows import assert_same, cut, rows

BLOCKS = {"height, weight": "gaussian(full)", "visits": "poisson", "note": "text"}


def distributed(parts, **settings):
    plan = partial.plan([partial.profile(part) for part in parts], target="kind", weights="w", **settings)
    found = [partial.statistics(part, plan, i) for i, part in enumerate(parts)]
    model = partial.merge(found, plan)
    chosen = partial.sample_rows([partial.rows_of(each) for each in found])
    return partial.calibrate(model, [batch for part, places in zip(parts, chosen) for batch in partial.rows_at(part, places)])


@pytest.mark.parametrize("count", [1, 2, 7, 64])
def test_any_number_of_partitions_gives_the_model_of_one_table(count):
    table = rows(3000)
    for blocks in ({"note": "ignore"}, BLOCKS):
        whole = BayesClassifier(blocks=blocks).fit(table, "kind", sample_weight="w").to_model()
        assert_same(distributed(cut(table, count), blocks=blocks), whole, table)


def test_rows_sorted_by_class_leave_classes_unseen_in_most_partitions():
    table = rows(2000).sort_by("kind")
    whole = BayesClassifier(blocks=BLOCKS).fit(table, "kind", sample_weight="w").to_model()
    assert_same(distributed(cut(table, 7), blocks=BLOCKS), whole, table)


def test_empty_partitions_change_nothing():
    table = rows(500)
    parts = [table.slice(0, 0), table.slice(0, 200), table.slice(0, 0), table.slice(200)]
    whole = BayesClassifier().fit(table, "kind", sample_weight="w").to_model()
    assert_same(distributed(parts), whole, table)
    plan = partial.plan([partial.profile(table)], target="kind")
    assert partial.rows_of(partial.statistics([], plan)) == 0


def test_the_calibration_is_that_of_one_table():
    table = rows(9000, seed=3)
    whole = BayesClassifier(blocks={"note": "ignore"}).fit(table, "kind", sample_weight="w").to_model()
    found = distributed(cut(table, 5), blocks={"note": "ignore"})
    assert_same(found, whole, table)
    assert (b'"calibration"' in found.to_bytes()) == (b'"calibration"' in whole.to_bytes())


def test_merging_in_a_tree_is_merging_in_a_row():
    parts = cut(rows(1000), 8)
    plan = partial.plan(map(partial.profile, parts), target="kind", weights="w", blocks=BLOCKS)
    found = [partial.statistics(part, plan) for part in parts]
    tree = partial.merged([partial.merged(found[:4]), partial.merged(found[4:])])
    assert partial.rows_of(tree) == 1000
    assert_same(partial.merge([tree]), partial.merge(found), parts[0])


def test_a_plan_is_made_of_the_first_rows_as_for_a_file():
    table = rows(150_000)
    profiles = [partial.profile(part) for part in cut(table, 3)]
    assert not partial.is_enough(map(partial.profile, cut(table.slice(0, 3000), 3)))
    assert partial.is_enough(profiles)
    whole = BayesClassifier().fit(table, "kind", sample_weight="w")
    assert list(partial.plan(profiles, "kind", weights="w").columns) == whole.columns_
    with pytest.raises(ValueError, match="no rows at all"):
        partial.plan([b""], "kind")


def test_a_given_model_is_a_plan():
    table = rows(800)
    model = BayesClassifier(calibration="none").fit(table, "kind", sample_weight="w").to_model()
    plan = partial.Plan.of(model)
    assert_same(partial.merge(partial.statistics(part, plan) for part in cut(table, 3)), model, table)


def test_gaussian_columns_around_1e9_keep_their_spread():
    rng = np.random.default_rng(1)
    x = 1e9 + rng.normal(size=4000)
    table = pa.table({"x": x, "kind": np.where(rng.random(4000) < 0.5, "a", "b")})
    plan = partial.plan([partial.profile(table)], "kind", rule="mle")
    model = partial.merge(partial.statistics(part, plan) for part in cut(table, 7))
    found = model.tables()[0].rows
    for c, name in enumerate(model.classes):
        own = x[np.asarray(table["kind"]) == name]
        assert found["sd"][c] == pytest.approx(np.std(own - 1e9), rel=1e-9)


def test_bad_data_are_named_by_partition_and_row():
    good = pa.table({"x": ["1", "2", "3", "4"], "kind": ["a", "b", "a", "b"]})
    bad = pa.table({"x": ["1", "2", "k", "4"], "kind": ["a", "b", "a", "b"]})
    plan = partial.plan([partial.profile(good)], "kind")
    with pytest.raises(ValueError, match=r'^partition 3\[2\]: column "x": "k" is not a number') as found:
        partial.statistics(bad, plan, 3)
    assert "\n" not in str(found.value)


def test_decimals_are_numbers():
    values = pa.array([1.5, 2.5, None, 4.0]).cast(pa.decimal128(9, 2))
    table = pa.table({"x": values, "kind": ["a", "b", "a", "b"]})
    plan = partial.plan([partial.profile(table)], "kind")
    assert plan.columns[0][1] == "gaussian"
    assert partial.merge([partial.statistics(table, plan)]).rows == 4


def test_answers_are_those_of_the_classifier():
    table = rows(400)
    classifier = BayesClassifier(blocks=BLOCKS).fit(table, "kind", sample_weight="w")
    found = pa.Table.from_batches(partial.answers(table, classifier.to_model(), explain=True))
    assert found["prediction"].to_pylist() == classifier.predict(table).tolist()
    shares = np.array([list(each.values()) for each in found["probability"].to_pylist()])
    np.testing.assert_array_equal(shares, classifier.predict_proba(table))
    row = found["explanation"][0].as_py()
    assert sum(line["log_odds"] for line in row) == pytest.approx(classifier.explain(table.slice(0, 1))[0].log_odds)


def test_measures_are_those_of_one_table():
    table = rows(700)
    classifier = BayesClassifier(blocks=BLOCKS).fit(table, "kind", sample_weight="w")
    model = classifier.to_model()
    one = partial.measures([partial.evaluate(table, model)])
    many = partial.measures(partial.evaluate(part, model) for part in cut(table, 7))
    assert one.accuracy == pytest.approx(classifier.score(table, "kind", sample_weight="w"), abs=1e-15)
    for name in ("accuracy", "log_loss", "brier", "ece", "rows", "undecided"):
        assert getattr(many, name) == pytest.approx(getattr(one, name), rel=1e-12)
    np.testing.assert_allclose(many.confusion, one.confusion, rtol=1e-12)


def test_rows_held_out_are_judged_by_models_of_the_others():
    table = rows(600)
    parts = cut(table, 3)
    plan = partial.plan([partial.profile(table)], "kind", weights="w", blocks=BLOCKS)
    models = partial.held_out_models([partial.fold_statistics(part, plan, 4, i) for i, part in enumerate(parts)], plan)
    found = partial.measures(partial.fold_evaluate(part, models, i) for i, part in enumerate(parts))
    # By hand: fold 0 learned without its rows, from the tables themselves.
    fold = np.concatenate([partial.fold_of_rows(part.num_rows, 4, 0, i, 1) for i, part in enumerate(parts)])
    assert np.bincount(fold).min() > 100
    rest = BayesClassifier(blocks=BLOCKS, calibration="none").fit(table.filter(fold != 0), "kind", sample_weight="w")
    assert_same(models[0], rest.to_model(), table)
    assert found.rows == table.num_rows - table["kind"].null_count
    assert 0.5 < found.accuracy < 1
