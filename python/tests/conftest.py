# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def examples():
    return ROOT / "examples"


@pytest.fixture
def command_line(tmp_path):
    """Runs the program that was built, in an empty folder."""
    program = os.environ.get("CREDENCE_PROGRAM") or Path(sys.executable).parent / "credence"

    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], cwd=tmp_path, capture_output=True,
                              text=True, check=True).stdout

    return run


@pytest.fixture(scope="session")
def people():
    """Rows of every kind of column, some values missing; more than one chunk of them."""
    rng = np.random.default_rng(1)
    rows = 20000
    words = ["red", "green", "blue", "fast", "slow", "new", "old", "warm", "cold", "loud"]
    kind = rng.choice(["a", "b", "c"], rows)
    frame = pd.DataFrame({
        "age": rng.integers(18, 90, rows),
        "income": rng.normal(3e4, 1e4, rows) + 4e3 * (kind == "a"),
        "flag": rng.integers(0, 2, rows),
        "size": pd.Categorical(rng.choice(["small", "medium", "large"], rows)),
        "member": rng.random(rows) < np.where(kind == "b", 0.7, 0.4),
        "score": np.where(rng.random(rows) < 0.1, np.nan, rng.exponential(size=rows)),
        "city": pd.Series(np.where(rng.random(rows) < 0.05, None,
                                   rng.choice(["Bern", " Basel", "Zürich"], rows)), dtype=object),
        "note": [" ".join(rng.choice(words, 7)) for _ in range(rows)],
        "kind": kind,
    })
    return frame
