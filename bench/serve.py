#!/usr/bin/env python3
"""Requests per second of `credence serve`, and of FastAPI (uvicorn) with scikit-learn, in the same run.

The server has one core and wrk the other. Single rows of four numbers with keep-alive; then 10,000 rows in one request beside the
library's own time for them; then the server's memory before and after many requests.
    bench/serve.py --program build/credence [--python VENV/bin/python] [--seconds 10]
PYTHON must have fastapi, uvicorn[standard] and scikit-learn; without it that part is left out.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "serve"))
from client import Server, run  # noqa: E402

FASTAPI = '''
import sys
import numpy as np
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from sklearn.naive_bayes import GaussianNB

rows = [line.strip().split(",") for line in open(sys.argv[1])][1:]
model = GaussianNB().fit(np.array([row[:4] for row in rows], float), [row[4] for row in rows])
names = [str(name) for name in model.classes_]
app = FastAPI()


class Row(BaseModel):
    a: float
    b: float
    c: float
    d: float


class Body(BaseModel):
    row: Row


@app.post("/predict")
async def predict(body: Body):
    row = body.row
    p = model.predict_proba([[row.a, row.b, row.c, row.d]])[0]
    return {"predictions": [{"label": names[int(p.argmax())], "probabilities": dict(zip(names, p.tolist()))}]}

uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning", access_log=False)
'''
LUA = """wrk.method = "POST"
wrk.body = '{"row":{"a":5.1,"b":3.5,"c":1.4,"d":0.2}}'
wrk.headers["Content-Type"] = "application/json"
"""


def table(path, rows=300):
    chance = random.Random(1)
    lines = ["a,b,c,d,y"]
    for i in range(rows):
        centre = ((5, 3.4, 1.5, 0.2), (5.9, 2.8, 4.3, 1.3), (6.6, 3, 5.5, 2))[i % 3]
        lines.append(",".join(f"{chance.gauss(x, 0.3):.2f}" for x in centre) + "," + "pqr"[i % 3])
    path.write_text("\n".join(lines) + "\n")


def wrk(address, script, seconds, connections=32):
    """(requests per second, p99 in ms, answers that were no 200)"""
    done = subprocess.run(["taskset", "-c", "1", "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script, address],
                          capture_output=True, text=True, check=True).stdout
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", done).groups()
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", done)
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", done).group(1)), float(number) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit],
            int(bad.group(1)) if bad else 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--python")
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table(folder / "rows.csv")
        (folder / "load.lua").write_text(LUA)
        run(program, "fit", folder / "rows.csv", "--target", "y", "-q", "-o", folder / "m.credence")
        with Server(program, folder / "m.credence", "--threads", "1") as server:
            os.system(f"taskset -acp 0 {server.process.pid} > /dev/null")
            address = f"http://127.0.0.1:{server.port}/v1/models/m/predict"
            wrk(address, folder / "load.lua", 1)
            before = server.memory()
            ours, p99, bad = wrk(address, folder / "load.lua", options.seconds)
            after = server.memory()
            print(f"credence: {ours:.0f} requests/s, p99 {p99:.2f} ms, {bad} errors; memory {before >> 20} MB, then {after >> 20} MB")
            many(program, server, folder)
        if options.python:
            theirs(options, folder, ours)


def many(program, server, folder):
    """10,000 rows in one request beside `predict` of the same rows as lines of JSON."""
    chance = random.Random(2)
    rows = [{name: round(chance.uniform(0, 7), 3) for name in "abcd"} for _ in range(10000)]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    body = json.dumps({"rows": rows})
    best = min(timed(lambda: server.ask("POST", "/v1/models/m/predict", body, {"Content-Type": "application/json"}, )) for _ in range(9))
    library = min(timed(lambda: run("taskset", "-c", "0", program, "predict", folder / "m.credence", folder / "rows.jsonl", "--proba",
                                    "--threads", "1", "-o", folder / "out.csv")) for _ in range(9))
    nothing = min(timed(lambda: run("taskset", "-c", "0", program, "--version")) for _ in range(9))
    print(f"10,000 rows: {1e3 * best:.1f} ms in one request; the program alone {1e3 * (library - nothing):.1f} ms (without its start)")


def timed(work):
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def theirs(options, folder, ours):
    (folder / "app.py").write_text(FASTAPI)
    process = subprocess.Popen(["taskset", "-c", "0", options.python, folder / "app.py", folder / "rows.csv", "8799"],
                               env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        time.sleep(6)
        address = "http://127.0.0.1:8799/predict"
        wrk(address, folder / "load.lua", 1)
        rate, p99, bad = wrk(address, folder / "load.lua", options.seconds)
        print(f"FastAPI + scikit-learn: {rate:.0f} requests/s, p99 {p99:.2f} ms, {bad} errors; credence is {ours / rate:.1f} times as fast")
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
