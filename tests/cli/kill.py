#!/usr/bin/env python3
"""Kills the program (kill -9) while it changes a model: the file is the old one or the new one.

Half of the kills come at times spread over a whole run, the others as soon as a file appears beside
the model: around the write. What a kill leaves behind must not disturb the next run, which removes
it. A command is added by a line in COMMANDS.
"""
import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# What follows the program's name; {model} is written over. Prepared by make_files().
COMMANDS = {
    "update": ["update", "{model}", "more.csv"],
    "update a window": ["update", "{model}", "more.csv", "--window", "w", "--half-life", "5000"],
    "forget": ["forget", "{model}", "first.csv"],
    "forget a window": ["forget", "{model}", "--window", "first"],
    "merge": ["merge", "{model}", "more.credence", "-o", "{model}"],
    "decay": ["decay", "{model}", "--factor", "0.5"],
    "tune": ["tune", "more.csv", "--target", "class", "--try", "rule: bayes=0.1 | 1", "-o", "{model}"],
    "calibrate": ["calibrate", "{model}", "first.csv", "more.csv", "--folds", "2"],
    "rename": ["classes", "{model}", "--rename", "a", "z"],
    "join": ["classes", "{model}", "--join", "a", "b", "--into", "ab"],
}
KILLS = 200
LEFTOVER = re.compile(r"model\.credence\.[A-Za-z0-9]{6}\.unfinished")


def table(seed, rows):
    draw = random.Random(seed)
    lines = ["word,x,class"]
    for _ in range(rows):
        lines.append(f"w{draw.randrange(4000)},{draw.gauss(0, 1):.3f},{draw.choice('abc')}")
    return "\n".join(lines) + "\n"


class Folder:
    def __init__(self, program, path):
        self.program, self.path, self.model = program, path, path / "model.credence"

    def arguments(self, command):
        return [self.program] + [word.replace("{model}", "model.credence") for word in command] + ["-q"]

    def run(self, command):
        subprocess.run(self.arguments(command), cwd=self.path, check=True)

    def start(self, command):
        return subprocess.Popen(self.arguments(command), cwd=self.path)

    def leftovers(self):
        return [file for file in self.path.iterdir() if LEFTOVER.fullmatch(file.name)]

    def make_files(self):
        (self.path / "first.csv").write_text(table(1, 1000))
        (self.path / "more.csv").write_text(table(2, 1000))
        fit = ["--target", "class", "--as", "x: kernel", "--as", "word: categorical"]
        self.run(["fit", "first.csv", "more.csv", *fit, "-o", "plain.credence"])
        self.run(["fit", "more.csv", *fit, "-o", "more.credence"])
        self.run(["fit", "first.csv", *fit, "--window", "first", "-o", "windows.credence"])
        self.run(["update", "windows.credence", "more.csv"])

    def before(self, name):
        return (self.path / ("windows" if "window" in name else "plain")).with_suffix(".credence").read_bytes()


def kill_after(process, delay):
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        process.kill()
    process.wait()


def kill_at_the_write(folder, process, delay):
    while process.poll() is None and not folder.leftovers():
        pass
    kill_after(process, delay)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--kills", type=int, default=KILLS)
    options = parser.parse_args()
    draw = random.Random(20261115)
    old = new = left = 0
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(str(Path(options.program).resolve()), Path(path))
        folder.make_files()
        for name, command in COMMANDS.items():
            before = folder.before(name)
            folder.model.write_bytes(before)
            start = time.monotonic()
            folder.run(command)
            seconds = time.monotonic() - start
            after = folder.model.read_bytes()
            if after == before:
                sys.exit(f"{name}: changes nothing, so nothing is tested")
            kills = -(-options.kills // len(COMMANDS))
            for i in range(kills):
                folder.model.write_bytes(before)
                process = folder.start(command)
                if i % 2:
                    kill_at_the_write(folder, process, draw.choice([0, 0, 0.0005, 0.001, 0.003]))
                else:
                    kill_after(process, seconds * 1.2 * (i + draw.random()) / kills)
                found = folder.model.read_bytes()
                if found not in (before, after):
                    sys.exit(f"{name}: after a kill the model is neither the old file nor the new one")
                old += found == before
                new += found == after
                if folder.leftovers():
                    left += 1
                    folder.model.write_bytes(before)
                    folder.run(command)
                    if folder.model.read_bytes() != after:
                        sys.exit(f"{name}: what a kill left behind changes the next run")
                    if folder.leftovers():
                        sys.exit(f"{name}: the next writer does not remove what a kill left behind")
    print(f"{old + new} kills: the old file {old} times, the new one {new} times; "
          f"{left} left an unfinished file beside it")
    if old == 0 or left == 0:
        sys.exit("no kill came before or during the write: nothing is shown")


if __name__ == "__main__":
    main()
