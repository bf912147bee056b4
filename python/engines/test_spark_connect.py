# SPDX-License-Identifier: Apache-2.0
"""Spark Connect, whose frames have no JVM beside them. In a process of its own, as a session of the other kind excludes it."""
import os
import subprocess
import sys

import pytest

pytest.importorskip("grpc", reason="make engines installs pyspark with Spark Connect")

SCRIPT = """
from pyspark.sql import SparkSession

import credence.spark as engine
import credence.sql
from credence import BayesClassifier
from engine_rows import assert_same, rows

spark = (SparkSession.builder.remote("local[2]").config("spark.connect.grpc.binding.address", "127.0.0.1")
         .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
         .config("spark.ui.enabled", "false").getOrCreate())
assert "connect" in type(spark).__module__
table = rows(800)
frame = spark.createDataFrame(table)
blocks = {"height, weight": "gaussian(full)", "visits": "poisson", "note": "text"}
model = BayesClassifier(blocks=blocks).fit(table, "kind", sample_weight="w")
for tree in (False, True):
    found = engine.fit(frame, "kind", weights="w", blocks=blocks, tree=tree, calibration="none")
    assert_same(found.to_model(), BayesClassifier(blocks=blocks, calibration="none").fit(table, "kind", sample_weight="w").to_model(), table)
assert engine.predict(frame, model).toArrow()["prediction"].to_pylist() == model.predict(table).tolist()
assert abs(engine.evaluate(frame, model).accuracy - model.score(table, "kind", sample_weight="w")) < 1e-12
assert engine.cross_validate(frame, "kind", weights="w", folds=3, blocks=blocks).rows == table.num_rows - table["kind"].null_count
frame.createOrReplaceTempView("zoo")
plain = {"note": "ignore"}
whole = BayesClassifier(blocks=plain, calibration="none").fit(table, "kind", sample_weight="w").to_model()
assert_same(credence.sql.fit(spark, "zoo", "kind", weights="w", blocks=plain).to_model(), whole, table)
spark.stop()
print("all is well")
"""


def test_learning_and_answers_need_no_jvm_of_ones_own():
    shared = os.path.join(os.path.dirname(os.path.dirname(__file__)), "tests")
    found = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=600, env={
        **os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": shared})
    assert found.stdout.endswith("all is well\n"), found.stderr[-2000:]
