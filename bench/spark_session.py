"""Spark in local mode, on all cores, for the contenders that are Spark's."""

import os
import subprocess
import sys
from pathlib import Path

from contender import Contender


class Spark(Contender):
    name = "Spark MLlib, local mode"
    needs = ("pyspark",)

    def start(self):
        """A session, whose Java starts with it: neither is timed."""
        from pyspark.sql import SparkSession

        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.master("local[*]").appName("bench").config("spark.driver.memory", "6g")
        settings = {"spark.ui.enabled": "false", "spark.sql.execution.arrow.pyspark.enabled": "true", "spark.driver.host": "127.0.0.1",
                    "spark.driver.bindAddress": "127.0.0.1", "spark.driver.maxResultSize": "0", "spark.sql.shuffle.partitions": "4"}
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("ERROR")

    def memory(self, step):
        """Of the Java that does the work; its peak since it started, for it is not asked to forget."""
        children = subprocess.run(["ps", "-eo", "pid,sid,comm"], capture_output=True, text=True).stdout.splitlines()[1:]
        mine = str(os.getsid(0))
        peaks = [peak_of(pid) for pid, session, command in (line.split(None, 2) for line in children) if session == mine and command == "java"]
        return max(peaks)


def peak_of(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
