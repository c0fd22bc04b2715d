"""Tasks that get what others posted: they find candidates."""

from __future__ import annotations

import json
import os
import tempfile
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
    TILE_BITS,
    Batches,
    batch_of,
    give_back,
    in_order,
    runs,
)


MEETING = ("bucket", "kind", "node", "key")
"""How the rows that arrive in a bucket are sorted."""


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
        hold: int,
        room: int,
        parts: int,
        schema: pa.Schema,
        is_sorted: bool,
    ) -> None:
        self.settings, self.threshold, self.method, self.compare = settings, threshold, method, compare
        self.most, self.longest, self.hold, self.room, self.parts = most, longest, hold, room, parts
        self.schema, self.is_sorted = schema, is_sorted

    def __call__(self, batches: Batches) -> Batches:
        give_back()
        for kind, parts in runs(in_order(batches, MEETING, self.is_sorted)):
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
        bucket = core.CoreBucket(self.settings, self.threshold, self.method, self.compare, self.hold, _folder())
        for part in parts:
            for blob in part.column("blob"):
                bucket.add(blob.as_buffer().to_pybytes())
        is_more, hits = True, 0
        while is_more:
            records = bucket.next(self.most, self.longest, self.room, self.parts)
            is_more = records is not None
            for part_number, blob in records or []:
                hits += len(blob)
                yield batch_of(self.schema, 1, kind=CANDIDATES, node=[part_number], blob=[blob])
            for number, tile, blob in bucket.take_heavy():
                yield batch_of(self.schema, 1, kind=HEAVY, node=[number << TILE_BITS | tile], blob=[blob])
        names = ("postings", "looked_at", "heavy", "tiled", "tiled_pairs")
        counts = dict(zip(names, bucket.counts(), strict=True)) | {"hits": hits}
        yield self._blobs(COUNTS, [json.dumps(counts).encode()])

    def _documents(self, parts: Batches) -> Batches:
        """Says which document is the first of its node. They arrive by node and key, so that none needs to be held."""
        last: tuple[pa.Array, pa.Array] | None = None
        names = [field.name for field in self.schema if field.name not in ("kind", "blob", "first")]
        for part in parts:
            columns = {name: part.column(name) for name in names}
            node, check = columns["node"], columns["check"]
            before = last or (pa.nulls(1, node.type), check.slice(0, 1))
            nodes, checks = (pa.concat_arrays([one, more.slice(0, len(more) - 1)]) for one, more in zip(before, (node, check), strict=True))
            # Of the very first document there is none before it: null.
            same = pc.fill_null(pc.equal(node, nodes), False)
            if pc.any(pc.and_(same, pc.not_equal(check, checks))).as_py():
                yield self._blobs(COLLISION, [b"two sets have the same hash"])
            last = node.slice(len(node) - 1), check.slice(len(check) - 1)
            yield batch_of(self.schema, part.num_rows, kind=DOCUMENT, first=pc.invert(same), **columns)

    def _blobs(self, kind: int, blobs: Sequence[bytes]) -> pa.RecordBatch:
        return batch_of(self.schema, len(blobs), kind=kind, blob=list(blobs))


def _folder() -> str:
    """Where a task has its temporary files: a disk that Spark uses for such files, if it says so."""
    folder = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0]
    return folder if os.path.isdir(folder) else tempfile.gettempdir()
