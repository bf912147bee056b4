#!/usr/bin/env python3
"""Updates of one model at the same time: every one of them is in it. And what the lock is about besides."""
import argparse
import fcntl
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = "x,w,y\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--updates", type=int, default=200)
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)

        def start(*arguments):
            return subprocess.Popen([program, *arguments], cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def run(*arguments):
            process = start(*arguments)
            output, errors = process.communicate(timeout=120)
            return process.returncode, output, errors

        rows = [f"{i % 7},{'pqr'[i % 3]}{i},{'ab'[i % 2]}\n" for i in range(options.updates + 4)]
        for i, row in enumerate(rows):
            (folder / f"{i}.csv").write_text(HEAD + row)
        (folder / "first.csv").write_text(HEAD + "".join(rows[options.updates:]))
        (folder / "all.csv").write_text(HEAD + "".join(rows))
        fit = ["--target", "y", "--as", "w, x: categorical", "--calibrate", "none", "-q"]
        run("fit", "first.csv", *fit, "-o", "m")
        run("fit", "all.csv", *fit, "-o", "whole")
        started = [start("update", "m", f"{i}.csv", "-q") for i in range(options.updates)]
        for process in started:
            _, errors = process.communicate(timeout=300)
            if process.returncode or errors:
                sys.exit(f"an update fails: {errors}")
        state = [run("show", name, "--history")[1].splitlines()[-1] for name in ("m", "whole")]
        if state[0] != state[1]:
            sys.exit(f"updates are lost: {run('show', 'm')[1].splitlines()[0]}")

        before = (folder / "m").read_bytes()
        with open(folder / "m", "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            for command in (["update", "m", "0.csv"], ["forget", "m", "0.csv"], ["decay", "m", "--factor", "0.5"],
                            ["classes", "m", "--rename", "a", "z"], ["merge", "m", "whole", "-o", "m"], ["adapt", "m", "all.csv"],
                            ["calibrate", "m", "all.csv", "--folds", "2"], ["fit", "all.csv", *fit, "-o", "m"],
                            ["tune", "all.csv", "--target", "y", "--try", "rule: bayes=1", "-o", "m"]):
                status, _, errors = run(*command, "--no-wait", *(["-q"] if "-q" not in command else []))
                if status != 1 or errors != "credence: m: another program is changing it, so nothing was done (try again when it has finished)\n":
                    sys.exit(f"{command} --no-wait: {status}: {errors}")
            if run("classes", "m")[0] or run("show", "m")[0] or (folder / "m").read_bytes() != before:
                sys.exit("who only reads waits for nobody, and nothing is changed")
            waiting = start("update", "m", "0.csv")
            line = waiting.stderr.readline()
        if line != "waiting for another program that is changing m\n" or waiting.wait(60):
            sys.exit(f"whoever waits says so: {line}")
        left = [file.name for file in folder.iterdir() if file.suffix == ".unfinished"]
        if left:
            sys.exit(f"left behind: {left}")
    print(f"{options.updates} updates at once: all are in the model")


if __name__ == "__main__":
    main()
