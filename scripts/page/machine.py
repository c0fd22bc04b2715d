"""What a test in a browser needs: Selenium, Chromium, and a service to look at."""

import contextlib
import importlib.util
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import environments
import needs

PROGRAMS = {"chromium": "chromium", "chromedriver": "chromium-driver"}


def use_selenium():
    """Starts the script again with a Python that has Selenium, if this one has not."""
    if importlib.util.find_spec("selenium"):
        return
    python = environments.for_checks("test-page")
    os.execv(python, [str(python), *sys.argv])


def find_browser():
    """The paths of Chromium and its driver, which are installed from Debian's packages if they are not there."""
    found, why = needs.programs(PROGRAMS)
    if why:
        needs.skip("test-page", why)
    return [found[program] for program in PROGRAMS]


@contextlib.contextmanager
def browser():
    """Chromium, until the end of the block. All that it and its driver write lies in one folder, which is removed then."""
    from selenium import webdriver

    chromium, driver = find_browser()
    # A socket's path has at most 107 bytes, of which Chromium's own part takes 56 and the folder's name 14.
    place = tempfile.gettempdir() if len(tempfile.gettempdir()) <= 107 - 56 - 14 else "/tmp"
    # It may still write for a moment after it has ended; what comes behind the removal is in the way of nobody.
    with tempfile.TemporaryDirectory(prefix="page-", dir=place, ignore_cleanup_errors=True) as folder:
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        flags = ["headless=new", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"]
        flags += ["disable-dev-shm-usage", "hide-scrollbars", "window-size=1280,900", "lang=en", f"user-data-dir={folder}/profile"]
        # Its sandbox does not work for root.
        flags += ["no-sandbox"] if os.geteuid() == 0 else []
        for flag in flags:
            options.add_argument(f"--{flag}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        service = webdriver.ChromeService(executable_path=driver, env={**os.environ, "TMPDIR": folder})
        driver = webdriver.Chrome(options=options, service=service)
        try:
            yield driver
        finally:
            driver.quit()


class Service:
    """A service on a folder and a port of its own."""

    def __init__(self, program, token=None):
        self.program, self.token = program, token
        self.folder = tempfile.TemporaryDirectory()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.process = None
        self.start()

    def start(self):
        command = [self.program, "serve", "--quiet", "--sync", "interval", "--data", f"{self.folder.name}/data", "--listen", f"127.0.0.1:{self.port}"]
        if self.token:
            path = Path(self.folder.name) / "token"
            path.write_text(self.token)
            command += ["--token-file", path]
        self.process = subprocess.Popen(command)
        for _ in range(200):
            try:
                return urllib.request.urlopen(f"{self.origin}/readyz", timeout=5).close()
            except OSError:
                time.sleep(0.05)
        self.process.kill()
        sys.exit("test-page: the service does not answer")

    def stop(self):
        self.process.terminate()
        try:
            code = self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        if code != 0:
            sys.exit("test-page: the service did not end well")

    def post(self, *documents):
        lines = "".join(json.dumps(document) + "\n" for document in documents).encode()
        headers = {"Content-Type": "application/x-ndjson"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        request = urllib.request.Request(f"{self.origin}/v1/documents", lines, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            answers = [json.loads(line) for line in answer]
        assert len(answers) == len(documents) and not any("error" in answer for answer in answers), answers[:3]
        return answers
