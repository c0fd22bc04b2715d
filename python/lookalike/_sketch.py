"""Signatures of a few bytes, with the bytes that ``lookalike sketch`` writes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, NamedTuple, Unpack

from ._corpus.reader import Document, Reader
from ._jobs.commands import command_line, run
from ._lookalike import CoreSigner
from ._options.groups import DocumentOptions
from ._options.groups import Features as Filter
from ._options.progress import Progress, watching


class _Signer:
    """Makes signatures of one kind."""

    _reader: Reader
    _core: CoreSigner

    @property
    def nbytes(self) -> int:
        """Bytes of a signature."""
        return self._core.nbytes

    def sign(self, document: Document) -> bytes | None:
        """Return the signature of a text or a row, or None if it has no token."""
        text = self._reader.one(document).text
        return None if text is None else self._core.sign(text)

    def sign_all(self, documents: Any, *, threads: int | None = None, progress: Progress = None) -> list[bytes | None]:
        """Return the signatures of documents: a list of texts, a Series, a data frame, or other data as :class:`Corpus` takes it.

        ``threads`` and ``progress`` are as of :class:`Corpus`. For files, use :func:`sketch_files`.
        """
        rows = self._reader.rows(documents, threads)._text_rows()
        with watching(progress) as callback:
            return self._core.sign_all(rows, callback)


class MinHash(_Signer):
    """Min-wise sketches: four bytes for each function. The share of equal values estimates the Jaccard similarity.

    >>> import lookalike as la
    >>> minhash = la.MinHash(64, tokens="words")
    >>> one, two = minhash.sign("a b c d"), minhash.sign("d c b a")
    >>> len(one), minhash.similarity(one, two)
    (256, 1.0)
    >>> la.MinHash(64, tokens="words", html="page").sign({"page": "<p>a <b>b</b> c d"}) == one
    True

    ``options`` say how documents are read and what they are made of, as of :class:`Corpus`.
    """

    def __init__(self, functions: int = 128, **options: Unpack[DocumentOptions]) -> None:
        self._reader = Reader("MinHash", DocumentOptions, options)
        self._core = CoreSigner.minhash(functions, self._reader.settings)

    def similarity(self, a: bytes, b: bytes) -> float:
        """Estimate the Jaccard similarity of two texts from their sketches."""
        _check_lengths(a, b, self.nbytes)
        return sum(a[at : at + 4] == b[at : at + 4] for at in range(0, len(a), 4)) / (len(a) // 4)


class SimHash(_Signer):
    """Simhashes: the more bits agree, the more similar are two texts.

    >>> import lookalike as la
    >>> simhash = la.SimHash(64, tokens="words")
    >>> simhash.agree(simhash.sign("a b c"), simhash.sign("a b c"))
    64

    ``options`` are as of :class:`MinHash`, but a simhash counts every occurrence, and takes no ``bag``.
    """

    def __init__(self, bits: int = 384, **options: Unpack[DocumentOptions]) -> None:
        self._reader = Reader("SimHash", DocumentOptions, options)
        self._core = CoreSigner.simhash(bits, self._reader.settings)

    def agree(self, a: bytes, b: bytes) -> int:
        """Return how many bits agree."""
        _check_lengths(a, b, self.nbytes)
        return 8 * len(a) - (int.from_bytes(a) ^ int.from_bytes(b)).bit_count()


class Features(_Signer):
    """Features for a filter of K features of S values, R of them equal: eight bytes for each.

    >>> import lookalike as la
    >>> features = la.Features((6, 14, 2), tokens="words")
    >>> features.shared(features.sign("a b c"), features.sign("c b a"))
    6

    ``options`` are as of :class:`MinHash`.
    """

    def __init__(self, filter: Filter = (6, 14, 2), **options: Unpack[DocumentOptions]) -> None:
        self._reader = Reader("Features", DocumentOptions, options)
        written = filter if isinstance(filter, str) else ",".join(map(str, filter))
        self._core = CoreSigner.features(written, self._reader.settings)

    def shared(self, a: bytes, b: bytes) -> int:
        """Return how many features are equal."""
        _check_lengths(a, b, self.nbytes)
        return sum(a[at : at + 8] == b[at : at + 8] for at in range(0, len(a), 8))


def _check_lengths(a: bytes, b: bytes, expected: int) -> None:
    for one in (a, b):
        if len(one) != expected:
            raise ValueError(f"a signature has {len(one)} bytes, but these signatures have {expected}")


class Chance(NamedTuple):
    """What a filter does with pairs of one resemblance."""

    resemblance: float
    found: float
    missed: float


class FilterDesign(NamedTuple):
    """A filter of features: what it finds, and what it costs."""

    k: int
    s: int
    r: int
    functions: int
    nbytes: int
    recall_at_threshold: float
    recall_above_threshold: float
    useless_share: float
    half_at: float
    """The resemblance at which half of the pairs are found."""
    at: list[Chance]
    """What it does at the resemblances that were asked for."""


def design_filter(
    threshold: float = 0.8,
    *,
    recall: float = 0.99,
    nbytes: int = 128,
    functions: int = 512,
    features: Filter | None = None,
    prior: str = "falling",
    at: Iterable[float] = (),
    svg: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> FilterDesign:
    """Choose a filter that finds a share of the pairs at a threshold, with few bytes; or say what a given one does.

    >>> import lookalike as la
    >>> design = la.design_filter(0.8, recall=0.95)
    >>> design.recall_at_threshold >= 0.95, design.nbytes <= 128
    (True, True)
    >>> [round(chance.found, 4) for chance in la.design_filter(0.9, features=(6, 14, 2), at=[0.975, 0.5]).at]
    [0.9893, 0.0]

    Args:
        threshold: The minimum resemblance of the wanted pairs.
        recall: The share of the pairs at the threshold that must be found.
        nbytes: The most bytes of features for a document, eight for each feature.
        functions: The most hash functions for a document.
        features: Examine this filter instead of choosing one.
        prior: The assumed distribution of resemblances: ``falling`` or ``uniform``.
        at: Resemblances to say the probabilities for.
        svg: Where to draw the curve.
        force: Replace the picture if it exists.
    """
    wish = {"recall": recall, "nbytes": nbytes, "functions": functions} if features is None else {"features": features}
    line = command_line("filter", [], threshold=threshold, prior=prior, at=tuple(at), svg=svg, force=force, **wish)
    report = run(line)
    chosen, names = report["filter"], [name for name in FilterDesign._fields if name not in ("nbytes", "at")]
    chances = [Chance(**chance) for chance in report["at"]]
    return FilterDesign(nbytes=chosen["bytes"], at=chances, **{name: chosen[name] for name in names})
