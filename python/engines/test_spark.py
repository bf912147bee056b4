# SPDX-License-Identifier: Apache-2.0
"""A cluster of separate worker processes makes the model of one machine. Runs where `make engines` has been."""
import os
import signal
import sys

import numpy as np
import pytest

pytest.importorskip("pyspark", reason="make engines installs pyspark and Java")

from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

import credence.spark as engine  # noqa: E402
from credence import BayesClassifier  # noqa: E402
from credence._spark_rows import Files, Frame, rows_of  # noqa: E402
from engine_rows import assert_same, rows  # noqa: E402

BLOCKS = {"height, weight": "gaussian(full)", "visits": "poisson", "note": "text"}


@pytest.fixture(scope="module")
def spark():
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")])
    session = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("credence")
               .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
               .config("spark.driver.bindAddress", "127.0.0.1").config("spark.executor.memory", "1g")
               .config("spark.sql.shuffle.partitions", "2").config("spark.log.level", "OFF").getOrCreate())
    yield session
    session.stop()


def spread(spark, table, count):
    """A frame of `count` partitions that hold the rows in their order."""
    data = table.to_pylist()
    names = table.schema.names
    schema = spark.createDataFrame(table.slice(0, 1)).schema
    return spark.createDataFrame(spark.sparkContext.parallelize(
        [tuple(row[name] for name in names) for row in data], count), schema)


@pytest.mark.parametrize("count", [1, 2, 7, 64])
def test_any_number_of_partitions_gives_the_model_of_one_machine(spark, count):
    table = rows(1500)
    frame = spread(spark, table, count)
    assert frame.rdd.getNumPartitions() == count
    for blocks in (BLOCKS, {"note": "ignore"}) if count == 7 else (BLOCKS,):
        whole = BayesClassifier(blocks=blocks).fit(table, "kind", sample_weight="w").to_model()
        assert_same(engine.fit(frame, "kind", weights="w", blocks=blocks).to_model(), whole, table)


def test_empty_partitions_and_a_tree_of_merges_change_nothing(spark):
    table = rows(20)
    whole = BayesClassifier(blocks=BLOCKS).fit(table, "kind", sample_weight="w").to_model()
    found = engine.fit(spread(spark, table, 40), "kind", weights="w", blocks=BLOCKS, tree=True)
    assert_same(found.to_model(), whole, table)


def test_predictions_and_reasons_are_columns(spark):
    table = rows(300)
    model = BayesClassifier(blocks=BLOCKS).fit(table, "kind", sample_weight="w")
    found = engine.predict(spread(spark, table, 3), model, explain=True).toArrow()
    assert found["prediction"].to_pylist() == model.predict(table).tolist()
    shares = np.array([list(each.values()) for each in found["probability"].to_pylist()])
    np.testing.assert_allclose(shares, model.predict_proba(table), rtol=0, atol=1e-12)
    assert {line["column"] for line in found["explanation"][0].as_py()} >= {"visits"}


def test_measures_cross_validation_and_tuning_run_where_the_rows_are(spark):
    table = rows(1500)
    frame = spread(spark, table, 4)
    model = BayesClassifier(blocks=BLOCKS).fit(table, "kind", sample_weight="w")
    assert engine.evaluate(frame, model).accuracy == pytest.approx(model.score(table, "kind", sample_weight="w"))
    held_out = engine.cross_validate(frame, "kind", weights="w", folds=3, blocks=BLOCKS, rule="bayes=2")
    assert held_out.rows == table.num_rows - table["kind"].null_count
    tuned, tried = engine.tune(frame, "kind", ["bayes=2", "bayes=1000"], weights="w", folds=3, blocks=BLOCKS)
    assert tried["bayes=2"].log_loss == pytest.approx(held_out.log_loss, rel=1e-12)
    assert tuned.to_model().rule == min(tried, key=lambda rule: tried[rule].log_loss)


def test_gaussian_columns_around_1e9_are_right_where_mllib_is_not(spark):
    from pyspark.ml.classification import NaiveBayes
    from pyspark.ml.feature import VectorAssembler

    rng = np.random.default_rng(1)
    kind = rng.integers(0, 2, 2000).astype(float)
    x = 1e9 + kind + rng.normal(size=2000)
    frame = spark.createDataFrame([(float(a), float(b)) for a, b in zip(x, kind)], ["x", "label"]).repartition(3)
    found = engine.fit(frame, "label", rule="mle").to_model().tables()[0].rows["sd"]
    truth = [np.std(x[kind == c] - 1e9) for c in (0, 1)]
    np.testing.assert_allclose(found, truth, rtol=1e-9)
    vectors = VectorAssembler(inputCols=["x"], outputCol="features").transform(frame)
    theirs = NaiveBayes(modelType="gaussian").fit(vectors).sigma.toArray().ravel()
    assert np.abs(theirs / np.square(truth) - 1).max() > 0.5


