# SPDX-License-Identifier: Apache-2.0
"""A table is learned where it lies: fitting takes next to no memory of its own."""
import subprocess
import sys

import pytest

PROGRAM = """
import re
import numpy as np, pyarrow as pa
from credence import BayesClassifier

def memory(name):
    return int(re.search(name + r":\\s+(\\d+)", open("/proc/self/status").read()).group(1)) * 1024

def batch(rows, seed):
    rng = np.random.default_rng(seed)
    words = pa.array(["small", "medium", "large"])
    return pa.record_batch({
        "age": rng.integers(18, 90, rows),
        "income": rng.normal(3e4, 1e4, rows),
        "height": rng.normal(170, 10, rows).astype(np.float32),
        "score": pa.array(rng.exponential(size=rows), mask=rng.random(rows) < 0.1),
        "size": pa.DictionaryArray.from_arrays(rng.integers(0, 3, rows).astype(np.int8), words),
        "city": words.take(pa.array(rng.integers(0, 3, rows))),
        "member": rng.random(rows) < 0.5,
        "kind": pa.array(["a", "b", "c"]).take(pa.array(rng.integers(0, 3, rows))),
    })

model = BayesClassifier().fit(pa.table(batch(1000, 0)), "kind")  # loads what is loaded late
table = pa.Table.from_batches([batch(100_000, i) for i in range(10)])
before = memory("VmRSS")
open("/proc/self/clear_refs", "w").write("5")
model.fit(table, "kind")
assert model.to_model().rows == 1_000_000
print(memory("VmHWM") - before, before, table.nbytes)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc for the peak")
def test_fitting_a_million_rows_of_arrow_takes_less_than_five_percent_more_memory():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    growth, before, table = map(int, done.stdout.split())
    print(f"{growth / 1e6:.1f} MB more than {before / 1e6:.1f}, of a table of {table / 1e6:.1f} MB")
    assert growth < 0.05 * before
