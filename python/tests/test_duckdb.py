# SPDX-License-Identifier: Apache-2.0
"""Whatever DuckDB reads is learned as a file of it would be."""
import subprocess
import sys

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import credence.duckdb as engine
from credence import BayesClassifier
from engine_rows import assert_same, rows

BLOCKS = {"height, weight": "gaussian(tied)", "visits": "poisson", "note": "text"}


@pytest.fixture
def table(tmp_path):
    table = rows(3000)
    pq.write_table(table, tmp_path / "rows.parquet", row_group_size=500)
    return table, str(tmp_path / "rows.parquet")


def test_relations_queries_files_and_tables_give_the_model_of_the_frame(table):
    table, path = table
    whole = BayesClassifier(blocks=BLOCKS).fit(table, "kind", sample_weight="w").to_model()
    connection = duckdb.connect()
    connection.sql(f"create table zoo as from '{path}'")
    for given in (path, f"select * from '{path}'", "zoo", connection.table("zoo")):
        found = engine.fit(given, "kind", weights="w", connection=connection, blocks=BLOCKS)
        assert_same(found.to_model(), whole, table)
    assert found.to_model().to_bytes() == whole.to_bytes()


def test_answers_are_a_stream_that_duckdb_reads(table):
    table, path = table
    model = engine.fit(path, "kind", blocks=BLOCKS)
    found = engine.predict(path, model)
    shares = duckdb.sql("select probability.bee as p from found").to_arrow_table()["p"]
    bee = model.predict_proba(table)[:, model.classes_.tolist().index("bee")]
    np.testing.assert_allclose(np.sort(np.asarray(shares)), np.sort(bee), atol=1e-12)


def test_measures_and_cross_validation_read_streams(table):
    table, path = table
    model = engine.fit(path, "kind", weights="w", blocks=BLOCKS)
    assert engine.evaluate(path, model).accuracy == pytest.approx(model.score(table, "kind", sample_weight="w"))
    held_out = engine.cross_validate(duckdb.read_parquet(path), "kind", weights="w", folds=5, blocks=BLOCKS)
    dealt = BayesClassifier(blocks=BLOCKS).cross_validate(table, "kind", sample_weight="w", folds=5)
    assert held_out.rows == dealt.rows
    assert held_out.accuracy == pytest.approx(dealt.accuracy, abs=0.02)


def test_decimals_of_sql_are_numbers():
    model = engine.fit("select i / 2.0 as x, (i * i % 50)::decimal(9, 2) as d, i % 3 as y from range(50) t(i)", "y")
    assert [family for _, family, _ in model.columns_] == ["gaussian", "gaussian", "target"]
    assert model.classes_.tolist() == [0, 1, 2]


def test_a_cell_that_is_no_number_is_named(tmp_path):
    good = engine.fit("select i as x, i % 2 as y from range(9) t(i)", "y")
    with pytest.raises(ValueError, match=r'X\[1\]: column "x": "k" is not a number'):
        engine.evaluate("select * from (values ('1', 0), ('k', 1)) t(x, y)", good)


def test_rows_are_not_kept():
    code = """
import resource, credence.duckdb
rows = "select random() as a, random() as b, random() as c, i % 5 as y from range(4000000) t(i)"
credence.duckdb.fit(rows, "y")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
credence.duckdb.fit(rows.replace("4000000", "12000000"), "y")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(found.stdout.split()[-1]) < 100  # MB more for 256 MB more of rows


def test_the_program_reads_a_table_of_a_database_file(table, command_line, tmp_path, monkeypatch):
    table, path = table
    monkeypatch.setenv("CREDENCE_PYTHON", sys.executable)
    with duckdb.connect(str(tmp_path / "base.duckdb")) as base:
        base.sql(f"create table zoo as select * exclude note from '{path}'")
    found = [command_line("fit", name, "--target", "kind", "--weights", "w", "-q", "-o", "m.credence")
             + command_line("show", "m.credence") for name in ("base.duckdb", "base.duckdb?table=zoo")]
    pq.write_table(table.drop_columns(["note"]), tmp_path / "rows.parquet")
    assert found[0] == found[1]
    command_line("fit", "rows.parquet", "--target", "kind", "--weights", "w", "-q", "-o", "m.credence")
    assert found[0].endswith(command_line("show", "m.credence"))
    with duckdb.connect(str(tmp_path / "base.duckdb")) as base:
        base.sql("create table more as from zoo")
    for name, why in (("base.duckdb", "several tables"), ("base.duckdb?table=none", "no table none")):
        with pytest.raises(subprocess.CalledProcessError) as refused:
            command_line("fit", name, "--target", "kind")
        assert f"duckdb cannot read this DuckDB file: {why}: name one as FILE?table=NAME, of these: more, zoo" in refused.value.stderr
