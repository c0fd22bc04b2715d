"""Find near-duplicates exactly: every pair, with its exact similarity, nothing lost, the same answer every time.

>>> import lookalike as la
>>> result = la.dedup(["The ferry leaves at nine.", "Rain in the north.", "The ferry leaves at nine!"], 0.8)
>>> result.kept
['The ferry leaves at nine.', 'Rain in the north.']

A :class:`Corpus` holds documents and answers questions: :meth:`Corpus.dedup`, :meth:`Corpus.pairs`, :meth:`Corpus.top`. A
:class:`Window` compares each new document with those of the last hours, an :class:`Index` with all that were added before.
"""

from ._arguments import Threshold
from ._corpus import Corpus
from ._files import dedup_files
from ._functions import Tokens, check, compare, dedup, pairs, sketch, tokens
from ._index import Index, IndexMatch, Settled
from ._lookalike import VERSION as __version__
from ._progress import Progress
from ._result import Bin, Broken, Comparison, Deduplicated, Member, Pair, Removed
from ._sketch import Features, FilterDesign, MinHash, SimHash, design_filter
from ._window import Match, Verdict, Window

__all__ = [
    "Bin",
    "Broken",
    "Comparison",
    "Corpus",
    "Deduplicated",
    "Features",
    "FilterDesign",
    "Index",
    "IndexMatch",
    "Match",
    "Member",
    "MinHash",
    "Pair",
    "Progress",
    "Removed",
    "Settled",
    "SimHash",
    "Threshold",
    "Tokens",
    "Verdict",
    "Window",
    "__version__",
    "check",
    "compare",
    "dedup",
    "dedup_files",
    "design_filter",
    "pairs",
    "sketch",
    "tokens",
]
