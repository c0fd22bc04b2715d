"""Batches of rows: what tasks read from them, and how they make them."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import pyarrow as pa

from ... import _lookalike as core
from ..._types import Rows
from .._ask.columns import Columns

POSTINGS, DOCUMENTS, KEYS = 0, 1, 2
"""Kinds of rows on their way to buckets."""
CANDIDATES, DOCUMENT, REPEATED, HEAVY, COUNTS, COLLISION = 0, 1, 2, 3, 4, 5
"""Kinds of rows that the buckets give."""

TILE_BITS = 24
"""A tile of a heavy list has the number of the list, and after it that of the tile in so many bits. Whole lists have 0."""

PIECE = 1 << 22
"""Bytes of blobs that leave a task at once, about."""
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Options of the GNU C library."""

Batches = Iterator[pa.RecordBatch]


def give_back() -> None:
    """Let the C library give memory back to the system when it is freed, and not keep up to 64 MB, or more in pieces."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:  # Only the GNU library has it.
        mallopt(M_TRIM_THRESHOLD, 1 << 20)
        mallopt(M_MMAP_THRESHOLD, 1 << 20)


class Reader:
    """Reads the rows of a batch."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    def rows(self, batch: pa.RecordBatch) -> Rows:
        columns = self.columns
        beside = [name for name, is_there in [("url", columns.has_url), ("site", columns.has_site)] if is_there]
        wanted = [*columns.text_names, *columns.within_names, *beside]
        found = dict(zip(wanted, core.Column.of_rows(batch, wanted), strict=True))
        return {
            "texts": [found[name] for name in columns.text_names],
            "is_page": columns.is_page,
            "url": found.get("url"),
            "site": found.get("site"),
            "within": [found[name] for name in columns.within_names],
        }

    def keys(self, batch: pa.RecordBatch) -> pa.Array:
        """Bytes that sort as the rows do."""
        data, offsets = core.order_keys(batch.select(self.columns.order_names), list(self.columns.orders))
        return pa.Array.from_buffers(pa.binary(), batch.num_rows, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def words(data: bytes) -> pa.Array:
    """64-bit numbers."""
    return pa.Array.from_buffers(pa.int64(), len(data) // 8, [None, pa.py_buffer(data)])


def raw(numbers: pa.Array) -> bytes:
    """The bytes of numbers without nulls."""
    width = numbers.type.bit_width // 8
    start = numbers.offset * width
    return numbers.buffers()[1].to_pybytes()[start : start + len(numbers) * width] if len(numbers) else b""


def numbers(data: bytes, kind: pa.DataType) -> pa.Array:
    width = kind.bit_width // 8
    return pa.Array.from_buffers(kind, len(data) // width, [None, pa.py_buffer(data)])


def batch_of(schema: pa.Schema, rows: int, **columns: Any) -> pa.RecordBatch:
    """A batch in which the other columns are null."""
    arrays = []
    for field in schema:
        given = columns.get(field.name)
        if given is None:
            arrays.append(pa.nulls(rows, field.type))
        elif isinstance(given, int):
            arrays.append(pa.array([given] * rows, field.type))
        else:
            arrays.append(given if isinstance(given, pa.Array) and given.type == field.type else _cast(given, field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _cast(values: Any, kind: pa.DataType) -> pa.Array:
    return values.cast(kind) if isinstance(values, pa.Array) else pa.array(values, kind)


def in_order(batches: Batches, names: Sequence[str], is_sorted: bool) -> Batches:
    """Rows in order. Spark sorts them, on disk if they are many; where an engine does not, this does, in memory."""
    if is_sorted:
        yield from batches
        return
    held = list(batches)
    if held:
        yield from pa.Table.from_batches(held).sort_by([(name, "ascending") for name in names]).to_batches()


def by_bucket(batches: Batches, name: str) -> Iterator[tuple[int, list[bytes]]]:
    """Gather the blobs of each bucket. Rows are sorted by bucket."""
    bucket, blobs = None, list[bytes]()
    for batch in batches:
        for at, blob in zip(batch.column(name).to_pylist(), batch.column("blob").to_pylist(), strict=True):
            if bucket is not None and at != bucket:
                yield bucket, blobs
                blobs = []
            bucket = at
            blobs.append(blob)
    if bucket is not None:
        yield bucket, blobs


def runs(batches: Batches) -> Iterator[tuple[int, Iterator[pa.RecordBatch]]]:
    """Divide rows sorted by bucket and kind into those of one bucket and kind each. Only one batch is held at a time."""

    def parts() -> Iterator[tuple[tuple[int, int], pa.RecordBatch]]:
        for batch in batches:
            buckets, kinds = batch.column("bucket").to_pylist(), batch.column("kind").to_pylist()
            start = 0
            for at in range(1, batch.num_rows + 1):
                if at == batch.num_rows or (buckets[at], kinds[at]) != (buckets[start], kinds[start]):
                    yield (buckets[start], kinds[start]), batch.slice(start, at - start)
                    start = at

    for (_, kind), group in groupby(parts(), key=lambda part: part[0]):
        yield kind, (part for _, part in group)


def places_of(batches: Batches) -> Iterator[tuple[int, Iterator[tuple[int, bytes]]]]:
    """Divide rows sorted by place."""
    def rows() -> Iterator[tuple[int, int, bytes]]:
        for batch in batches:
            places, kinds = batch.column("place").to_pylist(), batch.column("kind").to_pylist()
            for place, kind, blob in zip(places, kinds, batch.column("blob"), strict=True):
                yield place, kind, blob.as_buffer().to_pybytes()

    for place, group in groupby(rows(), key=lambda row: row[0]):
        yield place, ((kind, blob) for _, kind, blob in group)


class IsSorted:
    """Whether rows arrive in order, for a probe."""

    def __call__(self, batches: Batches) -> Batches:
        numbers = [number for batch in batches for number in batch.column("n").to_pylist()]
        yield pa.RecordBatch.from_pydict({"is_sorted": [numbers == sorted(numbers)]})
