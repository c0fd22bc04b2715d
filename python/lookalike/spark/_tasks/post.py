"""Tasks that read all rows: they sample elements, and post sets."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ... import _lookalike as core
from ..._types import Settings
from .._ask.columns import Columns
from .batches import COUNTS, DOCUMENTS, KEYS, PIECE, POSTINGS, Batches, Reader, batch_of, by_bucket, give_back, in_order, numbers


class Sample:
    """Sends the elements of a sample to those who count them: (bucket, blob)."""

    def __init__(self, settings: Settings, threshold: str, columns: Columns, buckets: int) -> None:
        self.settings, self.threshold, self.columns, self.buckets = settings, threshold, columns, buckets

    def __call__(self, batches: Batches) -> Batches:
        give_back()
        reader, sampler = Reader(self.columns), core.CoreSampler(self.settings, self.threshold, self.buckets)
        texts = 0
        for batch in batches:
            sampler.add(reader.rows(batch))
            texts += sum(batch.column(name).nbytes for name in self.columns.text_names)
            if sampler.waiting >= PIECE:
                yield from self._taken(sampler)
        yield from self._taken(sampler)
        counts = {"documents": sampler.documents, "elements": sampler.elements, "posted": sampler.posted, "bytes": texts}
        yield pa.RecordBatch.from_pydict({"bucket": pa.array([-1], pa.int32()), "blob": [json.dumps(counts).encode()]})

    def _taken(self, sampler: core.CoreSampler) -> Batches:
        taken = sampler.take()
        if taken:
            buckets, blobs = zip(*taken, strict=True)
            yield pa.RecordBatch.from_pydict({"bucket": pa.array(buckets, pa.int32()), "blob": pa.array(blobs, pa.binary())})


class Count:
    """Counts the elements of a sample: the frequent ones with their counts, and what tasks have counted."""

    def __init__(self, least: int, is_sorted: bool) -> None:
        self.least, self.is_sorted = least, is_sorted

    def __call__(self, batches: Batches) -> Batches:
        for bucket, blobs in by_bucket(in_order(batches, ["bucket"], self.is_sorted), "bucket"):
            counted = blobs if bucket < 0 else [core.count_places(blobs, self.least)]
            yield pa.RecordBatch.from_pydict(
                {"bucket": pa.array([bucket] * len(counted), pa.int32()), "blob": pa.array(counted, pa.binary())}
            )


class Post:
    """Makes sets, and sends postings, documents and keys to their buckets."""

    def __init__(
        self,
        settings: Settings,
        threshold: str,
        method: list[str] | None,
        columns: Columns,
        frequent: bytes,
        buckets: int,
        others: int,
        own: bool,
        seed: int,
        most: int,
        schema: pa.Schema,
    ) -> None:
        self.settings, self.threshold, self.method = settings, threshold, method
        self.columns, self.frequent = columns, frequent
        self.buckets, self.others, self.own = buckets, others, own
        self.seed, self.most, self.schema = seed, most, schema

    def __call__(self, batches: Batches) -> Batches:
        give_back()
        reader = Reader(self.columns)
        poster = core.CorePoster(
            self.settings, self.threshold, self.method, self.frequent, self.buckets, self.own, self.seed
        )
        rows, texts, sent = 0, 0, 0
        for batch in batches:
            keys = reader.keys(batch)
            hashes = core.hash_keys(keys)
            sides = bytes(batch.column("side").to_pylist())
            posted = poster.add(reader.rows(batch), hashes, sides)
            rows += batch.num_rows
            texts += sum(batch.column(name).nbytes for name in self.columns.text_names)
            yield from self._documents(batch, keys, *posted)
            buckets, blobs = zip(*core.divide_hashes(hashes, self.others), strict=True) if rows else ((), ())
            sent += 8 * batch.num_rows
            if buckets:
                first = self.buckets + self.others
                yield self._blobs(KEYS, [first + bucket for bucket in buckets], blobs)
            if poster.waiting() > self.most:
                sent += poster.waiting()
                yield from self._postings(poster)
        sent += poster.waiting()
        yield from self._postings(poster)
        counts = json.dumps({"rows": rows, "bytes": texts, "sent": sent}).encode()
        yield self._blobs(COUNTS, [self.buckets], [counts])

    def _documents(
        self, batch: pa.RecordBatch, keys: pa.Array, nodes: bytes, sizes: bytes, checks: bytes, sites: bytes, prints: bytes
    ) -> Batches:
        sizes_ = numbers(sizes, pa.int32())
        buckets = numbers(core.buckets_of(nodes, self.others, self.buckets), pa.int32())
        whole = batch_of(
            self.schema,
            batch.num_rows,
            kind=DOCUMENTS,
            bucket=buckets,
            node=numbers(nodes, pa.int64()),
            key=keys,
            size=sizes_,
            check=numbers(checks, pa.int32()),
            site=numbers(sites, pa.int64()) if self.method else None,
            print=numbers(prints, pa.binary(16)) if self.method else None,
            **{name: batch.column(name) for name in ["id", *self.columns.order_names]},
        )
        with_set = whole.filter(pc.greater(sizes_, 0))
        if with_set.num_rows:
            yield with_set

    def _postings(self, poster: core.CorePoster) -> Batches:
        while taken := poster.take(PIECE):
            buckets, blobs = zip(*taken, strict=True)
            yield self._blobs(POSTINGS, buckets, blobs)

    def _blobs(self, kind: int, buckets: Sequence[int], blobs: Sequence[bytes]) -> pa.RecordBatch:
        return batch_of(self.schema, len(blobs), kind=kind, bucket=list(buckets), blob=list(blobs))
