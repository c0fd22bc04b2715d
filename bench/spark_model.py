#!/usr/bin/env python3
"""How many bytes the stages of a dedup on Spark move, for a collection of a given size; and how long, if runs are given.

    bench/spark_model.py --documents 1.6e9 --elements 500 --text-bytes 4000
    bench/spark_model.py --runs bench/results/spark.json --check --documents 1.2e6 --elements 450 --text-bytes 3400 --cores 2

Bytes follow from the formats. Three numbers depend on the text and cannot: how often sets meet (--hits), how many documents occur in
candidates (--in-candidates), and to how many places such a text goes (--places). Take them from a run over a part.

With --runs, the seconds of each stage are fitted on the runs of bench/spark over the grown collection, by least squares, as a + b × what
the stage grows with (postings, bytes of hits, bytes of text that are read, …) on their two cores. More cores divide b. A stage takes at
least as long as its bytes need on the network and on the disks of the machines, which write and read them. What comes out is multiplied
by a price for a machine and an hour. --check predicts the largest run from the others, in all and by stage.
"""

import argparse
import json
import math
from pathlib import Path

SAMPLE = 16  # one row of so many is in the sample
CORES = 2  # of the measured runs


def bytes_of_stages(documents, elements, text_bytes, threshold, in_candidates, places, candidates, key, hits) -> dict[str, float]:
    """Bytes that tasks send to others, before Spark compresses them."""
    posted = elements - math.ceil(threshold * elements) + 1
    posting = 4 + 8 + varint(elements) + varint(posted)
    return {
        "sample": documents * elements / SAMPLE * 4,
        "postings": documents * posted * posting,
        "documents and keys": documents * (8 + 8 * 9 + 2 * (8 + key)),
        "candidates": 19 * documents * hits,
        "verification, candidates": 16 * candidates,
        # zstd makes a third of a text.
        "verification, texts": documents * in_candidates * places * text_bytes / 3,
    }


def varint(number) -> int:
    return max(1, math.ceil(int(number).bit_length() / 7))


def collisions(documents, elements) -> dict[str, float]:
    """Expected pairs of different things with the same hash, if no two documents share an element."""
    return {"elements, 64 bits": (documents * elements) ** 2 / 2 / 2**64, "sets, 63 bits": documents**2 / 2 / 2**63}


DRIVERS = {
    "sample": "text",
    "postings": "postings",
    "candidates": "hits",
    "documents of candidates": "rows",
    "verification": "reads",
    "long lists": "heavy",
    "rounds": "pairs",
    "answer": "rows",
}
"""What the seconds of a stage grow with: bytes of text, postings, bytes of hits, rows, bytes of text times the slices of candidates for
which they are read, postings in heavy lists times blocks, pairs. Other stages have none."""


def fit(runs) -> dict[str, tuple[float, float]]:
    """Seconds of a stage as a + b × what it grows with; neither is negative."""
    points = {}
    for drivers, stages in runs:
        for name, seconds in stages.items():
            points.setdefault(name, []).append((driver_of(drivers, name), seconds))
    return {name: line(some) for name, some in points.items()}


def driver_of(drivers, stage) -> float:
    return drivers.get(DRIVERS.get(stage), 0.0)


def line(points) -> tuple[float, float]:
    count, x, y = len(points), sum(p[0] for p in points), sum(p[1] for p in points)
    xx, xy = sum(p[0] ** 2 for p in points), sum(p[0] * p[1] for p in points)
    spread = count * xx - x * x
    if spread <= 0:
        return y / count, 0.0
    b = (count * xy - x * y) / spread
    a = (y - b * x) / count
    if a < 0:
        return 0.0, xy / xx
    return (a, b) if b >= 0 else (y / count, 0.0)


def bound_by(bytes_, options) -> float:
    """Seconds that the machines need to write and read these bytes, and to send them."""
    each = bytes_ / options.machines
    return max(2 * each / (options.disk * 1e6), each / (options.network * 1e6))


def stage_of(name) -> str:
    """The stage that moves these bytes."""
    return {"documents and keys": "postings"}.get(name, name.split(",")[0])


def read(file) -> list[tuple[dict[str, float], dict[str, float]]]:
    """(what stages grow with, seconds by stage) of the runs over the grown collection."""
    found = []
    for run in json.loads(Path(file).read_text())["runs"]:
        ours = run.get("dedup", {})
        if run["input"].startswith("grown") and "parts" in ours:
            stages = {}
            for name, seconds in ours["parts"]:
                stages[name] = stages.get(name, 0.0) + seconds
            stages["between stages"] = max(0.0, ours["seconds"] - sum(stages.values()))
            slices = sum(name == "verification" for name, _ in ours["parts"])
            found.append(({"text": run["text_bytes"], "rows": ours["rows"], "postings": ours["postings"], "hits": ours["hit_bytes"],
                           "reads": run["text_bytes"] * slices, "heavy": ours["heavy_postings"] * max(1, ours["rounds"]),
                           "pairs": ours["pairs"]}, stages))
    return sorted(found, key=lambda run: run[0]["text"])


