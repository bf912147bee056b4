#!/usr/bin/env python3
"""Keeps the benchmarks honest: every task and contender has the interface, answers that differ are refused, and tiny runs work.

Skipped where the packages that the tasks need are absent.
"""

import argparse
import importlib.util
import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))
SKIPPED = 77
NEEDED = ("numpy", "scipy", "sklearn", "polars", "pandas", "credence")
TINY = ("csv_numbers", "matrix_gaussian")


class Interface(unittest.TestCase):
    def test_tasks(self):
        for name in tasks.names():
            task = tasks.load_task(name)
            for member in ("TITLE", "WHAT", "STEPS", "generate", "bytes_of"):
                self.assertTrue(hasattr(task, member), f"{name} has no {member}")
            self.assertEqual(set(task.ROWS), {"full", "quick", "tiny"}, name)
            self.assertLessEqual(set(task.QUICK), set(tasks.contenders(name)), name)
            self.assertEqual(tasks.contenders(name)[0], "credence", name)

    def test_contenders(self):
        for task in tasks.names():
            for name in tasks.contenders(task):
                with self.subTest(contender=f"{task}/{name}"):
                    self.check_contender(task, name)

    def check_contender(self, task, name):
        try:
            kind = tasks.load_contender(task, name)
        except ModuleNotFoundError as error:  # a contender that is not installed here
            self.skipTest(str(error))
        self.assertTrue(issubclass(kind, contender.Contender))
        self.assertTrue(kind.name)
        self.assertTrue(0 < kind.share <= 1 and 0 < kind.agreement <= 1)
        if kind.share < 1 or kind.agreement < 0.99:
            self.assertTrue(kind.note, "readers have to know why")
        for step in tasks.load_task(task).STEPS:
            if step not in kind.lacks:
                own = getattr(kind, step, None)
                self.assertTrue(callable(own) and own is not getattr(contender.Contender, step, None), step)

    def test_other_answers_are_seen(self):
        self.assertEqual(run.agreement(np.array(["a", "b"]), np.array(["a", "c"])), 0.5)
        self.assertEqual(run.agreement(np.array([[0.5, 0.5]]), np.array([[0.4, 0.6]])), 0)
        with self.assertRaises(run.Failed):
            run.agreement(np.array([1, 2]), np.array([1]))


class TinyRuns(unittest.TestCase):
    def test_run(self):
        for name in TINY:
            result = run.run_task(name, "tiny")
            for row in result["rows_of"]:
                self.assertNotIn("error", row)
                for step in tasks.load_task(name).STEPS:
                    self.assertGreater(row["steps"][step]["seconds"], 0)
                    self.assertGreaterEqual(row["steps"][step]["runs"], 5)
                    self.assertGreater(row["steps"][step]["megabytes"], 0)
            self.assertTrue(results.rows_of(result))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path)
    options = parser.parse_args()
    if options.program:
        os.environ["CREDENCE_PROGRAM"] = str(options.program.resolve())
    if absent := [name for name in NEEDED if not importlib.util.find_spec(name)]:
        print(f"skipped: not installed: {', '.join(absent)}")
        sys.exit(SKIPPED)
    import contender
    import numpy as np
    import results
    import run
    import tasks

    unittest.main(argv=sys.argv[:1])
