"""What a test in a browser needs: Selenium, Chromium, and a service to look at."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / "target" / "test-venv"
PACKAGES = {"chromium": "chromium", "chromedriver": "chromium-driver"}


def use_selenium():
    """Starts the script again with a Python that has Selenium, if this one has not."""
    python = VENV / "bin" / "python"
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    if subprocess.run([python, "-c", "import selenium"], capture_output=True).returncode != 0:
        done = subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "selenium==4.36.0"])
        if done.returncode != 0:
            sys.exit("test-page: the Python package selenium could not be installed from PyPI")
    os.execv(python, [str(python), *sys.argv])


def find_browser():
    """The paths of Chromium and its driver, which are installed from Debian's packages if they are not there."""
    missing = [package for program, package in PACKAGES.items() if not shutil.which(program)]
    if missing:
        apt = ([] if os.geteuid() == 0 else ["sudo", "-n"]) + ["apt-get"]
        if not shutil.which("apt-get") or not shutil.which(apt[0]):
            sys.exit(f"test-page: {' and '.join(missing)} is missing, and there is no apt-get to install it with")
        subprocess.run([*apt, "update", "-q"], stdout=subprocess.DEVNULL)
        install = [*apt, "install", "-y", "-q", "--no-install-recommends", *missing]
        if subprocess.run(install, stdout=subprocess.DEVNULL).returncode != 0 or not all(map(shutil.which, PACKAGES)):
            sys.exit(f"test-page: {' and '.join(missing)} is missing, and apt-get could not install it")
    return [shutil.which(program) for program in PACKAGES]


def start_browser():
    from selenium import webdriver

    chromium, driver = find_browser()
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    flags = ["headless=new", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"]
    flags += ["disable-dev-shm-usage", "hide-scrollbars", "window-size=1280,900", "lang=en", f"user-data-dir={tempfile.mkdtemp()}"]
    # Its sandbox does not work for root.
    flags += ["no-sandbox"] if os.geteuid() == 0 else []
    for flag in flags:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))


def build():
    """The program, as the tests built it."""
    # As all tests are built: another choice of packages has other features, and everything is compiled again.
    subprocess.run(["cargo", "test", "--workspace", "--no-run", "--quiet", "--locked"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / "lookalike"


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
        sys.exit("test-page: the service does not answer")

    def stop(self):
        self.process.terminate()
        if self.process.wait(timeout=20) != 0:
            sys.exit("test-page: the service did not end well")

    def post(self, *documents):
        lines = "".join(json.dumps(document) + "\n" for document in documents).encode()
        headers = {"Content-Type": "application/x-ndjson"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        request = urllib.request.Request(f"{self.origin}/v1/documents", lines, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            answers = [json.loads(line) for line in answer]
        assert len(answers) == len(documents) and not any("error" in answer for answer in answers), answers[:3]
        return answers
