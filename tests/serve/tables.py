#!/usr/bin/env python3
"""Tables that are sent: as forms, as what the server does not read, and what is told while one is fitted."""
import gzip
import json
import random
import subprocess
import time
import unittest
from pathlib import Path

from client import EXAMPLES, Server, fitted, program_to_test, run, scratch

PROGRAM = None
PREDICT = "/v1/models/tennis/predict"


def form(*parts, boundary="mark"):
    """(body, headers) of a form of (name, file name or None, bytes)."""
    body = b""
    for name, file, data in parts:
        head = f'Content-Disposition: form-data; name="{name}"' + (f'; filename="{file}"\r\nContent-Type: text/csv' if file else "")
        body += f"--{boundary}\r\n{head}\r\n\r\n".encode() + data + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={boundary}"}


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = scratch()
        cls.folder = Path(cls.scratch.name)
        cls.tennis = fitted(PROGRAM, cls.folder)
        cls.server = Server(PROGRAM, cls.tennis)
        cls.text = (EXAMPLES / "tennis.csv").read_bytes()

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0
        cls.scratch.cleanup()

    def ended(self, job, states=None):
        for _ in range(6000):
            state = self.server.get(f"/v1/jobs/{job}")
            if states is not None:
                states.append(state)
            if state["state"] != "running":
                return state
            time.sleep(0.01)
        raise AssertionError(state)

    # Forms.

    def test_a_table_in_a_form_is_predicted_like_one_that_is_the_body(self):
        plain = self.server.ask("POST", PREDICT, self.text, {"Content-Type": "text/csv"})
        self.assertEqual(plain[0], 200)
        for boundary in ("mark", "----WebKitFormBoundary7MA4YWxkTrZu0gW", "a b'()+_,-./:=?"):
            body, headers = form(("table", "tennis.csv", self.text), boundary=boundary)
            if boundary.startswith("a"):
                headers = {"Content-Type": f'Multipart/Form-Data; charset=utf-8; boundary="{boundary}"'}
            answer = self.server.ask("POST", PREDICT, body, headers)
            self.assertEqual((answer[0], answer[1]["Content-Type"], answer[2]), (200, plain[1]["Content-Type"], plain[2]))

    def test_curl_sends_forms_that_are_understood(self):
        address = f"http://127.0.0.1:{self.server.port}{PREDICT}"
        expected = run(PROGRAM, "predict", self.tennis, EXAMPLES / "tennis.csv", "--proba", "-q")
        for how in ("@", "<"):
            told = subprocess.run(["curl", "-s", "-F", f"table={how}{EXAMPLES / 'tennis.csv'}", address], capture_output=True, check=True).stdout
            self.assertEqual(told.decode(), expected)

    def test_a_table_in_a_form_is_fitted(self):
        body, headers = form(("target", None, b"PlayTennis"), ("name", None, b"formed"), ("table", "tennis.csv", self.text))
        status, _, answer = self.server.ask("POST", "/v1/fit", body, headers)
        self.assertEqual(status, 202)
        self.assertEqual(self.ended(answer["job"])["model"], "formed")
        body, headers = form(("table", "tennis.csv", self.text))
        status, _, answer = self.server.ask("POST", "/v1/fit", body, headers)
        self.assertEqual((status, answer["rows"]), (200, 14))

    def test_forms_that_are_none_are_400_and_wrong_ones_422(self):
        whole, headers = form(("table", "tennis.csv", self.text))
        for body, kind in ((whole[:-20], 400), (b"", 400), (b"--mark--", 422), (b"nonsense", 400), (b"--mark\r\n\r\nx\r\n--mark--", 400),
                           (b"--mark\r\nContent-Disposition: form-data\r\n\r\nx\r\n--mark--\r\n", 400), (b"--mark\r\nx", 400), (b"--markx\r\n", 400),
                           (form(("rows", None, self.text))[0], 422), (form(("a", "a.csv", self.text), ("b", "b.csv", self.text))[0], 422),
                           (form(("table", "t.csv", self.text), ("rule", None, b"mle"))[0], 422), (form(("table", "t.csv", b""))[0], 422),
                           (form(*[(str(i), None, b"") for i in range(100)])[0], 400)):
            with self.subTest(body=body[:60]):
                status, _, answer = self.server.ask("POST", PREDICT, body, headers)
                self.assertEqual((status, answer["error"]["status"]), (kind, kind))
        for kind in ("multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=" + "x" * 71, 'multipart/form-data; boundary="'):
            self.assertEqual(self.server.ask("POST", PREDICT, whole, {"Content-Type": kind})[0], 400)
        body, headers = form(("table", "t.csv", self.text), ("best", None, b"maybe"))
        self.assertEqual(self.server.ask("POST", "/v1/fit", body, headers)[0], 422)
        body, headers = form(("table", "t.csv", self.text), ("Target", None, b"PlayTennis"))
        status, _, answer = self.server.ask("POST", "/v1/fit", body, headers)
        self.assertEqual((status, "target" in answer["error"]["message"]), (422, True))

    def test_forms_of_other_sites_are_refused(self):
        body, headers = form(("table", "tennis.csv", self.text))
        self.assertEqual(self.server.ask("POST", PREDICT, body, {**headers, "Origin": "https://evil.example"})[0], 403)

    # What is not read.

    def test_arrow_and_parquet_are_415_and_told_the_way_out(self):
        for kind in ("application/vnd.apache.arrow.stream", "application/vnd.apache.arrow.file", "application/vnd.apache.parquet"):
            for path in (PREDICT, "/v1/fit"):
                status, _, answer = self.server.ask("POST", path, b"ARROW1\0\0", {"Content-Type": kind})
                message = answer["error"]["message"]
                self.assertEqual((status, "text/csv" in message, "\n" in message), (415, True, False), message)

    def test_a_packed_table_is_415_since_few_bytes_may_be_many_rows(self):
        status, _, answer = self.server.ask("POST", PREDICT, gzip.compress(b"Outlook\n" + b"Sunny\n" * 3000000), {"Content-Type": "text/csv"})
        self.assertEqual((status, answer["error"]["message"]), (415, "the table is packed by gzip: unpack it first"))

    def test_a_table_of_too_many_rows_is_413(self):
        text = b"Outlook,Temperature,Humidity,Wind\n" + b",,,\n" * 1000001
        status, _, answer = self.server.ask("POST", PREDICT, text, {"Content-Type": "text/csv"})
        self.assertEqual((status, answer["error"]["message"]), (413, "the table has more than 1000000 rows (send fewer at a time)"))

    def test_a_table_without_a_column_is_refused_unless_it_may_be_missing(self):
        headers = {"Content-Type": "text/csv"}
        status, _, answer = self.server.ask("POST", PREDICT, b"Outlook,Windy\nSunny,Weak\n", headers)
        self.assertEqual(status, 422)
        self.assertIn("Humidity", answer["error"]["message"])
        status, _, answer = self.server.ask("POST", PREDICT + "?absent=missing", b"Outlook\nSunny\n", headers)
        self.assertEqual((status, len(answer.splitlines())), (200, 2))
        self.assertEqual(self.server.ask("POST", PREDICT + "?absent=zero", self.text, headers)[0], 422)

    # While a table is fitted.

    def test_a_fit_says_how_many_bytes_it_has_read(self):
        draw = random.Random(1)
        lines = [f"{draw.gauss(0, 1):.6f},{draw.gauss(1, 2):.6f},{draw.choice('abcdefgh')},{draw.choice(('yes', 'no'))}\n" for _ in range(20000)]
        text = "x,y,z,answer\n" + "".join(lines) * 60
        status, _, answer = self.server.ask("POST", "/v1/fit?target=answer&name=large", text, {"Content-Type": "text/csv"})
        self.assertEqual(status, 202)
        states = []
        last = self.ended(answer["job"], states)
        self.assertEqual(last["state"], "done", last)
        self.assertEqual(last["progress"], {"what": "learning", "done": len(text), "total": len(text), "unit": "bytes"})
        told = [state["progress"] for state in states if state["progress"]]
        self.assertTrue(any(0 < one["done"] < one["total"] for one in told), told)
        self.assertEqual([one["done"] for one in told], sorted(one["done"] for one in told))
        self.assertTrue(all(one["total"] == len(text) for one in told))

    def test_a_choice_says_how_many_steps_it_has_taken(self):
        body = json.dumps({"csv": self.text.decode(), "target": "PlayTennis", "best": True})
        _, _, answer = self.server.ask("POST", "/v1/fit", body, {"Content-Type": "application/json"})
        last = self.ended(answer["job"])
        self.assertEqual((last["state"], last["progress"]["unit"]), ("done", "steps"), last)
        self.assertEqual(last["progress"]["done"], last["progress"]["total"])
        self.assertTrue(last["command"].startswith("credence fit"), last["command"])

    def test_the_name_of_a_model_with_a_file_is_refused_before_anything_is_fitted(self):
        status, _, answer = self.server.ask("POST", "/v1/fit", {"csv": self.text.decode(), "target": "PlayTennis", "name": "tennis"})
        self.assertEqual((status, "has a file" in answer["error"]["message"]), (409, True))

    def test_what_a_fit_tells_of_its_way_is_no_message(self):
        _, _, answer = self.server.ask("POST", "/v1/fit", {"csv": "a,b\n1,x\n2,y\nz,x\n", "target": "c"})
        last = self.ended(answer["job"])
        self.assertEqual(last["state"], "failed")
        self.assertIn('"c"', last["message"])


if __name__ == "__main__":
    PROGRAM = program_to_test()
    unittest.main()
