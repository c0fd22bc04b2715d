"""The wheel of the Python package as tests use it."""

import os
import shutil
import subprocess
import sys
import tempfile

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


def test(python, *arguments, is_shown_at_end=False, **variables):
    """Runs tests of the package with pytest."""
    # In the folder of the tests, so that the installed package is imported and not its sources.
    space = tempfile.mkdtemp(prefix="test-python-", dir=needs.ROOT / "target")
    options = ["-q", "-p", "no:cacheprovider", "--basetemp", space, "-c", needs.ROOT / "pyproject.toml", "--rootdir", TESTS]
    command = os.environ.get("LOOKALIKE_COMMAND") or str(needs.build())
    # Tests start many processes: what they import is compiled once, and not into the sources.
    compiled = str(python.parents[1] / "bytecode")
    environment = {**os.environ, "LOOKALIKE_COMMAND": command, "PYTHONPYCACHEPREFIX": compiled, **variables}
    # Of runs beside each other, what they say is not mixed.
    start = run_and_show if is_shown_at_end else run
    start(python, "-m", "pytest", *options, *arguments, cwd=TESTS, env=environment)
    shutil.rmtree(space, ignore_errors=True)


def run_and_show(*command, **options):
    """Runs a command, and shows what it said when it has ended."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    print("+", *command, "\n" + done.stdout, flush=True)
    done.check_returncode()
