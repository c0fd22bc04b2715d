#!/usr/bin/env python3
"""How evenly are the postings of a dedup on Spark divided among buckets, at a size that nobody can try?

    VENV/bin/python bench/spark_balance.py ../shared/data/text/mdn_content.jsonl.zst --documents 1.6e9 --task-memory 1GB

Posts the documents of real files as the tasks do. How many of them post an element is its share; a collection of the given size is taken
to have the same shares. Elements that one document posts are spread evenly. The others are thrown into buckets at random, 20 times.
Near-duplicates in the files count as if the collection had as many in every part of it, so this is the bad case.

Needs the package (lookalike) and pyarrow, not Spark.
"""

import argparse
import json
import random
import subprocess
from collections import Counter

import pyarrow as pa
from lookalike import _lookalike as core
from lookalike._options.arguments import settings, size
from lookalike.spark._ask.limits import HELD, IN_MEMORY, POSTING
from lookalike.spark._join import LEAST, MOST_FREQUENT, SAMPLE

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


def posted(some, threshold, known):
    """How many documents post each element, and how many postings there are. `known` frequent elements are put last."""
    how = settings()
    sampler = core.CoreSampler(how, threshold, 1)
    for _, rows in batches(some[::SAMPLE]):
        sampler.add(rows)
    counted = core.count_places([blob for _, blob in sampler.take()], LEAST)
    numbers = memoryview(counted).cast("I").tolist()
    frequent = [place for _, place in sorted(zip(numbers[1::2], numbers[::2]))][-known:]
    poster = core.CorePoster(how, threshold, None, pa.array(frequent, pa.uint32()).buffers()[1].to_pybytes()[: 4 * len(frequent)]
                             if frequent else b"", 1, False, 0)
    lists = Counter()
    for count, rows in batches(some):
        poster.add(rows, bytes(8 * count), bytes(count))
        for _, blob in poster.take(1 << 60):
            count_tags(blob, lists)
    return lists, len(frequent)


def count_tags(blob, lists):
    at, tags = 0, []
    while at < len(blob):
        tags.append(blob[at : at + 4])
        at += 12
        for _ in range(2):  # the size and the position
            while blob[at] & 0x80:
                at += 1
            at += 1
    lists.update(tags)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="JSON lines with a field text, compressed with zstd or not")
    parser.add_argument("--take", type=int, default=1 << 60, metavar="N", help="only the first N documents")
    parser.add_argument("--documents", type=float, default=1.6e9, help="of the collection [1.6e9]")
    parser.add_argument("--threshold", default="0.8")
    parser.add_argument("--task-memory", default="1GB", help="[1GB]")
    parser.add_argument("--tasks", type=int, default=2400, help="of the stage; each has several buckets [2400]")
    parser.add_argument("--known", type=int, default=MOST_FREQUENT, help=f"frequent elements that are put last [{MOST_FREQUENT}]")
    options = parser.parse_args()

    some = texts(options.files, options.take)
    lists, frequent = posted(some, options.threshold, options.known)
    postings, shared = sum(lists.values()), {tag: count for tag, count in lists.items() if count > 1}
    scale = options.documents / len(some)
    total = postings * scale
    memory = size(options.task_memory, "task_memory")
    room = memory * POSTING // IN_MEMORY * 2 // 5
    buckets = max(1, round(total * POSTING / room))
    buckets = -(-buckets // options.tasks) * options.tasks
    print(f"{len(some):,} documents, {postings:,} postings, {frequent:,} frequent elements put last")
    print(f"elements that several documents post: {len(shared):,}, with {sum(shared.values()) / postings:.1%} of the postings")
    longest = sorted(shared.values(), reverse=True)[:5]
    print("longest lists, share of the documents:", ", ".join(f"{count / len(some):.3%}" for count in longest))
    print(f"at {options.documents:.2g} documents: {total:.3g} postings, {buckets:,} buckets of {total / buckets:.3g}")
    even = (postings - sum(shared.values())) * scale / buckets
    worst, tasks = [], []
    for trial in range(20):
        choose = random.Random(trial)
        load = [even] * buckets
        for count in shared.values():
            load[choose.randrange(buckets)] += count * scale
        worst.append(max(load))
        tasks.append(max(sum(load[task :: options.tasks]) for task in range(options.tasks)))
    mean, own = total / buckets, total / options.tasks
    print(f"fullest bucket: {max(worst) / mean:.2f} x the mean ({min(worst) / mean:.2f} in the best of 20), "
          f"{max(worst) * HELD / memory:.0%} of the postings that a task holds at once")
    print(f"fullest task: {max(tasks) / own:.2f} x the mean ({min(tasks) / own:.2f} in the best of 20)")


if __name__ == "__main__":
    main()
