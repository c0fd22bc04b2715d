"""The part `index`: a collection that grows by batches, and questions about single documents."""

import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

import report
from lookalike import DONE

from . import dedup, grown, watch

BATCHES = 50


def query_command(binary, index, document):
    """How a single document is looked up."""
    return [binary, "index", "query", index, document, "--quiet", "--threads", "1"]


def index(binary, collection, options) -> tuple[dict, list[str]]:
    """Additions, then questions: what was measured, and faults."""
    added, faults = additions(binary, collection, options)
    asked, more = questions(binary, collection, options)
    return {"additions": added, "questions": asked}, faults + more


def additions(binary, collection, options) -> tuple[dict, list[str]]:
    """Fifty batches one after another, against one run over everything."""
    folder = collection.folder / "index"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    whole = collection.text(grown.parse(options.index_size))
    size, rows, faults = whole.stat().st_size, [], []
    try:
        once = dedup.run(binary, whole, folder, threads=options.threads, timeout=options.timeout)
        kept = hashlib.sha256()
        for number, batch in enumerate(batches(whole, folder / "batch.jsonl", size)):
            row = dedup.run(binary, batch, folder, threads=options.threads, timeout=options.timeout,
                            more=["--index", folder / "parts"], kept=kept)
            rows.append({key: row.get(key) for key in ("bytes", "status", "seconds", "peak_bytes", "kept")})
            if row["status"] != "ok":
                faults.append(f"index, addition {number + 1}: {row['status']}")
                break
        else:
            if once["status"] == "ok" and kept.hexdigest() != once["hashes"]["kept.jsonl"]:
                faults.append("index: the additions together did not keep what one run keeps")
        index_bytes = watch.folder_bytes(folder / "parts")
    finally:
        if whole.name == "part.jsonl":
            whole.unlink()
        shutil.rmtree(folder)
    return {"once": once, "batches": rows, "text_bytes": size,
            "index_bytes": index_bytes}, faults


def batches(whole, target, size):
    """The file in BATCHES pieces of about the same number of bytes, one after another under the same name."""
    with open(whole, "rb") as rows:
        for number in range(BATCHES):
            end = size * (number + 1) // BATCHES
            with open(target, "wb") as out:
                # The first row goes in even if it is longer than a batch, or an empty file would be added.
                while rows.tell() < end and (row := rows.readline()):
                    out.write(row)
            if target.stat().st_size:
                yield target


def questions(binary, collection, options) -> tuple[dict, list[str]]:
    """Single documents, each asked by a process of its own, in an index of many short documents."""
    folder = collection.folder / "queries"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    short, known = collection.make("short", 10**9, documents=options.short_documents, words=40)
    try:
        made = dedup.run(binary, short, folder, threads=options.threads, timeout=options.timeout,
                         more=["--index", folder / "parts"])
        asked = {"documents": known["documents"], "bytes": known["bytes"], "made": made}
        if made["status"] != "ok":
            return asked, [f"index of short documents: {made['status']}"]
        asked["index_bytes"] = watch.folder_bytes(folder / "parts")
        for state in ("warm", "cold"):
            seconds, fault = ask(binary, short, folder, options, cold=state == "cold")
            if fault:
                return asked, [fault]
            asked[state] = seconds
        try:
            asked["within"] = within(short, folder, options)
        except (OSError, subprocess.CalledProcessError) as error:
            return asked, [f"questions of one process: {error}"]
        return asked, []
    finally:
        shutil.rmtree(folder)


def ask(binary, short, folder, options, *, cold) -> tuple[list, str | None]:
    """The seconds of each question. Cold: the files of the index leave the page cache before each."""
    number = options.cold_queries if cold else options.queries
    print(f"{number} questions, {'cold' if cold else 'warm'}", file=sys.stderr, flush=True)
    document, seconds = folder / "question.jsonl", []
    for row in spread(short, number):
        document.write_bytes(row)
        if cold:
            forget(folder / "parts")
        begin = time.perf_counter()
        done = subprocess.run(query_command(binary, folder / "parts", document), capture_output=True, text=True)
        seconds.append(time.perf_counter() - begin)
        if done.returncode not in DONE:
            return seconds, f"index query: {(done.stderr.strip().splitlines() or ['failed'])[0]}"
    return seconds, None


def within(short, folder, options) -> dict:
    """The median and the 99th percentile, in microseconds, of a question if one process asks many, one after another, on one core. The
    process times each of them: the set of its text is made before."""
    document = folder / "questions.jsonl"
    document.write_bytes(b"".join(spread(short, 10 * options.queries)))
    done = subprocess.run([options.asker, folder / "parts", document], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def spread(file, number):
    """So many rows, at even distances in the file."""
    size = file.stat().st_size
    with open(file, "rb") as rows:
        for place in range(number):
            rows.seek(size * place // number)
            if place:
                rows.readline()
            if row := rows.readline():
                yield json.dumps(json.loads(row) | {"id": f"question {place}"}).encode() + b"\n"


def forget(folder):
    """Drop the files of a folder from the page cache. It needs no rights, and disturbs nobody else."""
    for where, _, names in os.walk(folder):
        for name in names:
            descriptor = os.open(os.path.join(where, name), os.O_RDONLY)
            try:
                os.fsync(descriptor)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)


def lines(found) -> list[str]:
    added, asked = found["additions"], found["questions"]
    times = [row["seconds"] for row in added["batches"] if row["status"] == "ok"]
    once = added["once"]
    told = ["## An index", ""]
    if times:
        heads = ["additions", "text GB", "mean s", "first s", "last s", "slowest s", "all s", "one run s", "ratio",
                 "index MB", "of the text"]
        told += report.table(heads, [[
            str(len(times)), dedup.gigabytes(added["text_bytes"]), report.seconds(statistics.mean(times)),
            report.seconds(times[0]), report.seconds(times[-1]), report.seconds(max(times)),
            report.seconds(sum(times)), dedup.seconds(once),
            dedup.times(sum(times), once["seconds"]) if once["status"] == "ok" else report.BLANK,
            report.megabytes(added["index_bytes"]), f"{added['index_bytes'] / added['text_bytes']:.2f}"]])
        told.append("")
    rows = []
    for state in ("warm", "cold"):
        if seconds := sorted(asked.get(state, [])):
            rows.append([state, report.count(asked["documents"]), report.megabytes(asked["index_bytes"]),
                         str(len(seconds)), milliseconds(statistics.median(seconds)),
                         milliseconds(seconds[min(len(seconds) - 1, int(0.99 * len(seconds)))])])
    if rows:
        told += [*report.table(["`index query`", "documents", "index MB", "questions", "median ms", "p99 ms"], rows), "",
                 "Each question is a process of its own, from start to exit. Cold: the files of the index are not in the "
                 "page cache; the binary is.", ""]
        if one := asked.get("within"):
            told += [f"Within one process, on one core: median {one['median_us']:.0f} µs, p99 {one['p99_us']:.0f} µs, "
                     f"of {one['questions']} questions, each timed from its set to its matches, warm.", ""]
    return told if len(told) > 2 else [*told, "Not measured.", ""]


def milliseconds(value) -> str:
    return f"{value * 1000:.1f}"
