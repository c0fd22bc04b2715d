"""Tasks that sum up the hits of candidates."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ... import _lookalike as core
from .batches import Batches, give_back, in_order

RECORD = 19
"""Bytes of a record with few hits: two nodes of 8 bytes, the hits, those that are needed, and whether it can be a pair."""
ONE, TWO = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
"""Factors of a hash of two nodes that is not the one by which they came to a part."""


class DivideHits:
    """Divides the records of parts that are too large for a task: (part, blob)."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for part, blob in zip(batch.column("part").to_pylist(), batch.column("blob"), strict=True):
                divided = divide(blob.as_buffer().to_pybytes(), self.steps)
                found = [(part * self.steps + step, some) for step, some in enumerate(divided) if some]
                parts, blobs = zip(*found, strict=True) if found else ((), ())
                yield pa.RecordBatch.from_pydict({"part": pa.array(parts, pa.int32()), "blob": pa.array(blobs, pa.binary())})


def divide(records: bytes, steps: int) -> list[bytes]:
    """Divide records by their nodes."""
    import numpy as np

    numbers = np.frombuffer(records, np.uint8)
    begins = _begins(records, numbers)
    step = _word(numbers, begins) * np.uint64(ONE) ^ _word(numbers, begins + 8) * np.uint64(TWO)
    step = (step >> np.uint64(32)) % np.uint64(steps)
    ends = np.append(begins[1:], len(records))
    return [
        b"".join(records[begin:end] for begin, end in zip(begins[step == one].tolist(), ends[step == one].tolist(), strict=True))
        for one in range(steps)
    ]


def _begins(records: bytes, numbers: Any) -> Any:
    """Where each record begins."""
    import numpy as np

    # If all are short, which is seen from the bytes after the nodes, they are as long as each other.
    if len(records) % RECORD == 0 and (numbers.reshape(-1, RECORD)[:, 16:18] < 0x80).all():
        return np.arange(0, len(records), RECORD)
    begins, at = [], 0
    while at < len(records):
        begins.append(at)
        at += 16
        for _ in range(2):  # the hits and those that are needed
            while records[at] & 0x80:
                at += 1
            at += 1
        at += 1
    return np.array(begins, np.int64)


def _word(numbers: Any, begins: Any) -> Any:
    """The number of eight bytes at each of these places."""
    import numpy as np

    return numbers[begins[:, None] + np.arange(8)].view("<u8").ravel()


class Sum:
    """Sums up the hits of candidates: those that have enough. `others` are the nodes in heavy lists."""

    def __init__(self, others: bytes, is_sorted: bool) -> None:
        self.others, self.is_sorted = others, is_sorted

    def __call__(self, batches: Batches) -> Batches:
        give_back()
        candidates, part, received = core.CoreCandidates(self.others), None, 0
        for batch in in_order(batches, ["part"], self.is_sorted):
            for at, blob in zip(batch.column("part").to_pylist(), batch.column("blob"), strict=True):
                if part is not None and at != part:
                    yield self._summed(part, candidates, received)
                    received = 0
                part = at
                candidates.add(blob.as_buffer().to_pybytes())
                received += len(blob.as_buffer())
        if part is not None:
            yield self._summed(part, candidates, received)

    @staticmethod
    def _summed(part: int, candidates: core.CoreCandidates, received: int) -> pa.RecordBatch:
        return pa.RecordBatch.from_pydict(
            {
                "part": pa.array([part], pa.int32()),
                "blob": pa.array([candidates.take()], pa.binary()),
                "received": pa.array([received], pa.int64()),
            }
        )
