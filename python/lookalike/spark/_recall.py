"""How many pairs a method by signatures finds, measured on a sample of the sets.

The sample, the count and the interval are those of the command. The driver gets the texts of the sample, at most 4,096, and sends
them to all tasks, which compare every row with them.
"""

from __future__ import annotations

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
    with join.stage("recall"):
        documents = join.documents()
        prints = documents.select("print").distinct()
        sets = prints.count()
        size = core.sets_to_sample(method.designed_recall, met, sets)
        drawn = prints.orderBy("print").limit(size).toArrow()["print"].to_pylist()
        listed = frame(join.spark, pa.table({"print": pa.array(drawn, pa.binary())}))
        side = F.col("node").bitwiseAND(F.lit(1)).alias("side")
        firsts = documents.where("first").join(listed, "print", "left_semi").select("print", "key", side).toArrow()
        # Of all documents with a set the first counts.
        first: dict[bytes, tuple[int, bytes]] = {}
        for fingerprint, key, at in zip(*(firsts[name].to_pylist() for name in ("print", "key", "side")), strict=True):
            one = (1 - at if references_first else at, key)
            first[fingerprint] = min(first.get(fingerprint, one), one)
        hashes = core.hash_keys(pa.array([first[fingerprint][1] for fingerprint in drawn], pa.binary()))
        ranks = [first[fingerprint][0] for fingerprint in drawn]
        sides = [1 - rank if references_first else rank for rank in ranks]
        wanted = b"".join(hashes[8 * at : 8 * at + 8] + bytes([one]) for at, one in enumerate(sides))
        places = pa.array(range(len(drawn) + 1), pa.int32()).buffers()[1].to_pybytes()[: 4 * len(drawn) + 4]
        listed_at = Wanted.of(hashes, places, bytes(4 * len(drawn)))
        ship = Ship(join.settings, method.threshold, method.line, join.columns, listed_at, join.limits.task_memory // 8)
        parcels = join.rows.mapInArrow(ship, "place int, kind tinyint, blob binary").select("blob").toArrow()["blob"].to_pylist()
        probe = Probe(
            join.settings, method.threshold, method.line, join.columns, (parcels, b"".join(drawn), wanted), references_first
        )
        schema = "part int, print binary, rank int, key binary, node long, blob binary"
        probed = spread(join.rows.mapInArrow(probe, schema), join.partitions, "part", join.is_sorted)
        tally = Tally(b"".join(drawn), join.is_sorted)
        counted = probed.sortWithinPartitions("print", "rank", "key").mapInArrow(tally, "blob binary, arrived long").toArrow()
    join.summary.moved_bytes += sum(counted["arrived"].to_pylist())
    return Recall(*core.recall_of(counted["blob"].to_pylist(), join.compare, len(drawn), sets))


def sum_up(join: Join) -> None:
    """Say in the summary what the signatures did."""
    method = join.method
    if method.is_signed:
        met = len(core.merge_nodes(join.met)) // 8
        recall = measure(join, met) if method.must_reach else None
        join.summary.signatures = Signatures(method.filter, method.signature_bytes, method.designed_recall, recall)
