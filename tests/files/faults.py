#!/usr/bin/env python3
"""Every call by which the program opens, reads, locks, writes and renames files fails once, for each of several reasons.

The model is then the old file or the new one, as the exit status says, and nothing is left beside it. Signals that
interrupt a call of reading or writing the model, and calls that do half of their work, change nothing at all.
"""
import argparse
import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
FAULTS = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO, "EINTR": errno.EINTR, "half": 0}
ROWS = "x,w,y\n" + "".join(f"{i * 0.25},{'pqr'[i % 3]},{'ab'[i % 2]}\n" for i in range(40))
COMMANDS = [["update", "m", "rows.csv"], ["fit", "rows.csv", "--target", "y", "-o", "m"], ["decay", "m", "--factor", "0.5"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        sys.exit(77)
    runs = refused = 0
    with tempfile.TemporaryDirectory() as path:
        library, count = Path(path, "faults.so"), Path(path, "count")
        if subprocess.run([compiler, "-shared", "-fPIC", "-o", library, HERE / "faults.c", "-ldl"]).returncode:
            sys.exit(77)
        folder = Path(path, "folder")
        folder.mkdir()
        (folder / "rows.csv").write_text(ROWS)
        model = folder / "m"

        def run(command, **faults):
            return subprocess.run([program, *command, "-q", "--threads", "1"], cwd=folder, capture_output=True, timeout=60,
                                  env={**os.environ, "LD_PRELOAD": str(library), **{k: str(v) for k, v in faults.items()}})

        run(["fit", "rows.csv", "--target", "y", "--as", "x: gaussian", "--window", "w", "-o", "m"])
        old = model.read_bytes()
        for command in COMMANDS:
            model.write_bytes(old)
            run(command, FAULT_COUNT=count)
            new, calls = model.read_bytes(), int(count.read_text())
            if new == old or calls < 10:
                sys.exit(f"{command}: {calls} calls: nothing is tested")
            for name, number in FAULTS.items():
                for at in range(1, calls + 1):
                    model.write_bytes(old)
                    done = run(command, FAULT_AT=at, FAULT_ERRNO=number)
                    where = f"{' '.join(command)}: {name} at call {at} of {calls}"
                    if model.read_bytes() != (old if done.returncode else new):
                        sys.exit(f"{where}: status {done.returncode}, and the model is another one")
                    reading_rows = b"rows.csv" in done.stderr  # by libraries that do not try again
                    if done.returncode and (name in ("EINTR", "half") and not reading_rows or done.returncode < 0):
                        sys.exit(f"{where}: status {done.returncode}: {done.stderr.decode()}")
                    if done.returncode and len(done.stderr.splitlines()) != 1:
                        sys.exit(f"{where}: {done.stderr.decode()}")
                    if sorted(os.listdir(folder)) != ["m", "rows.csv"]:
                        sys.exit(f"{where}: left behind: {os.listdir(folder)}")
                    runs, refused = runs + 1, refused + (done.returncode != 0)
    print(f"{runs} faults in {len(COMMANDS)} commands: {refused} reported, the others of no consequence")


if __name__ == "__main__":
    main()
