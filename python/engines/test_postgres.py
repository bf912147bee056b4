# SPDX-License-Identifier: Apache-2.0
"""A real PostgreSQL server gives the posteriors of the library. Runs where `make engines` has been."""
import pytest

import postgres
from engine_sql import COUNTED, SAID, adult, assert_counted, assert_scores, awkward, learned, strange, table_of_rows

psycopg = pytest.importorskip("psycopg", reason="make engines installs psycopg")
pytestmark = pytest.mark.skipif(not postgres.programs(), reason="make engines installs PostgreSQL")


@pytest.fixture(scope="module")
def connection():
    with postgres.server() as address, psycopg.connect(address) as connection:
        yield connection


@pytest.fixture(scope="module")
def table():
    return table_of_rows()


@pytest.fixture(scope="module")
def ask(connection, table):
    from psycopg.rows import dict_row

    postgres.put(connection, "data", strange(table))

    def rows(query):
        with connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query).fetchall()

    return rows


@pytest.mark.parametrize("what", SAID)
def test_a_query_gives_the_posteriors_of_the_library(ask, table, what):
    assert_scores(ask, learned(table, **SAID[what]), strange(table), "postgres")


def test_adult_has_the_same_answers_in_the_database(connection):
    from psycopg.rows import dict_row

    train, test = adult("train"), adult("test")
    postgres.put(connection, "adult", test)
    for blocks in ({}, {"age, hours_per_week, education_num": "gaussian(tied)"}):
        with connection.cursor(row_factory=dict_row) as cursor:
            assert_scores(lambda query: cursor.execute(query).fetchall(), learned(train, "income", blocks=blocks), test,
                          "postgres", "adult")


@pytest.mark.parametrize("weights", ["", "w"])
@pytest.mark.parametrize("what", COUNTED)
def test_the_server_counts_the_model_of_the_table(connection, table, what, weights):
    with connection.cursor() as cursor:
        there = cursor.execute("select 1 from pg_tables where tablename = 'counted'").fetchall()
    if not there:
        postgres.put(connection, "counted", table)
    assert_counted(connection, table, COUNTED[what], weights, "counted")


def test_rows_whose_first_ones_say_little_of_the_rest_are_right(connection):
    table = awkward()
    postgres.put(connection, "awkward", table)
    for blocks in ({}, {"far, apart, gaps": "gaussian(full)"}):
        assert_counted(connection, table, blocks, "w", "awkward")
