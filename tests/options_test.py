#!/usr/bin/env python3
"""The library names no option of the command line: neither in what it says nor in comments.

Messages name settings by setting("rule", "bayes"); the program and Python call them their own names.
"""
import re
import sys
from pathlib import Path

# Comments and literals, in the order in which they begin: one inside another is a part of it.
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
                  r"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
OPTION = re.compile(r"(?<![-\w])--[a-z][\w-]*")


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    offenders = 0
    for path in (p for top in ("include", "src", "python/src") for p in sorted((root / top).rglob("*.[ch]pp"))):
        source = path.read_text()
        for piece in TEXT.finditer(source):
            for option in OPTION.finditer(piece.group()):
                offenders += 1
                line = source.count("\n", 0, piece.start() + option.start()) + 1
                print(f"{path.relative_to(root)}:{line}: {option.group()} is an option of the command line")
    if offenders:
        sys.exit(f"{offenders} options named by the library")


if __name__ == "__main__":
    main()
