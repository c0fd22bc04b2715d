"""How the harness calls lookalike."""

import json
import subprocess
import sys
from pathlib import Path

from corpus import ROOT
from measure import run

DONE = (0, 3)  # 3: done, but some rows could not be read


def build(no_build, binary) -> Path:
    """The release binary, built first unless told otherwise."""
    if binary is not None:
        no_build = True
    if not no_build:
        print("cargo build --release", file=sys.stderr)
        if subprocess.run(["cargo", "build", "--release"], cwd=ROOT).returncode != 0:
            sys.exit("the build failed")
    binary = binary or ROOT / "target" / "release" / "lookalike"
    if not binary.is_file():
        sys.exit(f"{binary.name} is not built: leave --no-build away, or name it with --binary")
    return binary.resolve()


def command(binary, file, *, threads, threshold="0.8", tokens="words:5", outputs=None) -> list:
    """`lookalike dedup`: a report only, or with all that it can write in the folder `outputs`."""
    line = [binary, "dedup", file, "--threads", threads, "-t", threshold, "--tokens", tokens, "--json"]
    if outputs is not None:
        line += ["-o", outputs / "kept.jsonl", "--removed", outputs / "removed.jsonl",
                 "--pairs", outputs / "pairs.jsonl"]
    return line


def dedup(binary, file, work, *, timeout=None, **options):
    """Run it once; the measured run and its summary."""
    outputs = options.get("outputs")
    if outputs is not None:
        # A fresh start each time: an existing output is refused, and replacing one costs time.
        outputs.mkdir(exist_ok=True)
        for old in outputs.iterdir():
            old.unlink()
    done = run(command(binary, file, **options), work, timeout=timeout, accept=DONE)
    summary = json.loads(done.stdout) if done.ok else {}
    return done, summary


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
