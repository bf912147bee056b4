"""What the benchmarks share: running the program, timing, result files."""

import csv
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(os.environ.get("CREDENCE_PROGRAM", ROOT / "build" / "credence"))
DATA = Path(os.environ.get("CREDENCE_DATA", ROOT.parent / "shared" / "data"))


def credence(*arguments):
    """Runs the program and returns its standard output."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"credence {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def credence_json(*arguments):
    return json.loads(credence(*arguments, "--json"))


def spread_of(seconds):
    median = statistics.median(seconds)
    return median, (max(seconds) - min(seconds)) / median


def seconds_of(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# A process of its own starts the command, because a child inherits its parent's peak.
WATCH = """
import os, sys
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, sys.argv[1], os.O_WRONLY, 0)])
_, status, usage = os.wait4(pid, 0)
sys.exit("failed") if status else print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def used(command, rows=None):
    """Processor seconds and peak resident megabytes of a command; rows: parts of bytes that it reads from its standard input."""
    with tempfile.NamedTemporaryFile() as errors:
        process = subprocess.Popen([sys.executable, "-S", "-c", WATCH, errors.name, *map(str, command)], stdout=subprocess.PIPE,
                                   stdin=subprocess.PIPE if rows else subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT / "bench")
        if rows:
            with process.stdin:
                for part in rows:
                    process.stdin.write(part)
        found = process.stdout.read()
        process.stdout.close()
        if process.wait() != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {Path(errors.name).read_text(errors='replace')[:2000]}")
    seconds, megabytes = map(float, found.split())
    return seconds, megabytes


def peak_memory(command):
    return used(command)[1]


def machine():
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())
    return f"{model}, {os.cpu_count()} cores"


def commit():
    done = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip()


def write_results(name, rows, said=True):
    path = ROOT / "bench" / "results" / f"{name}.csv"
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_suffix(".unfinished")  # whoever reads in the meantime finds all of the old
    with open(unfinished, "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]) + ["commit", "machine"], lineterminator="\n")
        writer.writeheader()
        made = {"commit": commit(), "machine": machine()}
        for row in rows:
            writer.writerow({**row, **made})
    unfinished.replace(path)
    if said:
        print(f"wrote {path.relative_to(ROOT)}")
