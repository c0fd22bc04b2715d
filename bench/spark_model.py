#!/usr/bin/env python3
"""How many bytes the stages of a dedup on Spark move, for a collection of a given size; and how long, if runs are given.

    bench/spark_model.py --runs bench/results/spark.json --check
    bench/spark_model.py --documents 1.6e9 --elements 500 --text-bytes 4000 --cores 1600 --machines 100 --runs bench/results/spark.json

--check predicts the largest run over the grown collection from the smaller ones and from its size in bytes, and from nothing else: counts,
bytes and seconds by stage. It fails if the bytes or the seconds in all are off by more than a quarter.

Without it: the bytes of stages follow from the formats; how often sets meet, and how many documents occur in candidates, depends on the
text. With --runs both follow from them, as a power law of the bytes of text, unless --hits and --in-candidates say otherwise. So do the
seconds of each stage, as a + b × what it grows with. More cores divide b. A stage takes at least as long as its bytes need on the network
and on the disks of the machines, which write and read them. The result is multiplied by a price for a machine and an hour. At the end it
says which limit is the first.
"""

import argparse
import json
import math
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH / "lib"))

from cluster import model, tables  # noqa: E402

SAMPLE = 16  # one row of so many is in the sample
RECORD = 19  # bytes of a hit
CORES = 2  # of the measured runs
OFF = 0.25  # a prediction may be off by so much


def bytes_of_stages(options, counts) -> dict[str, float]:
    """Bytes that tasks send to others, before Spark compresses them."""
    documents, elements = options.documents, options.elements
    posting = 4 + 8 + varint(elements) + varint(posted_of(options))
    return {
        "sample": documents * elements / SAMPLE * 4,
        "postings": counts["postings"] * posting,
        "documents and keys": documents * (8 + 8 * 9 + 2 * (8 + options.key)),
        "candidates": counts["hit_bytes"],
        "verification, candidates": 16 * counts["candidates"],
        # zstd makes a third of a text.
        "verification, texts": documents * options.in_candidates * options.places * options.text_bytes / 3,
    }


def posted_of(options) -> float:
    """Postings of a document."""
    return options.elements - math.ceil(options.threshold * options.elements) + 1


def varint(number) -> int:
    return max(1, math.ceil(int(number).bit_length() / 7))


def bound_by(bytes_, options) -> float:
    """Seconds that the machines need to write and read these bytes, and to send them."""
    each = bytes_ / options.machines
    return max(2 * each / (options.disk * 1e6), each / (options.network * 1e6))


def points_of(files) -> list[dict]:
    """The runs over the grown collection."""
    runs = [run for file in files for run in json.loads(Path(file).read_text())["runs"]]
    return [model.point(run, tables.stage_shuffles(run["dedup"])) for run in runs
            if run["input"].startswith("grown") and "parts" in run.get("dedup", {})]


def check(points, most_candidates) -> bool:
    """Predicts the largest run. Returns whether bytes and seconds are near enough."""
    name, rows = model.check(points, most_candidates)
    print(f"{name}, predicted from {len(points) - 1} smaller runs")
    is_near = True
    for what, stage, predicted, measured in rows:
        error = predicted / measured - 1 if measured else math.inf if predicted else 0.0
        print(f"{what:8} {stage:28} predicted {predicted:18,.1f}, measured {measured:18,.1f} ({error:+.0%})")
        is_near &= stage != "all" or abs(error) <= OFF
    print(f"in all {'within' if is_near else 'not within'} {OFF:.0%}")
    return is_near


def counts_of(options, fitted) -> dict[str, float]:
    """The counts of the collection that is asked for. Sets hits and the share in candidates, if they are not given."""
    documents, whole = options.documents, options.documents * options.text_bytes
    counts = fitted.counts(whole) if fitted else {}
    if options.hits is None:
        options.hits = counts["hit_bytes"] / RECORD / documents if fitted else 20.0
    candidates = options.candidates or (counts.get("candidates") if options.in_candidates is None else None)
    if options.in_candidates is None:
        options.in_candidates = min(1.0, 2 * candidates / documents) if candidates else 0.3
    candidates = candidates or documents * options.in_candidates / 2
    postings = documents * posted_of(options)
    heavy = postings * options.heavy if options.heavy is not None else min(postings, counts.get("heavy_postings", 0.0))
    rounds = options.blocks if heavy else 0
    return {"rows": documents, "postings": postings, "hit_bytes": RECORD * documents * options.hits, "candidates": candidates,
            "pairs": min(candidates, counts.get("pairs", candidates)), "heavy_postings": heavy, "rounds": rounds, "blocks_read": 2 * rounds}


def slices(options, counts) -> int:
    """Slices of candidates, for each of which all rows are read."""
    sets = options.documents * options.in_candidates
    return max(1, math.ceil(max(counts["candidates"] / (options.driver / 128), sets / (options.task_memory / 96),
                                sets * options.places / (options.task_memory / 48))))


def limits(options, counts) -> list[tuple[float, str]]:
    """How many times more is needed than there is, the first to break first."""
    memory, sets = options.task_memory, options.documents * options.in_candidates
    heavy_sets = min(options.documents, counts["heavy_postings"] / max(1, options.heavy_of_set))
    at_driver = options.driver / 128
    found = [
        (counts["candidates"] / at_driver, "candidates for the driver: slices, for each of which all rows are read"),
        (sets / (memory / 96), "sets that a task can know: slices, for each of which all rows are read"),
        (sets * options.places / (memory / 48), "places of sets that a task can know: slices, for each of which all rows are read"),
        (counts["pairs"] / at_driver, "pairs for the driver: if more, the tasks decide in rounds"),
        (2 * heavy_sets / at_driver, "sets in heavy lists for the driver: parts, each with blocks of its own"),
        (heavy_sets * 8 / (memory / 8), "sets in heavy lists for a filter: if more, tasks compare earlier sets too"),
        (options.documents * options.elements / SAMPLE / 2**32, "elements of the sample that 32 bits tell apart: if more, rare ones are taken for frequent"),
    ]
    return sorted(found, reverse=True)


