"""`lookalike dedup` with and without a budget: how long, how much memory, and is the answer the same?"""

import hashlib
import json
import sys

import report
from lookalike import DONE

from . import watch

LIMIT = 1.1  # of the budget: what the kernel allows


def run(binary, file, folder, *, threads, memory=None, budget=None, timeout=None, limited=True, more=(),
        kept=None, removed=None) -> dict:
    """One run with its outputs, which are hashed and deleted; `memory` as typed, `budget` the same in bytes. The kept
    rows also go into the hash `kept`, for several runs together; the table of the removed is moved to `removed`."""
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    outputs = {"-o": folder / "kept.jsonl", "--removed": folder / "removed.jsonl"}
    command = [binary, "dedup", file, "--threads", threads, "-t", "0.8", "--tokens", "words:5", "--json", *more]
    if memory:
        command += ["--memory", memory, "--tmp", scratch]
    for flag, path in outputs.items():
        path.unlink(missing_ok=True)
        command += [flag, path]
    limit = int(budget * LIMIT) if budget and limited else None
    print(f"dedup, {file.stat().st_size / 1e9:.2f} GB, {memory or 'ample memory'}", file=sys.stderr, flush=True)
    done = watch.run(command, limit=limit, timeout=timeout, env={"TMPDIR": str(scratch)}, folders=[scratch],
                     accept=DONE)
    row = {"bytes": file.stat().st_size, "memory": memory, "budget": budget, "status": done.status,
           "seconds": done.seconds, "cpu_seconds": done.cpu_seconds, "peak_bytes": done.peak_bytes,
           "peak_parts": done.peak_parts, "limit_bytes": done.limit_bytes, "disk_bytes": done.disk_bytes}
    if done.ok:
        row["hashes"] = {path.name: digest(path) for path in outputs.values()}
        if kept is not None:
            with open(outputs["-o"], "rb") as rows:
                while piece := rows.read(1 << 20):
                    kept.update(piece)
        row |= told(json.loads(done.stdout))
        if removed is not None:
            outputs["--removed"].rename(removed)
    elif done.status == "failed":
        row["status"] = f"failed: {done.complaint}"
    for path in outputs.values():
        path.unlink(missing_ok=True)
    return row


def told(summary) -> dict:
    """What the command says of its own run, as far as it does."""
    memory = summary.get("memory")
    memory = memory if isinstance(memory, dict) else {}
    return {"documents": summary.get("documents"), "kept": summary.get("kept"),
            "stages": summary.get("seconds"), "told": memory, "plan": memory.get("plan")}


def digest(path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def same(one, other) -> bool | None:
    """Whether two runs wrote the same bytes; None if one of them wrote nothing."""
    if "hashes" not in one or "hashes" not in other:
        return None
    return one["hashes"] == other["hashes"]


def seconds(row) -> str:
    return report.seconds(row["seconds"]) if row["status"] == "ok" else row["status"]


def gigabytes(value) -> str:
    return report.BLANK if value is None else f"{value / 1e9:.2f}"


def times(value, before) -> str:
    return f"× {value / before:.2f}" if value and before else report.BLANK
