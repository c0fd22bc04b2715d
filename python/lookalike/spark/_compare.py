"""Compare the sets of candidates: their texts are sent to places, where the sets are made again."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from .. import _lookalike as core
from ._ask.limits import VISITS, WANTED
from ._frames import frame, spread
from ._tasks.batches import raw, words
from ._tasks.verify import Ship, Verify
from ._tasks.wanted import Wanted

if TYPE_CHECKING:
    from ._join import Join

Placed = tuple[bytes, bytes, bytes, list[bytes]]
"""Hashes of documents, where the places of each begin, places, and the candidates of each place."""


def compare_sets(join: Join, candidates: bytes, known: pa.Table, *, beside: bool = False) -> tuple[list[str], int]:
    """Compare the sets of candidates. `known` has the documents of their nodes. Leaves the pairs in the work folder. Returns the names of their
    folders, and their number."""
    names, number = list[str](), 0
    for some, placed in _placed(join, candidates, known):
        name, found = _compare(join, some, placed, beside)
        names.append(name)
        number += found
    return names, number


def verified(join: Join, name: str) -> bytes:
    """The pairs in a folder, at the driver."""
    found = join.work.get(name).select("blob", "beside").toArrow()
    join.beside += b"".join(found["beside"].to_pylist())
    return b"".join(found["blob"].to_pylist())


def documents_of(known: pa.Table, nodes: bytes) -> pa.Table:
    """Those of the known documents that have these nodes."""
    return known.filter(pc.is_in(known["node"], words(nodes))).combine_chunks()


def _placed(join: Join, candidates: bytes, known: pa.Table) -> Generator[tuple[bytes, Placed], None, None]:
    """Candidates, and where their sets meet: in parts, if a task cannot know all sets and all the places that they go to."""
    memory, nodes = join.limits.task_memory, core.merge_nodes([candidates])
    if len(nodes) // 8 <= memory // WANTED or len(candidates) <= 16:
        known = documents_of(known, nodes) if len(known) > len(nodes) // 8 else known
        usual = max(1 << 14, pc.sum(known["size"]).as_py() // (2 * join.partitions))
        placed = core.place_candidates(
            candidates,
            raw(known["node"].combine_chunks()),
            raw(known["size"].combine_chunks()),
            core.hash_keys(known["key"].combine_chunks()),
            usual,
            max(1 << 16, memory // 48),
        )
        if len(placed[2]) // 4 <= memory // VISITS or len(candidates) <= 16:
            yield candidates, placed
            return
    half = len(candidates) // 32 * 16
    for part in (candidates[:half], candidates[half:]):
        yield from _placed(join, part, known)


def _compare(join: Join, candidates: bytes, placed: Placed, beside: bool) -> tuple[str, int]:
    from pyspark.sql import functions as F

    hashes, starts, places, groups = placed
    join.summary.candidates += len(candidates) // 16
    asked = pa.table(
        {
            "place": pa.array(range(len(groups)), pa.int32()),
            "kind": pa.array([0] * len(groups), pa.int8()),
            "blob": pa.array(groups, pa.binary()),
        }
    )
    given = (join.settings, join.threshold, join.method.line)
    ship = Ship(*given, join.columns, Wanted.of(hashes, starts, places), join.limits.task_memory // 8)
    verify = Verify(*given, join.own, join.seed, beside, join.is_sorted)
    name = f"verified-{len(join.summary.stages)}"
    with join.stage("verification"):
        shipped = join.rows.mapInArrow(ship, "place int, kind tinyint, blob binary")
        met = spread(shipped.unionByName(frame(join.spark, asked)), join.partitions, "place", join.is_sorted)
        met = met.sortWithinPartitions("place", "kind")
        join.work.put(met.mapInArrow(verify, "blob binary, beside binary, met binary, arrived long"), name)
        found = join.work.get(name)
        length, arrived = found.agg(F.sum(F.length("blob")), F.sum("arrived")).collect()[0]
        if join.method.is_signed:
            # Documents that share a key meet; pages only if the method takes them for a pair.
            groups_met = found.select("met").toArrow()["met"].to_pylist() if join.method.pages else []
            join.met += groups_met or [core.groups_that_meet(candidates)]
    join.summary.moved_bytes += (arrived or 0) + len(candidates)
    join.summary.pairs += (length or 0) // 28
    return name, (length or 0) // 28
