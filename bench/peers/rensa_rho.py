"""rensa: the rho pipeline, its fastest, which its own benchmark uses (128 permutations, 8 bands,
4 probes, one pass).

It flags the documents that resemble some other; it does not say which, and both of a pair are flagged.
"""

from common import PERMUTATIONS, THRESHOLD, Peer
from rensa import RMinHash, RMinHashLSH

BANDS = 8

peer = Peer()
rows, token_lists = [], []
for chunk_rows, chunk in peer.chunks():  # one matrix of all documents, so all shingles are held
    rows += chunk_rows
    token_lists += chunk

with peer.stage("sketch"):
    matrix = RMinHash.digest_matrix_from_token_sets_rho(token_lists, num_perm=PERMUTATIONS, seed=42, probes=4)
with peer.stage("index and query"):
    index = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=BANDS)
    flags = index.query_duplicate_flags_matrix_one_shot(matrix)
peer.finish([row for row, flag in zip(rows, flags) if flag], documents=len(rows), bands=BANDS)
