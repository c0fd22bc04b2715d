"""Which rows of a data frame are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Unpack

from .._options.arguments import Threshold, settings
from .._options.groups import MethodOptions
from ._ask.columns import Order, Question
from ._ask.limits import MOST_FREQUENT, limits
from ._ask.method import method_of
from ._join import Join, begin
from ._recall import sum_up
from ._settle import settle
from ._summary import Summary
from ._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LEAST_LOOKED_AT = 2_000_000_000
"""Pairs of postings that may be looked at in any case, and 2,000 for each row above a million."""


class Deduped:
    """The answer of :func:`dedup`. Its frames read from the work folder until it is closed."""

    kept: DataFrame
    """The rows that are kept, with all their columns."""
    removed: DataFrame
    """The rows that are not: `id`, `twin`, `similarity`, `identical`, and `reference` if there are references."""
    clusters: DataFrame
    """Kept rows that have twins, and their twins: `cluster`, `id`, `kept`."""
    summary: Summary
    """What the run did."""

    def __init__(self, kept: DataFrame, removed: DataFrame, clusters: DataFrame, summary: Summary, work: Work) -> None:
        self.kept, self.removed, self.clusters, self.summary = kept, removed, clusters, summary
        self._work = work

    def close(self) -> None:
        """Remove the work folder. The frames cannot be read any more."""
        self._work.remove()

    def __enter__(self) -> Deduped:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Deduped: {self.summary.rows:,} rows>\n{self.summary}"


def dedup(
    df: DataFrame,
    *,
    text: str | Iterable[str] | None = None,
    id: str,
    order_by: str | Sequence[Order],
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
    against: DataFrame | None = None,
    keep: str = "first",
    max_document: int | str = "50MB",
    work: str | None = None,
    task_memory: int | str | None = None,
    partitions: int | None = None,
    max_candidates: int | None = None,
    max_pairs: int | None = None,
    max_sample: int | str | None = None,
    max_heavy: int | None = None,
    max_looked_at: int | None = None,
    max_frequent: int = MOST_FREQUENT,
    longest_list: int = 1000,
    first_block: int = 1000,
    **options: Unpack[MethodOptions],
) -> Deduped:
    """Find which rows to keep: those that resemble no row that is kept and precedes them.

    The answer is that of ``lookalike dedup`` on the rows sorted by `order_by`, for any number of partitions and machines.

    df: the rows.
    text: the column of texts, or several, which are one text. Or html: the column of web pages, with their addresses in url.
    id: the column of ids.
    order_by: the columns that order the rows: earlier ones are kept. They must order all rows, so name the id last.
    threshold: the least similarity of a near-duplicate, by default 0.8. The methods b, c, combined and by-site need none.
    method: how candidates are found: 'exact', 'minhash', 'b', 'c', 'combined' or 'by-site'. All but the exact one compare signatures, and
        may miss pairs; they need not be faster. Their options are those of :class:`lookalike.Corpus`.
    against: a data frame of references with the same columns: rows that resemble one are removed.
    keep: 'first', 'last', 'longest', 'shortest', 'max:COLUMN' or 'min:COLUMN'; rows that are equal in it are taken by `order_by`.
    work: a folder that all executors can write to and read from. By default the checkpoint folder of the session, or on one machine a
        temporary folder.
    task_memory: bytes that a task may hold. By default what an executor has beside its heap (``spark.executor.pyspark.memory`` or
        ``spark.executor.memoryOverhead``), divided by its cores.
    partitions: tasks of a stage that exchanges rows. By default as many as the data needs.
    max_candidates: candidates that the driver takes at a time. If there are more, the rows are read again for each further slice of them.
        By default a 128th of the bytes of ``spark.driver.maxResultSize`` or ``spark.driver.memory``, whichever is less, and at most 50
        million.
    max_pairs: pairs of distinct sets that the driver decides on. If there are more, the tasks decide, in rounds. By default as
        max_candidates.
    max_heavy: distinct sets in lists that are compared block by block, of those that the driver settles at a time. If there are more, it
        settles one part of the keep order after the other. By default as max_candidates.
    max_sample: bytes that the sample may take on which the recall of a method by signatures is measured: texts, compressed, and their sets. If
        its 4,096 sets take more, fewer are drawn. By default an eighth of task_memory.
    max_looked_at: pairs of postings to look at before the longest lists are compared block by block. By default 2,000 for each row, and at
        least 2 billion.
    max_frequent: elements that are known to be frequent, of some 24 bytes each for every task. They come last in the order of elements.
    longest_list: documents in the longest list that is compared all with all. Longer ones are compared block by block.
    first_block: documents of the first such block. The next ones are larger if they have few candidates.
    """
    by = method_of(method, threshold, measure, options)
    question = Question(text, html, url, id, order_by, within, by, keep)
    how = settings(tokens=tokens, case=case, bag=bag, page=page, measure=measure, max_document=max_document)
    bounds = limits(
        df.sparkSession,
        task_memory,
        partitions,
        max_candidates=max_candidates,
        max_pairs=max_pairs,
        max_sample=max_sample,
        max_heavy=max_heavy,
        max_looked_at=max_looked_at,
        max_frequent=max_frequent,
        longest_list=longest_list,
        first_block=first_block,
    )
    join = begin(df, against, "against", question, how, by, bounds, work)
    try:
        join.match(LEAST_LOOKED_AT)
        settle(join)
        sum_up(join)
        return _answer(df, question, join, against is not None)
    except BaseException:
        join.work.remove()
        raise


def _answer(df: DataFrame, question: Question, join: Join, has_references: bool) -> Deduped:
    from pyspark.sql import functions as F

    work = join.work
    fate = work.get("fates").withColumnRenamed("twin", "twin_node")
    documents = join.documents()
    own = documents.where(F.col("node").bitwiseAND(F.lit(1)) == 0)
    firsts = documents.where("first").select(F.col("node").alias("twin_node"), F.col("id").alias("twin"))
    settled = own.join(fate, "node", "left")
    if has_references and not join.own:
        # A document that equals a reference has it as its twin.
        references = documents.where("first").where(F.col("node").bitwiseAND(F.lit(1)) == 1)
        references = references.select(F.col("node").bitwiseXOR(F.lit(1)).alias("node"), F.lit(True).alias("is_reference"))
        settled = settled.join(references, "node", "left")
        equal = F.col("is_reference")
        settled = settled.withColumn("twin_node", F.when(equal, F.col("node").bitwiseXOR(F.lit(1))).otherwise(F.col("twin_node")))
        settled = settled.withColumn("similarity", F.when(equal, F.lit(1.0)).otherwise(F.col("similarity")))
        copies = ~F.col("first") | F.coalesce(equal, F.lit(False))
    else:
        copies = ~F.col("first")
    gone = settled.where(copies | F.col("twin_node").isNotNull())
    gone = gone.select(
        "id",
        *join.columns.order_names,
        F.coalesce("twin_node", "node").alias("twin_node"),
        F.coalesce("similarity", F.lit(1.0)).alias("similarity"),
        copies.alias("identical"),
    ).join(firsts, "twin_node")
    chosen = ["id", "twin", "similarity", "identical"]
    if has_references:
        gone = gone.withColumn("reference", F.col("twin_node").bitwiseAND(F.lit(1)) == 1)
        chosen.append("reference")
    with join.stage("answer"):
        work.put(gone.select(*chosen, *join.columns.order_names), "removed")
    gone = work.get("removed")
    # The caller's rows, with the columns to order by under names that no column of theirs has.
    ordered = df
    for name, column in zip(join.columns.order_names, question.order_columns(df), strict=True):
        ordered = ordered.withColumn(f"__lookalike_{name}", column)
    keys = gone.select(*[F.col(name).alias(f"__removed_{name}") for name in join.columns.order_names])
    same = F.lit(True)
    for name in join.columns.order_names:
        same = same & F.col(f"__lookalike_{name}").eqNullSafe(F.col(f"__removed_{name}"))
    kept = ordered.join(keys, same, "left_anti").drop(*[f"__lookalike_{name}" for name in join.columns.order_names])
    within_own = gone.where(~F.col("reference")) if has_references else gone
    clusters = within_own.select(F.col("twin").alias("cluster"), F.col("id"), F.lit(False).alias("kept"))
    heads = within_own.select(F.col("twin").alias("cluster")).distinct()
    clusters = heads.select("cluster", F.col("cluster").alias("id"), F.lit(True).alias("kept")).unionByName(clusters)
    return Deduped(kept, gone.select(*chosen), clusters, join.summary, work)
