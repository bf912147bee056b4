#!/usr/bin/env python3
"""Requests per second of `credence serve`, and of FastAPI (uvicorn) with scikit-learn, in the same run.

The server has one core and wrk the other. Single rows of four numbers with keep-alive; then 10,000 rows in one request beside the
library's own time for them; then the server's memory before and after many requests.
    bench/serve.py --program build/credence [--python VENV/bin/python] [--seconds 10]
PYTHON must have what requirements.txt names, fastapi and uvicorn[standard]; without it that part is left out.
"""
import argparse
import json
import os
import random
import re
import resource
import socket
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
    parser.add_argument("--requests", type=int, default=1000000, help="while memory is watched")
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
            ours = loaded("credence", server.process, address, folder / "load.lua", options.seconds)
            before = server.memory()
            wrk(address, folder / "load.lua", max(1, int(options.requests / ours[0])))
            print(f"memory: {before / 2 ** 20:.1f} MB, after {options.requests} more requests {server.memory() / 2 ** 20:.1f} MB", flush=True)
            many(program, server, folder)
        if options.python:
            theirs(options, folder, ours)


def many(program, server, folder):
    """10,000 rows in one request beside `predict` of the same rows as lines of JSON."""
    chance = random.Random(2)
    rows = [{name: round(chance.uniform(0, 7), 3) for name in "abcd"} for _ in range(10000)]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    body = json.dumps({"rows": rows}).encode()
    connection = server.connect()

    def ask():
        """Until the last byte is here; what is done with the answer is not the server's time."""
        connection.request("POST", "/v1/models/m/predict", body, {"Content-Type": "application/json"})
        return connection.getresponse().read()

    def alone():
        run("taskset", "-c", "0", program, "predict", folder / "m.credence", folder / "rows.jsonl", "--proba", "--threads", "1")

    assert len(json.loads(ask())["predictions"]) == len(rows)
    best = min(timed(ask) for _ in range(20))
    before = used(server.process)
    for _ in range(100):
        ask()
    sent = (used(server.process) - before) / 100
    library = min(timed(alone) for _ in range(20))
    nothing = min(timed(lambda: run("taskset", "-c", "0", program, "--version")) for _ in range(20))
    worked = min(of_children(alone) for _ in range(20))
    print(f"10,000 rows: {1e3 * best:.1f} ms in one request ({1e3 * sent:.1f} ms of the server's processor time); the program alone "
          f"{1e3 * (library - nothing):.1f} ms without its start ({1e3 * worked:.1f} ms of processor time with it): "
          f"{best / (library - nothing):.2f} times as long", flush=True)


def used(process):
    """Seconds of processor time that a process has had."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def loaded(who, process, address, script, seconds):
    """(requests per second, requests per second of the server's processor time), which others on the machine do not change much."""
    wrk(address, script, 1)
    before = used(process)
    rate, p99, bad = wrk(address, script, seconds)
    alone = rate * seconds / (used(process) - before)
    print(f"{who}: {rate:.0f} requests/s, {alone:.0f} per second of processor time, p99 {p99:.2f} ms, {bad} errors", flush=True)
    return rate, alone


def of_children(work):
    """Processor time of the programs that work() runs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def timed(work):
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def theirs(options, folder, ours):
    (folder / "app.py").write_text(FASTAPI)
    process = subprocess.Popen(["taskset", "-c", "0", options.python, folder / "app.py", folder / "rows.csv", "8799"],
                               env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        address = "http://127.0.0.1:8799/predict"
        for _ in range(100):
            time.sleep(0.3)
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", 8799)) == 0:
                    break
        rate, alone = loaded("FastAPI + scikit-learn", process, address, folder / "load.lua", options.seconds)
        print(f"credence is {ours[0] / rate:.1f} times as fast, {ours[1] / alone:.1f} times by processor time")
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
