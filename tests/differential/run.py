#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes models at random and compares each with one that was fitted to the rows that should remain.

    run.py --steps 2000 --seed 1 --program build/credence

Every command that changes a model takes part: update (into windows, with a half-life), forget (rows, a window,
rows that were never there), merge, decay, classes (rename, join, drop), adapt. The shell does some of the steps and
the Python package the others; both write the same file. Counts must be equal to the last bit, moments to
1e-11 of the largest number of their array. 77 where the package is not installed.

What should remain is a plain list of rows, kept here: no code of credence knows it.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).resolve().parent))
from doors import Package, Shell  # noqa: E402
from tables import TABLES  # noqa: E402
from arrays import arrays_of, description_of, difference  # noqa: E402

# Weights stay exact, so that the sums can be compared bit by bit.
FACTORS = [0.5, 0.25, 0.75]
LONGEST_EPISODE = 60
MOST_ROWS = 120


class Row:
    """A row as it stands in the model: in a window or in none, under a class, with a weight."""

    def __init__(self, cells, label, weight, window=None):
        self.cells, self.label, self.weight, self.window = cells, label, weight, window

    def line(self):
        return json.dumps({"y": self.label, "w": self.weight, **self.cells}, ensure_ascii=False) + "\n"


class Episode:
    """A model from its first rows on, and beside it the rows it should consist of."""

    def __init__(self, table, draw, folder, doors):
        self.table, self.draw, self.folder, self.doors = table, draw, folder, doors
        self.model = folder / "model.credence"
        self.decayed = set()  # windows, None for the rest, whose rows do not weigh what they did
        self.fades = draw.random() < 0.5  # what has faded cannot be forgotten
        self.adapts = draw.random() < 0.3
        self.adapted = False  # classes have shares of their own
        self.done = []
        self.largest_seen = 0  # of the numbers of all rows, also those that have gone
        self.rows = self.rows_to_fit(draw.randrange(3, 15))
        self.doors["shell"].fit(self.write(self.rows), self.model, table.treatment)

    def new_rows(self, count, window=None):
        return [Row(self.table.row(self.draw), self.draw.choice("abcd"),
                    self.draw.choice([1, 1, 1, 2, 0.5, 0.125, 7]), window) for _ in range(count)]

    def rows_to_fit(self, count, window=None):
        """The same with two classes at least, and all values of one row: a fit asks for them."""
        rows = self.new_rows(count, window)
        rows[0].label, rows[1].label = self.draw.sample("abcd", 2)
        rows[0].cells = self.table.row(self.draw, complete=True)
        return rows

    def write(self, rows, name="rows.jsonl"):
        path = self.folder / name
        path.write_text("".join(row.line() for row in rows))
        numbers = (abs(cell) for row in rows for cell in row.cells.values() if isinstance(cell, float))
        self.largest_seen = max(self.largest_seen, max(numbers, default=0))
        return path

    def door(self):
        """The package, or for some of the steps that both can do the shell.

        Adapted shares of classes that come and go are the user's to mend in Python, and follow in the shell.
        """
        return self.doors["shell" if self.adapted or self.draw.random() < 0.25 else "package"]

    def classes(self):
        return sorted({row.label for row in self.rows})

    def windows(self):
        return sorted({row.window for row in self.rows if row.window})

    def some(self, rows):
        """Some of these rows, often all; none where they may not go."""
        if not rows:
            return []
        gone = self.draw.sample(rows, min(len(rows), self.draw.randrange(1, 2 * len(rows) + 1)))
        return gone if self.may_go(gone) else []

    def may_go(self, gone):
        """Whether rows are left, and not only of classes whose adapted share is 0: that is refused."""
        gone = set(map(id, gone))
        left = {row.label for row in self.rows if id(row) not in gone}
        if not self.adapted:
            return bool(left)
        prior = description_of(self.model)["prior"]
        return sum(prior[name] for name in left) > 0

    # The steps. Each does something to the model and the same to the rows, or returns False.

    def update(self):
        rows = self.new_rows(self.draw.randrange(1, 8))
        self.door().update(self.model, self.write(rows))
        self.rows += rows

    def update_window(self):
        window = self.draw.choice(["w1", "w2", "w3"])
        rows = self.new_rows(self.draw.randrange(1, 8), window)
        self.doors["shell"].update(self.model, self.write(rows), "--window", window)
        self.rows += rows

    def update_half_life(self):
        if not self.can_fade():
            return False
        rows = self.new_rows(self.draw.choice([2, 4]))
        self.doors["shell"].update(self.model, self.write(rows), "--half-life", str(len(rows) // 2))
        self.fade(0.25)
        self.rows += rows

    def forget(self):
        if None in self.decayed:
            return False
        gone = self.some([row for row in self.rows if row.window is None])
        if not gone:
            return False
        self.door().forget(self.model, self.write(gone))
        self.take_out(gone)

    def forget_of_window(self):
        windows = [window for window in self.windows() if window not in self.decayed]
        if not windows:
            return False
        window = self.draw.choice(windows)
        gone = self.some([row for row in self.rows if row.window == window])
        if not gone:
            return False
        self.doors["shell"].forget(self.model, self.write(gone), "--window", window)
        self.take_out(gone)

    def forget_window(self):
        if not self.windows():
            return False
        window = self.draw.choice(self.windows())
        gone = [row for row in self.rows if row.window == window]
        if not self.may_go(gone):
            return False
        self.doors["shell"].run("forget", self.model, "--window", window)
        self.take_out(gone)
        self.decayed.discard(window)

    def forget_what_was_never_there(self):
        before = self.model.read_bytes()
        rows = [Row(row.cells, "never", row.weight) for row in self.new_rows(2)]
        self.door().refuse_to_forget(self.model, self.write(rows))
        assert self.model.read_bytes() == before, "a refused command leaves the model as it was"

    def merge(self):
        window = self.draw.choice([None, None, "w1", "w4"])
        rows = self.rows_to_fit(self.draw.randrange(2, 8), window)
        other = self.folder / "other.credence"
        self.doors["shell"].fit(self.write(rows), other, self.table.treatment,
                                *([] if window is None else ["--window", window]))
        self.door().merge(self.model, other)
        self.rows += rows

    def decay(self):
        if not self.can_fade():
            return False
        factor = self.draw.choice(FACTORS)
        self.doors["shell"].run("decay", self.model, "--factor", str(factor))
        self.fade(factor)

    def rename(self):
        if not self.rows:
            return False
        old = self.draw.choice(self.classes())
        new = self.draw.choice(["e", "f", "ä, ö", "10", "g\"h"])
        if new in self.classes():
            return False
        self.doors["shell"].run("classes", self.model, "--rename", old, new)
        self.relabel({old: new})

    def join(self):
        if len(self.classes()) < 3:
            return False
        pair = self.draw.sample(self.classes(), 2)
        into = self.draw.choice([*pair, "both"])
        if into not in pair and into in self.classes():
            return False
        self.doors["shell"].run("classes", self.model, "--join", *pair, "--into", into)
        self.relabel(dict.fromkeys(pair, into))

    def drop(self):
        if len(self.classes()) < 3 or not self.table.drops:
            return False
        name = self.draw.choice(self.classes())
        gone = [row for row in self.rows if row.label == name]
        if not self.may_go(gone):
            return False
        self.doors["shell"].run("classes", self.model, "--drop", name)
        self.take_out(gone)

    def adapt(self):
        if len(self.classes()) < 2 or not self.adapts:
            return False
        self.door().adapt(self.model, self.write(self.new_rows(5)))
        self.adapted = True

    # What the steps do to the rows.

    def can_fade(self):
        """Whether this model fades at all, and to weights that a double holds exactly."""
        return self.fades and min(row.weight for row in self.rows) > 1e-6

    def fade(self, factor):
        for row in self.rows:
            row.weight *= factor
        self.decayed |= {row.window for row in self.rows}

    def relabel(self, names):
        for row in self.rows:
            row.label = names.get(row.label, row.label)

    def take_out(self, gone):
        gone = set(map(id, gone))
        self.rows = [row for row in self.rows if id(row) not in gone]
        self.decayed &= {row.window for row in self.rows}

    def step(self):
        """One step that can be taken here, and its name."""
        names = ["forget_window", "drop"] if len(self.rows) > MOST_ROWS else STEPS
        while True:
            name = self.draw.choice(names)
            if getattr(self, name)() is not False:
                self.done.append(name)
                return name
            names = STEPS

    def check(self):
        """All rows and, where there are windows, those of one part, against a fit of them; and the prior."""
        prior = description_of(self.model)["prior"]
        if self.adapted and (sorted(prior) != self.classes() or abs(sum(prior.values()) - 1) > 1e-9):
            return f"the prior is {prior}, the classes are {self.classes()}"
        parts = {"": self.rows}
        names = self.windows()
        if names:
            parts.update({f"window.{i}.": [row for row in self.rows if row.window == name]
                          for i, name in enumerate(names)})
            parts["rest."] = [row for row in self.rows if row.window is None]
        for prefix in {"", self.draw.choice(sorted(parts))}:
            wanted = self.doors["package"].refit(self.model, self.write(parts[prefix], "left.jsonl"), self.folder)
            problem = difference(arrays_of(self.model), arrays_of(wanted), prefix, self.largest_seen)
            if problem:
                return problem
        return None


STEPS = ["update", "update", "update_window", "update_half_life", "forget", "forget", "forget", "forget_of_window",
         "forget_of_window", "forget_window", "forget_what_was_never_there", "merge", "decay", "rename", "join", "drop", "adapt"]


def tell(episode, number, seed, problem):
    print(f"step {number} of seed {seed}, table {episode.table.name}: {problem}")
    print("  after " + ", ".join(episode.done))
    print(f"  the model and the rows that should be in it are in {episode.folder}")


def drive(arguments, folder):
    draw = random.Random(arguments.seed)
    doors = {"shell": Shell(arguments.program), "package": Package()}
    counts, number, episodes = {}, 0, 0
    while number < arguments.steps:
        place = folder / str(episodes)
        place.mkdir()
        table = TABLES[episodes % len(TABLES)]
        episode = Episode(table, draw, place, doors)
        episodes += 1
        for _ in range(min(draw.randrange(5, LONGEST_EPISODE), arguments.steps - number)):
            name = episode.step()
            counts[name] = counts.get(name, 0) + 1
            number += 1
            problem = episode.check()
            if problem:
                tell(episode, number, arguments.seed, problem)
                return 1
    for name, count in sorted(counts.items()):
        print(f"{count:8d}  {name}")
    print(f"{number} steps, {episodes} models, {doors['shell'].calls} by the shell, {doors['package'].calls} by "
          f"Python; moments differ by {difference.largest:.1e} at most")
    return 0


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--steps", type=int, default=int(os.environ.get("CREDENCE_STEPS", 2000)))
    options.add_argument("--seed", type=int, default=20261116)
    options.add_argument("--program", type=Path, default=ROOT / "build" / "credence")
    arguments = options.parse_args()
    arguments.program = arguments.program.resolve()
    folder = Path(tempfile.mkdtemp(prefix="credence-differential-"))
    status = drive(arguments, folder)
    if status == 0:
        subprocess.run(["rm", "-r", folder], check=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
