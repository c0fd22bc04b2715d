"""Tasks that compare the sets in lists that are too long, block by block or in tiles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import pyarrow as pa

from ... import _lookalike as core
from ..._types import Settings
from .batches import PIECE, TILE_BITS, Batches, by_bucket, give_back, in_order, raw

OPEN, KEPT, LATER = 0, 1, 2
"""Roles of sets in a list."""
Roles = tuple[bytes, bytes, bytes]
"""The nodes that are open and kept, and a filter of the later ones."""


def _blobs(number: int, blob: bytes) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"part": pa.array([number], pa.int32()), "blob": pa.array([blob], pa.binary())})


class HeavyNodes:
    """The nodes in heavy lists, in buckets by the first bits of the node: (part, blob). A node may occur several times."""

    def __init__(self, settings: Settings, threshold: str, method: list[str] | None, buckets: int) -> None:
        self.settings, self.threshold, self.method, self.buckets = settings, threshold, method, buckets

    def __call__(self, batches: Batches) -> Batches:
        found, size = list[bytes](), 0
        for batch in batches:
            for blob in batch.column("blob"):
                found.append(core.heavy_nodes(self.settings, self.threshold, self.method, blob.as_buffer().to_pybytes()))
                size += len(found[-1])
                # A set is in several lists.
                if size > 4 * PIECE:
                    yield from self._divided(found)
                    found, size = [], 0
        yield from self._divided(found)

    def _divided(self, found: list[bytes]) -> Batches:
        for bucket, blob in core.divide_hashes(core.merge_nodes(found), self.buckets):
            yield _blobs(bucket, blob)


class BucketNodes:
    """Divides nodes into the same buckets: (part, blob)."""

    def __init__(self, buckets: int) -> None:
        self.buckets = buckets

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for bucket, blob in core.divide_hashes(raw(batch.column("node")), self.buckets):
                yield _blobs(bucket, blob)


class MergeNodes:
    """The nodes of each bucket, each once: (part, blob)."""

    def __init__(self, is_sorted: bool) -> None:
        self.is_sorted = is_sorted

    def __call__(self, batches: Batches) -> Batches:
        for bucket, blobs in by_bucket(in_order(batches, ["part"], self.is_sorted), "part"):
            yield _blobs(bucket, core.merge_nodes(blobs))


class FilterNodes:
    """The part of a filter for the nodes of each bucket: (part, blob). A bucket comes whole."""

    def __init__(self, each: int, buckets: int, is_sorted: bool) -> None:
        self.each, self.buckets, self.is_sorted = each, buckets, is_sorted

    def __call__(self, batches: Batches) -> Batches:
        for bucket, blobs in by_bucket(in_order(batches, ["part"], self.is_sorted), "part"):
            yield _blobs(bucket, core.node_filter(b"".join(blobs), self.each, self.buckets))


class MeetHeavy:
    """Compares the sets in heavy lists by the role of each: (part, blob)."""

    def __init__(
        self, settings: Settings, threshold: str, method: list[str] | None, compare: str, roles: Roles, room: int
    ) -> None:
        self.settings, self.threshold, self.method, self.compare = settings, threshold, method, compare
        self.roles, self.room = roles, room

    def __call__(self, batches: Batches) -> Batches:
        give_back()
        heavy = core.CoreHeavy(self.settings, self.threshold, self.method, self.compare, self.roles, self.room)
        for batch in batches:
            for blob in batch.column("blob"):
                for found in heavy.compare(blob.as_buffer().to_pybytes()):
                    yield _blobs(0, found)


class Divide:
    """Divides the tiles of lists that no task can hold by the role of each set: (list, role, blob)."""

    def __init__(self, settings: Settings, threshold: str, method: list[str] | None, roles: Roles) -> None:
        self.settings, self.threshold, self.method, self.roles = settings, threshold, method, roles

    def __call__(self, batches: Batches) -> Batches:
        roles = core.CoreRoles(self.settings, self.threshold, self.method, self.roles)
        for number, blob in _tiles(batches):
            for role, part in enumerate(roles.divide(blob.as_buffer().to_pybytes())):
                if part:
                    yield _given(number >> TILE_BITS, role, pa.array([part], pa.binary()))


class DivideTiles:
    """Gives each tile of a list that no task can hold to a place of its own, and to those of all tiles before it: (list, role, blob). There
    its sets are compared with each other, or with those of the tile before."""

    def __call__(self, batches: Batches) -> Batches:
        for number, blob in _tiles(batches):
            same = pa.array([blob.as_py()], pa.binary())
            yield _given(number, OPEN, same)
            yield _given(number, KEPT, same)
            for before in range(number >> TILE_BITS << TILE_BITS, number):
                yield _given(before, LATER, same)


def _tiles(batches: Batches) -> Iterator[tuple[int, pa.Scalar]]:
    for batch in batches:
        yield from zip(batch.column("node").to_pylist(), batch.column("blob"), strict=True)


def _given(number: int, role: int, blob: pa.Array) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"list": pa.array([number], pa.int64()), "role": pa.array([role], pa.int32()), "blob": blob})


class MeetTiles:
    """Compares the sets of lists that come in tiles, divided by role: (part, blob). With parts, the blobs are records of hits; without, pairs
    of nodes."""

    def __init__(
        self, settings: Settings, threshold: str, method: list[str] | None, compare: str, room: int, parts: int, is_sorted: bool
    ) -> None:
        self.settings, self.threshold, self.method, self.compare = settings, threshold, method, compare
        self.room, self.parts, self.is_sorted = room, parts, is_sorted

    def __call__(self, batches: Batches) -> Batches:
        give_back()

        def rows() -> Iterator[tuple[int, int, pa.Scalar]]:
            for batch in in_order(batches, ["list", "role"], self.is_sorted):
                lists, roles = batch.column("list").to_pylist(), batch.column("role").to_pylist()
                yield from zip(lists, roles, batch.column("blob"), strict=True)

        given = (self.settings, self.threshold, self.method, self.compare, self.room, self.parts)
        for _, tiles in groupby(rows(), key=lambda row: row[0]):
            tiled = core.CoreTiledList(*given)
            for _, role, blob in tiles:
                for part, found in tiled.add(role, blob.as_buffer().to_pybytes()):
                    yield _blobs(part, found)
            for part, found in tiled.finish():
                yield _blobs(part, found)
