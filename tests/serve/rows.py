#!/usr/bin/env python3
"""The rows that a server was given: those of a cell of the confusion, with their documents as they were written."""
import csv
import io
import json
import unittest
from pathlib import Path

from client import EXAMPLES, Server, program_to_test, run, scratch

PROGRAM = None

TABLE = """kind,urgent,text
spam,yes,"Win money, money, money now"
spam,yes,"Your account: send the ""password"" at once"
ham,no,Lunch at noon?
ham,no,The minutes of the meeting are attached
ham,yes,Grüße — bis morgen
ham,no,
"""


class Rows(unittest.TestCase):
    def setUp(self):
        self.scratch = scratch()
        self.folder = Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def served(self, model, data):
        server = Server(PROGRAM, model, "--data", data)
        self.addCleanup(server.stop)
        return server

    def fitted(self, text=TABLE, encoding="utf-8"):
        table, model = self.folder / "table.csv", self.folder / "model.credence"
        table.write_bytes(text.encode(encoding))
        run(PROGRAM, "fit", table, "--target", "kind", "--as", "text: text", "-q", "-o", model)
        return table, model

    def test_rows_have_their_documents_as_they_were_written(self):
        table, model = self.fitted()
        server = self.served(model, table)
        rows = server.get("/v1/models/model/rows")["rows"]
        written = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
        self.assertEqual([row["row"]["text"] for row in rows], [row["text"] or None for row in written])
        self.assertEqual([row["row"]["urgent"] for row in rows], [row["urgent"] for row in written])

    def test_a_row_that_is_sent_back_says_what_it_said(self):
        table, model = self.fitted()
        server = self.served(model, table)
        rows = server.get("/v1/models/model/rows")["rows"]
        told = server.post("/v1/models/model/predict", {"rows": [{k: v for k, v in row["row"].items() if k != "kind"} for row in rows]})
        self.assertEqual([one["probabilities"] for one in told["predictions"]], [row["probabilities"] for row in rows])

    def test_documents_are_marked_for_the_decision_against_the_truth(self):
        run(PROGRAM, "fit", EXAMPLES / "mails", "-q", "-o", self.folder / "model.credence")
        server = self.served(self.folder / "model.credence", EXAMPLES / "mails")
        confusion = server.get("/v1/models/model/judge?by=cv")["confusion"]
        seen = 0
        for i, true in enumerate(confusion["labels"]):
            for j, predicted in enumerate(confusion["labels"]):
                answer = server.get(f"/v1/models/model/rows?by=cv&true={true}&predicted={predicted}&marked=true")
                self.assertEqual(answer["total"], confusion["counts"][i][j])
                for row in answer["rows"]:
                    seen += 1
                    (document,) = row["documents"]
                    self.assertEqual(document["text"], row["row"]["text"])
                    told = server.post("/v1/models/model/mark", {"text": document["text"], "class": row["class"], "against": row["against"]})
                    self.assertEqual([(word["at"], word["weight"]) for word in document["words"]],
                                     [(token["start"], token["weight"]) for token in told["tokens"]])
                    if true != predicted:
                        self.assertEqual((row["class"], row["against"]), (predicted, true))
        self.assertEqual(seen, 6)

    def test_rows_are_marked_only_where_one_asks(self):
        table, model = self.fitted()
        server = self.served(model, table)
        self.assertTrue(all("documents" not in row for row in server.get("/v1/models/model/rows")["rows"]))
        self.assertEqual(server.ask("GET", "/v1/models/model/rows?marked=maybe")[0], 422)

    def test_files_of_any_bytes_are_shown_as_text(self):
        for kind, text in (("spam", "Gewinn f\xfcr Sie"), ("ham", "bis morgen, Gr\xfc\xdfe")):
            (self.folder / "mails" / kind).mkdir(parents=True)
            (self.folder / "mails" / kind / "1").write_bytes(text.encode("latin-1"))
        run(PROGRAM, "fit", self.folder / "mails", "-q", "-o", self.folder / "model.credence")
        rows = self.served(self.folder / "model.credence", self.folder / "mails").get("/v1/models/model/rows")["rows"]
        self.assertEqual({row["row"]["text"] for row in rows}, {"Gewinn für Sie", "bis morgen, Grüße"})

    def test_a_table_of_other_bytes_is_judged_and_shown_as_words(self):
        table, model = self.fitted(TABLE.replace("—", "-"), "latin-1")
        server = self.served(model, table)
        rows = server.get("/v1/models/model/rows?marked=true")["rows"]
        self.assertEqual(rows[0]["row"]["text"]["money"], 3)
        self.assertNotIn("documents", rows[0])
        self.assertIn("valid UTF-8", "\n".join(server.said))
        counts = server.get("/v1/models/model/judge")["confusion"]["counts"]
        self.assertEqual(counts, json.loads(run(PROGRAM, "evaluate", model, table, "--json"))["confusion"]["counts"])

    def test_models_that_disagree_show_the_documents(self):
        table, model = self.fitted()
        run(PROGRAM, "fit", table, "--target", "kind", "--prior", "spam=0.999,ham=0.001", "-q", "-o", self.folder / "other.credence")
        with Server(PROGRAM, model, self.folder / "other.credence", "--data", table) as server:
            answer = server.post("/v1/compare", {"models": ["model", "other"]})
        self.assertTrue(answer["disagree"])
        texts = {row["text"] or None for row in csv.DictReader(io.StringIO(table.read_text(encoding="utf-8")))}
        self.assertTrue({one["row"]["text"] for one in answer["disagree"]} <= texts)


if __name__ == "__main__":
    PROGRAM = program_to_test()
    unittest.main()
