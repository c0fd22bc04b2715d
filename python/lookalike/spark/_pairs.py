"""All pairs of rows of a data frame, or of two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Unpack

import pyarrow as pa

from .. import _lookalike as core
from .._options.arguments import Threshold, settings
from .._options.groups import MethodOptions
from ._ask.columns import Order, Question
from ._ask.limits import MOST_FREQUENT, limits
from ._ask.method import method_of
from ._blocks import hits_in_tiles
from ._compare import compare_sets, verified
from ._frames import frame
from ._join import Join, begin
from ._recall import sum_up
from ._summary import Summary
from ._tasks.batches import numbers, words
from ._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


LEAST_LOOKED_AT = 20_000_000_000
"""Pairs of postings that may be looked at in any case, and 20,000 for each row above a million."""
LEAST_PAIRS = 1_000_000_000
"""Rows that an answer may have in any case, and 100 for each row above ten million."""


class Pairs:
    """The answer of :func:`pairs`. Its frame reads from the work folder until it is closed."""

    pairs: DataFrame
    """The pairs: `a`, `b`, `similarity`, and `common`, `size_a`, `size_b`. `a` precedes `b`, or is of the first data frame. Methods for web
    pages add `b_similarity`, `c_similarity`, `same_site` and `term_difference`."""
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
    threshold: Threshold | None = None,
    tokens: str = "words:5",
    measure: str = "jaccard",
    method: str = "exact",
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
    max_candidates: int | None = None,
    max_pairs: int | None = None,
    max_sample: int | str | None = None,
    max_looked_at: int | None = None,
    max_frequent: int = MOST_FREQUENT,
    **options: Unpack[MethodOptions],
) -> Pairs:
    """Find all pairs of rows that reach the threshold; with `other`, those of a row of each.

    order_by: the columns that order the rows: the first of a pair is `a`. By default the ids, which then must be unique.
    max_pairs: rows of the answer. More are refused, before they are made: a million equal texts have half a trillion. By default 100 for
        each row, and at least a billion.
    max_looked_at: pairs of postings to look at; if there are more, the call is refused. By default 20,000 for each row, and at least 20
        billion.
    The other arguments are those of :func:`dedup`.
    """
    by = method_of(method, threshold, measure, options)
    question = Question(text, html, url, id, order_by, within, by)
    how = settings(tokens=tokens, case=case, bag=bag, page=page, measure=measure, max_document=max_document)
    bounds = limits(
        df.sparkSession,
        task_memory,
        partitions,
        max_candidates=max_candidates,
        max_pairs=max_pairs,
        max_sample=max_sample,
        max_looked_at=max_looked_at,
        max_frequent=max_frequent,
    )
    join = begin(df, other, "across", question, how, by, bounds, work)
    try:
        join.match(LEAST_LOOKED_AT)
        if join.heavy_postings > join.tiled_postings or join.summary.looked_at + join.tiled_pairs > join.most_looked_at:
            raise MemoryError(
                f"{join.heavy_postings:,} documents meet in lists that are too long: all their pairs may be more than you want. Raise the "
                f"threshold, or max_looked_at (now {join.most_looked_at:,}); or use dedup, which needs no pairs of documents that it removes"
            )
        join.summary.looked_at += join.tiled_pairs
        return _answer(join, other is not None, max_pairs or max(LEAST_PAIRS, 100 * join.summary.rows))
    except BaseException:
        join.work.remove()
        raise


def _table(join: Join, pairs: bytes) -> pa.Table:
    """Verified pairs as columns."""
    a, b, common, size_a, size_b, similarity = core.columns_of_pairs(join.settings, join.threshold, pairs)
    columns = {
        "node_a": words(a),
        "node_b": words(b),
        "common": numbers(common, pa.int32()),
        "size_a": numbers(size_a, pa.int32()),
        "size_b": numbers(size_b, pa.int32()),
        "similarity": numbers(similarity, pa.float64()),
    }
    if join.method.pages is not None:
        beside = (numbers(column, pa.int32()) for column in core.columns_of_beside(join.take_beside()))
        columns |= zip(("b_similarity", "c_similarity", "term_difference"), beside, strict=True)
    return pa.table(columns)


def _check_number(join: Join, nodes: DataFrame, across: bool, most: int) -> None:
    """Refuse an answer of too many rows. Equal documents are one node until the answer is made."""
    from pyspark.sql import functions as F

    with join.stage("answer"):
        copies = join.documents().where(~F.col("first")).groupBy("node").agg(F.count("*").alias("n"))
        equal = F.lit(0.0) if across or join.own else F.sum(F.col("n") * (F.col("n") + 1.0) / 2)
        number, has_copies = copies.agg(equal, F.count("*")).collect()[0]
        total = number or 0
        if has_copies:
            for end in ("a", "b"):
                nodes = nodes.join(copies.select(F.col("node").alias(f"node_{end}"), F.col("n").alias(f"n_{end}")), f"node_{end}", "left")
            one, two = (F.coalesce(F.col(f"n_{end}"), F.lit(0)) + 1.0 for end in ("a", "b"))
            total += nodes.agg(F.sum(one * two)).collect()[0][0] or 0
        else:
            total += join.summary.pairs
    if total > most:
        raise MemoryError(
            f"there are {total:,.0f} pairs, with those of equal documents, more than max_pairs (now {most:,}). Raise it, or the threshold; "
            "or use dedup, which makes no pairs of documents that it removes"
        )


def _answer(join: Join, across: bool, most: int) -> Pairs:
    from pyspark.sql import functions as F

    work = join.work
    has_pages = join.method.pages is not None
    names = list[str]()
    for candidates in join.candidates(b"", hits_in_tiles(join) if join.tiled_postings else None):
        folders, _ = compare_sets(join, candidates, join.nodes(core.merge_nodes([candidates])), beside=has_pages)
        for folder in folders:
            with join.stage("answer"):
                names.append(f"pairs-{len(names)}")
                work.put(frame(join.spark, _table(join, verified(join, folder))), names[-1])
    sum_up(join)
    if not names:
        work.put(frame(join.spark, _table(join, b"")), "pairs-0")
        names.append("pairs-0")
    nodes = reduce(lambda one, two: one.unionByName(two), [work.get(name) for name in names])
    _check_number(join, nodes.select("node_a", "node_b"), across, most)
    documents = join.documents()
    taken = ["node", "key", "id", *(["site"] if has_pages else [])]
    one = documents.select(*[F.col(name).alias("a" if name == "id" else f"{name}_a") for name in taken])
    two = documents.select(*[F.col(name).alias("b" if name == "id" else f"{name}_b") for name in taken])
    pairs = nodes.join(one, "node_a").join(two, "node_b")
    values = ["similarity", "common", "size_a", "size_b"]
    if has_pages:
        # More words than are counted are -1 here.
        pairs = pairs.withColumn("term_difference", F.when(F.col("term_difference") >= 0, F.col("term_difference")))
        has_sites = (F.col("site_a") != 0) & (F.col("site_b") != 0)
        same_site = F.when(has_sites, F.col("site_a") == F.col("site_b"))
        pairs = pairs.withColumn("same_site", same_site)
        values += ["b_similarity", "c_similarity", "same_site", "term_difference"]
    if across:
        is_turned = F.col("node_a").bitwiseAND(F.lit(1)) == 1
    else:
        is_turned = F.col("key_b") < F.col("key_a")
    turned = [("b", "a"), ("size_b", "size_a")]
    columns = {name: F.col(name) for name in ["a", "b", *values]}
    for first, second in turned:
        columns[second] = F.when(is_turned, F.col(first)).otherwise(F.col(second))
        columns[first] = F.when(is_turned, F.col(second)).otherwise(F.col(first))
    pairs = pairs.select(*[columns[name].alias(name) for name in ["a", "b", *values]])
    if not across and not join.own:
        # Documents with equal sets.
        first = documents.select(*[F.col(name).alias("a" if name == "id" else f"{name}_a") for name in [*taken, "size"]])
        equal = first.join(two, (F.col("node_a") == F.col("node_b")) & (F.col("key_a") < F.col("key_b")))
        columns = {"similarity": F.lit(1.0), "common": F.col("size_a"), "size_a": F.col("size_a"), "size_b": F.col("size_a")}
        if join.method.pages is not None:
            features, bits = join.method.pages
            columns |= {"b_similarity": F.lit(features), "c_similarity": F.lit(bits), "term_difference": F.lit(0)}
            columns["same_site"] = same_site
        pairs = pairs.unionByName(equal.select("a", "b", *[columns[name].alias(name) for name in values]))
    return Pairs(pairs, join.summary, work)
