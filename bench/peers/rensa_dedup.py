"""rensa: RMinHashDeduplicator, which the README of 0.5 recommends to keep unique documents.

It says of each document in turn whether it resembles one that was kept before; it does not say which.
"""

from common import PERMUTATIONS, THRESHOLD, Peer
from rensa import RMinHash, RMinHashDeduplicator

peer = Peer()
dedup = RMinHashDeduplicator(threshold=THRESHOLD, num_perm=PERMUTATIONS, use_lsh=True)
removed, documents = [], 0
for rows, token_lists in peer.chunks():
    with peer.stage("sketch"):
        sketches = RMinHash.from_token_sets(token_lists, num_perm=PERMUTATIONS, seed=42)
    with peer.stage("index and query"):
        new = dedup.add_pairs([(str(row), sketch) for row, sketch in zip(rows, sketches)])
    removed += [row for row, fresh in zip(rows, new) if not fresh]
    documents += len(rows)
peer.finish(removed, documents=documents)
