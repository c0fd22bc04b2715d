"""The plan: from rows to pairs of distinct sets.

1. A sample says which elements are frequent, and how much there will be to post.
2. Every task posts the first elements of each set, or keys of its signature; those of one bucket meet, and give candidates.
3. The texts of candidates meet at places, where their sets are compared.

A stage leaves its rows in the work folder, so that no later stage depends on what an executor remembers. Nothing depends on
how rows are divided, or on the order in which they arrive.
"""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa

from .. import _lookalike as core
from .._types import Settings
from ._ask.columns import Columns, Question, is_connect, type_of
from ._ask.limits import (
    DOCUMENT_ROW,
    HELD,
    HITS,
    IN_MEMORY,
    KEPT_HASH,
    POSTING,
    Limits,
    cores,
    most_looked_at,
    small_batches,
)
from ._ask.method import Method
from ._frames import arrow_schema, blobs_of, frame, keeps_order, spread
from ._summary import Stage, Summary
from ._tasks.batches import CANDIDATES, COLLISION, COUNTS, DOCUMENT, REPEATED, words
from ._tasks.hits import DivideHits, Sum
from ._tasks.meet import MEETING, Meet
from ._tasks.post import Count, Post, Sample
from ._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SAMPLE = 16
"""One of so many rows is in the sample."""
SAMPLE_BUCKETS = 1024
"""Elements of the sample are counted a bucket at a time: of 10 TB of text, one has 350 MB."""
LEAST = 3
"""So often does a frequent element occur in the sample."""
FREQUENT = 96
"""A task knows one frequent element for so many bytes of its memory: each takes some 24, so together a quarter."""


