#!/usr/bin/env python3
"""Only a family knows its name: others ask its description, so that nobody has to be told of a new family.

Looks for literals that are the name of a family, or begin with it and a parenthesis, outside of src/families. Not for those
that are words of other things as well: `text` is a kind of column, too, `joint` a probability.
"""
import re
import sys
from pathlib import Path

ELSEWHERE_TOO = {"text", "joint", "pairs"}
# What `estimate` calls a distribution is a name of its own.
DISTRIBUTION = re.compile(r'setting\("distribution", *"\w+"\)')


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    registry = (root / "src/families/registry.cpp").read_text()
    names = set(re.findall(r"^ +family\((\w+)\)", registry, re.MULTILINE)) - ELSEWHERE_TOO
    if len(names) < 8:
        sys.exit("the list of families in registry.cpp was not found")
    literal = re.compile(r'"(?:' + "|".join(sorted(names | {"lda", "qda"})) + r')["(]')
    offenders = 0
    for path in sorted((root / "src").rglob("*.[ch]pp")):
        if path.is_relative_to(root / "src/families"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = DISTRIBUTION.sub("", line.partition("//")[0])
            for found in literal.finditer(line):
                offenders += 1
                print(f"{path.relative_to(root)}:{number}: {found.group()} is known to its family alone")
    print(f"{len(names)} names, {offenders} offenders")
    sys.exit(1 if offenders else 0)


if __name__ == "__main__":
    main()
