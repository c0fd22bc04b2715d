#!/usr/bin/env python3
"""How many bytes the stages of a dedup on Spark move, for a collection of a given size; and how long, if runs are given.

    bench/spark_model.py --documents 1.6e9 --elements 500 --text-bytes 4000
    bench/spark_model.py --runs bench/results/spark.json --documents 1.2e6 --elements 450 --text-bytes 3400 --cores 2

Bytes follow from the formats. Three numbers depend on the text and cannot: how often sets meet (--hits), how many documents occur in
candidates (--in-candidates), and to how many places such a text goes (--places). Take them from a run over a part.

With --runs, the seconds of each stage are fitted on the runs of bench/spark over the grown collection as a + b × bytes of text on
their two cores, by least squares. More cores divide b. A stage takes at least as long as its bytes need on the network and on the
disks of the machines, which write and read them. --check predicts the largest run from the others.
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


def fit(runs) -> dict[str, tuple[float, float]]:
    """Seconds of a stage as a + b × bytes of text; neither is negative."""
    points = {}
    for text, stages in runs:
        for name, seconds in stages.items():
            points.setdefault(name, []).append((text, seconds))
    return {name: line(some) for name, some in points.items()}


def line(points) -> tuple[float, float]:
    count, x, y = len(points), sum(p[0] for p in points), sum(p[1] for p in points)
    xx, xy = sum(p[0] ** 2 for p in points), sum(p[0] * p[1] for p in points)
    b = (count * xy - x * y) / (count * xx - x * x) if count > 1 else 0.0
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


def read(file) -> list[tuple[float, dict[str, float]]]:
    """(bytes of text, seconds by stage) of the runs over the grown collection."""
    found = []
    for run in json.loads(Path(file).read_text())["runs"]:
        if run["input"].startswith("grown") and "parts" in run["dedup"]:
            stages = {}
            for name, seconds in run["dedup"]["parts"]:
                stages[name] = stages.get(name, 0.0) + seconds
            stages["between stages"] = max(0.0, run["dedup"]["seconds"] - sum(stages.values()))
            found.append((run["text_bytes"], stages))
    return sorted(found, key=lambda run: run[0])


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

    runs = sorted((run for file in options.runs for run in read(file)), key=lambda run: run[0])
    if options.check and len(runs) > 2:
        *runs, (text, stages) = runs
        predicted = sum(a + b * text for a, b in fit(runs).values())
        measured = sum(stages.values())
        print(f"{text / 1e9:.2f} GB: predicted {predicted:.0f} s, measured {measured:.0f} s ({predicted / measured - 1:+.0%})")
    shuffles = {}
    for name, size in moved.items():
        shuffles[stage_of(name)] = shuffles.get(stage_of(name), 0) + size
    total = 0.0
    for name, (a, b) in fit(runs).items():
        computing, moving = a + b * whole * CORES / options.cores, bound_by(shuffles.get(name, 0), options)
        total += max(computing, moving)
        print(f"{name:28} {a:8.1f} s + {b * 1e9:8.2f} s a GB on {CORES} cores: {computing:14,.0f} s computing, {moving:10,.0f} s moving")
    if runs:
        print(f"all: {total:,.0f} s = {total / 3600:.1f} hours on {options.cores:,.0f} cores of {options.machines:,.0f} machines")


if __name__ == "__main__":
    main()
