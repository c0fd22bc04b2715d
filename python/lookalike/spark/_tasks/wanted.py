"""Which documents are wanted, and where."""

from __future__ import annotations

import pyarrow as pa


class Wanted:
    """Places of documents, by the hashes of their keys: sorted arrays, which take 20 bytes for a document."""

    def __init__(self, hashes: bytes, starts: bytes, places: bytes) -> None:
        self.hashes, self.starts, self.places = hashes, starts, places

    @classmethod
    def of(cls, hashes: bytes, starts: bytes, places: bytes) -> Wanted:
        """Sort hashes: the places of number `at` are those from `starts[at]` on. Two data frames may have the same keys; then either
        document goes to the places of both."""
        import numpy as np

        keys, begins, all_places = np.frombuffer(hashes, "<u8"), np.frombuffer(starts, "<u4"), np.frombuffer(places, "<u4")
        distinct, owner = np.unique(keys, return_inverse=True)
        visits = np.repeat(owner.astype(np.uint64), np.diff(begins)) << np.uint64(32) | all_places
        visits = np.unique(visits)
        sums = np.searchsorted(visits, np.arange(len(distinct) + 1, dtype=np.uint64) << np.uint64(32))
        return cls(distinct.tobytes(), sums.astype("<u4").tobytes(), visits.astype("<u4").tobytes())

    def rows(self, hashes: bytes) -> pa.Array | None:
        """The numbers of those rows of a batch that are wanted. None if none is."""
        import numpy as np

        known, asked = np.frombuffer(self.hashes, "<u8"), np.frombuffer(hashes, "<u8")
        if not len(known):
            return None
        at = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        found = np.flatnonzero(known[at] == asked)
        return pa.array(found) if len(found) else None

    def some(self, hashes: bytes) -> tuple[bytes, bytes, bytes]:
        """The hashes, starts and places of these documents alone. All of them are wanted."""
        import numpy as np

        known, starts = np.frombuffer(self.hashes, "<u8"), np.frombuffer(self.starts, "<u4").astype(np.int64)
        at = np.unique(np.searchsorted(known, np.frombuffer(hashes, "<u8")))
        lengths = starts[at + 1] - starts[at]
        ends = np.cumsum(lengths)
        chosen = np.arange(lengths.sum()) - np.repeat(ends - lengths, lengths) + np.repeat(starts[at], lengths)
        places = np.frombuffer(self.places, "<u4")[chosen]
        return known[at].tobytes(), np.append(0, ends).astype("<u4").tobytes(), places.tobytes()
