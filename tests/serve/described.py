#!/usr/bin/env python3
"""Schemathesis finds no answer of the server that the description of the interface does not allow.

Twice: as the description is, and with the columns and classes of a model written into it, so that most requests make sense. Needs the
`schemathesis` of tests/serve/requirements.txt: make api-test
"""
import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from client import EXAMPLES, Server, fitted, scratch

HERE = Path(__file__).resolve().parent


def about(document, model):
    """The description with what rows of this model may hold."""
    schemas = document["components"]["schemas"]
    columns = {column["name"]: {"enum": column["values"]} if "values" in column else {"type": ["number", "null"]}
               for column in model["schema"]["columns"]}
    columns[model["target"]] = {"enum": model["schema"]["classes"]}
    schemas["Row"] = {"type": "object", "properties": columns, "additionalProperties": False, "required": [model["target"]]}
    return document


def checked(tester, description, url, examples, *more):
    done = subprocess.run([tester, "--config-file", HERE / "schemathesis.toml", "run", description, "--url", url, "--no-color", "--warnings", "off",
                           "--max-examples", str(examples), *more],
                          cwd=description.parent, capture_output=True, text=True, check=False)
    print(done.stdout[-6000:] if done.returncode else done.stdout.strip().splitlines()[-5])
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--schemathesis", default="schemathesis")
    parser.add_argument("--examples", type=int, default=100)
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    # Found from here: it is started in another folder.
    tester = shutil.which(options.schemathesis)
    if not tester:
        sys.exit(f"{options.schemathesis} is not there (make api-test installs it)")
    tester = Path(tester).absolute()
    with scratch() as name:
        folder = Path(name)
        with Server(program, fitted(program, folder), "--learn", "--data", EXAMPLES / "tennis.csv", cwd=folder) as server:
            url = f"http://127.0.0.1:{server.port}"
            document = server.get("/v1/openapi.json")
            (folder / "plain.json").write_text(json.dumps(document))
            (folder / "about.json").write_text(json.dumps(about(document, server.get("/v1/models/tennis"))))
            sound = [checked(tester, folder / "plain.json", url, options.examples),
                     # Words that are new are fine, though not described here: only what is described is sent.
                     checked(tester, folder / "about.json", url, options.examples, "--mode", "positive")]
            assert server.get("/v1/health") == {"status": "ok"}
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main())
