"""Questions that need no corpus of their own: one call from data to answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar, Unpack, cast

from . import _lookalike
from ._corpus.corpus import Corpus
from ._corpus.reader import Document, Reader
from ._data.records import Broken
from ._options.arguments import Threshold, threshold_text
from ._options.groups import DocumentOptions, ShownOptions
from ._options.groups import Features as Filter
from ._options.progress import Progress
from ._results.comparison import Comparison, compare_texts
from ._results.result import Deduplicated
from ._sketch import Features, MinHash, SimHash
from ._types import Signing

T = TypeVar("T")


def dedup(
    data: T,
    threshold: Threshold | None = None,
    *,
    keep: str | Sequence[int] = "first",
    against: Any = None,
    within: str | Iterable[str] | None = None,
    components: bool = False,
    to: int | None = None,
    lowest: Threshold | None = None,
    progress: Progress = None,
    **corpus: Any,
) -> Deduplicated[T]:
    """Remove near-duplicates. Other arguments are those of :class:`Corpus`.

    >>> import lookalike as la
    >>> result = la.dedup(["The ferry leaves at nine.", "Rain in the north.", "The ferry leaves at nine!"], 0.8)
    >>> result.kept
    ['The ferry leaves at nine.', 'Rain in the north.']
    >>> result.removed
    [Removed(id=2, twin=0, similarity=1.0, identical=True)]
    >>> result
    3 documents; jaccard ≥ 0.8 on words:5, exact
    removed 1: 1 identical to an earlier document, 0 near; 1 cluster; kept 2 (66.7%)
    """
    made = Corpus(data, progress=progress, **corpus)
    reference = _corpus_of(against, progress, corpus)
    return made.dedup(
        threshold,
        keep=keep,
        against=reference,
        within=within,
        components=components,
        to=to,
        lowest=lowest,
        progress=progress,
    )


def pairs(
    a: Any,
    b: Any = None,
    threshold: Threshold | None = None,
    *,
    top: int | None = None,
    within: str | Iterable[str] | None = None,
    distinct: bool = False,
    limit_per_document: int | None = None,
    progress: Progress = None,
    **corpus: Any,
) -> Any:
    """Find every pair in one collection, or between two. Other arguments are those of :class:`Corpus`.

    >>> import lookalike as la
    >>> la.pairs(["Jan de Vries"], ["Ann Lee", "Jan de Fries"], 0.5, tokens="chars:3")
    [Pair(a=0, b=1, similarity=0.5384615384615384, common=7, size_a=10, size_b=10)]
    """
    made = Corpus(a, progress=progress, **corpus)
    other = _corpus_of(b, progress, corpus)
    if top is not None:
        if limit_per_document is not None:
            raise ValueError("top and limit_per_document do not go together")
        return made.top(top, other=other, within=within, distinct=distinct, progress=progress)
    return made.pairs(
        threshold,
        other=other,
        within=within,
        distinct=distinct,
        limit_per_document=limit_per_document,
        progress=progress,
    )


def _corpus_of(data: Any, progress: Progress, corpus: dict[str, Any]) -> Corpus[Any] | None:
    """Return a second corpus, if there is one."""
    if data is None or isinstance(data, Corpus):
        return cast("Corpus[Any] | None", data)
    return Corpus(data, progress=progress, **corpus)


def check(
    data: Any,
    threshold: Threshold | None = None,
    *,
    kept: Iterable[Any] | None = None,
    removed: Iterable[Sequence[Any]] = (),
    against: Any = None,
    within: str | Iterable[str] | None = None,
    progress: Progress = None,
    **corpus: Any,
) -> list[Broken]:
    """Check a deduplication of any tool. An empty list means that all promises are kept. See :meth:`Corpus.check`.

    >>> import lookalike as la
    >>> la.check(["a b", "c", "b a"], 0.8, kept=[0, 1], removed=[(2, 0)], tokens="words")
    []
    """
    made = Corpus(data, progress=progress, **corpus)
    reference = _corpus_of(against, progress, corpus)
    return made.check(threshold, kept=kept, removed=removed, against=reference, within=within, progress=progress)


def compare(
    a: Document,
    b: Document,
    threshold: Threshold = 0.8,
    *,
    measure: str = "jaccard",
    features: Filter = (6, 14, 2),
    shingle: int = 8,
    weighted: bool = False,
    bits: int = 384,
    element: int = 1,
    **options: Unpack[DocumentOptions],
) -> Comparison:
    """Compare two texts, or two rows, by every measure and every method, with the words in which they differ.

    ``threshold`` and ``measure`` are for the exact verdict. ``features``, ``shingle``, ``weighted``, ``bits`` and ``element`` say
    how the signatures of the other methods are made, as of :class:`MethodOptions`. The other arguments say how documents are read
    and what they are made of, as of :class:`Corpus`.

    >>> import lookalike as la
    >>> compared = la.compare("the ferry leaves at nine", "the ferry leaves at ten", tokens="words")
    >>> compared.measures["jaccard"], compared.measures["edit"]
    (0.6666666666666666, 3.0)
    >>> compared.diff()
    'the ferry leaves at [-nine-] {+ten+}'
    >>> compared.verdicts["c"]
    Judgement(is_pair=False, why='298 of 384 bits agree, 372 needed')
    >>> la.compare({"page": "<p>at <b>nine</b>"}, {"page": "at nine"}, html="page", tokens="words").identical
    True
    """
    reader = Reader("compare", DocumentOptions, options, measure=measure)
    signing: Signing = {
        "features": features if isinstance(features, str) else ",".join(map(str, features)),
        "shingle": shingle,
        "weighted": weighted,
        "bits": bits,
        "element": element,
    }
    return compare_texts(reader.text(a), reader.text(b), threshold_text(threshold), reader.settings, signing)


class Tokens(NamedTuple):
    """What a text is made of."""

    tokens: list[str]
    shingles: list[tuple[str, int]]
    """In order, with repetitions, each with its hash."""


def tokens(document: Document, tokens: str = "words:5", **options: Unpack[ShownOptions]) -> Tokens:
    """Show the tokens of a text or a row, and its shingles with their hashes.

    The other arguments say how the document is read and what it is made of, as of :class:`Corpus`.

    >>> import lookalike as la
    >>> la.tokens("To be, or NOT", "words:2").tokens
    ['to', 'be', 'or', 'not']
    >>> [shingle for shingle, _ in la.tokens("To be, or NOT", "words:2").shingles]
    ['to be', 'be or', 'or not']
    >>> la.tokens({"page": "<p>To <b>be</b>, or"}, "words", html="page").tokens
    ['to', 'be', 'or']
    """
    reader = Reader("tokens", ShownOptions, options, tokens=tokens)
    return Tokens(*_lookalike.tokens(reader.text(document), reader.settings))


def sketch(
    data: Any,
    method: str = "minhash",
    *,
    functions: int = 128,
    bits: int = 384,
    features: Filter = (6, 14, 2),
    threads: int | None = None,
    progress: Progress = None,
    **options: Unpack[DocumentOptions],
) -> list[bytes | None]:
    """Return a signature of each document: ``minhash``, ``simhash`` or ``features``. The bytes are those of ``lookalike sketch``.

    ``data`` is a list of texts, a data frame, or other data as :class:`Corpus` takes it; for files, use :func:`sketch_files`. The other
    arguments are those of :class:`Corpus` too.

    >>> import lookalike as la
    >>> [None if signature is None else len(signature) for signature in la.sketch(["a text", ""])]
    [512, None]
    >>> pages = {"page": ["<p>a <b>text</b>"]}
    >>> la.sketch(pages, html="page") == la.sketch(["a text"])
    True
    """
    if isinstance(data, str):
        raise TypeError("give a list of texts, not a str")
    signer: MinHash | SimHash | Features
    if method == "minhash":
        signer = MinHash(functions, **options)
    elif method == "simhash":
        signer = SimHash(bits, **options)
    elif method == "features":
        signer = Features(features, **options)
    else:
        raise ValueError(f"'{method}' is not a kind of signature. Use minhash, simhash or features")
    return signer.sign_all(data, threads=threads, progress=progress)