def test_a_query_gives_the_posteriors_of_the_library(spark):
    from engine_sql import SAID, assert_scores, learned, strange, table_of_rows

    table = table_of_rows(200)
    odd = strange(table)
    spark.createDataFrame(odd.to_pandas().astype(object).where(odd.to_pandas().notna(), None), spark.createDataFrame(
        odd.drop_columns([]).slice(0, 0)).schema).createOrReplaceTempView("data")
    for what in ("the default", "full block", "counts", "draws", "tan", "room for the unseen"):
        model = learned(table, **SAID[what])
        assert_scores(lambda query: [row.asDict() for row in spark.sql(query).collect()], model, odd, "spark")


@pytest.mark.parametrize("what", ["the default", "full block", "draws", "pairs"])
def test_spark_sql_counts_the_model_of_the_table(spark, what):
    from engine_sql import COUNTED, assert_counted, table_of_rows

    table = table_of_rows(600)
    spread(spark, table, 3).createOrReplaceTempView("counted")
    assert_counted(spark, table, COUNTED[what], "w", "counted")


def test_sums_of_numbers_are_left_to_spark_and_are_the_same_bits_again(spark):
    from engine_sql import awkward

    table = awkward(1500).drop_columns(["same"])
    frame = spread(spark, table, 7)
    for weights in ("", "w"):
        blocks = {} if weights else {"w": "ignore"}
        plan = engine.plan(frame, "kind", weights=weights, blocks=blocks)
        assert engine._summed_up(frame, plan, []) is not None
        found = engine.fit(frame, "kind", weights=weights, blocks=blocks).to_model()
        whole = BayesClassifier(blocks=blocks).fit(table, "kind", **({"sample_weight": weights} if weights else {}))
        assert_same(found, whole.to_model(), table)
        assert engine.fit(frame, "kind", weights=weights, blocks=blocks).to_model().to_bytes() == found.to_bytes()


def test_a_killed_worker_changes_no_bit(spark, tmp_path):
    table = rows(1000)
    frame = spread(spark, table, 6)
    whole = engine.fit(frame, "kind", weights="w", blocks=BLOCKS, calibration="none")
    marker = str(tmp_path / "killed")

    def kill_once(batches):
        for batch in batches:
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getppid(), signal.SIGKILL)
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    again = engine.fit(frame.mapInArrow(kill_once, frame.schema), "kind", weights="w", calibration="none",
                       plan=engine.plan(frame, "kind", weights="w", blocks=BLOCKS, calibration="none"))
    assert os.path.exists(marker)
    assert again.to_model().to_bytes() == whole.to_model().to_bytes()


