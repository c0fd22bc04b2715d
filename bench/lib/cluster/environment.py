"""The Python that has pyspark and lookalike."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import corpus

sys.path.append(str(corpus.ROOT / "scripts"))

import needs  # noqa: E402

FOLDER = corpus.ROOT / "target" / "bench-spark"
# pandas is needed by mapInArrow, numpy by MLlib; PySpark 4 warns about pandas 3.
PACKAGES = ["pyspark>=4.0,<5", "pyarrow>=15", "pandas>=2.2,<3", "numpy"]
LOOK = """
import json, pyspark, pyarrow, lookalike, platform
print(json.dumps({"Python of the tasks": platform.python_version(), "pyspark": pyspark.__version__, "pyarrow": pyarrow.__version__}))
"""


def python(options) -> Path:
    """The one that was given, or one in an environment of our own."""
    _, why = needs.programs({"java": "openjdk-17-jre-headless"})
    if why:
        sys.exit(f"Spark needs Java 17 or later: {why}")
    found = options.python.absolute() if options.python else _made(options)
    done = subprocess.run([found, "-c", LOOK + "import lookalike.spark"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{found} cannot import pyspark and lookalike.spark: {done.stderr.strip().splitlines()[-1]}")
    return found


def _made(options) -> Path:
    found = FOLDER / "bin" / "python"
    if not found.exists():
        _say(f"making {FOLDER}")
        subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
        _pip(found, "install", *PACKAGES)
    with tempfile.TemporaryDirectory() as folder:
        wheel = options.wheel
        if wheel is None:
            _pip(found, "wheel", "--no-deps", corpus.ROOT, "-w", folder)
            [wheel] = Path(folder).glob("*.whl")
        _pip(found, "install", "narwhals>=2.0")
        _pip(found, "install", "--no-deps", "--force-reinstall", wheel)
    return found


def _pip(python, *parts):
    _say("pip " + " ".join(map(str, parts)))
    subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *map(str, parts)], check=True)


def versions(python) -> dict:
    return json.loads(subprocess.run([python, "-c", LOOK], capture_output=True, text=True, check=True).stdout)


def _say(text):
    print(text, file=sys.stderr, flush=True)
