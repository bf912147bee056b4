#!/usr/bin/env python3
"""A server that learns: what it acknowledged is there after kill -9, once; and other changes of a model.

--kills 300 takes some minutes; ctest runs a few.
"""
import argparse
import json
import random
import signal
import sys
import threading
import time
import unittest
from pathlib import Path

from client import EXAMPLES, Server, fitted, run, scratch

PROGRAM = None
KILLS = 15
YES = {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak", "PlayTennis": "Yes"}
NO = {"Outlook": "Rain", "Temperature": "Cool", "Humidity": "Normal", "Wind": "Strong", "PlayTennis": "No"}
PATH = "/v1/models/tennis/"


def state_of(path):
    return json.loads(run(PROGRAM, "show", path, "--history", "--json"))["state"]


class Learning(unittest.TestCase):
    def setUp(self):
        self.scratch = scratch()
        self.folder = Path(self.scratch.name)
        self.path = fitted(PROGRAM, self.folder)

    def tearDown(self):
        self.scratch.cleanup()

    def test_rows_are_added_and_forgotten_as_by_the_command_line(self):
        other = self.folder / "other.credence"
        other.write_bytes(self.path.read_bytes())
        with Server(PROGRAM, self.path, "--learn") as server:
            self.assertEqual(server.post(PATH + "update", {"rows": [YES, NO]}), {"version": 1, "rows": 16, "applied": 2, "repeated": False})
            self.assertEqual(server.post(PATH + "forget", {"row": YES})["rows"], 15)
            answer = server.post(PATH + "predict", {"row": {"Outlook": "Rain"}})["predictions"][0]["probabilities"]
        run(PROGRAM, "update", other, "--given", ",".join(f"{k}={v}" for k, v in NO.items()), "-q")
        told = run(PROGRAM, "predict", other, "--proba", "--given", "Outlook=Rain").splitlines()[1].split(",")
        self.assertEqual(list(answer.values()), [float(told[1]), float(told[2])])
        self.assertEqual(state_of(self.path), state_of(other))

    def test_undo_brings_the_same_state_back(self):
        before = state_of(self.path)
        with Server(PROGRAM, self.path, "--learn") as server:
            first = server.get(PATH[:-1])["schema"]["history"]["state"]
            server.post(PATH + "update", {"rows": [YES, {**NO, "PlayTennis": "Maybe"}]})
            self.assertEqual(server.get("/v1")["models"][0]["classes"], ["Maybe", "No", "Yes"])
            server.post(PATH + "forget", {"row": YES})
            server.post(PATH + "undo", {})
            server.post(PATH + "undo", {"version": 1})
            self.assertEqual(server.get(PATH[:-1])["schema"]["history"]["state"], first)
            self.assertEqual(server.ask("POST", PATH + "undo", {})[0], 409)
            self.assertEqual(server.ask("POST", PATH + "undo", {"version": 1})[0], 409)
            changes = server.get(PATH + "changes")
            self.assertEqual([change["kind"] for change in changes], ["undo", "undo", "forget", "update"])
        self.assertEqual(state_of(self.path), before)

    def test_a_key_is_used_once(self):
        with Server(PROGRAM, self.path, "--learn") as server:
            first = server.post(PATH + "update", {"row": YES}, Idempotency_Key="k")
            again = server.post(PATH + "update", {"row": YES}, Idempotency_Key="k")
            self.assertEqual({**again, "repeated": False}, first)
            self.assertTrue(again["repeated"])
            self.assertEqual(server.ask("POST", PATH + "update", {"row": NO}, {"Idempotency-Key": "k"})[0], 422)
            self.assertEqual(server.ask("POST", PATH + "update", {"row": NO}, {"Idempotency-Key": "a b"})[0], 422)
        with Server(PROGRAM, self.path, "--learn") as server:
            self.assertTrue(server.post(PATH + "update", {"row": YES}, Idempotency_Key="k")["repeated"])
            self.assertEqual(server.get("/v1")["models"][0]["rows"], 15)

    def test_what_was_not_learned_cannot_be_forgotten(self):
        with Server(PROGRAM, self.path, "--learn") as server:
            for body in ({"row": {**NO, "Outlook": "Foggy"}}, {"row": {"Outlook": "Rain"}}, {"rows": []}, {"row": {**NO, "Wond": 1}}, {"rows": 3}):
                status, _, answer = server.ask("POST", PATH + "forget", body)
                self.assertEqual(status, 422, answer)
            self.assertEqual(server.get(PATH + "changes"), [])

    def test_nobody_else_writes_the_model_meanwhile(self):
        with Server(PROGRAM, self.path, "--learn"):
            with self.assertRaisesRegex(AssertionError, "another program is changing it"):
                run(PROGRAM, "update", self.path, EXAMPLES / "tennis.csv", "--no-wait", "-q")
            with self.assertRaisesRegex(AssertionError, "another program is changing it"):
                Server(PROGRAM, self.path, "--learn")

    def test_a_model_without_counts_is_served_beside_one_that_learns(self):
        with Server(PROGRAM, self.path, EXAMPLES / "lab_test.json", "--learn") as server:
            self.assertEqual([model["learn"] for model in server.get("/v1")["models"]], [True, False])
            self.assertEqual(server.ask("POST", "/v1/models/lab_test/update", {"rows": []})[0], 403)
            self.assertTrue(any("does not learn" in line for line in server.said))

    def test_a_journal_of_another_model_is_refused(self):
        with Server(PROGRAM, self.path, "--learn") as server:
            server.post(PATH + "update", {"row": YES})
        run(PROGRAM, "fit", EXAMPLES / "tennis.csv", "--target", "PlayTennis", "--prior", "uniform", "-q", "-o", self.path)
        with self.assertRaisesRegex(AssertionError, "about another state"):
            Server(PROGRAM, self.path, "--learn")

    def test_many_learn_at_once(self):
        with Server(PROGRAM, self.path, "--learn") as server:
            def teach(number):
                connection = server.connect()
                for i in range(10):
                    status, _, answer = server.ask("POST", PATH + "update", {"row": YES}, {"Idempotency-Key": f"{number}-{i}"}, connection)
                    assert status == 200, answer
                connection.close()
            threads = [threading.Thread(target=teach, args=(i,)) for i in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(server.get("/v1")["models"][0]["rows"], 14 + 80)
            self.assertEqual(sorted(change["version"] for change in server.get(PATH + "changes")), list(range(1, 81)))

    def test_a_full_disk_is_an_error_and_the_server_lives(self):
        # No file may grow beyond 64 kB.
        with Server(PROGRAM, self.path, "--learn", limits=["ulimit -f 64"]) as server:
            rows, status, learned = [YES] * 100, 200, 0
            while status == 200 and learned < 5000:
                status, _, answer = server.ask("POST", PATH + "update", {"rows": rows})
                learned += 100 if status == 200 else 0
            self.assertEqual(status, 503, answer)
            self.assertEqual(server.get("/v1")["models"][0]["rows"], 14 + learned)
            self.assertIn("tennis", server.get("/v1/health")["problems"])
        with Server(PROGRAM, self.path, "--learn") as server:
            self.assertEqual(server.get("/v1")["models"][0]["rows"], 14 + learned)
            self.assertEqual(server.post(PATH + "update", {"rows": rows})["rows"], 114 + learned)

    def test_what_was_acknowledged_survives_kill_minus_9_once(self):
        chance = random.Random(1)
        sent, known = 0, {}
        for _ in range(KILLS):
            server = Server(PROGRAM, self.path, "--learn")
            stop = threading.Event()

            def teach(number):
                nonlocal sent
                connection = server.connect()
                while not stop.is_set():
                    key = f"{number}-{sent}-{chance.random()}"
                    sent += 1
                    known[key] = False
                    try:
                        status, _, _ = server.ask("POST", PATH + "update", {"row": YES}, {"Idempotency-Key": key}, connection)
                    except (OSError, Exception):  # the server was killed
                        return
                    known[key] = status == 200
            threads = [threading.Thread(target=teach, args=(i,)) for i in range(3)]
            for thread in threads:
                thread.start()
            time.sleep(chance.uniform(0.0, 0.4))
            server.stop(signal.SIGKILL)
            stop.set()
            for thread in threads:
                thread.join()
            if chance.random() < 0.2:  # some ends are in order, and write the model file
                with Server(PROGRAM, self.path, "--learn"):
                    pass
        with Server(PROGRAM, self.path, "--learn") as server:
            changes = server.get(PATH + "changes?count=100000")
            there = [change["key"] for change in changes]
            self.assertEqual(len(there), len(set(there)))
            self.assertEqual([key for key, done in known.items() if done and key not in set(there)], [])
            self.assertLessEqual(set(there), set(known))
            self.assertEqual(server.get("/v1")["models"][0]["rows"], 14 + len(there))
        print(f"{KILLS} kills: {sum(known.values())} acknowledged of {len(known)}, {len(there)} there", file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--kills", type=int, default=KILLS)
    options, rest = parser.parse_known_args()
    PROGRAM = str(Path(options.program).resolve())
    KILLS = options.kills
    unittest.main(argv=[sys.argv[0], *rest])
