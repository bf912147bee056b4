#!/usr/bin/env python3
"""Many clients at once ask, teach, fit and leave, while a model file is replaced; then every change is counted.

By hand for longer, and with a program under the thread sanitizer: tests/serve/load.py --program build-tsan/credence --seconds 60
"""
import argparse
import http.client
import json
import random
import sys
import threading
import time
from pathlib import Path

from client import EXAMPLES, Server, fitted, run, scratch

ROW = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}
# What is asked of a model of tennis, and what may be answered: a change may be refused, and too much at a time as well.
QUESTIONS = [
    ("POST", "predict", {"row": ROW}), ("POST", "predict", {"row": ROW, "rule": "laplace=2"}), ("POST", "predict", {"rows": [ROW] * 300}),
    ("POST", "explain", {"row": ROW, "prior": {"No": 0.5, "Yes": 0.5}}), ("POST", "steps", {"row": ROW}), ("POST", "nomogram", {}),
    ("POST", "flip", {"row": ROW}), ("POST", "query", {"questions": ["P(Wind | PlayTennis)"]}), ("POST", "sample", {"rows": 20}),
    ("POST", "influence", {"row": {**ROW, "PlayTennis": "No"}}), ("GET", "", None), ("GET", "column/Outlook?strength=3", None),
    ("GET", "judge", None), ("GET", "judge?by=cv&folds=7", None), ("GET", "rows?count=3", None), ("GET", "changes?count=5", None),
]


class Clients:
    """What clients of one server do, all of them with one model."""

    def __init__(self, server, model, learns):
        self.server = server
        self.model = f"/v1/models/{model}"
        self.learns = learns
        self.until = 0.0
        self.lock = threading.Lock()
        self.rows = 14
        self.asked = 0
        self.wrong = []
        self.said = []
        self.threads = [threading.Thread(target=lambda: self.said.extend(server.process.stderr))]

    def ask(self, connection, method, path, body=None, headers=(), fine=(200, 202)):
        """The answer, or None where it was refused for a reason."""
        status, _, answer = self.server.ask(method, path, body, headers, connection)
        with self.lock:
            self.asked += 1
            if status not in (*fine, 429):
                self.wrong.append((method, path, status, answer))
        return answer if status in (200, 202) else None

    def teach(self, chance, connection):
        rows = [{**ROW, "Wind": chance.choice(["Weak", "Strong"]), "PlayTennis": "No"}] * chance.randint(1, 3)
        key = {"Idempotency-Key": f"{chance.random()}", "Content-Type": "application/json"}
        answer = None
        for _ in range(2):  # the second time it is known
            answer = self.ask(connection, "POST", f"{self.model}/update", json.dumps({"rows": rows}), key)
        if not answer:
            return
        name, back = chance.choice([("forget", {"rows": rows}), ("undo", {"version": answer["version"]}), ("", {})])
        taken = name and self.ask(connection, "POST", f"{self.model}/{name}", back)
        with self.lock:
            self.rows += 0 if taken else len(rows)

    def client(self, number):
        chance = random.Random(number)
        connection = self.server.connect()
        while time.time() < self.until:
            try:
                if self.learns and number % 4 == 0:
                    self.teach(chance, connection)
                method, name, body = chance.choice(QUESTIONS)
                self.ask(connection, method, f"{self.model}/{name}".rstrip("/"), body, fine=(200, 403))
                if chance.random() < 0.05:
                    self.ask(connection, "GET", chance.choice(["/v1", "/v1/metrics", "/v1/health", "/", "/v1/stories/tennis"]))
                if chance.random() < 0.05:
                    # Who leaves before he is answered.
                    connection.request("GET", f"{self.model}/judge?by=cv")
                    connection.close()
            except (http.client.HTTPException, OSError) as error:
                with self.lock:
                    self.wrong.append(("client", number, repr(error)))
                connection.close()
        connection.close()

    def start(self, clients, seconds):
        self.until = time.time() + seconds
        self.threads += [threading.Thread(target=self.client, args=(number,)) for number in range(clients)]
        for thread in self.threads:
            thread.start()

    def finish(self):
        """How many rows the model has, after everybody has left and the server has ended."""
        for thread in self.threads[1:]:
            thread.join()
        rows = self.server.get("/v1")["models"][0]["rows"]
        self.server.process.terminate()
        status = self.server.process.wait(timeout=60)
        self.threads[0].join()
        self.server.process.stderr.close()
        assert status == 0 and not any("Sanitizer" in line for line in self.said), (status, "".join(self.said)[-20000:])
        assert not self.wrong, self.wrong[:5]
        return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--clients", type=int, default=8, help="of each server")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    with scratch() as folder:
        paths = fitted(program, folder, "learns"), fitted(program, folder, "replaced")
        data = ("--data", EXAMPLES / "tennis.csv")
        learning = Clients(Server(program, paths[0], "--learn", *data), "learns", True)
        reading = Clients(Server(program, paths[1], *data), "replaced", False)
        for clients in (learning, reading):
            clients.start(options.clients, options.seconds)
        reading.server.post("/v1/fit", {"csv": (EXAMPLES / "tennis.csv").read_text(), "target": "PlayTennis", "name": "sent"})
        while time.time() < reading.until:
            run(program, "update", paths[1], EXAMPLES / "tennis.csv", "-q")
            time.sleep(0.3)
        rows = learning.finish()
        assert rows == learning.rows == json.loads(run(program, "show", paths[0], "--json"))["rows"], (rows, learning.rows)
        assert reading.finish() > 14, "the file was not read again"
        print(f"{learning.asked + reading.asked} requests; {learning.rows} rows learned, {len(reading.said)} times read again")


if __name__ == "__main__":
    sys.exit(main())
