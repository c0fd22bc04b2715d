"""gaoya: MinHashStringIndex with its own analyzer, in parallel, as in its README and its deduplication notebook.

Bands are left to the tool, which computes them from the threshold and 128 hashes. The query returns the documents
whose signatures agree in enough places. A text of fewer than five words has no shingle here, and all such texts
resemble each other; the harness leaves those pairs out.
"""

from common import PERMUTATIONS, THRESHOLD, Peer
from gaoya.minhash import MinHashStringIndex

peer = Peer()
texts = peer.texts()
index = MinHashStringIndex(hash_size=32, jaccard_threshold=THRESHOLD, num_bands=None, band_size=None,
                           num_hashes=PERMUTATIONS, analyzer="word", lowercase=True, ngram_range=(5, 5))
with peer.stage("tokens, sketch and index"):
    index.par_bulk_insert_docs(list(range(len(texts))), texts)
with peer.stage("tokens, sketch and query"):
    answers = index.par_bulk_query(texts)
    pairs = {(one, other) for one, others in enumerate(answers) for other in others if one < other}
peer.finish(pairs, documents=len(texts), index=repr(index))
