#!/usr/bin/env python3
"""How evenly are the postings of a dedup on Spark divided among buckets, at a size that nobody can try?

    VENV/bin/python bench/spark_balance.py ../shared/data/text/mdn_content.jsonl.zst --documents 1.6e9 --task-memory 1GB

Posts the documents of real files as the tasks do, into as many buckets as the collection would have, by the hash that the tasks use.
A list of c postings has c × scale^GROWTH at the given size, where scale is how many times larger the collection is. With --growth 1 its
share stays the same: the bad case, because near-duplicates in the files count as if every part of the collection had as many. With less,
there are more such lists instead of longer ones. Elements that one document posts are spread evenly.

Then the sets meet, and it says how many candidates a document has, and how much of the text the largest component of candidates has,
which is what verification cannot divide without sending texts to several places.

Needs the package (lookalike), pyarrow and numpy, not Spark.
"""

import argparse
import json
import math
import subprocess
import tempfile
from collections import Counter

import numpy as np
import pyarrow as pa
from lookalike import _lookalike as core
from lookalike._options.arguments import settings, size
from lookalike.spark._ask.limits import AT_DRIVER, HELD, HITS, IN_MEMORY, MOST_AT_DRIVER, MOST_FREQUENT, POSTING
from lookalike.spark._blocks import FILTER_SHARE
from lookalike.spark._join import LEAST, SAMPLE

BATCH = 1000


def texts(files, most):
    found = []
    for file in files:
        command = ["zstd", "-dcq", file] if file.endswith(".zst") else ["cat", file]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            for line in process.stdout:
                found.append(json.loads(line).get("text"))
    return found[:most]


def batches(some):
    for start in range(0, len(some), BATCH):
        part = some[start : start + BATCH]
        column = core.Column.of(pa.array(part, pa.string()), "text")
        yield len(part), {"texts": [column], "is_page": False, "url": None, "site": None, "within": []}


