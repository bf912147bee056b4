#!/usr/bin/env python3
"""Runs text files of commands and compares what they print.

A file holds:
  # text           a comment; the first one is the title
  $ command        run by bash; following lines `> ...` continue it
  any other lines  what it prints, standard output and error together (see ../compare.py)
  [exit 3]         its exit status, 0 unless stated
  \\text            a line of output that would otherwise read as one of these
  % requires shared data   skips the file when ../shared/data is absent
  % requires the page      skips the file when web/dist is absent: the program was built without it
<TMP> stands for the folder the commands run in, one for the whole file.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import compare  # noqa: E402

REQUIRED = {"% requires shared data": ROOT.parent / "shared/data", "% requires the page": ROOT / "web/dist"}
SKIPPED = 77
EXIT = re.compile(r"\[exit (\d+)\]")


@dataclass
class Step:
    line: int
    source: list  # the lines of the command as the file has them
    expected: list = field(default_factory=list)
    status: int = 0
    comments: list = field(default_factory=list)  # lines after the output, blank ones included

    @property
    def command(self):
        return "\n".join(line[2:] for line in self.source)


def parse(text):
    """The lines before the first command, and the commands."""
    head, steps = [], []
    in_command = in_output = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("$ "):
            steps.append(Step(number, [line]))
            in_command = in_output = True
        elif in_command and line.startswith("> "):
            steps[-1].source.append(line)
        elif line.startswith("#") or line in REQUIRED:
            (steps[-1].comments if steps else head).append(line)
            in_command = in_output = False
        elif in_output:
            in_command = False
            if found := EXIT.fullmatch(line):
                steps[-1].status = int(found.group(1))
            else:
                steps[-1].expected.append(line.removeprefix("\\").rstrip())
        elif line.strip():
            raise SystemExit(f"line {number}: neither a comment nor the output of a command: {line}")
        else:
            (steps[-1].comments if steps else head).append(line)
    for step in steps:
        while step.expected and not step.expected[-1]:
            step.expected.pop()
    return head, steps


def render(head, steps):
    lines = list(head)
    for step in steps:
        lines += step.source
        lines += [escaped(line) for line in step.expected]
        if step.status:
            lines.append(f"[exit {step.status}]")
        lines += ["", *step.comments]
    return "\n".join(lines).rstrip() + "\n"


def escaped(line):
    special = line.startswith(("$ ", "> ", "#", "\\")) or EXIT.fullmatch(line) or line in REQUIRED
    return "\\" + line if special else line


def run(step, folder, environment):
    """The lines a command prints and its exit status."""
    try:
        done = subprocess.run(
            ["bash", "-c", step.command], cwd=folder, env=environment, timeout=240,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
    except subprocess.TimeoutExpired:
        return ["(still running after 240 seconds)"], -1
    output = done.stdout.decode("utf-8", "backslashreplace").replace(str(folder), "<TMP>")
    return compare.lines_of(output), done.returncode


def run_file(path, environment, update):
    """True, False, or None when skipped."""
    text = path.read_text()
    head, steps = parse(text)
    title = next((line.lstrip("# ") for line in text.splitlines() if line.startswith("#")), "")
    for line, place in REQUIRED.items():
        if line in text.splitlines() and not place.exists():
            print(f"{path.name}: skipped: {place} is absent")
            return None
    failures = 0
    with tempfile.TemporaryDirectory(prefix="credence-") as folder:
        for step in steps:
            actual, status = run(step, Path(folder).resolve(), environment)
            if update:
                step.expected, step.status = compare.updated(step.expected, actual), status
            elif not (compare.matches(step.expected, actual) and status == step.status):
                failures += 1
                print(f"{path}:{step.line}:\n  $ {step.command}")
                if status != step.status:
                    print(f"  exit status {status}, expected {step.status}")
                print(compare.diff(step.expected, actual))
    if update and render(head, steps) != text:
        path.write_text(render(head, steps))
        print(f"{path.name}: rewritten")
    verdict = "FAILED" if failures else "ok"
    print(f"{path.name}: {verdict}: {title} ({len(steps)} commands)")
    return not failures


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="+", type=Path)
    options.add_argument("--program", type=Path, default=ROOT / "build" / "credence")
    options.add_argument("--examples", type=Path, default=ROOT / "examples")
    options.add_argument("--update", action="store_true", help="rewrite what the files expect")
    arguments = options.parse_args()

    program = arguments.program.resolve()
    environment = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "EXAMPLES": str(arguments.examples.resolve()),
        "SHARED": str(ROOT.parent / "shared" / "data"),
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
    }
    results = [run_file(path, environment, arguments.update) for path in arguments.files]
    if len(results) > 1:
        print(f"{results.count(True)} passed, {results.count(False)} failed", end="")
        print(f", {results.count(None)} skipped" if None in results else "")
    if False in results:
        return 1
    return SKIPPED if all(result is None for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