def test_bad_data_stop_with_one_line_that_names_partition_and_row(spark):
    frame = spark.createDataFrame([(str(i), "ab"[i % 2]) for i in range(40)], ["x", "y"]).coalesce(1)
    plan = engine.plan(frame, "y", blocks={"x": "gaussian"})
    bad = spark.createDataFrame(spark.sparkContext.parallelize(
        [(str(i) if i != 27 else "k", "ab"[i % 2]) for i in range(40)], 4), ["x", "y"])
    for tree in (False, True):
        with pytest.raises(ValueError, match=r'^partition 2\[7\]: column "x": "k" is not a number') as found:
            engine.fit(bad, "y", plan=plan, tree=tree)
        assert "\n" not in str(found.value)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Rows in four Parquet files, one without rows, cut at 300 rows."""
    import pyarrow.parquet as pq

    folder = tmp_path_factory.mktemp("files") / "rows of a table"
    folder.mkdir()
    table = rows(1500)
    for i, (start, stop) in enumerate([(0, 700), (700, 700), (700, 701), (701, 1500)]):
        pq.write_table(table.slice(start, stop - start), folder / f"part {i}.parquet", row_group_size=300)
    return folder


def test_parquet_files_are_read_by_the_workers_and_give_the_same_model(spark, files):
    table = rows(1500)
    frame = spark.read.parquet(str(files))
    found = rows_of(frame)
    assert isinstance(found, Files) and found.counts == [300, 300, 101, 300, 300, 199]  # small groups share a task
    for blocks in (BLOCKS, {"note": "ignore"}):
        whole = BayesClassifier(blocks=blocks).fit(table, "kind", sample_weight="w").to_model()
        for tree in (False, True):
            model = engine.fit(frame, "kind", weights="w", blocks=blocks, tree=tree).to_model()
            assert tree or model.to_bytes() == engine.fit(frame, "kind", weights="w", blocks=blocks).to_model().to_bytes()
            plain = BayesClassifier(blocks=blocks, calibration="none").fit(table, "kind", sample_weight="w").to_model()
            assert_same(model, plain if tree else whole, table)
    some = frame.select("kind", "height", "far")
    assert isinstance(rows_of(some), Files)
    assert_same(engine.fit(some, "kind").to_model(), BayesClassifier().fit(table.select(["kind", "height", "far"]), "kind").to_model(),
                table)
    held_out = engine.cross_validate(frame, "kind", weights="w", folds=3, blocks=BLOCKS)
    assert held_out.rows == 1500 - table["kind"].null_count


def test_frames_that_are_more_than_files_are_read_by_spark(spark, files, tmp_path):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    frame = spark.read.parquet(str(files))
    pq.write_to_dataset(rows(40).drop_columns(["note"]), tmp_path / "parts", partition_cols=["visits"])
    pq.write_table(pa.table({"day": pa.array([0, 1], pa.date32()), "y": ["a", "b"]}), tmp_path / "days.parquet")
    for odd in (frame.filter("height > 170"), frame.selectExpr("kind", "height + 1 as height"), frame.limit(10),
                frame.union(frame), frame.withColumnRenamed("height", "size"), spark.read.parquet(str(tmp_path / "parts")),
                spark.read.parquet(str(tmp_path / "days.parquet")), frame.repartition(2)):
        assert isinstance(rows_of(odd), Frame)
    kept = frame.cache()
    assert isinstance(rows_of(kept), Frame)
    kept.unpersist()
    tall = engine.fit(frame.filter("height > 170"), "kind", blocks={"note": "ignore"}, calibration="none").to_model()
    table = rows(1500)
    assert tall.rows == pc.sum(pc.and_(pc.greater(table["height"], 170), pc.is_valid(table["kind"]))).as_py()


def test_bad_cells_of_files_are_named_by_the_file_too(spark, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    good = spark.createDataFrame([(str(i), "ab"[i % 2]) for i in range(40)], ["x", "y"])
    plan = engine.plan(good, "y", blocks={"x": "gaussian"})
    pq.write_table(pa.table({"x": [str(i) if i != 27 else "k" for i in range(40)], "y": ["a", "b"] * 20}),
                   tmp_path / "bad.parquet", row_group_size=20)
    with pytest.raises(ValueError, match=r'^partition 1\[7\]: column "x": "k" is not a number.*row group 1 of .*bad.parquet') as found:
        engine.fit(spark.read.parquet(str(tmp_path)), "y", plan=plan)
    assert "\n" not in str(found.value)


def test_a_pipeline_learns_predicts_and_is_kept(spark, tmp_path):
    from pyspark.ml import Pipeline, PipelineModel
    from pyspark.ml.feature import SQLTransformer

    from credence.spark_ml import CredenceClassifier

    table = rows(400)
    frame = spread(spark, table, 2)
    pipeline = Pipeline(stages=[SQLTransformer(statement="select *, height - weight as gap from __THIS__"),
                                CredenceClassifier(target="kind", weights="w", settings='{"blocks": {"note": "ignore"}}')])
    fitted = pipeline.fit(frame)
    fitted.write().overwrite().save(str(tmp_path / "fitted"))
    pipeline.write().overwrite().save(str(tmp_path / "pipeline"))
    again = PipelineModel.load(str(tmp_path / "fitted"))
    answers = [each.transform(frame).select("prediction", "probability").toArrow() for each in (fitted, again)]
    assert answers[0].equals(answers[1])
    assert Pipeline.load(str(tmp_path / "pipeline")).getStages()[1].getOrDefault("target") == "kind"
    assert fitted.stages[1].credence.classes == ["ant", "bee", "cow", "dog"]


def test_a_stream_updates_a_model_file_and_forgets_old_batches(spark, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    from credence import Model
    from engine_rows import cut

    parts = cut(rows(900), 3)
    first = BayesClassifier(blocks=BLOCKS, calibration="none").fit(parts[0], "kind", sample_weight="w").to_model()
    first.save(tmp_path / "live.credence")
    (tmp_path / "in").mkdir()
    schema = spark.createDataFrame(parts[0].slice(0, 1)).schema
    stream = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(tmp_path / "in"))
    writer = engine.follow(stream, str(tmp_path / "live.credence"), keep=1).option("checkpointLocation", str(tmp_path / "c"))
    for i, part in enumerate(parts[1:]):
        pq.write_table(part, tmp_path / "in" / f"{i}.parquet")
        writer.trigger(availableNow=True).start().awaitTermination()
    found = Model.load(tmp_path / "live.credence")
    assert list(found.windows) == ["batch 000000000001"]  # that of batch 0 is forgotten
    expected = BayesClassifier(blocks=BLOCKS, calibration="none").fit(
        pa.concat_tables([parts[0], parts[2]]), "kind", sample_weight="w")
    shares = [BayesClassifier.from_model(each).predict_proba(parts[1]) for each in (found, expected.to_model())]
    np.testing.assert_allclose(*shares, rtol=0, atol=1e-12)