def posted(some, options, memory):
    """The blobs of postings by bucket, how many documents have a set, and how many elements were put last."""
    how = settings()
    sampler = core.CoreSampler(how, options.threshold, 1)
    for _, rows in batches(some[::SAMPLE]):
        sampler.add(rows)
    counted = core.count_places([blob for _, blob in sampler.take()], LEAST)
    numbers = memoryview(counted).cast("I").tolist()
    frequent = [place for _, place in sorted(zip(numbers[1::2], numbers[::2], strict=True))][-options.known :]
    # As the plan does.
    room = memory * POSTING // IN_MEMORY * 2 // 5
    total = sampler.posted * SAMPLE * options.documents / len(some)
    buckets = -(-max(1, round(total * POSTING / room)) // options.tasks) * options.tasks
    known = np.array(frequent, "<u4").tobytes()
    poster = core.CorePoster(how, options.threshold, None, known, buckets, False, 0)
    blobs, sizes, at = {}, {}, 0
    for count, rows in batches(some):
        # The key of a document is its number here.
        keys = np.arange(at, at + count, dtype="<u8").tobytes()
        nodes, lengths, *_ = poster.add(rows, keys, bytes(count))
        sizes |= dict(zip(np.frombuffer(nodes, "<u8").tolist(), np.frombuffer(lengths, "<u4").tolist(), strict=True))
        at += count
        for bucket, blob in poster.take(1 << 60):
            blobs.setdefault(bucket, []).append(blob)
    return blobs, buckets, sizes, len(frequent)


def read(blob):
    """(element, set) of the postings in a blob."""
    at = 0
    while at < len(blob):
        yield blob[at : at + 4], blob[at + 4 : at + 12]
        at += 12
        for _ in range(2):  # the size and the position
            while blob[at] & 0x80:
                at += 1
            at += 1


def lists_of(blobs, some_lists=None):
    """How many different sets post each (bucket, element), or which sets are in some of these lists."""
    found = Counter() if some_lists is None else set()
    for bucket, parts in blobs.items():
        seen = set()
        for blob in parts:
            for tag, node in read(blob):
                if some_lists is None:
                    if (tag, node) not in seen:
                        seen.add((tag, node))
                        found[bucket, tag] += 1
                elif (bucket, tag) in some_lists:
                    found.add(node)
    return found


def candidates_of(blobs, options):
    """The candidates of all buckets, and the bytes of their hits."""
    summed, hits = core.CoreCandidates(b""), 0
    with tempfile.TemporaryDirectory() as folder:
        for parts in blobs.values():
            bucket = core.CoreBucket(settings(), options.threshold, None, "all", 1 << 40, folder)
            for blob in parts:
                bucket.add(blob)
            while (records := bucket.next(1 << 62, 1 << 62, 1 << 30, 1)) is not None:
                for _, record in records:
                    hits += len(record)
                    summed.add(record)
    return summed.take(), hits


def largest_component(candidates, sizes):
    """Sets in candidates, their elements, and those of the largest component."""
    pairs = np.frombuffer(candidates, "<u8").reshape(-1, 2).tolist()
    parent = {}

    def root(node):
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for a, b in pairs:
        parent[root(a)] = root(b)
    components = Counter()
    for node in parent:
        components[root(node)] += sizes[node]
    return len(parent), sum(components.values()), max(components.values(), default=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="JSON lines with a field text, compressed with zstd or not")
    parser.add_argument("--take", type=int, default=1 << 60, metavar="N", help="only the first N documents")
    parser.add_argument("--documents", type=float, default=1.6e9, help="of the collection [1.6e9]")
    parser.add_argument("--threshold", default="0.8")
    parser.add_argument("--task-memory", default="1GB", help="[1GB]")
    parser.add_argument("--driver", default="4GiB", help="what it may collect, spark.driver.maxResultSize [4GiB]")
    parser.add_argument("--tasks", type=int, default=2400, help="of the stage; each has several buckets [2400]")
    parser.add_argument("--known", type=int, default=MOST_FREQUENT, help=f"frequent elements that are put last [{MOST_FREQUENT}]")
    parser.add_argument("--growth", type=float, default=1.0, help="of lists with the collection, 0 to 1 [1]")
    parser.add_argument("--longest", type=int, default=1000, help="longest_list of dedup [1000]")
    options = parser.parse_args()

    some = texts(options.files, options.take)
    memory, at_driver = size(options.task_memory, "task_memory"), min(MOST_AT_DRIVER, size(options.driver, "driver") // AT_DRIVER)
    blobs, buckets, sizes, frequent = posted(some, options, memory)
    lists = lists_of(blobs)
    postings, shared = sum(lists.values()), {key: count for key, count in lists.items() if count > 1}
    scale = options.documents / len(some)
    longer = scale**options.growth
    total = postings * scale
    print(f"{len(some):,} documents, {postings:,} postings, {frequent:,} frequent elements put last")
    print(f"elements that several documents post: {len(shared):,}, with {sum(shared.values()) / postings:.1%} of the postings")
    longest = sorted(shared.values(), reverse=True)[:5]
    print("longest lists, share of the documents:", ", ".join(f"{count / len(some):.3%}" for count in longest))
    print(f"at {options.documents:.2g} documents: {total:.3g} postings, {buckets:,} buckets of {total / buckets:.3g}; "
          f"lists are {longer:,.0f} x as long")
    # What does not make the lists of these elements longer is in lists of other elements, anywhere.
    load = np.full(buckets, (total - sum(shared.values()) * longer) / buckets)
    for (bucket, _), count in shared.items():
        load[bucket] += count * longer
    tasks = load.reshape(-1, options.tasks).sum(axis=0)
    held = memory / HELD
    print(f"fullest bucket: {load.max() / load.mean():.2f} x the mean, {load.max() / held:.0%} of the postings that a task holds at once")
    print(f"fullest task: {tasks.max() / tasks.mean():.2f} x the mean")
    heavy = {key for key, count in shared.items() if count * longer > options.longest}
    nodes = lists_of(blobs, heavy)
    print(f"lists of more than {options.longest:,}: {sum(shared[key] for key in heavy) / postings:.1%} of the postings; "
          f"{len(nodes) / max(1, len(sizes)):.1%} of the sets are in one: the driver settles them in {max(1, 2 * len(nodes) * scale / at_driver):,.0f} parts, "
          f"and a filter takes {1 - math.exp(-len(nodes) * scale / (8 * memory / FILTER_SHARE)):.0%} of other sets for one of them")
    looks = sum(count * longer * count * longer / 2 * scale / longer for count in shared.values())
    print(f"all of them all with all: {looks:.3g} pairs of postings, {looks / options.documents:,.0f} for a document")
    candidates, hits = candidates_of(blobs, options)
    number, elements, largest = largest_component(candidates, sizes)
    in_memory = HITS * hits * scale / (4 * buckets)
    print(f"candidates: {hits / 19 / len(some):.1f} hits and {len(candidates) / 16 / len(some):.2f} candidates for a document, among these; "
          f"{in_memory / memory:.0%} of what a task may sum up in a part, if that stays")
    chunks = largest * longer / max(1, memory // 48 // 2)
    print(f"verification: {number / max(1, len(sizes)):.1%} of the sets are in candidates; the largest component has {largest / max(1, elements):.2%} "
          f"of their elements, {max(1, chunks):,.0f} chunks of a task at that size")


if __name__ == "__main__":
    main()
