#!/usr/bin/env python3
"""Arrows between the folders of src/ point one way: reads the #include lines and names offenders.

A public header belongs to a folder too, and is judged like any other file of it.
"""
import re
import sys
from pathlib import Path

# What each folder may include besides itself, from the ground up.
MAY_INCLUDE = {
    "core": set(),
    "parallel": {"core"},
    "words": {"core"},
    "mail": {"core"},
    "bytes": {"core"},
    "notation": {"core"},
    "tables": {"core", "words", "bytes", "notation"},
    "documents": {"core", "parallel", "words", "mail", "bytes", "notation", "tables"},
    "sources": {"core", "bytes", "notation", "tables", "documents"},
    "sql": {"core", "words"},
    "families": {"core", "parallel", "sql"},
    "ask": {"core", "notation", "families", "model"},
    "model": {"core", "parallel", "words", "notation", "families"},
    "decide": {"core", "model"},
    "io": {"core", "words", "families", "model", "sql"},
    "measure": {"core", "parallel", "families", "model", "decide"},
    "hold_out": {"core", "parallel", "families", "model", "decide", "measure"},
    "choose": {"core", "parallel", "families", "model", "decide", "measure", "hold_out"},
    "twin": {"core", "parallel", "families", "model", "decide", "measure", "hold_out"},
    "plot": {"core", "parallel", "notation", "families", "model", "decide", "io", "measure", "hold_out"},
    "answers": {"core", "words", "documents", "families", "model", "decide", "io", "measure", "hold_out", "ask"},
}
# The server uses all of them.
MAY_INCLUDE["serve"] = set(MAY_INCLUDE)
EVERYTHING = set(MAY_INCLUDE)
MAY_INCLUDE["cli"] = MAY_INCLUDE["python"] = MAY_INCLUDE["all"] = EVERYTHING | {"all"}

# The folder whose promises a public header holds. source.hpp is the interface between those who
# read rows and those who learn from them, so it lies below both.
PUBLIC = {
    "core": {"chunk", "error", "interval", "schema", "source"},
    "families": {"parameters", "rule"},
    "tables": {"memory"},
    "model": {"calibration", "classifier", "evidence", "journal", "model", "novelty", "scorer",
              "steps"},
    "decide": {"decision"},
    "io": {"io"},
    "measure": {"evaluate"},
    "hold_out": {"hold_out"},
    "choose": {"adapt", "calibrate", "semi_supervised", "tune"},
    "all": {"credence"},
}
FOLDER_OF = {name: folder for folder, names in PUBLIC.items() for name in names}
INCLUDE = re.compile(r'\s*#\s*include\s+["<]([^">]+)[">]')
NOWHERE = "no folder"


def folder_of(path, root):
    """The folder a file lies in; of a public header, the one it belongs to."""
    parts = path.resolve().relative_to(root).parts
    if parts[0] == "include":
        return FOLDER_OF.get(path.stem, NOWHERE)
    return parts[1] if parts[0] == "src" else parts[0]


def target(include, path, root):
    """The folder an #include line leads to; None for other libraries."""
    for folder in (path.parent, root, root / "src", root / "include"):
        if (folder / include).exists():
            return folder_of(folder / include, root)
    return None


def offences(root, files):
    for path in files:
        folder = folder_of(path, root)
        if folder not in MAY_INCLUDE:
            yield f"{path.relative_to(root)}: lies in no folder of tests/layers_test.py"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            other = target(found.group(1), path, root) if found else None
            if other and other != folder and other not in MAY_INCLUDE[folder]:
                yield (f"{path.relative_to(root)}:{number}: {folder} may not include {other}: "
                       f"{line.strip()}")


def crowded(root, most=25):
    """Folders with more files than one can keep in mind."""
    for folder in sorted(p for top in ("src", "cli", "include") for p in (root / top, *(root / top).rglob("*"))):
        if folder.is_dir():
            count = sum(f.suffix in (".cpp", ".hpp") for f in folder.iterdir())
            if count > most:
                yield f"{folder.relative_to(root)}: {count} files, more than {most}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    files = [p for top in ("include", "src", "cli", "python/src")
             for p in sorted((root / top).rglob("*.[ch]pp"))]
    found = [*offences(root, files), *crowded(root)]
    print("\n".join([*found, f"{len(files)} files, {len(found)} offenders"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
