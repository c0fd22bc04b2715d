"""How the harness calls lookalike."""

import json
import subprocess
import sys
from pathlib import Path

from corpus import ROOT
from measure import run

DONE = (0, 3)  # 3: done, but some rows could not be read
SUMMARY = ("documents", "identical", "near", "kept", "seconds", "peak_memory_bytes")  # kept of what --json says


def build(no_build, binary) -> Path:
    """The binary as it is distributed, built first unless told otherwise."""
    if binary is not None:
        no_build = True
    if not no_build:
        print("cargo build --profile dist", file=sys.stderr)
        if subprocess.run(["cargo", "build", "--profile", "dist"], cwd=ROOT).returncode != 0:
            sys.exit("the build failed")
    binary = binary or ROOT / "target" / "dist" / "lookalike"
    if not binary.is_file():
        sys.exit(f"{binary.name} is not built: leave --no-build away, or name it with --binary")
    return binary.resolve()


def dedup(binary, file, work, *, threads, threshold="0.8", tokens="words:5", outputs=None, timeout=None):
    """Run `lookalike dedup` once; the measured run and its summary.

    Without `outputs` it only counts; with them (flag -> path) it writes those files too.
    """
    command = [binary, "dedup", file, "--threads", threads, "-t", threshold, "--tokens", tokens, "--json"]
    for flag, path in (outputs or {}).items():
        # A fresh start each time: an existing output is refused, and replacing one costs time.
        path.unlink(missing_ok=True)
        command += [flag, path]
    done = run(command, work, timeout=timeout, accept=DONE)
    summary = json.loads(done.stdout) if done.ok else {}
    return done, {key: summary[key] for key in SUMMARY if key in summary}


def pairs(path):
    """The rows of a pairs file: (id, id, similarity)."""
    with open(path, encoding="utf-8") as rows:
        for row in rows:
            pair = json.loads(row)
            yield pair["a"], pair["b"], pair["similarity"]


def removed(path):
    """The ids of a file of removed documents."""
    with open(path, encoding="utf-8") as rows:
        for row in rows:
            yield json.loads(row)["id"]
