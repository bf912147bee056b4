#!/usr/bin/env python3
"""The server's answers are the command line's, and what is wrong with a request has its status."""
import csv
import io
import json
import socket
import time
import unittest
from pathlib import Path

from client import EXAMPLES, Server, fitted, program_to_test, run, scratch

PROGRAM = None
ROW = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}
GIVEN = ",".join(f"{k}={v}" for k, v in ROW.items())


def tennis_rows():
    return list(csv.DictReader(io.StringIO((EXAMPLES / "tennis.csv").read_text())))


class Asked(unittest.TestCase):
    """One server for all tests: tennis, texts, numbers, a model by hand, a logistic one."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = scratch()
        folder = cls.folder = Path(cls.scratch.name)
        cls.tennis = fitted(PROGRAM, folder)
        cls.points = fitted(PROGRAM, folder, "points", "three_gaussians.csv", "class", "--model", "qda")
        half = fitted(PROGRAM, folder, "half", "tennis.csv", "PlayTennis", "--trust", "Outlook=0.5")
        run(PROGRAM, "fit", EXAMPLES / "mails", "-q", "-o", folder / "mails.credence")
        run(PROGRAM, "fit", EXAMPLES / "tennis.csv", "--target", "PlayTennis", "--discriminative", "-q", "-o", folder / "logistic.json")
        cls.server = Server(PROGRAM, cls.tennis, cls.points, half, folder / "mails.credence", f"lab={EXAMPLES / 'lab_test.json'}",
                            folder / "logistic.json", "--data", EXAMPLES / "tennis.csv")

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0
        cls.scratch.cleanup()

    def post(self, name, body, model="tennis"):
        return self.server.post(f"/v1/models/{model}/{name}", body)

    def status(self, body, path="/v1/models/tennis/predict", method="POST", **headers):
        headers.setdefault("Content-Type", "application/json")
        status, _, answer = self.server.ask(method, path, body if isinstance(body, (str, bytes)) or body is None else json.dumps(body), headers)
        if status >= 400:
            self.assertEqual(status, answer["error"]["status"])
            self.assertNotIn("--", answer["error"]["message"])
        return status

    def cli(self, *arguments):
        return run(PROGRAM, *arguments)

    # What is answered.

    def test_predictions_are_those_of_the_command_line(self):
        told = self.cli("predict", self.tennis, "--proba", "--evidence", "--given", GIVEN).splitlines()
        label, no, yes, evidence = told[1].split(",")
        (answer,) = self.post("predict", {"row": ROW})["predictions"]
        self.assertEqual(answer["label"], label)
        self.assertEqual(answer["probabilities"], {"No": float(no), "Yes": float(yes)})
        self.assertEqual(answer["log_evidence"], float(evidence))

    def test_rule_and_prior_are_those_of_the_command_line(self):
        for how, options in (({"rule": "mle"}, ["--rule", "mle"]), ({"prior": "uniform"}, ["--prior", "uniform"]),
                             ({"prior": {"No": 0.9, "Yes": 0.1}}, ["--prior", "No=0.9,Yes=0.1"])):
            told = self.cli("predict", self.tennis, "--proba", "--given", GIVEN, *options).splitlines()[1].split(",")
            (answer,) = self.post("predict", {"row": ROW, **how})["predictions"]
            self.assertEqual(list(answer["probabilities"].values()), [float(told[1]), float(told[2])])

    def test_many_rows_have_as_many_answers(self):
        rows = tennis_rows()
        told = [line.split(",")[0] for line in self.cli("predict", self.tennis, EXAMPLES / "tennis.csv").splitlines()[1:]]
        answers = self.post("predict", {"rows": rows})["predictions"]
        self.assertEqual([answer["label"] for answer in answers], told)

    def test_csv_is_answered_as_predict_prints_it(self):
        body = (EXAMPLES / "tennis.csv").read_bytes()
        status, headers, answer = self.server.ask("POST", "/v1/models/tennis/predict", body, {"Content-Type": "text/csv"})
        self.assertEqual((status, headers["Content-Type"]), (200, "text/csv; charset=utf-8"))
        self.assertEqual(answer.decode(), self.cli("predict", self.tennis, EXAMPLES / "tennis.csv", "--proba"))

    def test_lines_of_json_are_answered_line_by_line(self):
        rows = tennis_rows() * 200
        body = "".join(json.dumps(row) + "\n" for row in rows)
        status, headers, answer = self.server.ask("POST", "/v1/models/tennis/predict", body, {"Content-Type": "application/x-ndjson"})
        self.assertEqual((status, headers["Transfer-Encoding"]), (200, "chunked"))
        lines = [json.loads(line) for line in answer.splitlines()]
        self.assertEqual(lines, self.post("predict", {"rows": rows})["predictions"])

    def test_lines_before_a_wrong_one_are_answered_and_it_is_named_by_its_place(self):
        rows = [json.dumps(row) for row in tennis_rows() * 200]
        lines = rows[:2500] + ["", json.dumps({"Outlook": 5, "Rain": 1})] + rows[2500:]
        status, _, answer = self.server.ask("POST", "/v1/models/tennis/predict", "\n".join(lines), {"Content-Type": "application/x-ndjson"})
        answers = [json.loads(line) for line in answer.splitlines()]
        self.assertEqual((status, len(answers)), (200, 2501))
        self.assertIn("rows:2502:", answers[-1]["error"]["message"])
        self.assertEqual([a["label"] for a in answers[:2500]], [a["label"] for a in self.post("predict", {"rows": [json.loads(r) for r in rows[:2500]]})["predictions"]])

    def test_parameters_that_nobody_knows_are_refused(self):
        for method, path in (("POST", "/v1/models/tennis/predict?bogus=1"), ("POST", "/v1/models/tennis/sample?rows=2"), ("GET", "/v1/models/tennis?rul=mle"),
                             ("GET", "/v1/models/tennis/column/Wind?point=3")):
            status, _, answer = self.server.ask(method, path, json.dumps({"row": {}}) if method == "POST" else None, {"Content-Type": "application/json"})
            self.assertEqual(status, 422, path)
            self.assertIn("there is no parameter", answer["error"]["message"])

    def test_two_hosts_are_none(self):
        with socket.create_connection(("127.0.0.1", self.server.port)) as one:
            one.sendall(b"GET /v1/health HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            self.assertIn(b" 400 ", one.makefile("rb").readline())

    def test_a_whole_number_may_be_written_with_a_point(self):
        self.assertEqual(self.post("sample", {"rows": 2.0, "seed": 5.0}), self.post("sample", {"rows": 2, "seed": 5}))
        self.assertEqual(self.status({"rows": 2.5}, "/v1/models/tennis/sample"), 422)

    def test_costs_thresholds_and_rejecting_decide(self):
        p = self.post("predict", {"row": {"Outlook": "Rain"}})["predictions"][0]["probabilities"]
        self.assertEqual(self.post("predict", {"row": {"Outlook": "Rain"}, "reject": 0.99})["predictions"][0]["label"], None)
        self.assertEqual(self.post("predict", {"row": {"Outlook": "Rain"}, "threshold": {"No": 0.1}})["predictions"][0]["label"], "No")
        (answer,) = self.post("predict", {"row": {"Outlook": "Rain"}, "costs": {"No": {"Yes": 10}, "Yes": {"No": 1}}})["predictions"]
        self.assertAlmostEqual(answer["expected_cost"]["Yes"], 10 * p["No"])
        self.assertAlmostEqual(answer["expected_cost"]["No"], p["Yes"])
        self.assertEqual(answer["label"], "No" if p["Yes"] < 10 * p["No"] else "Yes")

    def test_explanations_are_those_of_the_command_line(self):
        (told,) = json.loads(self.cli("explain", self.tennis, "--given", GIVEN, "--json"))
        answer = self.post("explain", {"row": ROW})
        matrix = answer.pop("every_class")
        self.assertEqual(answer, told)
        self.assertAlmostEqual(sum(term["log_density"]["No"] - term["log_density"]["Yes"] for term in matrix["terms"]),
                               told["log_odds"] * (1 if told["class"] == "No" else -1))
        (told,) = json.loads(self.cli("explain", self.tennis, "--given", GIVEN, "--steps", "--json"))
        self.assertEqual(self.post("steps", {"row": ROW}), told)

    def test_models_are_those_of_show(self):
        answer = self.server.get("/v1/models/tennis")
        told = json.loads(self.cli("show", self.tennis, "--json"))
        self.assertEqual({key: answer[key] for key in told}, told)
        self.assertEqual(answer["schema"]["columns"][0]["values"], ["Overcast", "Rain", "Sunny"])
        self.assertEqual(answer["schema"]["history"], json.loads(self.cli("show", self.tennis, "--history", "--json")))

    def test_a_column_has_the_table_of_show_and_its_counts(self):
        told = json.loads(self.cli("show", self.tennis, "--json", "--rule", "laplace=2"))["columns"][0]["table"]
        answer = self.server.get("/v1/models/tennis/column/Outlook?rule=laplace&strength=2")
        for row in answer["table"]:
            for cls, p in row["probability"].items():
                self.assertAlmostEqual(p, told[row["value"]][cls], places=12)
        self.assertEqual([row["count"] for row in answer["table"]], [{"No": 0, "Yes": 4}, {"No": 2, "Yes": 3}, {"No": 3, "Yes": 2}])

    def test_a_column_that_is_trusted_less_has_its_densities_still(self):
        told = json.loads(self.cli("show", self.folder / "half.credence", "--json"))["columns"][0]["table"]
        for row in self.server.get("/v1/models/half/column/Outlook")["table"]:
            for cls, p in row["probability"].items():
                self.assertAlmostEqual(p, told[row["value"]][cls], places=12)
        self.assertEqual([column.get("trust") for column in self.server.get("/v1/models/half")["schema"]["columns"]], [0.5, None, None, None])

    def test_a_density_integrates_to_one(self):
        curve = self.server.get("/v1/models/points/column/x1?points=400")["curve"]
        for density in curve["density"].values():
            area = sum((a + b) / 2 * (y - x) for x, y, a, b in zip(curve["x"], curve["x"][1:], density, density[1:]))
            self.assertAlmostEqual(area, 1, places=1)

    def test_weights_of_a_nomogram_sum_to_the_log_odds(self):
        answer = self.post("nomogram", {"class": "No", "against": "Yes"})
        told = self.post("explain", {"row": ROW, "class": "No", "against": "Yes"})
        total = answer["prior"]
        for column in answer["columns"]:
            total += next(point["weight"] for point in column["points"] if point["value"] == ROW[column["column"]])
        self.assertAlmostEqual(total, told["log_odds"], places=12)

    def test_a_flip_changes_the_label(self):
        answer = self.post("flip", {"row": {"x1": 0, "x2": 0}}, "points")
        self.assertTrue(answer["changes"])
        for change in answer["changes"]:
            row = {"x1": 0, "x2": 0, change["column"]: change["to"]}
            self.assertEqual(self.post("predict", {"row": row}, "points")["predictions"][0]["label"], change["label"])
            self.assertNotEqual(change["label"], answer["label"])

    def test_the_nearest_change_of_every_column_comes_first(self):
        row = {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "Normal", "Wind": "Strong"}
        columns = [change["column"] for change in self.post("flip", {"row": row})["changes"]]
        first = columns[:len(set(columns))]
        self.assertEqual(len(set(first)), len(first))
        self.assertGreater(len(columns), len(first))

    def test_a_plane_is_made_of_predictions(self):
        answer = self.post("plane", {"x": "x1", "y": "x2", "size": 5}, "points")
        for i, j in ((0, 0), (2, 3), (4, 4)):
            (told,) = self.post("predict", {"row": {"x1": answer["x"][i], "x2": answer["y"][j]}}, "points")["predictions"]
            for cls, p in told["probabilities"].items():
                self.assertAlmostEqual(answer["posterior"][cls][j][i], p, places=12)

    def test_texts_are_marked_by_evidence(self):
        answer = self.post("mark", {"text": "please send us your password"}, "mails")
        self.assertEqual([token["word"] for token in answer["tokens"]], "please send us your password".split())
        (told,) = self.post("predict", {"row": {"text": "please send us your password"}}, "mails")["predictions"]
        self.assertEqual(answer["probabilities"], told["probabilities"])

    def test_judgements_are_those_of_evaluate_and_cv(self):
        answer = self.server.get("/v1/models/tennis/judge")
        told = json.loads(self.cli("evaluate", self.tennis, EXAMPLES / "tennis.csv", "--json"))
        self.assertEqual({key: answer[key] for key in told}, told)
        answer = self.server.get("/v1/models/tennis/judge?by=cv&folds=5")
        told = json.loads(self.cli("cv", EXAMPLES / "tennis.csv", "--target", "PlayTennis", "--folds", "5", "--json", "-q"))
        self.assertEqual({key: answer[key] for key in told}, told)
        counts = answer["confusion"]["counts"]
        for i, true in enumerate(("No", "Yes")):
            for j, predicted in enumerate(("No", "Yes")):
                rows = self.server.get(f"/v1/models/tennis/rows?by=cv&folds=5&true={true}&predicted={predicted}")
                self.assertEqual(rows["total"], counts[i][j])
        curve = answer["curves"]["roc"]["Yes"]
        area = sum((b - a) * (c + d) / 2 for a, b, c, d in zip(curve["fpr"], curve["fpr"][1:], curve["tpr"], curve["tpr"][1:]))
        self.assertAlmostEqual(area, answer["classes"][1]["roc_auc"], places=9)

    def test_questions_are_answered_as_by_query(self):
        questions = ["P(Outlook=Sunny | PlayTennis=Yes)", "P(PlayTennis)"]
        answer = self.post("query", {"questions": questions})
        self.assertEqual(answer["answers"], json.loads(self.cli("query", self.tennis, *questions, "--json")))
        self.assertIn("error", self.post("query", {"questions": ["P(nonsense"]})["answers"][0])

    def test_rows_drawn_are_those_of_sample(self):
        told = [json.loads(line) for line in self.cli("sample", self.tennis, "-n", "5", "--seed", "3", "--json").splitlines()]
        self.assertEqual(self.post("sample", {"rows": 5, "seed": 3})["rows"], told)
        self.assertEqual({row["PlayTennis"] for row in self.post("sample", {"rows": 20, "class": "No"})["rows"]}, {"No"})

    def test_influence_is_that_of_forgetting(self):
        answer = self.post("influence", {"index": 0})
        row = tennis_rows()[0]
        copy = self.folder / "less.credence"
        copy.write_bytes(self.tennis.read_bytes())
        self.cli("forget", copy, "--given", ",".join(f"{k}={v}" for k, v in row.items()), "-q")
        features = ",".join(f"{k}={v}" for k, v in row.items() if k != "PlayTennis")
        told = self.cli("predict", copy, "--proba", "--given", features).splitlines()[1].split(",")
        self.assertEqual(list(answer["without"].values()), [float(told[1]), float(told[2])])
        self.assertTrue(answer["moved"])

    def test_two_models_are_compared(self):
        answer = self.server.post("/v1/compare", {"models": ["tennis", "logistic"]})
        self.assertEqual(answer["total"], 14)
        self.assertEqual(answer["agree"] + len(answer["disagree"]), 14)
        for one in answer["disagree"]:
            self.assertNotEqual(one["a"]["label"], one["b"]["label"])

    def test_logistic_models_predict_and_explain(self):
        told = self.cli("predict", self.folder / "logistic.json", "--proba", "--given", GIVEN).splitlines()[1].split(",")
        (answer,) = self.post("predict", {"row": ROW}, "logistic")["predictions"]
        self.assertEqual(list(answer["probabilities"].values()), [float(told[1]), float(told[2])])
        self.assertEqual(self.status({"row": ROW}, "/v1/models/logistic/steps"), 422)

    def test_tables_that_are_sent_are_fitted(self):
        text = (EXAMPLES / "tennis.csv").read_text()
        self.assertEqual([one["name"] for one in self.server.post("/v1/fit", {"csv": text})["columns"]],
                         ["Outlook", "Temperature", "Humidity", "Wind", "PlayTennis"])
        job = self.server.post("/v1/fit", {"csv": text, "target": "PlayTennis", "name": "sent"})["job"]
        for _ in range(300):
            state = self.server.get(f"/v1/jobs/{job}")
            if state["state"] != "running":
                break
            time.sleep(0.1)
        self.assertEqual((state["state"], state["model"]), ("done", "sent"))
        self.assertEqual(self.post("predict", {"row": ROW}, "sent"), self.post("predict", {"row": ROW}))
        job = self.server.post("/v1/fit", {"csv": text, "target": "Nothing"})["job"]
        for _ in range(300):
            state = self.server.get(f"/v1/jobs/{job}")
            if state["state"] != "running":
                break
            time.sleep(0.1)
        self.assertEqual(state["state"], "failed")
        self.assertIn("Nothing", state["message"])

    def test_stories_have_computed_answers(self):
        stories = self.server.get("/v1/stories")
        self.assertEqual([story["id"] for story in stories], ["lab-test", "tennis", "urns", "three-gaussians", "spam", "good-bad-very"])
        for story in stories:
            for step in self.server.get("/v1/stories/" + story["id"])["steps"]:
                self.assertTrue(step["text"] and step["answer"] and step["command"])
        steps = self.server.get("/v1/stories/lab-test")["steps"]
        self.assertAlmostEqual(steps[1]["answer"]["classes"][0]["posterior"], 0.00784 / 0.0376)
        steps = self.server.get("/v1/stories/tennis")["steps"]
        self.assertAlmostEqual(steps[1]["answer"]["classes"][0]["posterior"], 0.795417, places=6)

    def test_the_server_says_what_it_has(self):
        answer = self.server.get("/v1")
        self.assertEqual([model["name"] for model in answer["models"]][:6], ["tennis", "points", "half", "mails", "lab", "logistic"])
        self.assertEqual(self.server.get("/v1/health"), {"status": "ok"})
        self.assertIn(b'credence_requests_total{status="200"}', self.server.get("/v1/metrics"))
        self.assertEqual(self.server.get("/v1/openapi.json")["openapi"], "3.1.0")
        self.assertEqual(self.server.ask("GET", "/")[0], 200)
        self.assertEqual(self.server.ask("HEAD", "/")[0], 200)

    # What is refused.

    def test_what_is_no_json_is_400(self):
        for body in ("{", "", "nonsense", '{"row":{"Outlook":NaN}}', '{"row":{"Outlook":}}', '{"row":{}} x', "[" * 1000, '{"row":' + '{"a":' * 500,
                     '{"row":{"Wind":"\\u12"}}', '{"rows":[{},]}', '{"row":{"Outlook":1e999}}', b'{"row":{"Wind":"\xff"}}'):
            with self.subTest(body=body):
                self.assertIn(self.status(body), (400, 422) if body == "" else (400,))

    def test_json_that_means_nothing_is_422(self):
        for body in ({"row": {"Wond": "Weak"}}, {"row": 3}, {"rows": {}}, {"rows": [3]}, {"row": {"Wind": ["a"]}}, {"row": ROW, "rule": "nonsense"},
                     {"row": ROW, "prior": {"No": 2}}, {"row": ROW, "prior": {"Maybe": 1}}, {"row": ROW, "nothing": 1}, {"row": ROW, "rows": []},
                     {"row": ROW, "threshold": {"Maybe": 1}}, {"row": ROW, "reject": "a"}, {"row": ROW, "calibration": "maybe"}, {}):
            with self.subTest(body=body):
                self.assertEqual(self.status(body), 422)
        self.assertEqual(self.status({"row": {"x1": "many"}}, "/v1/models/points/predict"), 422)

    def test_what_is_not_there_is_404(self):
        for path in ("/v1/models/nothing", "/v1/nothing", "/v1/models/tennis/column/Nothing", "/v1/jobs/9", "/v1/stories/9", "/nothing.js",
                     "/../../etc/passwd.txt", "/assets/%2e%2e/%2e%2e/etc/passwd"):
            with self.subTest(path=path):
                self.assertEqual(self.server.ask("GET", path)[0], 404)
        self.assertNotIn(b"root:", self.server.raw(b"GET /../../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))

    def test_other_methods_are_405_and_other_types_415(self):
        status, headers, _ = self.server.ask("GET", "/v1/models/tennis/predict")
        self.assertEqual((status, headers["Allow"]), (405, "POST"))
        for method, path in (("POST", "/v1"), ("DELETE", "/v1/models/tennis"), ("PUT", "/"), ("OPTIONS", "/v1/models/tennis/predict")):
            self.assertEqual(self.server.ask(method, path)[0], 405)
        for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
            self.assertEqual(self.server.ask("POST", "/v1/models/tennis/predict", "{}", {"Content-Type": kind})[0], 415)
        self.assertEqual(self.server.ask("POST", "/v1/models/tennis/explain", "a,b", {"Content-Type": "text/csv"})[0], 415)

    def test_other_hosts_and_origins_are_403(self):
        port = self.server.port
        for name, value in (("Host", "evil.example"), ("Host", f"evil.example:{port}"), ("Origin", "https://evil.example"), ("Origin", "null"),
                            ("Origin", f"http://localhost:{port + 1}")):
            with self.subTest(name=name, value=value):
                self.assertEqual(self.server.ask("GET", "/v1", None, {name: value})[0], 403)
        for headers in ({"Host": f"localhost:{port}"}, {"Host": "[::1]:80"}, {"Origin": f"http://127.0.0.1:{port}"}):
            self.assertEqual(self.server.ask("GET", "/v1", None, headers)[0], 200)
        self.assertTrue(self.server.raw(b"GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 400"))

    def test_what_is_too_large_is_413_and_431(self):
        head = b"POST /v1/models/tennis/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        self.assertTrue(self.server.raw(head + b"Content-Length: 1000000000\r\n\r\n{").startswith(b"HTTP/1.1 413"))
        self.assertTrue(self.server.raw(head + b"Transfer-Encoding: chunked\r\n\r\n" + b"ffffffff\r\n").startswith(b"HTTP/1.1 413"))
        self.assertTrue(self.server.raw(b"GET /v1 HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 40000 + b"\r\n\r\n").startswith(b"HTTP/1.1 431"))

    def test_what_is_no_http_is_400(self):
        for data in (b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n"):
            self.assertTrue(self.server.raw(data + b"\r\n\r\n").startswith(b"HTTP/1.1 400"), data)

    def test_every_answer_is_guarded(self):
        for path in ("/", "/v1", "/v1/nothing"):
            _, headers, _ = self.server.ask("GET", path)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertIn("default-src 'none'; script-src 'self'; style-src 'self'", headers["Content-Security-Policy"])
            self.assertNotIn("unsafe", headers["Content-Security-Policy"])
            self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
            self.assertNotIn("Access-Control-Allow-Origin", headers)

    def test_a_connection_is_kept_and_requests_may_follow_at_once(self):
        connection = self.server.connect()
        for _ in range(3):
            self.assertEqual(self.server.ask("GET", "/v1/health", connection=connection)[0], 200)
        sock = connection.sock
        self.assertIsNotNone(sock)
        connection.close()
        one = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        last = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        self.assertEqual(self.server.raw(one * 4 + last).count(b"HTTP/1.1 200"), 5)

    def test_teaching_is_403_where_the_server_does_not_learn(self):
        for name in ("update", "forget", "undo"):
            self.assertEqual(self.status({"rows": [{**ROW, "PlayTennis": "No"}]}, f"/v1/models/tennis/{name}"), 403)

    def test_a_thousand_connections_that_say_nothing_keep_nobody_out(self):
        idle = [socket.create_connection(("127.0.0.1", self.server.port)) for _ in range(1000)]
        try:
            self.assertEqual(self.server.get("/v1/health"), {"status": "ok"})
        finally:
            for one in idle:
                one.close()


class Started(unittest.TestCase):
    """Each with a server of its own."""

    def test_a_model_is_read_again_and_a_broken_one_is_not(self):
        with scratch() as folder:
            path = fitted(PROGRAM, folder)
            with Server(PROGRAM, path) as server:
                before = server.post("/v1/models/tennis/predict", {"row": ROW})
                run(PROGRAM, "update", path, EXAMPLES / "tennis.csv", "-q")
                deadline = time.time() + 20
                while server.get("/v1")["models"][0]["rows"] != 28 and time.time() < deadline:
                    time.sleep(0.1)
                after = server.post("/v1/models/tennis/predict", {"row": ROW})
                self.assertNotEqual(before, after)
                path.write_bytes(b"broken")
                while "problems" not in server.get("/v1/health") and time.time() < deadline:
                    time.sleep(0.1)
                self.assertIn("tennis", server.get("/v1/health")["problems"])
                self.assertEqual(server.post("/v1/models/default/predict", {"row": ROW}), after)

    def test_other_addresses_need_a_token(self):
        with scratch() as folder:
            path = fitted(PROGRAM, folder)
            with self.assertRaisesRegex(AssertionError, "--token"):
                Server(PROGRAM, path, "--host", "0.0.0.0")
            with Server(PROGRAM, path, "--host", "0.0.0.0", "--token", "s3cret") as server:
                self.assertEqual(server.ask("GET", "/v1")[0], 403)
                self.assertEqual(server.ask("GET", "/overview")[0], 200)
                self.assertEqual(server.ask("GET", "/v1/models/tennis")[0], 403)
                self.assertEqual(server.ask("GET", "/v1", None, {"Authorization": "Bearer wrong"})[0], 403)
                self.assertEqual(server.ask("GET", "/v1", None, {"Authorization": "Bearer s3cret"})[0], 200)
                status, headers, _ = server.ask("GET", "/?token=s3cret")
                self.assertEqual((status, headers["Location"]), (303, "/"))
                cookie = headers["Set-Cookie"]
                self.assertIn("HttpOnly", cookie)
                self.assertEqual(server.ask("GET", "/v1", None, {"Cookie": cookie.split(";")[0]})[0], 200)

    def test_who_asks_too_slowly_is_told_so(self):
        with scratch() as folder:
            with Server(PROGRAM, fitted(PROGRAM, folder), "--timeout", "1") as server:
                slow = socket.create_connection(("127.0.0.1", server.port), timeout=20)
                slow.sendall(b"POST /v1/models/tennis/predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
                self.assertTrue(slow.recv(1000).startswith(b"HTTP/1.1 408"))
                slow.close()

    def test_a_server_ends_when_it_is_told_to(self):
        with scratch() as folder:
            server = Server(PROGRAM, fitted(PROGRAM, folder))
            connection = server.connect()
            self.assertEqual(server.ask("GET", "/v1/health", connection=connection)[0], 200)
            began = time.time()
            self.assertEqual(server.stop(), 0)
            self.assertLess(time.time() - began, 5)
            connection.close()


if __name__ == "__main__":
    PROGRAM = program_to_test()
    unittest.main()
