"""The wheel of the Python package as tests use it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import environments
import needs

TESTS = needs.ROOT / "python" / "tests"
WHEELS = needs.ROOT / "target" / "test-wheels"


def run(*command, **options):
    print("+", *command, flush=True)
    subprocess.run([str(part) for part in command], check=True, **options)


def needs_python(check):
    if sys.version_info < (3, 11):
        needs.skip(check, f"it needs Python 3.11 or later, and this is {sys.version.split()[0]}")


def build(python, *options):
    """Builds the wheel as the tests of Rust are built: most of it is compiled already."""
    shutil.rmtree(WHEELS, ignore_errors=True)
    maturin = python.parent / "maturin"
    run(maturin, "build", "--quiet", "--profile", "dev", "--out", WHEELS, "--interpreter", python, *options, cwd=needs.ROOT)


def without_the_lock():
    """An interpreter without the global lock, if there is one, and its version."""
    found = next(filter(None, map(shutil.which, ("python3.14t", "python3.15t"))), None)
    if found is None:
        return None, None
    version = subprocess.run([found, "-c", "import sys; print(*sys.version_info[:2], sep='.')"], capture_output=True, text=True, check=True)
    return found, version.stdout.strip()


def install(python):
    """Installs the wheel that was built."""
    [wheel] = WHEELS.glob("*.whl")
    environments.install_wheel(python, wheel)


def test(python, *arguments, **variables):
    """Runs tests of the package with pytest."""
    # In the folder of the tests, so that the installed package is imported and not its sources.
    space = needs.ROOT / "target" / f"test-python-{os.getpid()}"
    options = ["-q", "-p", "no:cacheprovider", "--basetemp", space, "-c", needs.ROOT / "pyproject.toml", "--rootdir", TESTS]
    command = os.environ.get("LOOKALIKE_COMMAND") or str(needs.build())
    # Tests start many processes: what they import is compiled once, and not into the sources.
    compiled = str(python.parents[1] / "bytecode")
    environment = {**os.environ, "LOOKALIKE_COMMAND": command, "PYTHONPYCACHEPREFIX": compiled, **variables}
    run(python, "-m", "pytest", *options, *arguments, cwd=TESTS, env=environment)
    shutil.rmtree(space, ignore_errors=True)
