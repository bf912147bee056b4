# SPDX-License-Identifier: Apache-2.0
"""A query of DuckDB gives the posteriors of the library."""
import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

from credence import BayesClassifier
from engine_sql import EXAMPLES, SAID, adult, assert_scores, example, learned, strange, table_of_rows


@pytest.fixture(scope="module")
def table():
    return table_of_rows()


def asking(table):
    connection = duckdb.connect()
    connection.register("data", table)
    return lambda query: connection.sql(query).to_arrow_table().to_pylist()


@pytest.mark.parametrize("what", SAID)
def test_a_query_gives_the_posteriors_of_the_library(table, what):
    found = assert_scores(asking(strange(table)), learned(table, **SAID[what]), strange(table), "duckdb")
    assert np.ptp(found[:, 0]) > 0.5


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("rule", ["bayes", "mle"])
def test_so_it_does_for_the_examples(name, rule):
    table, target = example(name)
    assert_scores(asking(table), learned(table, target, rule=rule), table, "duckdb")


def test_adult_has_the_same_answers_in_the_database():
    train, test = adult("train"), adult("test")
    for blocks in ({}, {"age, hours_per_week, education_num": "gaussian(full)"}):
        model = learned(train, "income", blocks=blocks)
        assert_scores(asking(test), model, test, "duckdb")


def test_evidence_that_counts_the_other_way_does_so_in_the_database_and_what_is_ruled_out_stays_so(command_line, tmp_path):
    rows = pa.table({"x": list("ppqrpr"), "z": [1, 2, 3, 1, 4, 2], "t": list("aabbba"), "id": range(6)})
    pa.csv.write_csv(rows, tmp_path / "rows.csv")
    command_line("fit", "rows.csv", "--target", "t", "--as", "id: ignore", "--estimate", "mle", "--trust", "x=-1, z=-0.5", "-o", "m")
    found = assert_scores(asking(rows), BayesClassifier.load(tmp_path / "m"), rows, "duckdb")
    assert found[2].tolist() == [0, 1] and found[4, 0] > 0.9


def test_calibrations_of_every_kind_are_applied(table, tmp_path):
    few = table.slice(0, 150)
    for target, method in (("kind", "isotonic"), ("kind", "temperature"), ("is it", "isotonic"), ("is it", "platt")):
        other = "is it" if target == "kind" else "kind"
        labelled = few.filter(few[target].is_valid())
        model = learned(labelled, target, blocks={"note": "ignore", other: "ignore"}, calibration="none")
        model.calibrate(labelled, target, method=method)
        assert_scores(asking(strange(table)), model, strange(table), "duckdb")


def test_a_row_that_no_class_allows_has_no_answer(table):
    rows = pa.table({"x": ["a", "b", "a", "b"], "y": ["c", "d", "c", "d"], "t": ["one", "two", "one", "two"], "id": [0, 1, 2, 3]})
    model = learned(rows, "t", rule="mle")
    odd = pa.table({"x": ["a", "b", "a"], "y": ["c", "c", None], "id": [0, 1, 2]})
    assert_scores(asking(odd), model, odd, "duckdb")
    answers = asking(odd)(model.to_sql())
    assert answers[1]["prediction"] is None and answers[1]["P(one)"] is None


def test_scores_far_below_what_a_double_holds_and_numbers_far_from_0_are_right():
    rng = np.random.default_rng(1)
    columns = {f"x{i}": 1e9 + rng.normal(size=300) * 1e-3 for i in range(60)}
    kind = np.arange(300) % 2
    columns["x0"] = columns["x0"] + 1e-4 * kind
    rows = pa.table({**columns, "kind": kind.astype(str), "id": np.arange(300)})
    far = rows.set_column(3, "x3", pa.array(columns["x3"] + 40.0))
    for rule in ("bayes", "mle"):
        assert_scores(asking(far), learned(rows, rule=rule, calibration="none"), far, "duckdb")


def test_names_may_have_quotes_and_be_those_of_the_query():
    rows = pa.table({'a "b"': [1.0, 2.0, 3.0, 4.0], "v1": ["it's", "x\\", "it's", "y"], "P(c)": [0.0, 1.0, 0.5, 2.0],
                     "kind": ["c", "C", "c", "C"], "id": [0, 1, 2, 3]})
    connection = duckdb.connect()
    connection.register("rows", rows)
    model = learned(rows, calibration="none")
    answers = connection.execute(model.to_sql(table="rows")).fetchall()
    np.testing.assert_allclose([row[-2:] for row in sorted(answers, key=lambda row: row[4])], model.predict_proba(rows)[:, [0, 1]],
                               atol=1e-12)


def test_what_sql_cannot_say_is_one_line_that_names_the_column():
    rows = pa.table({"x": [1.0, 2.0, 3.5, 4.0], "kind": ["c", "d", "c", "d"]})
    with pytest.raises(ValueError, match=r'^column "x": SQL does not say what kernel makes of it \(.*histogram') as found:
        BayesClassifier(blocks={"x": "kernel"}).fit(rows, "kind").to_sql()
    assert "\n" not in str(found.value)
    with pytest.raises(ValueError, match='no SQL dialect "mysql"; choose duckdb, postgres, spark'):
        BayesClassifier().fit(rows, "kind").to_sql("mysql")
