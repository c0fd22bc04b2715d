"""SetSimilaritySearch: all_pairs, which is exact, as in its README."""

from common import THRESHOLD, Peer
from SetSimilaritySearch import all_pairs

peer = Peer()
rows, sets = [], []
for chunk, token_lists in peer.chunks():
    with peer.stage("tokens"):
        sets += map(set, token_lists)
    rows += chunk
with peer.stage("join"):
    pairs = []
    for one, other, _ in all_pairs(sets, similarity_func_name="jaccard", similarity_threshold=THRESHOLD):
        a, b = rows[one], rows[other]
        pairs.append((min(a, b), max(a, b)))
peer.finish(pairs, documents=len(rows))
