"""Find near-duplicates exactly: every pair, with its exact similarity, nothing lost, the same answer every time.

>>> import lookalike as la
>>> result = la.dedup(["The ferry leaves at nine.", "Rain in the north.", "The ferry leaves at nine!"], 0.8)
>>> result.kept
['The ferry leaves at nine.', 'Rain in the north.']

A :class:`Corpus` holds documents and answers questions: :meth:`Corpus.dedup`, :meth:`Corpus.pairs`, :meth:`Corpus.top`. A
:class:`Window` compares each new document with those of the last hours, an :class:`Index` with all that were added before.
"""

from ._corpus.corpus import Corpus
from ._data.records import (
    Bin,
    Broken,
    EditPair,
    EditPairAgainst,
    Member,
    MemberAgainst,
    Pair,
    PairAgainst,
    PairToLabel,
    Removed,
    RemovedAgainst,
    SignedPair,
    UnverifiedRemoved,
    VerifiedMember,
    VerifiedPair,
)
from ._files.arriving import index_query_files, stream_files
from ._files.boilerplate import boilerplate, boilerplate_files
from ._files.dedup import dedup_files, pairs_files
from ._files.tokens import tokens_files
from ._files.tools import check_files, compare_files, graph, run_show, sketch_files
from ._functions import Tokens, check, compare, dedup, pairs, sketch, tokens
from ._index import Index, IndexMatch, Settled
from ._lookalike import VERSION as __version__
from ._options.arguments import Threshold
from ._options.groups import JobOptions, MethodOptions
from ._options.progress import Progress
from ._results.comparison import Comparison, Judgement
from ._results.result import Deduplicated
from ._sketch import Chance, Features, FilterDesign, MinHash, SimHash, design_filter
from ._truth.calibrate import calibrate, pairs_to_label
from ._truth.truth import evaluate, verify
from ._window import Match, Verdict, Window

__all__ = [
    "Bin",
    "Broken",
    "Chance",
    "Comparison",
    "Corpus",
    "Deduplicated",
    "EditPair",
    "EditPairAgainst",
    "Features",
    "FilterDesign",
    "Index",
    "IndexMatch",
    "JobOptions",
    "Judgement",
    "Match",
    "Member",
    "MemberAgainst",
    "MethodOptions",
    "MinHash",
    "Pair",
    "PairAgainst",
    "PairToLabel",
    "Progress",
    "Removed",
    "RemovedAgainst",
    "Settled",
    "SignedPair",
    "SimHash",
    "Threshold",
    "Tokens",
    "UnverifiedRemoved",
    "Verdict",
    "VerifiedMember",
    "VerifiedPair",
    "Window",
    "__version__",
    "calibrate",
    "check",
    "boilerplate",
    "boilerplate_files",
    "check_files",
    "compare",
    "compare_files",
    "dedup",
    "dedup_files",
    "design_filter",
    "evaluate",
    "graph",
    "index_query_files",
    "pairs",
    "pairs_files",
    "pairs_to_label",
    "run_show",
    "sketch",
    "sketch_files",
    "stream_files",
    "tokens",
    "tokens_files",
    "verify",
]
