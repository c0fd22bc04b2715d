"""Tasks that send texts, and compare the sets of candidates."""

from __future__ import annotations

import pyarrow as pa

from ... import _lookalike as core
from ..._types import Settings
from .._ask.columns import Columns
from .batches import Batches, Reader, in_order, places_of


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
        reader = Reader(self.columns)
        shipper = core.CoreShipper(self.settings, self.threshold, self.method, self.keys, self.starts, self.places)
        for batch in batches:
            hashes = core.hash_keys(reader.keys(batch))
            shipper.add(reader.rows(batch), hashes, bytes(batch.column("side").to_pylist()))
            if shipper.waiting() > self.most:
                yield from self._parcels(shipper)
        yield from self._parcels(shipper)

    def _parcels(self, shipper: core.CoreShipper) -> Batches:
        for place, blob in shipper.take():
            yield pa.RecordBatch.from_pydict(
                {
                    "place": pa.array([place], pa.int32()),
                    "kind": pa.array([1], pa.int8()),
                    "blob": pa.array([blob], pa.binary()),
                }
            )


class Verify:
    """Compares the sets of candidates at each place: the pairs, what is beside them, who has met, and the bytes that arrived."""

    def __init__(
        self, settings: Settings, threshold: str, method: list[str] | None, own: bool, seed: int, beside: bool, is_sorted: bool
    ) -> None:
        self.settings, self.threshold, self.method = settings, threshold, method
        self.own, self.seed, self.beside, self.is_sorted = own, seed, beside, is_sorted

    def __call__(self, batches: Batches) -> Batches:
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
