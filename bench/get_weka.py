#!/usr/bin/env python3
"""Fetches Weka and what it needs into build/weka, by the resolver of Maven packages that Spark has."""

import subprocess
import sys
from pathlib import Path

import pyspark

from contender import WEKA

PACKAGE = "nz.ac.waikato.cms.weka:weka-stable:3.8.7"


def main():
    if list(WEKA.glob("*weka-stable-*.jar")):
        return
    WEKA.mkdir(parents=True, exist_ok=True)
    command = [Path(pyspark.__file__).parent / "bin" / "spark-submit", "--packages", PACKAGE, "--conf", f"spark.jars.ivy={WEKA.parent}", "--class", "weka.core.Version",
               "--master", "local[1]", "spark-internal"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if not list(WEKA.glob("*weka-stable-*.jar")):
        sys.exit(f"Weka could not be fetched: {done.stderr.strip().splitlines()[-1]}")


if __name__ == "__main__":
    main()