def collisions(options) -> list[tuple[float, str]]:
    """Expected pairs of different things with the same hash, if no two documents share an element."""
    return [
        (options.documents**2 / 2 / 2**63, "sets with one number: if there is one, postings are sent twice"),
        ((options.documents * options.elements) ** 2 / 2 / 2**64, "elements with one hash: a pair that has both may be one element off"),
    ]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=float)
    parser.add_argument("--elements", type=float, help="distinct shingles of a document, on average")
    parser.add_argument("--text-bytes", type=float, help="of a document, on average")
    parser.add_argument("--threshold", type=float, default=0.8, help="Jaccard similarity [0.8]")
    parser.add_argument("--in-candidates", type=float, help="share of documents that occur in candidates [by the runs, or 0.3]")
    parser.add_argument("--places", type=float, default=1, help="places that such a text goes to [1]")
    parser.add_argument("--candidates", type=float, help="[by the runs, or half of the documents in candidates]")
    parser.add_argument("--key", type=float, default=24, help="bytes of the id, and of the order columns [24]")
    parser.add_argument("--hits", type=float, help="pairs of sets that meet in a bucket, for each document [by the runs, or 20]")
    parser.add_argument("--cores", type=float, default=CORES, help="of all executors [2]")
    parser.add_argument("--machines", type=float, default=1, help="that the bytes are divided among [1]")
    parser.add_argument("--disk", type=float, default=500, help="MB a second that a machine writes or reads [500]")
    parser.add_argument("--network", type=float, default=1000, help="MB a second that a machine sends [1000]")
    parser.add_argument("--task-memory", type=float, default=1e9, help="bytes of a task [1e9]")
    parser.add_argument("--driver", type=float, default=1e9, help="bytes that the driver collects, spark.driver.maxResultSize [1e9]")
    parser.add_argument("--heavy", type=float, help="share of the postings that are in heavy lists [by the runs, or 0]")
    parser.add_argument("--heavy-of-set", type=float, default=10, help="of these, postings of a set [10]")
    parser.add_argument("--blocks", type=float, default=10, help="blocks in which heavy lists are compared, of all parts [10]")
    parser.add_argument("--price", type=float, default=1.0, help="of a machine for an hour, in any currency [1.0]")
    parser.add_argument("--runs", nargs="*", default=[], help="reports of bench/spark (.json) to fit on")
    parser.add_argument("--check", action="store_true", help="predict the largest run from the others, and stop")
    options = parser.parse_args()
    if not options.check and None in (options.documents, options.elements, options.text_bytes):
        parser.error("give --documents, --elements and --text-bytes, or --check")
    return parser, options


def main():
    parser, options = arguments()
    points = points_of(options.runs)
    most_candidates = options.driver / 128
    if options.check:
        if len({point["text_bytes"] for point in points}) < 3:
            parser.error(f"--check needs runs over three sizes of the grown collection, and there are {len(points)}")
        return 0 if check(points, most_candidates) else 1
    whole = options.documents * options.text_bytes
    fitted = model.Model(points, most_candidates) if points else None
    counts = counts_of(options, fitted)
    moved = bytes_of_stages(options, counts)
    for name, size in [*moved.items(), ("all", sum(moved.values()))]:
        print(f"{name:28} {size / 1e9:14,.3f} GB   {size / whole:6.3f} × the text")
    print(f"with {options.hits:,.1f} hits and {counts['candidates'] / options.documents:,.2f} candidates of a document, {options.in_candidates:.0%} of them in candidates")
    if fitted:
        hours(options, fitted, counts, moved)
    print("what breaks first, by how many times more is needed than there is:")
    for times, what in limits(options, counts):
        print(f"{times:14,.2f} × {what}")
    print("expected pairs of")
    for number, what in collisions(options):
        print(f"{number:14,.2f} {what}")
    return 0


def hours(options, fitted, counts, moved):
    """Prints seconds by stage, hours, and what they cost."""
    whole, shuffles, total = options.documents * options.text_bytes, {}, 0.0
    for name, size in moved.items():
        stage = {"documents and keys": "postings"}.get(name, name.split(",")[0])
        shuffles[stage] = shuffles.get(stage, 0.0) + size
    grown = fitted.grown(whole, counts)
    grown["reads"] = whole * (slices(options, counts) + counts["blocks_read"])
    for name, (a, b) in fitted.seconds.items():
        driver = model.SECONDS.get(name)
        computing, moving = a + b * grown.get(driver, 0.0) * CORES / options.cores, bound_by(shuffles.get(name, 0), options)
        total += max(computing, moving)
        print(f"{name:28} {a:8.1f} s + {b * 1e9:10.3f} s for 10^9 of {driver or 'nothing':14} on {CORES} cores: {computing:14,.0f} s computing, {moving:10,.0f} s moving")
    print(f"all: {total:,.0f} s = {total / 3600:.1f} hours on {options.cores:,.0f} cores of {options.machines:,.0f} machines; rows are read "
          f"{2 + grown['reads'] / whole:,.0f} times")
    print(f"{total / 3600 * options.machines:,.1f} machine-hours, {total / 3600 * options.machines * options.price:,.2f} at {options.price} each")


if __name__ == "__main__":
    sys.exit(main())
