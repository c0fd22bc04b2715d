"""Who is kept, decided by the tasks in rounds: for pairs that are too many for the driver.

Of each pair the later document depends on the earlier one. In a round, documents that depend on none are kept, those that depend on a
kept one are removed, and the pairs of these are dropped. What is left when it fits the driver is decided there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from .. import _lookalike as core
from .._types import Settings
from ._frames import frame, spread
from ._join import Join
from ._tasks.batches import Batches, in_order, numbers, raw, words

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

PAIRS = "node_a long, node_b long, common int, size_a int, size_b int"
FATES = "node long, twin long, similarity double"
VERIFIED = "blob binary, beside binary, met binary, arrived long"
EDGES = (
    "earlier long, later long, size_earlier int, size_later int, common int, rank int, rank_later int, key binary, key_later binary"
)


class Unpack:
    """Makes rows of verified pairs."""

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for blob in batch.column("blob"):
                columns = core.unpack_pairs(blob.as_buffer().to_pybytes())
                kinds = [pa.int64(), pa.int64(), pa.int32(), pa.int32(), pa.int32()]
                arrays = [numbers(column, kind) for column, kind in zip(columns, kinds, strict=True)]
                yield pa.RecordBatch.from_arrays(arrays, names=["node_a", "node_b", "common", "size_a", "size_b"])


class Twins:
    """Finds the twin of each removed document among the kept ones that it resembles."""

    def __init__(self, settings: Settings, threshold: str, is_sorted: bool) -> None:
        self.settings, self.threshold, self.is_sorted = settings, threshold, is_sorted

    def __call__(self, batches: Batches) -> Batches:
        twins = core.CoreTwins(self.settings, self.threshold)
        for batch in in_order(batches, ["later", "rank", "key"], self.is_sorted):
            twins.add(*[raw(batch.column(name)) for name in ("later", "earlier", "common", "size_later", "size_earlier")])
            yield self._taken(twins.take())
        yield self._taken(twins.finish())

    def _taken(self, columns: tuple[bytes, bytes, bytes]) -> pa.RecordBatch:
        later, twin, similarity = columns
        arrays = [words(later), words(twin), numbers(similarity, pa.float64())]
        return pa.RecordBatch.from_arrays(arrays, names=["node", "twin", "similarity"])


def decide(join: Join, names: list[str], most: int) -> None:
    """Decide on the pairs in these folders, and leave the fates in the work folder. The driver takes at most this many pairs."""
    from pyspark.sql import functions as F

    edges = join.work.get(edges_of(join, names, "edges"))
    left, removed, number = edges.select("later", "earlier"), list[str](), 0
    while (count := left.count()) > most:
        with join.stage("rounds"):
            number += 1
            join.summary.rounds += 1
            laters = left.select("later").distinct()
            free = left.select("earlier").distinct().join(laters, F.col("earlier") == F.col("later"), "left_anti")
            gone = left.join(free, "earlier", "left_semi").select(F.col("later").alias("node")).distinct()
            removed.append(_put(join, gone, f"removed-{number}"))
            gone = join.work.get(removed[-1])
            later = left.join(gone, F.col("later") == F.col("node"), "left_anti")
            later = later.join(gone, F.col("earlier") == F.col("node"), "left_anti")
            left = join.work.get(_put(join, later, f"left-{number}"))
    with join.stage("rounds"):
        if count:
            ordered = edges.join(left, ["later", "earlier"], "left_semi")
            removed.append(_put(join, frame(join.spark, _rest(join, ordered)), "removed-0"))
    find_twins(join, edges, join.work.get_all(removed, "node long"))


def find_twins(join: Join, edges: DataFrame, gone: DataFrame) -> None:
    """Find the twins of all documents that resemble a kept one. `gone` has those that are not kept."""
    from pyspark.sql import functions as F

    with join.stage("rounds"):
        alive = edges.join(gone, F.col("earlier") == F.col("node"), "left_anti")
        part = F.xxhash64("later").bitwiseAND(F.lit(0x7FFFFFFF)).cast("int")
        met = spread(alive.withColumn("part", part), join.partitions, "part", join.is_sorted)
        met = met.sortWithinPartitions("later", "rank", "key")
        join.work.put(met.mapInArrow(Twins(join.settings, join.threshold, join.is_sorted), FATES), "fates")


def edges_of(join: Join, names: list[str], name: str) -> str:
    """Leave the pairs in these folders as dependencies: the later document, the earlier one, their places in the order, and the numbers."""
    from pyspark.sql import functions as F

    pairs = join.work.get_all(names, VERIFIED).select("blob").mapInArrow(Unpack(), PAIRS)
    # References come first.
    rank = F.lit(1) - F.col("node").bitwiseAND(F.lit(1)).cast("int")
    first = join.documents().where("first").select("node", rank.alias("rank"), "key")
    for end in ("a", "b"):
        renamed = [F.col(name).alias(f"{name}_{end}") for name in ("node", "rank", "key")]
        pairs = pairs.join(first.select(*renamed), f"node_{end}")
    same_rank = F.col("rank_a") == F.col("rank_b")
    is_turned = F.when(same_rank, F.col("key_a") > F.col("key_b")).otherwise(F.col("rank_a") > F.col("rank_b"))

    def ends(name: str, earlier: str, later: str) -> list[Column]:
        a, b = F.col(f"{name}_a"), F.col(f"{name}_b")
        return [F.when(is_turned, b).otherwise(a).alias(earlier), F.when(is_turned, a).otherwise(b).alias(later)]

    with join.stage("rounds"):
        columns = [*ends("node", "earlier", "later"), *ends("size", "size_earlier", "size_later"), "common"]
        columns += [*ends("rank", "rank", "rank_later"), *ends("key", "key", "key_later")]
        return _put(join, pairs.select(*columns), name)


def _rest(join: Join, edges: DataFrame) -> pa.Table:
    """Decide on what is left, at the driver. Returns the removed nodes."""
    table = edges.toArrow()
    names = [("earlier", "rank", "key", "size_earlier"), ("later", "rank_later", "key_later", "size_later")]
    ends = [table.select(list(some)).rename_columns(["node", "rank", "key", "size"]) for some in names]
    known = pa.concat_tables(ends).group_by("node").aggregate([(name, "one") for name in ("rank", "key", "size")])
    known = known.sort_by([("rank_one", "ascending"), ("key_one", "ascending")]).combine_chunks()
    pinned = known["rank_one"].to_pylist().count(0)
    columns = [table[name].combine_chunks() for name in ("later", "earlier", "common", "size_later", "size_earlier")]
    nodes, sizes = raw(known["node"].combine_chunks()), raw(known["size_one"].combine_chunks())
    settling = core.CoreSettling(join.settings, join.threshold, nodes, sizes, pinned, b"", b"")
    settling.add(core.pack_pairs(*[raw(column) for column in columns]))
    settling.begin_block(1 << 62)
    settling.end_block()
    return pa.table({"node": words(settling.removed()[0])})


def _put(join: Join, df: DataFrame, name: str) -> str:
    join.work.put(df, name)
    return name
