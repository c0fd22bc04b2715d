"""datasketch: MinHash of 128 permutations and MinHashLSH at the threshold, as in its documentation.

Bands are left to the tool. The pairs are those that the index returns; it does not verify them.
"""

from common import PERMUTATIONS, THRESHOLD, Peer
from datasketch import MinHash, MinHashLSH

peer = Peer()
rows, sketches = [], []
for chunk, token_lists in peer.chunks():
    with peer.stage("sketch"):
        encoded = ([token.encode() for token in tokens] for tokens in token_lists)
        sketches += MinHash.bulk(encoded, num_perm=PERMUTATIONS)
    rows += chunk

with peer.stage("index"):
    index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    for row, sketch in zip(rows, sketches):
        index.insert(row, sketch)
with peer.stage("query"):
    pairs = {(row, other) for row, sketch in zip(rows, sketches) for other in index.query(sketch) if row < other}
peer.finish(pairs, documents=len(rows), bands=index.b, band_size=index.r)
