"""A collection without near-duplicates that grows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from ._arguments import Threshold, settings, threshold_text
from ._lookalike import CoreIndex


class IndexMatch(NamedTuple):
    """A document of an index that a text resembles."""

    id: str
    similarity: float


class Settled(NamedTuple):
    """What was decided on a document: its twin, or None if it was added."""

    id: str
    twin: str | None
    similarity: float | None
    identical: bool

    @property
    def is_added(self) -> bool:
        """Whether the document is in the index now."""
        return self.twin is None


class Index:
    """A collection without near-duplicates that grows, in memory.

    Adding documents in batches keeps the same documents as one deduplication of all of them in that order.

    >>> import lookalike as la
    >>> index = la.Index()
    >>> index.add({"a": "The ferry to the island leaves at nine.", "b": "Rain in the north."})
    [Settled(id='a', twin=None, similarity=None, identical=False), Settled(id='b', twin=None, similarity=None, identical=False)]
    >>> index.add({"c": "the ferry to the island leaves at nine"})[0].twin
    'a'
    >>> index.query("The ferry to the island leaves at nine!")
    [IndexMatch(id='a', similarity=1.0)]

    Args:
        threshold: The minimum similarity of a near-duplicate, inclusive.
        tokens, case, bag, measure: As of :class:`Corpus`.
    """

    def __init__(
        self,
        *,
        threshold: Threshold = 0.8,
        tokens: str = "words:5",
        case: str = "fold",
        bag: bool = False,
        measure: str = "jaccard",
    ) -> None:
        chosen = settings(tokens=tokens, case=case, bag=bag, measure=measure)
        self._core = CoreIndex(threshold_text(threshold), chosen)

    def add(self, documents: Mapping[str, str] | Iterable[tuple[str, str]]) -> list[Settled]:
        """Add documents, each an id and a text, except those that resemble one that is there. A document replaces the one that has its id."""
        if isinstance(documents, Mapping):
            documents = cast("Mapping[str, str]", documents).items()
        batch = list(documents)
        settled: list[Settled] = []
        for (id, _), decided in zip(batch, self._core.add(batch), strict=True):
            twin, similarity, identical = decided if decided is not None else (None, None, False)
            settled.append(Settled(id, twin, similarity, identical))
        return settled

    def query(self, text: str) -> list[IndexMatch]:
        """Return the documents that a text resembles, the most similar first."""
        return [IndexMatch(*match) for match in self._core.query(text)]

    def remove(self, id: str) -> bool:
        """Take a document out, and return whether it was there."""
        return self._core.remove(id)

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"Index of {len(self):,} documents"
