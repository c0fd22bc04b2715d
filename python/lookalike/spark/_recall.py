"""How many pairs a method by signatures finds, measured on a sample of the sets.

The sample, the count and the interval are those of the command. The driver gets the texts of the sample, at most 4,096 and
not more bytes than `max_sample`, and sends them to all tasks, which compare every row with them.
"""

from __future__ import annotations

from itertools import accumulate

import pyarrow as pa

from .. import _lookalike as core
from .._types import Settings
from ._ask.columns import Columns
from ._frames import frame, spread
from ._join import Join
from ._summary import Recall, Signatures
from ._tasks.batches import Batches, Reader, in_order, numbers
from ._tasks.verify import Ship
from ._tasks.wanted import Wanted

ELEMENT = 16
"""Bytes of an element of a sampled set, in a task."""
PROBED = pa.schema(
    [
        ("part", pa.int32()),
        ("print", pa.binary()),
        ("rank", pa.int32()),
        ("key", pa.binary()),
        ("node", pa.int64()),
        ("blob", pa.binary()),
    ]
)


class Probe:
    """Compares rows with the sample: those that resemble a set of it, or have one."""

    def __init__(
        self,
        settings: Settings,
        threshold: str,
        method: list[str] | None,
        columns: Columns,
        sample: tuple[list[bytes], bytes, bytes],
        references_first: bool,
    ) -> None:
        self.settings, self.threshold, self.method = settings, threshold, method
        self.columns, self.sample, self.references_first = columns, sample, references_first

    def __call__(self, batches: Batches) -> Batches:
        reader, probe = Reader(self.columns), core.CoreProbe(self.settings, self.threshold, self.method, *self.sample)
        for batch in batches:
            keys = reader.keys(batch)
            sides = bytes(batch.column("side").to_pylist())
            found, prints, nodes, blobs = probe.add(reader.rows(batch), core.hash_keys(keys), sides)
            if found:
                parts = [int.from_bytes(fingerprint[-4:]) >> 1 for fingerprint in prints]
                ranks = [1 - sides[at] if self.references_first else sides[at] for at in found]
                columns = [parts, prints, ranks, keys.take(found), numbers(nodes, pa.int64()), blobs]
                yield pa.RecordBatch.from_pydict(dict(zip(PROBED.names, columns, strict=True)), schema=PROBED)


class Tally:
    """Counts the pairs of the sample, each once."""

    def __init__(self, prints: bytes, is_sorted: bool) -> None:
        self.prints, self.is_sorted = prints, is_sorted

    def __call__(self, batches: Batches) -> Batches:
        tally, arrived = core.CoreTally(self.prints), 0
        for batch in in_order(batches, ["print", "rank", "key"], self.is_sorted):
            nodes = batch.column("node").cast(pa.uint64(), safe=False).to_pylist()
            arrived += batch.nbytes
            prints, blobs = batch.column("print").to_pylist(), batch.column("blob").to_pylist()
            for fingerprint, node, blob in zip(prints, nodes, blobs, strict=True):
                tally.add(fingerprint, node, blob)
        yield pa.RecordBatch.from_pydict(
            {"blob": pa.array([tally.finish()], pa.binary()), "arrived": pa.array([arrived], pa.int64())}
        )


def measure(join: Join, met: int) -> Recall:
    """Measure the recall. `met` groups of equal documents are in a candidate."""
    from pyspark.sql import functions as F

    method, references_first = join.method, join.compare == "against"
    given = (join.settings, method.threshold, method.line)
    with join.stage("recall"):
        documents = join.documents()
        prints = documents.select("print").distinct()
        sets = prints.count()
        size = core.sets_to_sample(method.designed_recall, met, sets)
        drawn = prints.orderBy("print").limit(size).toArrow()["print"].to_pylist()
        listed = frame(join.spark, pa.table({"print": pa.array(drawn, pa.binary())}))
        side = F.col("node").bitwiseAND(F.lit(1)).alias("side")
        firsts = documents.where("first").join(listed, "print", "left_semi").select("print", "key", side, "size").toArrow()
        # Of all documents with a set the first counts.
        first: dict[bytes, tuple[int, bytes, int]] = {}
        names = ("print", "key", "side", "size")
        for fingerprint, key, at, elements in zip(*(firsts[name].to_pylist() for name in names), strict=True):
            one = (1 - at if references_first else at, key, elements)
            first[fingerprint] = min(first.get(fingerprint, one), one)
        hashes = core.hash_keys(pa.array([first[fingerprint][1] for fingerprint in drawn], pa.binary()))
        numbered = pa.array(range(len(drawn) + 1), pa.int32()).buffers()[1].to_pybytes()[: 4 * len(drawn) + 4]
        # Each has a place of its own.
        ship = Ship(*given, join.columns, Wanted.of(hashes, numbered, numbered[: 4 * len(drawn)]), join.limits.task_memory // 8)
        join.work.put(join.rows.mapInArrow(ship, "place int, kind tinyint, blob binary"), "sample")
        shipped = join.work.get("sample")
        sums = shipped.groupBy("place").agg(F.sum(F.length("blob")).alias("size")).collect()
        sizes = {row["place"]: row["size"] for row in sums}
        taken = _that_fit([sizes.get(at, 0) + ELEMENT * first[one][2] for at, one in enumerate(drawn)], join.limits.max_sample)
        drawn = drawn[:taken]
        parcels = shipped.where(F.col("place") < taken).select("blob").toArrow()["blob"].to_pylist()
        ranks = [first[fingerprint][0] for fingerprint in drawn]
        sides = [1 - rank if references_first else rank for rank in ranks]
        wanted = b"".join(hashes[8 * at : 8 * at + 8] + bytes([one]) for at, one in enumerate(sides))
        probe = Probe(*given, join.columns, (parcels, b"".join(drawn), wanted), references_first)
        schema = "part int, print binary, rank int, key binary, node long, blob binary"
        probed = spread(join.rows.mapInArrow(probe, schema), join.partitions, "part", join.is_sorted)
        tally = Tally(b"".join(drawn), join.is_sorted)
        counted = probed.sortWithinPartitions("print", "rank", "key").mapInArrow(tally, "blob binary, arrived long").toArrow()
    join.summary.moved_bytes += sum(counted["arrived"].to_pylist())
    return Recall(*core.recall_of(counted["blob"].to_pylist(), join.compare, len(drawn), sets))


def _that_fit(sizes: list[int], most: int) -> int:
    """How many of the first take no more bytes than this; one in any case."""
    sums = list(accumulate(sizes))
    return max(1, sum(one <= most for one in sums)) if sums else 0


def sum_up(join: Join) -> None:
    """Say in the summary what the signatures did."""
    method = join.method
    if method.is_signed:
        met = len(core.merge_nodes(join.met)) // 8 + join.met_elsewhere
        recall = measure(join, met) if method.must_reach else None
        join.summary.signatures = Signatures(method.filter, method.signature_bytes, method.designed_recall, recall)
