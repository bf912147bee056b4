"""A server in a process of its own, and what tests ask of it."""
import argparse
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def program_to_test():
    """What --program says; the other arguments are left to unittest."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    options, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    return str(Path(options.program).resolve())


class Server:
    """Runs `credence serve ARGUMENTS`; its port is any that is free."""

    def __init__(self, program, *arguments, cwd=None, limits=()):
        self.program = program
        self.cwd = cwd
        command = [program, "serve", *map(str, arguments), "--port", "0"]
        if limits:
            command = ["bash", "-c", f"{'; '.join(limits)}; exec \"$@\"", "_", *command]
        self.process = subprocess.Popen(command, cwd=cwd, stderr=subprocess.PIPE, text=True)
        self.said = []
        for line in self.process.stderr:
            self.said.append(line.rstrip("\n"))
            if line.startswith("http://"):
                self.port = int(line.split("/")[2].rsplit(":", 1)[1])
                return
        self.process.wait()
        self.process.stderr.close()
        raise AssertionError("the server did not start: " + "\n".join(self.said))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self, how=signal.SIGTERM):
        """Its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        status = self.process.wait(timeout=30)
        self.process.stderr.close()
        return status

    def connect(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=(), connection=None):
        """(status, headers, body): the body as JSON where it is some."""
        own = connection or self.connect()
        send = dict(headers)
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            send.setdefault("Content-Type", "application/json")
        own.request(method, path, body, send)
        answer = own.getresponse()
        data = answer.read()
        if connection is None:
            own.close()
        kind = answer.headers.get("Content-Type", "")
        if kind.startswith("application/json") and data:
            data = json.loads(data)
        return answer.status, answer.headers, data

    def get(self, path):
        status, _, body = self.ask("GET", path)
        assert status == 200, (path, status, body)
        return body

    def post(self, path, body, **headers):
        status, _, answer = self.ask("POST", path, body, {k.replace("_", "-"): v for k, v in headers.items()})
        assert status in (200, 202), (path, status, answer)
        return answer

    def raw(self, data, timeout=10):
        """All that comes back for these bytes until the server closes, or says nothing for a while."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            connection.sendall(data)
            result = b""
            try:
                while piece := connection.recv(65536):
                    result += piece
            except (TimeoutError, ConnectionError):
                pass
            return result

    def memory(self):
        """Its resident bytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
        raise AssertionError("no VmRSS")


def run(program, *arguments, cwd=None):
    """What a command prints."""
    done = subprocess.run([program, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fitted(program, folder, name="tennis", table="tennis.csv", target="PlayTennis", *arguments):
    """The path of a model."""
    path = Path(folder) / f"{name}.credence"
    run(program, "fit", EXAMPLES / table, "--target", target, "-q", "-o", path, *arguments)
    return path


def scratch():
    return tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR"))
