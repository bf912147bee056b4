#!/usr/bin/env python3
"""Runs the blocks of a Markdown file in a temporary folder that looks like the project's root.

  sh    run by bash; stops at the first command that fails; `sh exit=3` expects that status.
        Commands that build, fetch or install (make, git clone, sudo, ...) are not run, but a
        make target has to exist.
  cpp   compiled against the library and run when it contains `int main`
  python  run by the Python of .venv after the blocks of the page before it; not run where the
        package is not installed there
  text  directly after one of these: what it prints (see ../compare.py)
  json  has to parse
Every relative link has to resolve, its #heading included.
"""
import argparse
import contextlib
import functools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import compare  # noqa: E402

NOT_RUN = re.compile(r"\s*(make|git clone|cd credence$|cmake --install|sudo|apt|apt-get)\b")
FENCE = re.compile(r"( *)(`{3,}|~{3,})\s*(.*?)\s*$")
LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)", re.M)

PYTHON = ROOT / ".venv" / "bin" / "python"
# Runs what stands before in silence, then the last block.
AFTER = """
import contextlib, io, sys
names = {"__name__": "__main__"}
with contextlib.redirect_stdout(io.StringIO()):
    for block in sys.argv[1:-1]:
        exec(block, names)
exec(sys.argv[-1], names)
"""


@functools.cache
def has_package():
    """Whether `make python` has installed the package."""
    if not PYTHON.exists():
        return False
    return subprocess.run([PYTHON, "-c", "import credence"], capture_output=True).returncode == 0


@dataclass
class Block:
    line: int
    language: str
    options: list
    text: str
    follows: bool = False  # nothing but blank lines between the block before and this one


def parse(text):
    """The fenced blocks, and the prose around them without inline code."""
    blocks, prose = [], []
    fence = None
    follows = False
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if fence:
            if found and found.group(2).startswith(fence) and not found.group(3):
                fence = None
                follows = True
            else:
                cut = min(indent, len(line) - len(line.lstrip(" ")))
                blocks[-1].text += line[cut:] + "\n"
        elif found:
            fence, indent = found.group(2), len(found.group(1))
            language, *options = found.group(3).split() or [""]
            blocks.append(Block(number, language, options, "", follows))
        else:
            follows = follows and not line.strip()
            prose.append(re.sub(r"`[^`]*`", "", line))
    return blocks, "\n".join(prose)


def headings(text):
    """The anchors GitHub gives to the headings of a page."""
    prose = re.sub(r"^( *)(`{3,}|~{3,}).*?^ *\2", "", text, flags=re.M | re.S)
    titles = re.findall(r"^#+\s+(.*?)\s*#*$", prose, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(page, prose):
    for found in LINK.finditer(prose):
        link = found.group(1) or found.group(2)
        if re.match(r"[a-z]+:", link):
            continue
        path, _, heading = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            yield f"the link {link} leads nowhere"
        elif heading and target.suffix == ".md" and heading not in headings(target.read_text()):
            yield f"the link {link} names no heading"


class Page:
    def __init__(self, path, arguments):
        self.path = path
        self.arguments = arguments
        self.failures = 0
        self.python = []  # the blocks of Python so far

    def fail(self, line, message):
        self.failures += 1
        print(f"{self.path}:{line}: {message}")

    def check(self):
        blocks, prose = parse(self.path.read_text())
        for message in broken_links(self.path, prose):
            self.fail(1, message)
        with tempfile.TemporaryDirectory(prefix="credence-") as folder:
            folder = Path(folder).resolve()
            for name in ("examples", "docs"):
                (folder / name).symlink_to(ROOT / name)
            (folder / "build").mkdir()
            (folder / "build" / "credence").symlink_to(self.arguments.program.resolve())
            for i, block in enumerate(blocks):
                after = blocks[i + 1] if i + 1 < len(blocks) else None
                expected = after.text if after and after.language == "text" and after.follows else None
                self.check_block(block, expected, folder)
        return len(blocks)

    def check_block(self, block, expected, folder):
        if block.language == "sh":
            script = self.without_not_run(block)
            status = next((int(o[5:]) for o in block.options if o.startswith("exit=")), 0)
            self.run(block, ["bash", "-e", "-c", script], status, expected, folder)
        elif block.language == "cpp" and "int main" in block.text:
            source, program = folder / "block.cpp", folder / "block"
            source.write_text(block.text)
            command = [*shlex.split(self.arguments.compile), source, "-o", program]
            if self.run(block, [*command, *shlex.split(self.arguments.link)], 0, None, folder):
                self.run(block, [program], 0, expected, folder)
            source.unlink()
        elif block.language == "python" and has_package():
            self.run(block, [PYTHON, "-c", AFTER, *self.python, block.text], 0, expected, folder)
            self.python.append(block.text)
        elif block.language == "json":
            try:
                json.loads(block.text)
            except ValueError as error:
                self.fail(block.line, f"json: {error}")

    def without_not_run(self, block):
        lines, skipping = [], False
        for line in block.text.splitlines():
            if skipping or NOT_RUN.match(line):
                skipping = line.endswith("\\")
                if line.split()[0] == "make":
                    self.check_targets(block, line)
            else:
                lines.append(line)
        return "\n".join(lines)

    def check_targets(self, block, line):
        known = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.M)
        for word in shlex.split(line, comments=True)[1:]:
            if re.fullmatch(r"[&|;]+", word):
                break
            if not word.startswith("-") and "=" not in word and word not in known:
                self.fail(block.line, f"the Makefile has no target {word}")

    def run(self, block, command, status, expected, folder):
        environment = {
            **os.environ,
            "PATH": f"{folder / 'build'}:{os.environ['PATH']}",
            "NO_COLOR": "1",
            "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
        }
        # A file, not a pipe: a server that a block leaves behind would hold its end, and nobody would ever read the last of it.
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=said, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                returned = process.wait(timeout=240)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            said.seek(0)
            output = said.read().decode("utf-8", "backslashreplace")
        if returned != status:
            self.fail(block.line, f"exit status {returned}, expected {status}\n{output}")
        elif expected is not None:
            actual, expected = compare.lines_of(output), compare.lines_of(expected)
            if not compare.matches(expected, actual):
                self.fail(block.line, "prints something else\n" + compare.diff(expected, actual))
        return returned == status


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="+", type=Path)
    options.add_argument("--program", type=Path, default=ROOT / "build" / "credence")
    options.add_argument("--compile", default=f"g++ -std=c++20 -I{ROOT / 'include'}")
    options.add_argument("--link", default=f"{ROOT / 'build' / 'libcredence.a'} -lfmt -lz")
    arguments = options.parse_args()
    failures = 0
    for path in arguments.files:
        page = Page(path, arguments)
        count = page.check()
        failures += page.failures
        print(f"{path.name}: {'FAILED' if page.failures else 'ok'} ({count} blocks)")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
