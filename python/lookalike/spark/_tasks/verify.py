"""Tasks that send texts, and compare the sets of candidates."""

from __future__ import annotations

import pyarrow as pa

from ... import _lookalike as core
from ..._types import Settings
from .._ask.columns import Columns
from .batches import PIECE, Batches, Reader, give_back, in_order, places_of


class Ship:
    """Sends the texts of candidates to their places: (place, kind, blob)."""

    def __init__(
        self,
        settings: Settings,
        threshold: str,
        method: list[str] | None,
        columns: Columns,
        keys: bytes,
        starts: bytes,
        places: bytes,
        most: int,
    ) -> None:
        self.settings, self.threshold, self.method = settings, threshold, method
        self.columns, self.keys = columns, keys
        self.starts, self.places, self.most = starts, places, most

    def __call__(self, batches: Batches) -> Batches:
        give_back()
        reader = Reader(self.columns)
        shipper = core.CoreShipper(self.settings, self.threshold, self.method, self.keys, self.starts, self.places)
        for batch in batches:
            hashes = core.hash_keys(reader.keys(batch))
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
