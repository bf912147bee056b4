#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs pytest or mypy with the Python of .venv; 77 where the package is not installed there."""
import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("part", choices=["tests", "types", "engines"])
    options.add_argument("--program", type=Path, default=ROOT / "build" / "credence")
    arguments, more = options.parse_known_args()
    python = ROOT / ".venv" / "bin" / "python"
    engines = arguments.part == "engines"
    here = [python, "-c", "import credence, pytest, mypy" + (", pyspark, psycopg, dask, ray" if engines else "")]
    # Elsewhere than in the sources: the package that is installed is the one to test.
    folder = ROOT / "python" / ("engines" if engines else "tests")
    if not python.exists() or subprocess.run(here, cwd=folder, capture_output=True).returncode:
        print("not installed in .venv: make " + ("engines" if engines else "python"))
        return 77
    environment = {**os.environ, "CREDENCE_PROGRAM": str(arguments.program.resolve())}
    if arguments.part != "types":
        command = [python, "-m", "pytest", "-c", ROOT / "pyproject.toml", "--rootdir", ROOT, *more, folder]
    else:
        command = [python, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", "-p", "credence"]
    return subprocess.run(command, cwd=folder, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
