#!/usr/bin/env python3
"""Writes files as a C++ table of their packed bytes: embed_assets.py OUT DIST FILE...

DIST is the folder of the built page; it need not be there. A FILE is known by its name alone, and so is report.html, which is no part
of the page.
"""
import gzip
import hashlib
import mimetypes
import sys
from pathlib import Path

TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
         ".json": "application/json", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".map": "application/json"}


def literal(data):
    """Bytes as string literals, a line each."""
    lines = []
    for start in range(0, len(data), 64):
        lines.append('"' + "".join(f"\\{byte:03o}" for byte in data[start:start + 64]) + '"')
    return "\n".join(lines)


def served_name(path):
    return path.as_posix() if path.name == "report.html" else "/" + path.as_posix()


def main(out, dist, *others):
    files = [(Path(other).name, Path(other)) for other in others]
    dist = Path(dist)
    if dist.is_dir():
        files += [(served_name(path.relative_to(dist)), path) for path in sorted(dist.rglob("*")) if path.is_file()]
    text = ["// Made by cmake/embed_assets.py.", '#include "serve/http/assets.hpp"', "", "namespace credence::serve {", "namespace {", ""]
    table = []
    for i, (name, path) in enumerate(files):
        data = path.read_bytes()
        packed = gzip.compress(data, 9, mtime=0)
        kind = TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        text += [f"constexpr char file_{i}[] =", literal(packed) + ";"]
        tag = hashlib.sha256(data).hexdigest()[:16]
        table.append(f'    {{"{name}", "{kind}", "{tag}", {{file_{i}, {len(packed)}}}}},')
    text += ["", "constexpr Asset all[] = {", *table, "};", "", "}  // namespace", "",
             "std::span<const Asset> assets() { return all; }", "", "}  // namespace credence::serve", ""]
    out = Path(out)
    content = "\n".join(text)
    if not out.exists() or out.read_text() != content:
        out.write_text(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
