"""Tasks that get what others posted: they find candidates."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ... import _lookalike as core
from ..._types import Settings
from .batches import (
    CANDIDATES,
    COLLISION,
    COUNTS,
    DOCUMENT,
    DOCUMENTS,
    HEAVY,
    KEYS,
    POSTINGS,
    REPEATED,
    Batches,
    batch_of,
    by_bucket,
    in_order,
    runs,
)


class Meet:
    """Finds candidates in the postings of each bucket, and the first document of each node."""

    def __init__(
        self,
        settings: Settings,
        threshold: str,
        method: list[str] | None,
        compare: str,
        most: int,
        longest: int,
        room: int,
        parts: int,
        schema: pa.Schema,
        is_sorted: bool,
    ) -> None:
        self.settings, self.threshold, self.method, self.compare = settings, threshold, method, compare
        self.most, self.longest, self.room, self.parts = most, longest, room, parts
        self.schema, self.is_sorted = schema, is_sorted

    def __call__(self, batches: Batches) -> Batches:
        for kind, parts in runs(in_order(batches, ["bucket", "kind"], self.is_sorted)):
            if kind == POSTINGS:
                yield from self._meet(parts)
            elif kind == DOCUMENTS:
                yield from self._documents(parts)
            elif kind == KEYS:
                repeated = core.repeated_hashes([blob for part in parts for blob in part.column("blob").to_pylist()])
                if repeated:
                    yield self._blobs(REPEATED, [repeated])
            else:
                yield self._blobs(COUNTS, [blob for part in parts for blob in part.column("blob").to_pylist()])

    def _meet(self, parts: Batches) -> Batches:
        meeting = core.CoreMeeting(self.settings, self.threshold, self.method, self.compare)
        for part in parts:
            for blob in part.column("blob"):
                meeting.add(blob.as_buffer().to_pybytes())
        while (records := meeting.next(self.most, self.longest, self.room, self.parts)) is not None:
            for part_number, blob in records:
                yield batch_of(self.schema, 1, kind=CANDIDATES, node=[part_number], blob=[blob])
        heavy, heavy_postings, postings, looked_at = meeting.finish()
        if heavy:
            yield self._blobs(HEAVY, [heavy])
        counts = {"postings": postings, "looked_at": looked_at, "heavy": heavy_postings}
        yield self._blobs(COUNTS, [json.dumps(counts).encode()])

    def _documents(self, parts: Batches) -> Batches:
        table = pa.Table.from_batches(parts).sort_by([("node", "ascending"), ("key", "ascending")]).combine_chunks()
        node, check = table.column("node"), table.column("check")
        same = pc.equal(node.slice(1), node.slice(0, len(node) - 1))
        first = pa.concat_arrays([pa.array([True]), pc.invert(same).combine_chunks()])
        differs = pc.and_(same, pc.not_equal(check.slice(1), check.slice(0, len(check) - 1)))
        if pc.any(differs).as_py():
            yield self._blobs(COLLISION, [b"two sets have the same hash"])
        names = [field.name for field in self.schema if field.name not in ("kind", "blob", "first")]
        columns = {name: table.column(name).combine_chunks() for name in names}
        yield batch_of(self.schema, len(table), kind=DOCUMENT, first=first, **columns)

    def _blobs(self, kind: int, blobs: Sequence[bytes]) -> pa.RecordBatch:
        return batch_of(self.schema, len(blobs), kind=kind, blob=list(blobs))


class Sum:
    """Sums up the hits of candidates: those that have enough."""

    def __init__(self, others: bytes, is_sorted: bool) -> None:
        self.others, self.is_sorted = others, is_sorted

    def __call__(self, batches: Batches) -> Batches:
        candidates = core.CoreCandidates(self.others)
        for part, blobs in by_bucket(in_order(batches, ["part"], self.is_sorted), "part"):
            received = 0
            for blob in blobs:
                candidates.add(blob)
                received += len(blob)
            yield pa.RecordBatch.from_pydict(
                {
                    "part": pa.array([part], pa.int32()),
                    "blob": pa.array([candidates.take()], pa.binary()),
                    "received": pa.array([received], pa.int64()),
                }
            )


class MeetHeavy:
    """Compares the sets in heavy lists by the role of each."""

    def __init__(
        self,
        settings: Settings,
        threshold: str,
        method: list[str] | None,
        compare: str,
        roles: tuple[bytes, bytes, bytes],
        room: int,
    ) -> None:
        self.settings, self.threshold, self.method, self.compare = settings, threshold, method, compare
        self.roles, self.room = roles, room

    def __call__(self, batches: Batches) -> Batches:
        heavy = core.CoreHeavy(self.settings, self.threshold, self.method, self.compare, self.roles, self.room)
        for batch in batches:
            for blob in batch.column("blob"):
                for found in heavy.compare(blob.as_buffer().to_pybytes()):
                    yield pa.RecordBatch.from_pydict({"blob": pa.array([found], pa.binary())})


class HeavyNodes:
    """The nodes in heavy lists, each once for a list of blobs."""

    def __init__(self, settings: Settings, threshold: str, method: list[str] | None) -> None:
        self.settings, self.threshold, self.method = settings, threshold, method

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for blob in batch.column("blob"):
                nodes = core.heavy_nodes(self.settings, self.threshold, self.method, blob.as_buffer().to_pybytes())
                yield pa.RecordBatch.from_pydict({"blob": pa.array([nodes], pa.binary())})
