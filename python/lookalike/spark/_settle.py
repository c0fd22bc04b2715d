"""Who is kept: decided in keep order, where it fits."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from .. import _lookalike as core
from ._blocks import Blocks, HeavySets
from ._compare import compare_sets, documents_of, verified
from ._frames import frame
from ._join import Join
from ._parts import settle_in_parts
from ._rounds import decide
from ._tasks.batches import numbers, raw, words


def settle(join: Join) -> None:
    """Decide in keep order. Leaves the removed nodes, their twins and similarities in the work folder."""
    heavy = HeavySets(join) if join.heavy_postings else None
    folders, number, slices = list[str](), 0, 0
    for candidates in join.candidates(heavy.filter() if heavy else b""):
        known = join.nodes(core.merge_nodes([candidates]))
        names, found = compare_sets(join, candidates, known)
        folders += names
        number += found
        slices += 1
    limits = join.limits
    if heavy and (heavy.number > limits.max_heavy or number > limits.max_pairs):
        return settle_in_parts(join, heavy, folders)
    if number > limits.max_pairs:
        return decide(join, folders, limits.max_pairs)
    pairs = [verified(join, name) for name in folders]
    listed = heavy.nodes if heavy else b""
    if heavy and not join.method.pages:
        join.met.append(raw(pc.bit_wise_and(words(listed), -2)))
    involved = core.merge_nodes([listed, *map(core.nodes_of_pairs, pairs)])
    if not involved:
        return _put(join, b"", b"", b"")
    # If there is one slice, its documents are known.
    known = documents_of(known, involved) if slices == 1 and not heavy else join.nodes(involved)
    # References come first.
    side = pc.subtract(1, pc.bit_wise_and(known["node"], 1))
    known = known.append_column("side", side).sort_by([("side", "ascending"), ("key", "ascending")]).combine_chunks()
    pinned = pc.sum(pc.equal(side, 0)).as_py()
    nodes, sizes = raw(known["node"].combine_chunks()), raw(known["size"].combine_chunks())
    settling = core.CoreSettling(join.settings, join.threshold, nodes, sizes, pinned, listed, b"")
    for some in pairs:
        settling.add(some)
    if heavy:
        Blocks(join, settling, lambda nodes: documents_of(known, nodes), heavy.empty_filter()).run()
    else:
        settling.begin_block(1 << 62)
        settling.end_block()
    _put(join, *settling.removed())


def _put(join: Join, removed: bytes, twins: bytes, similarities: bytes) -> None:
    fates = {"node": words(removed), "twin": words(twins), "similarity": numbers(similarities, pa.float64())}
    with join.stage("answer"):
        join.work.put(frame(join.spark, pa.table(fates)), "fates")
