"""Who is kept, if the sets in heavy lists are too many for the driver: it settles one part of the keep order after the other.

The driver holds the sets of a part, and the pairs among them. Sets that resemble a kept one of an earlier part are removed; the tasks look
that up. Kept sets are compared with all later ones in their lists, those of later parts too. The twins are found at the end, by the tasks.
Where a part begins costs work and changes no answer.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from .. import _lookalike as core
from ._blocks import NODES, Blocks, HeavySets
from ._frames import frame
from ._join import Join
from ._rounds import EDGES, edges_of, find_twins
from ._tasks.batches import Batches, raw, words

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

SAMPLED = 1024
"""Sets, and pairs, of a part that are looked at to say where it begins."""
INVOLVED = "involved"
Bound = tuple[int, bytes]
"""A place in the keep order: whether it is a reference (0) or not, and the key."""


class UnpackNodes:
    """Makes rows of nodes."""

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for blob in batch.column("blob"):
                yield pa.RecordBatch.from_pydict({"node": words(blob.as_buffer().to_pybytes())})


def settle_in_parts(join: Join, heavy: HeavySets, folders: list[str]) -> None:
    """Decide on the pairs in these folders and on heavy lists. Leaves the fates in the work folder."""
    if not join.method.pages:
        join.met_elsewhere = heavy.number
    edges, removed = [edges_of(join, folders, "edges")], list[str]()
    involved = _involved(join, edges[0])
    bounds = _bounds(join, involved, join.work.get_all(edges, EDGES))
    for at, low in enumerate(bounds):
        high = bounds[at + 1] if at + 1 < len(bounds) else None
        settling = _begin(join, involved, low, high, edges, removed)
        after = heavy.empty_filter()
        if high is not None:
            after = heavy.filter_of(involved.where("heavy = 1").where(_from("rank", "key", high)))
        blocks = Blocks(join, settling, join.nodes, after)
        blocks.run()
        with join.stage("rounds"):
            gone = pa.table({"node": words(settling.removed()[0])})
            join.work.put(frame(join.spark, gone), f"removed-{at}")
        removed.append(f"removed-{at}")
        edges.append(edges_of(join, blocks.pairs, f"edges-{at}"))
    find_twins(join, join.work.get_all(edges, EDGES), join.work.get_all(removed, "node long"))


def _involved(join: Join, edges: str) -> DataFrame:
    """The first documents of the sets in heavy lists, and of those in pairs: node, rank, key, size, heavy."""
    from pyspark.sql import functions as F

    pairs = join.work.get(edges)
    listed = join.work.get(NODES).select("blob").mapInArrow(UnpackNodes(), "node long").withColumn("heavy", F.lit(1))
    ends = [pairs.select(F.col(end).alias("node"), F.lit(0).alias("heavy")) for end in ("earlier", "later")]
    nodes = reduce(lambda one, two: one.unionByName(two), [listed, *ends]).groupBy("node").agg(F.max("heavy").alias("heavy"))
    rank = F.lit(1) - F.col("node").bitwiseAND(F.lit(1)).cast("int")
    first = join.documents().where("first").select("node", rank.alias("rank"), "key", "size")
    with join.stage("rounds"):
        join.work.put(first.join(nodes, "node"), INVOLVED)
    return join.work.get(INVOLVED)


def _bounds(join: Join, involved: DataFrame, edges: DataFrame) -> list[Bound]:
    """Where parts begin, by a sample, so that each has about half of what the driver takes."""
    from pyspark.sql import functions as F

    found = list[tuple[int, bytes, float]]()
    ends = [(involved.select("rank", "key", "node"), "node", join.limits.max_heavy)]
    ends.append((edges.select(F.col("rank_later").alias("rank"), F.col("key_later").alias("key"), "earlier"), "earlier", join.limits.max_pairs))
    with join.stage("rounds"):
        for rows, node, most in ends:
            every = max(1, most // SAMPLED)
            some = rows.where(F.pmod(F.xxhash64(node, "key"), F.lit(every)) == 0).select("rank", "key").toArrow()
            found += [(rank, key, every / most) for rank, key in zip(some["rank"].to_pylist(), some["key"].to_pylist(), strict=True)]
    bounds, cost = [(0, b"")], 0.0
    for rank, key, each in sorted(found):
        if cost + each > 0.5 and cost and (rank, key) > bounds[-1]:
            bounds.append((rank, key))
            cost = 0.0
        cost += each
    return bounds


def _begin(join: Join, involved: DataFrame, low: Bound, high: Bound | None, edges: list[str], removed: list[str]) -> core.CoreSettling:
    """What the driver needs to settle a part."""
    from pyspark.sql import functions as F

    def here(rank: str, key: str) -> Column:
        return _from(rank, key, low) if high is None else _from(rank, key, low) & ~_from(rank, key, high)

    into = join.work.get_all(edges, EDGES).where(here("rank_later", "key_later"))
    gone = join.work.get_all(removed, "node long")
    before = into.where(~_from("rank", "key", low)).join(gone, F.col("earlier") == F.col("node"), "left_anti")
    with join.stage("rounds"):
        known = involved.where(here("rank", "key")).toArrow().sort_by([("rank", "ascending"), ("key", "ascending")]).combine_chunks()
        matched = before.select("later").distinct().toArrow()["later"].combine_chunks()
        pairs = into.where(_from("rank", "key", low)).select("later", "earlier", "common", "size_later", "size_earlier").toArrow()
    pinned = pc.sum(pc.equal(known["rank"], 0)).as_py() or 0
    listed = known.filter(pc.equal(known["heavy"], 1))["node"].combine_chunks()
    settling = core.CoreSettling(
        join.settings,
        join.threshold,
        raw(known["node"].combine_chunks()),
        raw(known["size"].combine_chunks()),
        pinned,
        raw(listed),
        raw(matched),
    )
    settling.add(core.pack_pairs(*[raw(column.combine_chunks()) for column in pairs.columns]))
    return settling


def _from(rank: str, key: str, bound: Bound) -> Column:
    """Whether a row is not before a place in the keep order."""
    from pyspark.sql import functions as F

    return (F.col(rank) > bound[0]) | (F.col(rank) == bound[0]) & (F.col(key) >= F.lit(bound[1]))
