# SPDX-License-Identifier: Apache-2.0
"""Every example in a docstring does what it says."""
import doctest
import importlib
import pkgutil

import pytest

import credence

MODULES = [name for _, name, _ in pkgutil.iter_modules(credence.__path__, "credence.") if name != "credence._core"]

# Modules for an engine that `make engines` installs.
ENGINES = {"credence.spark": "pyspark", "credence.spark_ml": "pyspark", "credence._spark_rows": "pyspark"}


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    if name in ENGINES:
        pytest.importorskip(ENGINES[name])
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_estimator_has_an_example():
    without = [name for name in credence.__all__
               if name.endswith(("NB", "Classifier", "Analysis")) and ">>>" not in (getattr(credence, name).__doc__ or "")]
    assert without == []
