"""`lookalike serve` as a process, and what can be asked of it from outside."""

import http.client
import json
import re
import signal
import subprocess
import time


class Service:
    """Started on a free port of loopback; `ready_seconds` is how long that took."""

    def __init__(self, binary, data, *options):
        begun = time.monotonic()
        command = [str(binary), "serve", "--data", str(data), "--listen", "127.0.0.1:0", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.port = None
        for line in self.process.stderr:
            found = re.match(r"listening on http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                break
        if self.port is None:
            raise RuntimeError(f"the service did not start: exit code {self.process.wait()}")
        self.get("/readyz")
        self.ready_seconds = time.monotonic() - begun

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def get(self, path):
        connection = self.connection()
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {body[:200]!r}")
        return body

    def stats(self):
        return json.loads(self.get("/v1/stats"))

    def resident(self):
        """Bytes of resident memory."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:"))

    def stop(self):
        """Ends it in order; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def kill(self):
        """Ends it without a word."""
        self.process.kill()
        self.process.wait()