class Join:
    """A run over rows with columns of our own names."""

    def __init__(
        self, rows: DataFrame, columns: Columns, settings: Settings, method: Method, compare: str, limits: Limits, work: Work
    ) -> None:
        self.rows, self.columns, self.settings, self.method = rows, columns, settings, method
        self.threshold = method.threshold
        self.compare, self.limits, self.work = compare, limits, work
        self.spark = rows.sparkSession
        self.own = settings["measure"] == "overlap"
        self.seed = 0
        self.met = list[bytes]()
        """Groups of equal documents that are in a candidate, as their nodes on side 0."""
        self.met_elsewhere = 0
        """How many more there are whose nodes do not fit the driver."""
        self.beside = b""
        """What the verified pairs have beside their numbers."""
        self.summary = Summary()
        self.partitions = limits.partitions or 1
        self.is_sorted = not is_connect(rows) or keeps_order(self.spark)

    @contextmanager
    def stage(self, name: str) -> Generator[None, None, None]:
        """Show a stage in Spark's own page, and measure it."""
        begun = time.monotonic()
        text = f"lookalike: {name}"
        if is_connect(self.rows):
            self.spark.addTag(text.replace(",", " "))
        else:
            self.spark.sparkContext.setJobDescription(text)
        try:
            with small_batches(self.spark, self.limits.task_memory):
                yield
        finally:
            if is_connect(self.rows):
                self.spark.removeTag(text.replace(",", " "))
            else:
                self.spark.sparkContext.setJobDescription(None)
            self.summary.stages.append(Stage(name, time.monotonic() - begun))

    def sample(self) -> bytes:
        """Find the frequent elements, and settle how many tasks there will be."""
        from pyspark.sql import functions as F

        tasks = min(64, max(2, cores(self.spark)))
        chosen = self.rows.where(F.pmod(F.xxhash64(*self.columns.order_names), F.lit(SAMPLE)) == 0)
        if self.method.is_signed:
            with self.stage("sample"):
                rows = SAMPLE * chosen.count()
                self._divide(rows, rows * self.method.posted_bytes)
            return b""
        with self.stage("sample"):
            sampled = chosen.mapInArrow(
                Sample(self.settings, self.threshold, self.columns, SAMPLE_BUCKETS), "bucket int, blob binary"
            )
            counted = spread(sampled, tasks, F.col("bucket") + 1, self.is_sorted).sortWithinPartitions("bucket")
            found = counted.mapInArrow(Count(LEAST, self.is_sorted), "bucket int, blob binary").toArrow()
        total: dict[str, int] = {}
        counts: list[tuple[int, int]] = []
        for bucket, blob in zip(found["bucket"].to_pylist(), found["blob"].to_pylist(), strict=True):
            if bucket < 0:
                add(total, json.loads(blob))
            else:
                numbers = pa.Array.from_buffers(pa.uint32(), len(blob) // 4, [None, pa.py_buffer(blob)]).to_pylist()
                counts.extend(zip(numbers[1::2], numbers[::2], strict=True))
        self.summary.moved_bytes += 4 * total.get("elements", 0)
        self._divide(SAMPLE * total.get("documents", 0), SAMPLE * POSTING * total.get("posted", 0))
        counts.sort()
        most = min(self.limits.max_frequent, self.limits.task_memory // FREQUENT)
        frequent = [place for _, place in counts[-most:]]
        return pa.array(frequent, pa.uint32()).buffers()[1].to_pybytes()[: 4 * len(frequent)] if frequent else b""

    def _divide(self, rows: int, posted: int) -> None:
        """Settle how many buckets and tasks there are for so many rows and bytes of postings."""
        self.expected_rows = rows
        # The rest is for other things: the interpreter, a batch of rows, candidates on their way.
        room = self.limits.task_memory * POSTING // IN_MEMORY * 2 // 5
        self.buckets = max(1, -(-posted // room), cores(self.spark))
        if self.limits.partitions is None:
            usual = max(cores(self.spark), min(self.buckets, 4 * cores(self.spark)))
            moved = posted + rows * DOCUMENT_ROW
            self.partitions = max(usual, -(-moved // (1 << 30)), -(-rows * KEPT_HASH // self.limits.task_memory))
        self.buckets = -(-self.buckets // self.partitions) * self.partitions

    def match(self, least_looked_at: int) -> None:
        """Post all sets, and let the postings meet. Leaves candidates, documents and heavy lists. However few rows there are, so many pairs
        of postings may be looked at.

        Two different sets have the same 63-bit hash once in ten million runs of a million documents, and once in eight of a billion. Then
        the stage is repeated with other hashes."""
        frequent = self.sample()
        self.most_looked_at = most_looked_at(self.limits, self.expected_rows, least_looked_at)
        while not self._match(frequent):
            self.seed += 1

    def _match(self, frequent: bytes) -> bool:
        from pyspark.sql import types as T

        originals = ["id", *self.columns.order_names]
        extra = [T.StructField(name, type_of(self.rows, name)) for name in originals]
        shared = [
            T.StructField("blob", T.BinaryType()),
            T.StructField("node", T.LongType()),
            T.StructField("key", T.BinaryType()),
            T.StructField("size", T.IntegerType()),
            T.StructField("check", T.IntegerType()),
        ]
        if self.method.is_signed:
            shared += [T.StructField("site", T.LongType()), T.StructField("print", T.BinaryType())]
        kind = T.StructField("kind", T.ByteType())
        sent = T.StructType([kind, T.StructField("bucket", T.IntegerType()), *shared, *extra])
        given = T.StructType([kind, *shared, T.StructField("first", T.BooleanType()), *extra])
        post = Post(
            self.settings,
            self.threshold,
            self.method.line,
            self.columns,
            frequent,
            self.buckets,
            self.partitions,
            self.own,
            self.seed,
            self.limits.task_memory // 8,
            arrow_schema(sent),
        )
        most = -(-self.most_looked_at // self.buckets)
        # A candidate takes about 80 bytes in a task.
        room, self.parts = self.limits.task_memory // 1024, 4 * self.buckets
        hold = self.limits.task_memory // HELD
        meet = Meet(
            self.settings,
            self.threshold,
            self.method.line,
            self.compare,
            most,
            self.limits.longest_list,
            hold,
            room,
            self.parts,
            arrow_schema(given),
            self.is_sorted,
        )
        with self.stage("postings"):
            posted = self.rows.mapInArrow(post, sent)
            # Documents of one set in their order, so that a task need not hold them.
            gathered = spread(posted, self.partitions, "bucket", self.is_sorted).sortWithinPartitions(*MEETING)
            self.matched = f"met-{self.seed}"
            self.work.put(gathered.mapInArrow(meet, given), self.matched, by="kind")
        self.given = given
        counts: dict[str, int] = {}
        repeated = False
        for number, blob in self._told():
            if number == COUNTS:
                add(counts, json.loads(blob))
            elif number == REPEATED:
                repeated = True
            else:
                return False
        summary = self.summary
        summary.rows, summary.text_bytes = counts.get("rows", 0), counts.get("bytes", 0)
        summary.postings, summary.looked_at = counts.get("postings", 0), counts.get("looked_at", 0)
        summary.moved_bytes += counts.get("sent", 0)
        self.heavy_postings, self.tiled_postings, self.tiled_pairs = (counts.get(name, 0) for name in ("heavy", "tiled", "tiled_pairs"))
        summary.heavy_postings, summary.hit_bytes = self.heavy_postings, counts.get("hits", 0)
        if repeated:
            self._check_order()
        return True

    def _told(self) -> list[tuple[int, bytes]]:
        """What the tasks have to tell the driver."""
        from pyspark.sql import functions as F

        kinds = [COUNTS, REPEATED, COLLISION]
        told = self.work.get(self.matched, self.given).where(F.col("kind").isin(kinds)).select("kind", "blob").toArrow()
        return list(zip(told["kind"].to_pylist(), told["blob"].to_pylist(), strict=True))

    def candidates(self, others: bytes, more: DataFrame | None = None) -> Generator[bytes, None, None]:
        """The candidates with enough hits, as many at a time as the driver takes. `others` is a filter of the nodes in lists that are compared
        elsewhere, `more` has hits that were not found when sets met."""
        from pyspark.sql import functions as F

        # The hits of a part that are too many for a task are summed up in so many steps.
        steps = max(1, -(-self.summary.hit_bytes * HITS // (self.parts * self.limits.task_memory)))
        with self.stage("candidates"):
            records = self.kept(CANDIDATES).select(F.col("node").cast("int").alias("part"), "blob")
            if more is not None:
                records = records.unionByName(more)
            if steps > 1:
                records = records.mapInArrow(DivideHits(steps), "part int, blob binary")
            gathered = spread(records, self.partitions, "part", self.is_sorted).sortWithinPartitions("part")
            found = gathered.mapInArrow(Sum(others, self.is_sorted), "part int, blob binary, received long")
            self.work.put(found, "candidates")
            told = self.work.get("candidates")
            parts = told.select("part", F.length("blob").alias("size"), "received").toArrow().sort_by("part").to_pylist()
        self.summary.moved_bytes += sum(part["received"] for part in parts)
        for some in _slices([(part["part"], part["size"] // 16) for part in parts], self.limits.max_candidates):
            with self.stage("candidates"):
                candidates = core.merge_candidates(blobs_of(told.where(F.col("part").isin(some))))
            yield candidates

    def _check_order(self) -> None:
        """Refuse rows that order_by does not order."""
        from pyspark.sql import functions as F

        names = self.columns.order_names
        with self.stage("rows of the same order"):
            equal = self.rows.groupBy("side", *names).agg(F.count("*").alias("n"), F.min("id").alias("a"), F.max("id").alias("b"))
            found = equal.where("n > 1").limit(1).collect()
        if found:
            row = found[0]
            raise ValueError(
                f"order_by does not order all rows: the rows with the ids {row['a']!r} and {row['b']!r} are equal in it "
                f"({', '.join(repr(row[name]) for name in names)}); add a column that tells them apart, such as the id, if it is unique"
            )

    def kept(self, kind: int) -> DataFrame:
        """What the meeting left of this kind."""
        return self.work.get(self.matched, self.given).where(f"kind = {kind}")

    def documents(self) -> DataFrame:
        """A row for each document with a set: node, key, size, first, id and the columns to order by."""
        return self.kept(DOCUMENT).drop("blob", "check", "kind")

    def nodes(self, nodes: bytes) -> pa.Table:
        """The first documents of nodes: node, key, size."""
        with self.stage("documents of candidates"):
            wanted = frame(self.spark, pa.table({"node": words(nodes)}))
            first = self.documents().where("first").select("node", "key", "size")
            return first.join(wanted, "node", "left_semi").toArrow().combine_chunks()

    def take_beside(self) -> bytes:
        """What the pairs since the last call have beside their numbers."""
        beside, self.beside = self.beside, b""
        return beside


def begin(
    df: DataFrame,
    second: DataFrame | None,
    compare: str,
    question: Question,
    how: Settings,
    method: Method,
    bounds: Limits,
    work: str | None,
) -> Join:
    """Check everything that can be checked at once, and prepare a run over one or two data frames."""
    if how["measure"] in ("edit", "hamming"):
        raise ValueError(
            f"measure='{how['measure']}' is a distance, and on a cluster there are none. "
            "Use jaccard, cosine, dice, max, overlap or containment"
        )
    compare = compare if second is not None else "all"
    # A wrong option is an error here, not in a task.
    core.CoreBucket(how, method.threshold, method.line, compare, 1, "")
    rows = question.select(df, 0)
    if second is not None:
        rows = rows.unionByName(question.select(second, 1))
    return Join(rows, question.columns(), how, method, compare, bounds, Work(df.sparkSession, work))


def _slices(parts: list[tuple[int, int]], most: int) -> list[list[int]]:
    """Divide parts with their numbers of candidates so that no slice has more than `most`, unless a single part has."""
    slices, room = list[list[int]](), 0
    for part, size in parts:
        if not size:
            continue
        if not slices or size > room:
            slices.append([])
            room = most
        slices[-1].append(part)
        room -= size
    return slices


def add(total: dict[str, int], more: dict[str, int]) -> None:
    """Add counts."""
    for name, number in more.items():
        total[name] = total.get(name, 0) + number
