"""The tasks and their contenders, as files: a task is a folder with a task.py, and every other file in it is a contender.

A task.py has TITLE, WHAT, STEPS, ROWS (full, quick and tiny), QUICK (the contenders of bench-quick), generate(folder, rows) and
bytes_of(folder); and, where it wants them, truth(folder), CALLS (of one step) and WHY ({contender: why it is faster}).
"""

import importlib.util
from pathlib import Path

BENCH = Path(__file__).resolve().parent


def load(path):
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names():
    return sorted(path.parent.name for path in BENCH.glob("*/task.py"))


def load_task(task):
    return load(BENCH / task / "task.py")


def contenders(task):
    """The reference first."""
    found = sorted(path.stem for path in (BENCH / task).glob("*.py") if path.stem != "task")
    return sorted(found, key=lambda name: name != "credence")


def load_contender(task, name):
    return load(BENCH / task / f"{name}.py").Contender
