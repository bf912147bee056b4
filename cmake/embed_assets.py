#!/usr/bin/env python3
"""Writes files as a C++ table of their packed bytes: embed_assets.py OUT OPENAPI DIST

DIST is the folder of the built page; it need not be there.
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


def main(out, openapi, dist):
    files = [("openapi.json", Path(openapi))]
    dist = Path(dist)
    if dist.is_dir():
        files += [("/" + path.relative_to(dist).as_posix(), path) for path in sorted(dist.rglob("*")) if path.is_file()]
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
