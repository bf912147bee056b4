"""Runs tasks: every contender in a process of its own, answers compared first, then timed by turns.

    python bench/run.py [TASK...] [--size full|quick|tiny]

For each task: one warm-up of every step by every contender, whose answers are compared with the reference's (a contender that
answers otherwise is not timed); then five rounds, in each of which every contender takes its turn, so that a slow minute of the
machine is one for all. A contender that is missing, fails or takes too long is told in its row and stops nothing. Writes
bench/results/SIZE/TASK.json; report.py makes pages of them.
"""

import argparse
import contextlib
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import tasks
from common import ROOT, commit, machine, seconds_of, spread_of

ROUNDS = 5
SECONDS_FOR_A_STEP, SECONDS_FOR_ALL_RUNS = 60, 30  # of a contender; it has fewer runs where five take longer
RUNS_IN_A_ROUND, SECONDS_IN_A_ROUND = 5, 0.3  # quick steps run several times in a round


class Failed(Exception):
    """What a row tells instead of times."""


class Process:
    """A contender's worker, seen from here."""

    def __init__(self, task, name, folder):
        self.name = name
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([sys.executable, tasks.BENCH / "worker.py", task, name, str(folder)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors, text=True, start_new_session=True)
        self.prepared = self.ask("prepare")

    def ask(self, *words):
        try:
            print(*words, file=self.process.stdin, flush=True)
            ready, _, _ = select.select([self.process.stdout], [], [], SECONDS_FOR_A_STEP)
            line = self.process.stdout.readline() if ready else None
        except BrokenPipeError:
            line = ""
        if not line:
            self.stop()
            raise Failed(f"{words[0]}: more than {SECONDS_FOR_A_STEP} s" if line is None else f"{words[0]}: the process ended")
        reply = json.loads(line)
        if trouble := reply.get("error") or reply.get("missing"):
            self.stop()
            raise Failed(trouble)
        return reply

    def stop(self):
        """Ends the process, and those that it has started: they are of its session."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, 15)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, 9)
                self.process.wait()
        with contextlib.suppress(BrokenPipeError):  # of what a process that has ended was still to hear
            self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()


class Bandwidth:
    """How fast both cores read memory: the most that a step that looks at everything once can reach."""

    def __init__(self, megabytes):
        self.values = np.ones(megabytes * 125_000)
        self.seconds = []

    def measure(self):
        parts = [threading.Thread(target=part.max) for part in np.array_split(self.values, os.cpu_count())]

        def read():
            for part in parts:
                part.start()
            for part in parts:
                part.join()

        self.seconds.append(seconds_of(read))

    def bytes_per_second(self):
        return self.values.nbytes / statistics.median(self.seconds)


def agreement(reference, answer):
    """The share of labels that are the same, or of rows whose probabilities are."""
    if reference.shape != answer.shape:
        raise Failed(f"answers differ: shape {answer.shape}, not {reference.shape}")
    if answer.ndim == 2:
        return float((np.abs(reference - answer) < 1e-6).all(axis=1).mean())
    return float((reference.astype(str) == answer.astype(str)).mean())


class Task:
    """One task in one size, its data in a folder, and the processes of its contenders."""

    def __init__(self, name, size, folder):
        self.name, self.size, self.folder = name, size, folder
        self.module = tasks.load_task(name)
        self.rows = self.module.ROWS[size]
        self.answers = {}  # of the reference, by share and step
        self.folders = {}

    def data(self, share):
        if share not in self.folders:
            place = self.folder / f"share_{share}"
            place.mkdir()
            self.module.generate(place, max(1, round(self.rows * share)))
            self.folders[share] = place
        return self.folders[share]

    def steps_of(self, process, share, prefix, lacks=()):
        """Every step once, which warms up; (seconds, answer) of each."""
        found = {}
        for step in self.module.STEPS:
            if step in lacks:
                continue
            seconds = process.ask("time", step)["seconds"]
            path = self.data(share) / f"{prefix}_{step}.npy"
            answered = process.ask("answer", step, path)["answered"]
            found[step] = seconds, np.load(path, allow_pickle=True) if answered else None
        return found

    def reference(self, share):
        if share not in self.answers:
            process = Process(self.name, "credence", self.data(share))
            self.answers[share] = {step: answer for step, (_, answer) in self.steps_of(process, share, "reference").items()}
            process.stop()
        return self.answers[share]

    def start(self, name, kind):
        """A process that has answered as the reference does, and what is known of it so far."""
        if missing := kind.missing():
            raise Failed(missing)
        expected = self.reference(kind.share)
        process = Process(self.name, name, self.data(kind.share))
        row = {"version": process.prepared["version"], "steps": {}}
        for step, (seconds, answer) in self.steps_of(process, kind.share, name, kind.lacks).items():
            row["steps"][step] = {"warm_up": seconds}
            if answer is None:
                continue
            same = agreement(expected[step], answer)
            row["steps"][step]["agreement"] = same
            if hasattr(self.module, "truth") and answer.ndim == 1:
                truth = self.module.truth(self.data(kind.share))
                row["steps"][step]["accuracy"] = float((answer.astype(str) == truth.astype(str)).mean())
            if same < kind.agreement:
                process.stop()
                raise Failed(f"answers differ: {same:.2%} of those of {step} are the reference's")
        return process, row

    def run(self):
        wanted = tasks.contenders(self.name) if self.size == "full" else list(self.module.QUICK)
        rows, running = {}, {}
        size = self.module.bytes_of(self.data(1.0))
        for name in wanted:
            row = rows[name] = {"contender": name}
            try:
                kind = tasks.load_contender(self.name, name)
                row |= {"name": kind.name, "share": kind.share, "note": kind.note}
                running[name], found = self.start(name, kind)
                row |= found
            except Exception as error:  # whatever a contender does is told in its row
                row["error"] = str(error)
            say(f"  {name}: {row.get('error', 'answers as it should')}")
        bandwidth = Bandwidth(40 if self.size == "tiny" else 400)
        for step in self.module.STEPS:
            self.time_by_turns(step, running, rows, bandwidth)
        for process in running.values():
            process.stop()
        return {"task": self.name, "title": self.module.TITLE, "size": self.size, "rows": self.rows, "bytes": size,
                "what": self.module.WHAT, "steps": self.module.STEPS, "bandwidth": bandwidth.bytes_per_second(), "rows_of": list(rows.values())}

    def time_by_turns(self, step, running, rows, bandwidth):
        running = {name: process for name, process in running.items() if step in rows[name]["steps"] and "error" not in rows[name]}
        runs = {name: [] for name in running}
        for _ in range(ROUNDS):
            bandwidth.measure()
            for name, process in list(running.items()):
                warm = rows[name]["steps"][step]["warm_up"]
                if runs[name] and sum(run["seconds"] for run in runs[name]) + warm > SECONDS_FOR_ALL_RUNS:
                    continue
                try:
                    many = max(1, min(RUNS_IN_A_ROUND, int(SECONDS_IN_A_ROUND / max(warm, 1e-9))))
                    runs[name] += [process.ask("time", step) for _ in range(many)]
                except Failed as error:
                    rows[name]["error"] = str(error)
                    del running[name]
        for name, process in list(running.items()):
            try:
                megabytes = process.ask("memory", step)["megabytes"]
            except Failed as error:
                rows[name]["error"] = str(error)
                del running[name]
                continue
            rows[name]["steps"][step] |= self.summary(runs[name], megabytes, rows[name]["share"])

    def summary(self, runs, megabytes, share):
        """Seconds of all rows, at the rate of those that the contender was given."""
        scale = share * getattr(self.module, "CALLS", 1)
        median, spread = spread_of([run["seconds"] for run in runs])
        return {"seconds": median / scale, "spread": spread, "runs": len(runs), "megabytes": megabytes,
                "processor": statistics.median(run["processor"] for run in runs) / scale}


def say(text):
    print(text, flush=True)


def versions():
    from importlib import metadata

    return {name: metadata.version(name) for name in ("numpy", "scikit-learn", "scipy")} | {"Python": sys.version.split()[0]}


def run_task(name, size):
    say(f"{name}, {size}")
    started, load = time.time(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="credence-bench-") as folder:
        result = Task(name, size, Path(folder)).run()
    result |= {"machine": machine(), "commit": commit(), "date": time.strftime("%Y-%m-%d"), "load": load, "versions": versions(),
               "took": time.time() - started}
    path = ROOT / "bench" / "results" / size / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1) + "\n")
    for line in lines_of(result):
        say(line)
    return result


def lines_of(result):
    """What a terminal shows of a task."""
    ours = next(row for row in result["rows_of"] if row["contender"] == "credence").get("steps", {})
    for row in result["rows_of"]:
        for step, found in row.get("steps", {}).items():
            if "seconds" in found and "seconds" in ours.get(step, {}):
                ratio = found["seconds"] / ours[step]["seconds"]
                yield f"  {step:14} {row['name']:34} {found['seconds']:12.6f} s  +-{found['spread'] / 2:4.0%}  {found['megabytes']:6.0f} MB  {ratio:8.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", help=f"of {', '.join(tasks.names())} (default: all)")
    parser.add_argument("--size", choices=["full", "quick", "tiny"], default="full")
    options = parser.parse_args()
    for name in options.tasks or tasks.names():
        try:
            run_task(name, options.size)
        except Exception as error:  # the next task has nothing to do with it
            say(f"  {name} failed: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
