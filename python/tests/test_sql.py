# SPDX-License-Identifier: Apache-2.0
"""DuckDB counts what the library would: groups and sums, from which the same model is made."""
import duckdb
import numpy as np
import pyarrow as pa
import pytest

import credence.sql
from engine_sql import COUNTED, adult, assert_counted, awkward, table_of_rows


def holding(table):
    connection = duckdb.connect()
    connection.register("data", table)
    return connection


@pytest.mark.parametrize("weights", ["", "w"])
@pytest.mark.parametrize("what", COUNTED)
def test_a_database_counts_the_model_of_the_table(what, weights):
    table = table_of_rows(1500)
    assert_counted(holding(table), table, COUNTED[what], weights)


@pytest.mark.parametrize("weights", ["", "w"])
@pytest.mark.parametrize("blocks", [{}, {"far, apart, gaps": "gaussian(full)"}])
def test_rows_whose_first_ones_say_little_of_the_rest_are_right(blocks, weights):
    assert_counted(holding(awkward()), awkward(), blocks, weights)


def test_a_query_is_a_table_and_labels_may_be_numbers():
    connection = duckdb.connect()
    connection.execute("create table t as select i % 7 as x, i % 3 as y from range(50) r(i)")
    model = credence.sql.fit(connection, "select * from t where x > 1", "y")
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.to_model().rows == sum(i % 7 > 1 for i in range(50))


def test_adult_is_counted_as_it_is_read():
    import pandas as pd

    table = adult("train").drop_columns(["id"])
    connection = holding(table)
    found = credence.sql.fit(connection, "data", "income")
    from credence import BayesClassifier
    from engine_rows import assert_same

    assert_same(found.to_model(), BayesClassifier(calibration="none").fit(table, "income").to_model(), table.slice(0, 2000))
    assert isinstance(found.predict(pd.DataFrame(table.slice(0, 3).to_pydict()))[0], str)


@pytest.mark.parametrize("rows, settings, what", [
    ({"x": [1.0, float("inf"), 2.0, 3.0]}, {}, 'column "x": a value is not a finite number'),
    ({"x": ["a b c d", "e f g h", "i j k l", "m n o p"]}, {"blocks": {"x": "text"}}, 'column "x": SQL does not count what text is learned from'),
    ({"x": [1.0, 2.0, 4.0, 3.0], "w": [1.0, -1.0, None, 1.0]}, {"weights": "w"}, 'column "w": 2 weights are missing or below 0'),
])
def test_what_cannot_be_counted_is_one_line(rows, settings, what):
    table = pa.table({**rows, "y": ["a", "b", "a", "b"]})
    with pytest.raises(ValueError, match=what) as found:
        credence.sql.fit(holding(table), "data", "y", **settings)
    assert "\n" not in str(found.value)


def test_another_kind_of_connection_is_refused():
    with pytest.raises(TypeError, match="a connection of DuckDB, psycopg or Spark is wanted, not builtins.int"):
        credence.sql.fit(1, "t", "y")


def test_a_class_that_the_first_rows_do_not_have_is_counted():
    rng = np.random.default_rng(1)
    count = credence.sql.FIRST + 2000
    kind = np.where(np.arange(count) < count - 1000, "early", "late")
    table = pa.table({"x": np.where(kind == "late", 5e8, 0) + rng.normal(size=count), "kind": kind,
                      "w": np.ones(count)})
    assert_counted(holding(table), table, {})
