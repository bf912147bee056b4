#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits in engines, end to end, each in a process of its own: seconds, and megabytes at most.

  .venv/bin/python bench/engines.py spark --rows 10000000    against Spark MLlib's NaiveBayes, on two worker processes
  .venv/bin/python bench/engines.py duckdb --gigabytes 2     Parquet by DuckDB, by pyarrow, and what pandas can hold

Prints a table in Markdown. Rows are made on the spot, in bench/results.
"""
import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
COLUMNS = 20


def make_rows(folder, rows):
    """Twenty columns and a class, in files of 500,000 rows: numbers (x), and counts (n)."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    for i in range(-(-rows // 500_000)):
        path = folder / f"{i:05d}.parquet"
        if path.exists():
            continue
        rng = np.random.default_rng(i)
        count = min(500_000, rows - i * 500_000)
        label = rng.integers(0, 4, count).astype(float)
        names = {f"x{j}": rng.normal(label * (j % 3) / 4, 1) for j in range(COLUMNS)}
        pq.write_table(pa.table({**names, "label": label}), path)
        pq.write_table(pa.table({**{name.replace("x", "n"): rng.poisson(1 + label / (j + 1)) for j, name in enumerate(names)},
                                 "label": label}), folder.parent / f"{folder.name}_counts_{i:05d}.parquet")


def session():
    from pyspark.sql import SparkSession

    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    return (SparkSession.builder.master("local-cluster[2,1,2048]").config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.executor.memory", "2g").config("spark.log.level", "OFF").getOrCreate())


def run_spark(who, paths, kind):
    spark = session()
    frame = spark.read.parquet(*paths)
    frame.limit(10).toArrow()
    if who.startswith("credence"):
        import credence.spark

        names = [name for name in frame.columns if name != "label"]
        blocks = {"*": "gaussian"} if kind == "gaussian" else {", ".join(names): "multinomial"}
        calibration = "auto" if who == "credence" else "none"
        credence.spark.fit(spark.read.parquet(paths[0]), "label", blocks=blocks)  # workers are there
        start = time.perf_counter()
        credence.spark.fit(frame, "label", blocks=blocks, calibration=calibration)
    else:
        from pyspark.ml.classification import NaiveBayes
        from pyspark.ml.feature import VectorAssembler

        assembler = VectorAssembler(inputCols=[name for name in frame.columns if name != "label"], outputCol="features")
        bayes = NaiveBayes(modelType=kind)
        bayes.fit(assembler.transform(spark.read.parquet(paths[0])))
        start = time.perf_counter()
        bayes.fit(assembler.transform(frame))
    return time.perf_counter() - start


def run_duckdb(who, folder):
    start = time.perf_counter()
    if who == "credence.duckdb":
        import credence.duckdb

        credence.duckdb.fit(f"{folder}/*.parquet", "label")
    elif who == "pyarrow into credence":
        import pyarrow.dataset

        from credence import BayesClassifier

        BayesClassifier().fit(pyarrow.dataset.dataset(folder).scanner(batch_size=65_536).to_reader(), "label")
    else:
        import pandas as pd
        from sklearn.naive_bayes import GaussianNB

        parts = [pd.read_parquet(path).sample(frac=0.1, random_state=1) for path in sorted(Path(folder).glob("*.parquet"))]
        table = pd.concat(parts)
        GaussianNB().fit(table.drop(columns="label"), table["label"])
    return time.perf_counter() - start


def measured(*arguments):
    """In a process of its own: seconds, and the most memory of it and its children."""
    found = subprocess.run([sys.executable, __file__, "one", *arguments], capture_output=True, text=True)
    if found.returncode:
        return None, found.stderr.strip().splitlines()[-1]
    return map(float, found.stdout.split()[-2:])


def print_row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["spark", "duckdb", "one"])
    parser.add_argument("more", nargs="*")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--times", type=int, default=3, help="runs by turns, of which the shortest counts")
    parser.add_argument("--gigabytes", type=float, default=2)
    given = parser.parse_args()
    if given.what == "one":
        where, who, *more = given.more
        seconds = run_spark(who, more[1].split(","), more[0]) if where == "spark" else run_duckdb(who, *more)
        most = max(resource.getrusage(each).ru_maxrss for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        print(seconds, most / 1024)
        return
    rows = given.rows if given.what == "spark" else int(given.gigabytes * 1e9 / 160)
    folder = HERE / "results" / f"rows_{rows}"
    make_rows(folder, rows)
    counts = sorted(folder.parent.glob(f"{folder.name}_counts_*.parquet"))
    print_row(f"{rows:,} rows", "seconds", "MB")
    print_row("---", "---", "---")
    if given.what == "spark":
        for kind, paths in (("gaussian", sorted(folder.glob("*.parquet"))), ("multinomial", counts)):
            found = {}
            for _ in range(given.times):  # by turns
                for who in ("credence", "credence without calibration", "MLlib"):
                    seconds, most = measured("spark", who, kind, ",".join(map(str, paths)))
                    found.setdefault(who, []).append((seconds or float("inf"), most))
            for who, runs in found.items():
                seconds, most = min(runs)
                print_row(f"{who}, {kind}", f"{seconds:.1f}", f"{most:.0f}" if seconds < float("inf") else most)
    else:
        for who in ("credence.duckdb", "pyarrow into credence", "pandas and scikit-learn, a tenth of the rows"):
            seconds, most = measured("duckdb", who, str(folder))
            print_row(who, f"{seconds:.1f}" if seconds else "failed", f"{most:.0f}" if seconds else most)


if __name__ == "__main__":
    main()
