"""Near-duplicates on a Spark cluster: the same exact answer as on one machine.

The rows stay where they are. Tasks exchange only what finds the pairs: a few elements of each document, packed, and the
texts of documents that may have a partner. See the guide "On a Spark cluster".
"""

from ._archives import read_warc
from ._dedup import Deduped, dedup
from ._pairs import Pairs, pairs
from ._sketch import sketch
from ._summary import Recall, Signatures, Stage, Summary

__all__ = ["Deduped", "Pairs", "Recall", "Signatures", "Stage", "Summary", "dedup", "pairs", "read_warc", "sketch"]
