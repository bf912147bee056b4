#!/usr/bin/env python3
"""The description of the interface names what the server answers, and nothing else; and it is sound where a validator is at hand."""
import argparse
import json
import re
import sys
from pathlib import Path

from client import Server, fitted, scratch

ROOT = Path(__file__).resolve().parents[2]


def routes():
    """Method and path of everything that api.cpp answers."""
    text = (ROOT / "src/serve/api/api.cpp").read_text()
    found = {(method.lower(), path) for method, path in re.findall(r'\{"([A-Z]+)", "(/v1[^"]*)"', text)}
    return found | {("get", path) for path in re.findall(r'path == "(/v1[^"]*)"', text)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = str(Path(parser.parse_args().program).resolve())
    with scratch() as folder, Server(program, fitted(program, folder)) as server:
        document = server.get("/v1/openapi.json")
    assert document == json.loads((ROOT / "src/serve/openapi.json").read_text())
    described = {(method, re.sub(r"\{[a-z]+\}", "*", path)) for path, methods in document["paths"].items() for method in methods}
    assert described == routes(), described ^ routes()
    try:
        from openapi_spec_validator import validate
    except ImportError:
        print("openapi-spec-validator is not installed: the document was compared with the code alone", file=sys.stderr)
        return
    validate(document)


if __name__ == "__main__":
    main()
