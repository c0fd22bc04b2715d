"""The part `peers`: tools that are used at such sizes, on the same collection. Time, memory, disk, removed documents."""

import json
import shutil
import sys

import report
from peers import BENCH, PYTHON, THREADS

from . import dedup, grown, watch

SHARD = 64 << 20  # bytes of a file for duplodocus, which gives a file to a thread
SHARDS = 8  # the least number of files, so that all threads have work
HALVINGS = 6

# Bands of 11 hashes, 26 of them, as in its examples: a pair of Jaccard similarity 0.8 is found with probability 0.90.
# Its token `uniseg` is a word, or the space between two words: nine of them are five words.
DUPLODOCUS_HASH = ["--num-buckets", 26, "--bucket-size", 11, "--ngram-size", 9, "--tokenizer", "uniseg"]


def peers(binary, collection, options) -> tuple[list[dict], list[str]]:
    rows, twins = [], collection.folder / "twins.jsonl"
    file = collection.text(grown.parse(options.peer_size))
    try:
        for memory in (None, options.peer_budget):
            ours = dedup.run(binary, file, collection.folder, threads=options.threads, memory=memory,
                             budget=grown.parse(memory) if memory else None, timeout=options.timeout,
                             removed=None if memory else twins)
            documents, kept = ours.get("documents"), ours.get("kept")
            rows.append({**ours, "tool": f"lookalike, {memory or 'ample memory'}",
                         "removed": documents - kept if ours["status"] == "ok" else None})
        if options.duplodocus:
            rows.append(duplodocus(options.duplodocus, file, collection.folder, twins, options))
        else:
            print("no duplodocus: name its binary with --duplodocus", file=sys.stderr)
        if PYTHON.exists():
            rows += gaoya(file, collection.folder, options)
        else:
            print("no gaoya: run bench/setup-peers", file=sys.stderr)
    finally:
        twins.unlink(missing_ok=True)
        if file.name == "part.jsonl":
            file.unlink()
    return rows, []


def duplodocus(binary, file, folder, twins, options) -> dict:
    """Its pipeline on disk: five commands, over the collection in several files."""
    base = folder / "duplodocus"
    shutil.rmtree(base, ignore_errors=True)
    shards, storage, output = base / "shards", base / "storage", base / "output"
    for path in (shards, storage, output):
        path.mkdir(parents=True)
    documents = split(file, shards)
    common = [binary, "--threads", options.threads]
    at = ["--storage-dir", storage]
    chunk = ["--path-chunk", 0, "--num-path-chunks", 1]
    steps = {
        "file map": ["mh-build-file-map", "--input-dir", shards, *at],
        "hash": ["mh-hash-docs", "--local-input", shards, *at, *chunk, *DUPLODOCUS_HASH, "--text-key", "text"],
        "edges": ["mh-gather-edges", *at],
        "union-find": ["mh-build-uf", *at, "--num-path-chunks", 1],
        "clean": ["mh-clean-files", "--input-dir", shards, *at, "--output-dir", output, *chunk,
                  "--remove-duplicates", "true"],
    }
    row = {"tool": "duplodocus, on disk", "bytes": file.stat().st_size, "documents": documents, "status": "ok",
           "seconds": 0.0, "peak_bytes": 0, "disk_bytes": 0, "stages": {}}
    try:
        for name, step in steps.items():
            print(f"duplodocus, {name}", file=sys.stderr, flush=True)
            held = watch.folder_bytes(storage)
            done = watch.run([*common, *step], timeout=options.peer_timeout, folders=[storage])
            row["seconds"] += done.seconds
            row["stages"][name] = done.seconds
            row["peak_bytes"] = max(row["peak_bytes"], done.peak_bytes)
            row["disk_bytes"] = max(row["disk_bytes"], held + done.disk_bytes)
            if not done.ok:
                row["status"] = f"{name}: {done.status}, {done.complaint}"
                return row
        kept = {name for part in output.rglob("*.jsonl*") for name in ids(part)}
        row["removed"], row["recall"] = documents - len(kept), recall(twins, kept)
    finally:
        shutil.rmtree(base)
    return row


def split(file, folder) -> int:
    """The rows of a file in smaller files; how many rows."""
    documents, number, out = 0, 0, None
    most = min(SHARD, file.stat().st_size // SHARDS)
    with open(file, "rb") as rows:
        for row in rows:
            if out is None or out.tell() + len(row) > most:
                if out:
                    out.close()
                out = open(folder / f"shard{number:04}.jsonl", "wb")
                number += 1
            out.write(row)
            documents += 1
    if out:
        out.close()
    return documents


def ids(file):
    with open(file, "rb") as rows:
        for row in rows:
            yield json.loads(row)["id"]


def recall(twins, kept) -> float | None:
    """Of the documents that lookalike removes, the share of which not both they and their twins are kept: which of the
    two a tool keeps is its own affair."""
    found = total = 0
    if not twins.exists():
        return None
    with open(twins, "rb") as rows:
        for row in map(json.loads, rows):
            total += 1
            found += not (row["id"] in kept and row["twin"] in kept)
    return found / total if total else None


def gaoya(file, folder, options) -> list[dict]:
    """Its index in memory: all of the collection, or, where it does not manage that, half as much until it does."""
    rows, size, part = [], file.stat().st_size, folder / "gaoya.jsonl"
    memory = grown.parse(options.peer_memory)
    for _ in range(HALVINGS):
        grown.cut(file, part, size)
        print(f"gaoya, {size / 1e9:.2f} GB", file=sys.stderr, flush=True)
        command = [PYTHON, BENCH / "peers" / "gaoya_index.py", part, folder / "gaoya.out"]
        try:
            done = watch.run(command, limit=memory, timeout=options.peer_timeout,
                             env={name: str(options.threads) for name in THREADS})
        finally:
            part.unlink()
            (folder / "gaoya.out").unlink(missing_ok=True)
        told = {"timeout": f"> {options.peer_timeout:g} s", "failed": f"failed: {done.complaint}"}
        rows.append({"tool": "gaoya, in memory", "bytes": size, "status": told.get(done.status, done.status),
                     "seconds": done.seconds, "peak_bytes": done.peak_bytes, "disk_bytes": 0})
        if done.ok:
            break
        size //= 2
    return rows


def lines(rows) -> list[str]:
    heads = ["tool", "text GB", "s", "s a GB", "peak MB", "disk GB", "documents", "removed", "recall"]
    cells = [[row["tool"], dedup.gigabytes(row["bytes"]), dedup.seconds(row),
              f"{row['seconds'] / row['bytes'] * 1e9:.1f}" if row["status"] == "ok" else report.BLANK,
              report.megabytes(row["peak_bytes"]), dedup.gigabytes(row["disk_bytes"]),
              report.count(row.get("documents")), report.count(row.get("removed")), report.share(row.get("recall"))] for row in rows]
    told = ["## Other tools", "", *report.table(heads, cells), "",
            "duplodocus: the five commands of its pipeline on disk one after another, 26 bands of 11 hashes, on files of "
            "at most 64 MiB, peak and disk the largest of the five; it removes by connected components of candidates, which it "
            "does not verify. Recall: of the documents that lookalike removes, those of which it does not keep both them "
            "and their twins. gaoya: 128 hashes, its own bands.", ""]
    for row in rows:
        if isinstance(row.get("stages"), dict):
            told.append(f"- {row['tool']}: " + ", ".join(
                f"{name} {report.seconds(value)}" for name, value in row["stages"].items()
                if isinstance(value, (int, float))))
    return [*told, ""]
