#!/usr/bin/env python3
"""Arrows between the folders of src/ point one way: reads the #include lines and names offenders.

Public headers (credence/...) may be included by anyone, and include nothing but each other.
"""
import re
import sys
from pathlib import Path

MAY_INCLUDE = {
    "core": set(),
    "data": {"core", "text"},
    "text": {"core"},
    "kernels": {"core"},
    "families": {"core", "kernels"},
    "model": {"core", "kernels", "families", "text"},
    "ask": {"core", "families"},
    "decide": {"core", "families", "model"},
    "io": {"core", "families", "model"},
    "measure": {"core", "families", "model", "decide"},
    "hold_out": {"core", "families", "model", "decide", "measure"},
    "choose": {"core", "families", "model", "decide", "measure", "hold_out"},
    "plot": {"core", "families", "model", "io", "measure", "hold_out"},
    "discriminative": {"core", "families", "model", "measure", "hold_out"},
    "cli": {"core", "data", "text", "families", "model", "ask", "decide", "io", "measure", "hold_out",
            "choose", "plot", "discriminative"},
    "python": {"core", "data", "text", "families", "choose"},
    "include": set(),
}
INCLUDE = re.compile(r'\s*#\s*include\s+["<]([^">]+)[">]')


def layer_of(path, root):
    """The folder of src/ a file lies in; cli and include are layers of their own."""
    parts = path.resolve().relative_to(root).parts
    return parts[1] if parts[0] == "src" else parts[0]


def target(include, path, root):
    """The layer an #include line leads to; None for public headers and other libraries."""
    if include.startswith("credence/"):
        return None
    for folder in (path.parent, root / "src"):
        if (folder / include).exists():
            return layer_of(folder / include, root)
    first = include.split("/")[0]
    return first if "/" in include and first in MAY_INCLUDE else None


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    offenders = 0
    files = [p for top in ("include", "src", "cli", "python/src") for p in sorted((root / top).rglob("*.[ch]pp"))]
    for path in files:
        layer = layer_of(path, root)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            other = target(found.group(1), path, root) if found else None
            if other and other != layer and other not in MAY_INCLUDE.get(layer, set()):
                offenders += 1
                place = f"{path.relative_to(root)}:{number}"
                print(f"{place}: {layer} may not include {other}: {line.strip()}")
        if layer not in MAY_INCLUDE:
            offenders += 1
            print(f"{path.relative_to(root)}: lies in no layer of tests/layers_test.py")
    print(f"{len(files)} files, {offenders} offenders")
    return 1 if offenders else 0


if __name__ == "__main__":
    sys.exit(main())
