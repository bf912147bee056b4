# SPDX-License-Identifier: Apache-2.0
"""The local schedulers of Dask and Ray make the model of one machine."""
import os

import pytest

from credence import BayesClassifier, parts
from engine_rows import assert_same, cut, rows

BLOCKS = {"height, weight": "gaussian(full)", "visits": "poisson", "note": "text"}


@pytest.fixture(scope="module")
def whole():
    table = rows(1500)
    return table, BayesClassifier(blocks=BLOCKS).fit(table, "kind", sample_weight="w")


@pytest.mark.parametrize("count", [1, 2, 7, 64])
def test_dask_makes_the_model_of_one_machine(whole, count):
    dask = pytest.importorskip("dask")
    table, alone = whole
    delayed = [dask.delayed(part) for part in cut(table, count)]
    found = parts.fit(delayed, "kind", weights="w", run=parts.on_dask, blocks=BLOCKS)
    assert_same(found.to_model(), alone.to_model(), table)
    measured = parts.evaluate(delayed, found, run=parts.on_dask)
    assert measured.accuracy == pytest.approx(alone.score(table, "kind", sample_weight="w"))


def test_a_distributed_dask_scheduler_on_loopback_does_too(whole):
    distributed = pytest.importorskip("distributed")
    import dask

    table, alone = whole
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
        with distributed.Client(cluster):
            delayed = [dask.delayed(part) for part in cut(table, 5)]
            found = parts.fit(delayed, "kind", weights="w", run=parts.on_dask, blocks=BLOCKS)
    assert_same(found.to_model(), alone.to_model(), table)


def test_ray_makes_the_model_of_one_machine(whole):
    ray = pytest.importorskip("ray")
    table, alone = whole
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
    try:
        for count in (1, 2, 7, 64):
            blocks = [ray.put(part) for part in cut(table, count)]
            found = parts.fit(blocks, "kind", weights="w", run=parts.on_ray, blocks=BLOCKS)
            assert_same(found.to_model(), alone.to_model(), table)
    finally:
        ray.shutdown()
