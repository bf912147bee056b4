#!/usr/bin/env python3
"""What a server does when it is asked too much, too slowly, or by too many: it says so, and answers the others."""
import json
import resource
import socket
import time
import unittest
from pathlib import Path

from client import EXAMPLES, Server, fitted, program_to_test, scratch

PROGRAM = None
HEAD = b"POST /v1/models/tennis/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


class Limits(unittest.TestCase):
    def setUp(self):
        self.scratch = scratch()
        self.addCleanup(self.scratch.cleanup)
        self.folder = Path(self.scratch.name)
        self.open = []

    def served(self, *arguments):
        server = Server(PROGRAM, fitted(PROGRAM, self.folder), *arguments)
        self.addCleanup(server.stop)
        self.addCleanup(self.leave)
        return server

    def leave(self):
        for one in self.open:
            one.close()
        self.open.clear()

    def connected(self, server, data=b""):
        one = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        self.open.append(one)
        if data:
            one.sendall(data)
        return one

    def test_more_work_than_can_wait_is_429(self):
        server = self.served("--threads", "1")
        body = b'{"rows":10000}'
        ask = b"POST /v1/models/tennis/sample HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        clients = [self.connected(server, ask) for _ in range(600)]
        # Who is refused is told at once; those in front of him wait for their turn.
        told = []
        for one in clients[-40:]:
            told.append(one.recv(4096))
        refused = [answer for answer in told if answer.startswith(b"HTTP/1.1 429")]
        self.assertTrue(refused, told[0][:100])
        self.assertTrue(all(b"Retry-After: 1" in answer for answer in refused))
        self.assertTrue(clients[0].recv(100).startswith(b"HTTP/1.1 200"))
        self.assertEqual(server.get("/v1/health"), {"status": "ok"})

    def test_more_fits_than_can_run_are_429(self):
        server = self.served()
        head, *rows = (EXAMPLES / "three_gaussians.csv").read_text().splitlines()
        table = json.dumps({"csv": "\n".join([head, *rows * 200]), "target": "class", "best": True})
        statuses = [server.ask("POST", "/v1/fit", table, {"Content-Type": "application/json"})[0] for _ in range(3)]
        self.assertEqual(statuses, [202, 202, 429])
        for job in ("1", "2"):
            self.assertEqual(server.ask("DELETE", f"/v1/jobs/{job}")[0], 200)

    def test_more_connections_than_are_allowed_are_503(self):
        server = self.served("--max-connections", "3")
        kept = [self.connected(server) for _ in range(3)]
        for _ in range(100):
            answer = self.connected(server, b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n").recv(4096)
            if answer.startswith(b"HTTP/1.1 503"):
                break
        self.assertIn(b"Retry-After", answer)
        kept[0].close()
        for _ in range(100):
            status = None
            try:
                status = server.ask("GET", "/v1/health")[0]
            except (ConnectionError, OSError):
                pass
            if status == 200:
                return
            time.sleep(0.05)
        self.fail("the place of who left is not free")

    def test_who_sends_a_byte_at_a_time_is_408_and_keeps_nobody_out(self):
        server = self.served("--timeout", "2")
        for begin in (b"G", HEAD, HEAD + b"Content-Length: 1000\r\n\r\n{"):
            slow = [self.connected(server, begin) for _ in range(50)]
            began = time.time()
            told = b""
            while not told and time.time() - began < 20:
                for one in slow:
                    try:
                        one.sendall(b"x")
                    except (ConnectionError, OSError):
                        pass
                self.assertEqual(server.get("/v1/health"), {"status": "ok"})
                slow[0].settimeout(0.2)
                try:
                    told = slow[0].recv(4096)
                except TimeoutError:
                    pass
            self.assertTrue(told.startswith(b"HTTP/1.1 408"), told[:100])
            self.assertLess(time.time() - began, 8)
            self.leave()

    def test_a_body_that_grows_beyond_what_is_read_is_413(self):
        server = self.served("--max-body", "1")
        before = server.memory()
        one = self.connected(server, HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        for _ in range(400):  # the answer comes after the first 16; what follows is not kept
            one.sendall(chunk)
        self.assertTrue(one.recv(4096).startswith(b"HTTP/1.1 413"))
        self.assertLess(server.memory() - before, 8 << 20)
        answer = server.raw(HEAD + b"Content-Length: 1073741824\r\n\r\n{")
        self.assertTrue(answer.startswith(b"HTTP/1.1 413"), answer[:100])

    def test_ten_thousand_connections_that_say_nothing_keep_nobody_out(self):
        wanted = 10000
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY and hard < wanted + 500:
            self.skipTest(f"{hard} files may be open here")
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted + 500, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        server = self.served()
        before = server.memory()
        for _ in range(wanted):
            self.connected(server)
        self.assertEqual(server.get("/v1/health"), {"status": "ok"})
        self.assertEqual(server.post("/v1/models/tennis/predict", {"row": {"Wind": "Weak"}})["predictions"][0]["label"], "Yes")
        self.assertLess((server.memory() - before) / wanted, 16384)


if __name__ == "__main__":
    PROGRAM = program_to_test()
    unittest.main()