def check(runs):
    """Predicts the largest run from the others, with what it grew with, in all and by stage."""
    *others, (drivers, stages) = runs
    fitted = fit(others)
    predicted = {name: (lambda a, b: a + b * driver_of(drivers, name))(*fitted.get(name, (0.0, 0.0))) for name in stages}
    for name, seconds in [*stages.items(), ("all", sum(stages.values()))]:
        told = sum(predicted.values()) if name == "all" else predicted[name]
        error = f"{told / seconds - 1:+.0%}" if seconds else "-"
        print(f"{drivers['text'] / 1e9:.2f} GB, {name:28} predicted {told:8.1f} s, measured {seconds:8.1f} s ({error})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=float, required=True)
    parser.add_argument("--elements", type=float, required=True, help="distinct shingles of a document, on average")
    parser.add_argument("--text-bytes", type=float, required=True, help="of a document, on average")
    parser.add_argument("--threshold", type=float, default=0.8, help="Jaccard similarity [0.8]")
    parser.add_argument("--in-candidates", type=float, default=0.3, help="share of documents that occur in candidates [0.3]")
    parser.add_argument("--places", type=float, default=1, help="places that such a text goes to [1]")
    parser.add_argument("--candidates", type=float, default=None, help="[half of the documents in candidates]")
    parser.add_argument("--key", type=float, default=24, help="bytes of the id, and of the order columns [24]")
    parser.add_argument("--hits", type=float, default=20, help="pairs of sets that meet in a bucket, for each document [20]")
    parser.add_argument("--cores", type=float, default=CORES, help="of all executors [2]")
    parser.add_argument("--machines", type=float, default=1, help="that the bytes are divided among [1]")
    parser.add_argument("--disk", type=float, default=500, help="MB a second that a machine writes or reads [500]")
    parser.add_argument("--network", type=float, default=1000, help="MB a second that a machine sends [1000]")
    parser.add_argument("--slice", type=float, default=5e6, help="sets of a slice of candidates, task_memory / 96 [5e6]")
    parser.add_argument("--heavy", type=float, default=0, help="share of the postings that are in heavy lists [0]")
    parser.add_argument("--blocks", type=float, default=10, help="blocks in which heavy lists are compared [10]")
    parser.add_argument("--price", type=float, default=1.0, help="of a machine for an hour, in any currency [1.0]")
    parser.add_argument("--runs", nargs="*", default=[], help="reports of bench/spark (.json) to fit seconds on")
    parser.add_argument("--check", action="store_true", help="leave the largest run out of the fit, and predict it")
    options = parser.parse_args()
    whole = options.documents * options.text_bytes
    candidates = options.candidates or options.documents * options.in_candidates / 2
    moved = bytes_of_stages(options.documents, options.elements, options.text_bytes, options.threshold, options.in_candidates,
                            options.places, candidates, options.key, options.hits)
    for name, size in moved.items():
        print(f"{name:28} {size / 1e9:14,.3f} GB   {size / whole:6.3f} × the text")
    print(f"{'all':28} {sum(moved.values()) / 1e9:14,.3f} GB   {sum(moved.values()) / whole:6.3f} × the text")
    for name, number in collisions(options.documents, options.elements).items():
        print(f"expected collisions of {name}: {number:,.3g}")

    runs = sorted((run for file in options.runs for run in read(file)), key=lambda run: run[0]["text"])
    if options.check:
        if len(runs) < 3:
            parser.error(f"--check needs three runs over the grown collection, and there are {len(runs)}")
        check(runs)
        runs = runs[:-1]
    sets = options.documents * options.in_candidates
    slices = max(1, math.ceil(sets / options.slice))
    posted = options.documents * (options.elements - math.ceil(options.threshold * options.elements) + 1)
    drivers = {"text": whole, "rows": options.documents, "postings": posted, "hits": 19 * options.documents * options.hits,
               "reads": whole * slices, "heavy": posted * options.heavy * options.blocks, "pairs": candidates}
    print(f"{slices:,} slices of candidates, for each of which all rows are read")
    shuffles = {}
    for name, size in moved.items():
        shuffles[stage_of(name)] = shuffles.get(stage_of(name), 0) + size
    total = 0.0
    for name, (a, b) in fit(runs).items():
        grown = driver_of(drivers, name)
        computing, moving = a + b * grown * CORES / options.cores, bound_by(shuffles.get(name, 0), options)
        total += max(computing, moving)
        print(f"{name:28} {a:8.1f} s + {b * 1e9:10.3f} s for 10^9 of {DRIVERS.get(name, 'nothing'):8} on {CORES} cores: {computing:14,.0f} s computing, {moving:10,.0f} s moving")
    if runs:
        hours = total / 3600
        print(f"all: {total:,.0f} s = {hours:.1f} hours on {options.cores:,.0f} cores of {options.machines:,.0f} machines")
        print(f"{hours * options.machines:,.1f} machine-hours, {hours * options.machines * options.price:,.2f} at {options.price} each")


if __name__ == "__main__":
    main()
