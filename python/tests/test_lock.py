# SPDX-License-Identifier: Apache-2.0
"""Programs that change one model file take turns."""
import subprocess
import sys

import pandas as pd
import pytest

import credence
from credence import BayesClassifier

ONE_MORE = """
import sys, pandas as pd, credence
with credence.lock("m"):
    model = credence.BayesClassifier.load("m")
    model.partial_fit(pd.DataFrame({"x": [sys.argv[1]], "y": ["a"]}), "y")
    model.save("m")
"""


@pytest.fixture
def path(tmp_path):
    rows = pd.DataFrame({"x": ["p", "q", "p"], "y": ["a", "b", "b"]})
    BayesClassifier().fit(rows, "y").save(tmp_path / "m")
    return tmp_path / "m"


def test_all_updates_at_the_same_time_are_in_the_model(path):
    started = [subprocess.Popen([sys.executable, "-c", ONE_MORE, str(i)], cwd=path.parent) for i in range(6)]
    assert [process.wait() for process in started] == [0] * 6
    assert credence.Model.load(path).rows == 9


def test_the_lock_is_held_until_the_end_whatever_is_saved(path):
    with credence.lock(path):
        model = credence.Model.load(path)
        for _ in range(2):
            model.save(path)
            with pytest.raises(OSError, match="another program is changing it"):
                with credence.lock(path, wait=False):
                    pass
    with credence.lock(path, wait=False):
        pass


def test_nothing_is_locked_where_there_is_no_file(tmp_path):
    with credence.lock(tmp_path / "absent", wait=False):
        assert list(tmp_path.iterdir()) == []
