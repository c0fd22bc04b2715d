"""Lists that are too long for a task, or to be compared all with all: block by block of the keep order, or tile by tile.

A task has the nodes of one block. Of the sets that follow it has a filter, which may take others for them: these cost work, never a pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa

from .. import _lookalike as core
from ._compare import compare_sets, verified
from ._frames import blobs_of, spread
from ._join import Join
from ._tasks.batches import HEAVY
from ._tasks.heavy import BucketNodes, Divide, DivideTiles, FilterNodes, HeavyNodes, MeetHeavy, MeetTiles, MergeNodes, Roles

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FILTER_BYTES = 8
"""Bytes of a filter for a node, if there is room: then it takes one other node of 64 for one of its own."""
FILTER_SHARE = 8
"""A filter takes an eighth of a task's memory at most."""
IN_BUCKET = 16 * 8
"""Bytes of a node of a bucket, as often as it occurs, in a sixteenth of a task's memory."""
IN_BLOCK = 1024
"""Bytes of a task's memory for a set of a block, with its postings in a list."""
BLOBS = "part int, blob binary"
NODES = "heavy-nodes"
TILES = "list long, role int, blob binary"


class HeavySets:
    """The distinct sets in heavy lists. Their nodes are in the work folder, in buckets by their first bits."""

    def __init__(self, join: Join) -> None:
        from pyspark.sql import functions as F

        self.join = join
        self.buckets = max(join.partitions, -(-join.heavy_postings * IN_BUCKET // join.limits.task_memory))
        with join.stage("long lists"):
            task = HeavyNodes(join.settings, join.threshold, join.method.line, self.buckets)
            listed = join.kept(HEAVY).select("blob").mapInArrow(task, BLOBS)
            join.work.put(self._bucketed(listed).mapInArrow(MergeNodes(join.is_sorted), BLOBS), NODES)
            self.number: int = (join.work.get(NODES).agg(F.sum(F.length("blob"))).collect()[0][0] or 0) // 8

    @cached_property
    def nodes(self) -> bytes:
        """All nodes, at the driver."""
        with self.join.stage("long lists"):
            return core.merge_nodes(blobs_of(self.join.work.get(NODES)))

    def filter(self) -> bytes:
        """A filter of all nodes."""
        if self.number <= self.join.limits.max_heavy:
            return core.node_filter(self.nodes, self._each * self.buckets, 1)
        return self._filter(self.join.work.get(NODES))

    def filter_of(self, nodes: DataFrame) -> bytes:
        """A filter of these nodes of them, as large as that of all."""
        return self._filter(self._bucketed(nodes.select("node").mapInArrow(BucketNodes(self.buckets), BLOBS)))

    def empty_filter(self) -> bytes:
        """A filter of no nodes, as large as that of all."""
        return bytes(self._each * self.buckets)

    @property
    def _each(self) -> int:
        """Bytes of a bucket's part of a filter."""
        most = self.join.limits.task_memory // FILTER_SHARE
        return max(1, min(FILTER_BYTES * self.number, most) // self.buckets)

    def _bucketed(self, blobs: DataFrame) -> DataFrame:
        return spread(blobs, self.join.partitions, "part", self.join.is_sorted).sortWithinPartitions("part")

    def _filter(self, bucketed: DataFrame) -> bytes:
        with self.join.stage("long lists"):
            found = bucketed.mapInArrow(FilterNodes(self._each, self.buckets, self.join.is_sorted), BLOBS).toArrow()
        parts = dict(zip(found["part"].to_pylist(), found["blob"].to_pylist(), strict=True))
        return b"".join(parts.get(bucket, bytes(self._each)) for bucket in range(self.buckets))


class Blocks:
    """Settles sets of heavy lists block by block."""

    def __init__(self, join: Join, settling: core.CoreSettling, documents_of: Callable[[bytes], pa.Table], after: bytes) -> None:
        """`documents_of` returns the first documents of nodes. `after` is a filter of the sets that follow those to be settled."""
        self.join, self.settling, self.documents_of, self.after = join, settling, documents_of, after
        self.pairs = list[str]()
        """The folders of the pairs that are found."""

    def run(self) -> None:
        """Settle all blocks."""
        join, held = self.join, max(1, self.join.limits.task_memory // IN_BLOCK)
        self._compare_later(self.settling.begin(), held)
        most = min(join.limits.first_block, held)
        while (opened := self.settling.begin_block(most)) is not None:
            found = self._compare((opened, b"", b""))
            if found is None:
                most = len(opened) // 16
                continue
            join.summary.rounds += 1
            self._compare_later(self.settling.end_block(), held)
            # As many more as keeps the next block within the bound, if it is like this one.
            growth = (join.limits.max_candidates / 8 / max(1, found)) ** 0.5
            most = max(1, min(held, int(most * min(4, max(0.5, growth)))))

    def _compare_later(self, kept: bytes, held: int) -> None:
        """Compare kept sets with those after them, half of the kept ones at a time if that is too much."""
        if kept:
            later = self.settling.later(self.after)
            if later.count(0) < len(later):
                self._compare_halves(kept, later, held)

    def _compare_halves(self, kept: bytes, later: bytes, held: int) -> None:
        if len(kept) // 8 > held or self._compare((b"", kept, later)) is None:
            middle = len(kept) // 16 * 8
            for half in (kept[:middle], kept[middle:]):
                self._compare_halves(half, later, held)

    def _compare(self, roles: Roles) -> int | None:
        """Compare sets by their roles. Returns the number of candidates, or None if these are too many for the driver and can be divided."""
        opened, kept, _ = roles
        if not opened and not kept:
            return 0
        with self.join.stage("long lists"):
            number, found = self._meet(roles)
        if number > self.join.limits.max_candidates and len(opened) + len(kept) > 8:
            return None
        compared = 0
        for candidates in self._slices(number, found):
            compared += len(candidates) // 16
            names, _ = compare_sets(self.join, candidates, self.documents_of(core.merge_nodes([candidates])))
            for name in names:
                self.settling.add(verified(self.join, name))
            self.pairs += names
        return compared

    def _meet(self, roles: Roles) -> tuple[int, DataFrame]:
        """Find candidates in heavy lists: how many, and their blobs, in the work folder."""
        from pyspark.sql import functions as F

        join = self.join
        given, room = (join.settings, join.threshold, join.method.line), join.limits.task_memory // 1024
        heavy = join.kept(HEAVY).select("node", "blob")
        found = heavy.where("node = 0").select("blob").mapInArrow(MeetHeavy(*given, join.compare, roles, room), BLOBS)
        if join.tiled_postings:
            divided = heavy.where("node > 0").mapInArrow(Divide(*given, roles), TILES)
            found = found.unionByName(meet_tiles(join, divided, 0))
        name = f"heavy-{len(join.summary.stages)}"
        join.work.put(found, name)
        found = join.work.get(name)
        return (found.agg(F.sum(F.length("blob"))).collect()[0][0] or 0) // 16, found

    def _slices(self, number: int, found: DataFrame) -> Iterator[bytes]:
        """The candidates, as many at a time as the driver takes."""
        most = self.join.limits.max_candidates
        if number <= most:
            with self.join.stage("long lists"):
                candidates = core.merge_candidates(blobs_of(found))
            if candidates:
                yield candidates
            return
        blobs = list[bytes]()
        for row in found.select("blob").toLocalIterator():
            blobs.append(bytes(row["blob"]))
            if sum(map(len, blobs)) >= 16 * most:
                yield core.merge_candidates(blobs)
                blobs = []
        if blobs:
            yield core.merge_candidates(blobs)


def meet_tiles(join: Join, divided: DataFrame, parts: int) -> DataFrame:
    """Find candidates in tiles of lists that no task can hold: pairs of nodes, or records of hits in this many parts."""
    from pyspark.sql import functions as F

    gathered = spread(divided, join.partitions, F.xxhash64("list"), join.is_sorted).sortWithinPartitions("list", "role")
    given, room = (join.settings, join.threshold, join.method.line, join.compare), join.limits.task_memory // 1024
    return gathered.mapInArrow(MeetTiles(*given, room, parts, join.is_sorted), BLOBS)


def hits_in_tiles(join: Join) -> DataFrame:
    """Compare all sets in lists that no task can hold: their hits, as the meeting leaves those of other lists."""
    from pyspark.sql import functions as F

    with join.stage("long lists"):
        divided = join.kept(HEAVY).select("node", "blob").mapInArrow(DivideTiles(), TILES)
        join.work.put(meet_tiles(join, divided, join.parts), "tiles")
        found = join.work.get("tiles")
        join.summary.hit_bytes += found.agg(F.sum(F.length("blob"))).collect()[0][0] or 0
    return found
