"""rensa: R-MinHash of 128 permutations and RMinHashLSH of 16 bands.

As in the README's example: the candidates of the index, kept if the two signatures agree in enough places. (The
example keeps those at 0.85 from an index made for 0.8; here both are the threshold.)
"""

from common import PERMUTATIONS, THRESHOLD, Peer
from rensa import RMinHash, RMinHashLSH

BANDS = 16

peer = Peer()
rows, sketches = [], []
for chunk, token_lists in peer.chunks():
    with peer.stage("sketch"):
        sketches += RMinHash.from_token_sets(token_lists, num_perm=PERMUTATIONS, seed=42)
    rows += chunk

with peer.stage("index"):
    index = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=BANDS)
    index.insert_many(sketches)
with peer.stage("query"):
    pairs = []
    for one, candidates in enumerate(index.query_all(sketches)):
        for other in candidates:
            if one < other and sketches[one].jaccard(sketches[other]) >= THRESHOLD:
                pairs.append((rows[one], rows[other]))
peer.finish(pairs, documents=len(rows), bands=BANDS)
