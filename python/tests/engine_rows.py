# SPDX-License-Identifier: Apache-2.0
"""What the tests of engines share: rows of every kind, cut into partitions, and what equal models are."""
import numpy as np
import pyarrow as pa

from credence import BayesClassifier

KINDS = ["ant", "bee", "cow", "dog"]
WORDS = ["red", "blue", "green", "small", "large", "fast", "slow", "wet", "dry", "old"]


def rows(count, seed=1):
    """Numbers with gaps, correlated ones, counts, words with gaps, texts, weights; a few rows without a class."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(4, count, p=[0.4, 0.35, 0.2, 0.05])

    def with_gaps(values, share=0.1):
        return pa.array(values, mask=rng.random(count) < share)

    height = rng.normal(170 + 4 * kind, 5)
    words = [" ".join(rng.choice(WORDS, 5, p=np.roll([0.3, 0.2] + [0.0625] * 8, 2 * k))) for k in kind]
    return pa.table({
        "height": with_gaps(height), "weight": pa.array(0.9 * height - 90 + rng.normal(0, 4, count)),
        "far": pa.array(1e9 + rng.normal(kind, 1)),
        "visits": pa.array(rng.poisson(1 + kind)), "colour": with_gaps(np.array(WORDS[:3])[(kind + rng.integers(0, 2, count)) % 3]),
        "note": pa.array(words), "w": pa.array(rng.integers(1, 4, count) / 2),
        "kind": with_gaps(np.array(KINDS)[kind], 0.01)})


def cut(table, count):
    """About equal parts in order, some of which are empty where there are few rows."""
    edges = np.linspace(0, table.num_rows, count + 1).astype(int)
    return [table.slice(a, b - a) for a, b in zip(edges, edges[1:])]


def is_moment(name):
    return any(part in name for part in ("mean", "m2", "scatter", "moment", "fourth", "third"))


def assert_same(found, whole, table):
    """Counts to the last bit, moments to 1e-12; and the posteriors of the table's rows to 1e-12."""
    assert found.classes == whole.classes and found.blocks == whole.blocks
    left, right = found._core.arrays(), whole._core.arrays()
    assert left.keys() == right.keys()
    for name in left:
        if is_moment(name):
            np.testing.assert_allclose(left[name], right[name], rtol=1e-12, atol=0, err_msg=name)
        else:
            np.testing.assert_array_equal(left[name], right[name], err_msg=name)
    answers = [BayesClassifier.from_model(each).predict_proba(table) for each in (found, whole)]
    np.testing.assert_allclose(*answers, rtol=0, atol=1e-12)
