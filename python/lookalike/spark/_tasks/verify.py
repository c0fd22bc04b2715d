"""Tasks that send texts, and compare the sets of candidates."""

from __future__ import annotations

import pyarrow as pa

from ... import _lookalike as core
from ..._types import Settings
from .._ask.columns import Columns
from .batches import PIECE, Batches, Reader, give_back, in_order, places_of, raw, words
from .wanted import Wanted


class Ship:
    """Sends the texts of candidates to their places: (place, kind, blob)."""

    def __init__(
        self,
        settings: Settings,
        threshold: str,
        method: list[str] | None,
        columns: Columns,
        wanted: Wanted,
        most: int,
    ) -> None:
        self.settings, self.threshold, self.method = settings, threshold, method
        self.columns, self.wanted, self.most = columns, wanted, most

    def __call__(self, batches: Batches) -> Batches:
        give_back()
        reader, held, size = Reader(self.columns), list[tuple[pa.RecordBatch, bytes]](), 0
        for batch in batches:
            hashes = core.hash_keys(reader.keys(batch))
            if (rows := self.wanted.rows(hashes)) is None:
                continue
            held.append((batch.take(rows), raw(words(hashes).take(rows))))
            size += held[-1][0].nbytes
            if size > self.most // 2:
                yield from self._shipped(reader, held)
                held, size = [], 0
        yield from self._shipped(reader, held)

    def _shipped(self, reader: Reader, held: list[tuple[pa.RecordBatch, bytes]]) -> Batches:
        """The texts of wanted rows, as parcels."""
        if not held:
            return
        # The native half has the places of these rows only: the table of all takes several times as much there.
        some = self.wanted.some(b"".join(hashes for _, hashes in held))
        shipper = core.CoreShipper(self.settings, self.threshold, self.method, *some)
        for batch, hashes in held:
            shipper.add(reader.rows(batch), hashes, bytes(batch.column("side").to_pylist()))
            if shipper.waiting() > self.most:
                yield from self._parcels(shipper)
        yield from self._parcels(shipper)

    def _parcels(self, shipper: core.CoreShipper) -> Batches:
        places, blobs, size = list[int](), list[bytes](), 0
        while (parcel := shipper.take()) is not None:
            places.append(parcel[0])
            blobs.append(parcel[1])
            size += len(parcel[1])
            if size > PIECE:
                yield self._batch(places, blobs)
                places, blobs, size = [], [], 0
        if places:
            yield self._batch(places, blobs)

    @staticmethod
    def _batch(places: list[int], blobs: list[bytes]) -> pa.RecordBatch:
        kinds = pa.array([1] * len(places), pa.int8())
        return pa.RecordBatch.from_pydict({"place": pa.array(places, pa.int32()), "kind": kinds, "blob": pa.array(blobs, pa.binary())})


class Verify:
    """Compares the sets of candidates at each place: the pairs, what is beside them, who has met, and the bytes that arrived."""

    def __init__(
        self, settings: Settings, threshold: str, method: list[str] | None, own: bool, seed: int, beside: bool, is_sorted: bool
    ) -> None:
        self.settings, self.threshold, self.method = settings, threshold, method
        self.own, self.seed, self.beside, self.is_sorted = own, seed, beside, is_sorted

    def __call__(self, batches: Batches) -> Batches:
        give_back()
        for _, rows in places_of(in_order(batches, ["place", "kind"], self.is_sorted)):
            verifier = core.CoreVerifier(self.settings, self.threshold, self.method, self.own, self.seed, self.beside)
            arrived = 0
            for kind, blob in rows:
                if kind == 0:
                    verifier.add_candidates(blob)
                else:
                    arrived += len(blob)
                    verifier.add_parcel(blob)
            found = [pa.array([blob], pa.binary()) for blob in verifier.finish()]
            yield pa.RecordBatch.from_arrays(
                [*found, pa.array([arrived], pa.int64())], names=["blob", "beside", "met", "arrived"]
            )
