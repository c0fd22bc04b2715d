"""Signatures of a few bytes, with the bytes that ``lookalike sketch`` writes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from ._data.inputs import Files, adapt
from ._data.rows import TEXTS, Sets, kind_of
from ._jobs.commands import command_line, run
from ._lookalike import CoreSigner
from ._options.arguments import settings
from ._options.groups import Features as Filter
from ._options.progress import Progress, watching


class _Signer:
    """Makes signatures of one kind."""

    _core: CoreSigner

    @property
    def nbytes(self) -> int:
        """Bytes of a signature."""
        return self._core.nbytes

    def sign(self, text: str | None) -> bytes | None:
        """Return the signature of a text, or None if it has no token."""
        return self._core.sign(text)

    def sign_all(
        self, texts: Iterable[str | None], *, threads: int | None = None, progress: Progress = None
    ) -> list[bytes | None]:
        """Return the signatures of texts: a list, a Series, an Arrow array, or anything that yields them.

        ``threads`` and ``progress`` are as of :class:`Corpus`.
        """
        data = adapt(texts)
        if data.columns is not None or isinstance(data, (Files, Sets)):
            raise TypeError(f"give texts, such as a list of str or a Series, not {kind_of(texts)}")
        column = data.texts()
        column.require_text(TEXTS)
        threads = settings(threads=threads)["threads"]
        with watching(progress) as callback:
            return self._core.sign_all(column, threads, callback)


class MinHash(_Signer):
    """Min-wise sketches: four bytes for each function. The share of equal values estimates the Jaccard similarity.

    >>> import lookalike as la
    >>> minhash = la.MinHash(64, tokens="words")
    >>> one, two = minhash.sign("a b c d"), minhash.sign("d c b a")
    >>> len(one), minhash.similarity(one, two)
    (256, 1.0)
    """

    def __init__(self, functions: int = 128, *, tokens: str = "words:5", case: str = "fold", bag: bool = False) -> None:
        self._core = CoreSigner.minhash(functions, settings(tokens=tokens, case=case, bag=bag))

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
    """

    def __init__(self, bits: int = 384, *, tokens: str = "words:5", case: str = "fold") -> None:
        self._core = CoreSigner.simhash(bits, settings(tokens=tokens, case=case))

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
    """

    def __init__(
        self, filter: tuple[int, int, int] = (6, 14, 2), *, tokens: str = "words:5", case: str = "fold", bag: bool = False
    ) -> None:
        written = ",".join(map(str, filter))
        self._core = CoreSigner.features(written, settings(tokens=tokens, case=case, bag=bag))

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
