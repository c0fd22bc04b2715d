"""All pairs of rows of a data frame, or of two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from .. import _lookalike as core
from .._arguments import Threshold, settings
from ._columns import Order, Question
from ._join import Join, begin, frame, words
from ._limits import limits
from ._summary import Summary
from ._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Pairs:
    """The answer of :func:`pairs`. Its frame reads from the work folder until it is closed."""

    pairs: DataFrame
    """The pairs: `a`, `b`, `similarity`, and `common`, `size_a`, `size_b`. `a` precedes `b`, or is of the first data frame."""
    summary: Summary
    """What the run did."""

    def __init__(self, pairs: DataFrame, summary: Summary, work: Work) -> None:
        self.pairs, self.summary, self._work = pairs, summary, work

    def close(self) -> None:
        """Remove the work folder. The frame cannot be read any more."""
        self._work.remove()

    def __enter__(self) -> Pairs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Pairs of {self.summary.rows:,} rows>\n{self.summary}"


def pairs(
    df: DataFrame,
    other: DataFrame | None = None,
    *,
    text: str | Iterable[str] | None = None,
    id: str,
    order_by: str | Sequence[Order] | None = None,
    threshold: Threshold = 0.8,
    tokens: str = "words:5",
    measure: str = "jaccard",
    html: str | None = None,
    url: str | None = None,
    page: str | None = None,
    case: str = "fold",
    bag: bool = False,
    within: str | Iterable[str] | None = None,
    max_document: int | str = "50MB",
    work: str | None = None,
    task_memory: int | str | None = None,
    partitions: int | None = None,
    max_candidates: int = 50_000_000,
    max_looked_at: int = 20_000_000_000,
) -> Pairs:
    """Find all pairs of rows that reach the threshold; with `other`, those of a row of each.

    order_by: the columns that order the rows: the first of a pair is `a`. By default the ids, which then must be unique.
    The other arguments are those of :func:`dedup`.
    """
    question = Question(text, html, url, id, order_by, within)
    how = settings(tokens=tokens, case=case, bag=bag, page=page, measure=measure, max_document=max_document)
    bounds = limits(df.sparkSession, task_memory, partitions, max_candidates, max_looked_at)
    join = begin(df, other, "across", question, how, threshold, bounds, work)
    try:
        join.match(max_looked_at, 1 << 62)
        if join.heavy_postings:
            raise MemoryError(
                f"{join.heavy_postings:,} documents meet in lists that are too long: all their pairs may be more than you want. Raise the "
                f"threshold, or max_looked_at (now {max_looked_at:,}); or use dedup, which needs no pairs of documents that it removes"
            )
        return _answer(join, other is not None)
    except BaseException:
        join.work.remove()
        raise


def _answer(join: Join, across: bool) -> Pairs:
    from pyspark.sql import functions as F

    work = join.work
    candidates = join.candidates(b"")
    found = join.verify(candidates, join.nodes(core.merge_nodes([candidates]))) if candidates else b""
    with join.stage("answer"):
        a, b, common, size_a, size_b, similarity = core.columns_of_pairs(join.settings, join.threshold, found)

        def counts(data: bytes) -> pa.Array:
            return pa.Array.from_buffers(pa.int32(), len(data) // 4, [None, pa.py_buffer(data)])

        floats = pa.Array.from_buffers(pa.float64(), len(similarity) // 8, [None, pa.py_buffer(similarity)])
        table = pa.table(
            {
                "node_a": words(a),
                "node_b": words(b),
                "common": counts(common),
                "size_a": counts(size_a),
                "size_b": counts(size_b),
                "similarity": floats,
            }
        )
        work.put(frame(join.spark, table), "pairs")
    nodes = work.get("pairs")
    documents = join.documents()
    one = documents.select(F.col("node").alias("node_a"), F.col("key").alias("key_a"), F.col("id").alias("a"))
    two = documents.select(F.col("node").alias("node_b"), F.col("key").alias("key_b"), F.col("id").alias("b"))
    pairs = nodes.join(one, "node_a").join(two, "node_b")
    numbers = ["similarity", "common", "size_a", "size_b"]
    if across:
        is_turned = F.col("node_a").bitwiseAND(F.lit(1)) == 1
    else:
        is_turned = F.col("key_b") < F.col("key_a")
    turned = [("b", "a"), ("size_b", "size_a")]
    columns = {name: F.col(name) for name in ["a", "b", *numbers]}
    for first, second in turned:
        columns[second] = F.when(is_turned, F.col(first)).otherwise(F.col(second))
        columns[first] = F.when(is_turned, F.col(second)).otherwise(F.col(first))
    pairs = pairs.select(*[columns[name].alias(name) for name in ["a", "b", *numbers]])
    if not across and not join.own:
        # Documents with equal sets.
        size = documents.select(F.col("node").alias("node_a"), "size", F.col("key").alias("key_a"), F.col("id").alias("a"))
        equal = size.join(two, (F.col("node_a") == F.col("node_b")) & (F.col("key_a") < F.col("key_b")))
        equal = equal.select(
            "a",
            "b",
            F.lit(1.0).alias("similarity"),
            F.col("size").alias("common"),
            F.col("size").alias("size_a"),
            F.col("size").alias("size_b"),
        )
        pairs = pairs.unionByName(equal)
    return Pairs(pairs, join.summary, work)
