"""A collection without near-duplicates that grows, in memory or in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self, cast

from ._closed import Closed
from ._jobs.index_folder import FolderIndex
from ._lookalike import CoreIndex
from ._options.arguments import Threshold, settings, threshold_text
from ._options.progress import Progress


class IndexMatch(NamedTuple):
    """A document of an index that a text resembles."""

    id: str
    similarity: float


class Settled(NamedTuple):
    """What was decided on a document: its twin, or None if it was added."""

    id: str
    twin: str | None
    similarity: float | None
    identical: bool = False
    """Whether an earlier document has the same set."""

    @property
    def is_added(self) -> bool:
        """Whether the document is in the index now."""
        return self.twin is None


Documents = Mapping[str, str] | Iterable[tuple[str, str]]
"""Each an id and a text."""


class Index:
    """A collection without near-duplicates that grows: in memory, or in a folder that other processes and the command can use.

    Adding documents in batches keeps the same documents as one deduplication of all of them in that order.

    >>> import lookalike as la
    >>> index = la.Index()
    >>> index.add({"a": "The ferry to the island leaves at nine.", "b": "Rain in the north."})
    [Settled(id='a', twin=None, similarity=None, identical=False), Settled(id='b', twin=None, similarity=None, identical=False)]
    >>> index.add({"c": "the ferry to the island leaves at nine"})
    [Settled(id='c', twin='a', similarity=1.0, identical=True)]
    >>> index.query("The ferry to the island leaves at nine!")
    [IndexMatch(id='a', similarity=1.0)]

    An index can be closed, also by ``with``. That of a folder stays in its folder.

    Args:
        folder: The folder of the index. It is made by the first batch. Without it, the index is in memory.
        threshold: The minimum similarity of a near-duplicate, inclusive.
        tokens, case, bag, measure: As of :class:`Corpus`. An index in a folder must be opened with the settings that it has.
        threads: The number of threads that add documents. By default, one per core.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        threshold: Threshold = 0.8,
        tokens: str = "words:5",
        case: str = "fold",
        bag: bool = False,
        measure: str = "jaccard",
        threads: int | None = None,
    ) -> None:
        chosen = settings(tokens=tokens, case=case, bag=bag, measure=measure, threads=threads)
        written = threshold_text(threshold)
        self._settings = {"threshold": written, "tokens": tokens, "case": case, "bag": bag, "measure": measure}
        self._core: CoreIndex | FolderIndex
        self._core = CoreIndex(written, chosen) if folder is None else FolderIndex(os.fspath(folder), self._settings, threads)
        self._is_closed = False

    def add(self, documents: Documents) -> list[Settled]:
        """Add documents, except those that resemble one that is there. A document replaces the one that has its id.

        In a folder, the index has either all of the batch or nothing of it, whatever happens.
        """
        if isinstance(documents, Mapping):
            documents = cast("Mapping[str, str]", documents).items()
        batch = list(documents)
        settled = self._core.add(batch)
        return [
            Settled(id, None, None) if decided is None else Settled(id, *decided)
            for (id, _), decided in zip(batch, settled, strict=True)
        ]

    def query(self, text: str, threshold: Threshold | None = None) -> list[IndexMatch]:
        """Return the documents that a text resembles, the most similar first.

        The threshold is that of the index, or a higher one.
        """
        return self.query_all([text], threshold)[0]

    def query_all(self, texts: Iterable[str], threshold: Threshold | None = None) -> list[list[IndexMatch]]:
        """Return for each text the documents that it resembles. In a folder, this is much faster than a text at a time.

        >>> import lookalike as la
        >>> index = la.Index(tokens="words", threshold=0.5)
        >>> _ = index.add({"a": "one two three", "b": "four"})
        >>> index.query_all(["one two", "four", "five"])
        [[IndexMatch(id='a', similarity=0.6666666666666666)], [IndexMatch(id='b', similarity=1.0)], []]
        >>> index.query_all(["one two"], threshold=0.8)
        [[]]
        """
        if isinstance(texts, str):
            raise TypeError("give a list of texts, not a str; query() takes one text")
        bound = None if threshold is None else threshold_text(threshold)
        return [[IndexMatch(*match) for match in matches] for matches in self._core.query(list(texts), bound)]

    def remove(self, id: str) -> bool:
        """Take a document out, and return whether it was there."""
        return self._core.remove(id)

    def info(self) -> dict[str, Any]:
        """Describe the index: its documents and settings, and of a folder its parts, as ``lookalike index show`` does.

        >>> import lookalike as la
        >>> la.Index(threshold="3/4").info()["settings"]["threshold"]
        '3/4'
        """
        shown = self._core.shown() if isinstance(self._core, FolderIndex) else None
        return {"documents": len(self), "settings": self._settings} if shown is None else shown

    def merge(self, threads: int | None = None, progress: Progress = None) -> dict[str, Any]:
        """Merge the parts of an index in a folder into one, and return the report.

        One part is the fastest to ask, and nothing is left in it of documents that were taken out. An interrupt leaves the index as it was.
        ``progress`` is as of :class:`Corpus`.
        """
        return self._folder("merge").merge(threads, progress)

    def check(self, progress: Progress = None) -> dict[str, Any]:
        """Read all of an index in a folder, and verify every checksum. Raises OSError that names what is damaged or missing.

        ``progress`` is as of :class:`Corpus`.
        """
        return self._folder("check").check(progress)

    def _folder(self, what: str) -> FolderIndex:
        if isinstance(self._core, FolderIndex):
            return self._core
        if self._is_closed:
            raise ValueError("the index is closed")
        raise ValueError(f"{what} is for an index in a folder, but this one is in memory; make it with Index(folder)")

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the index occupies: 0 if it is in a folder."""
        return self._core.memory()

    def close(self) -> None:
        """Free the memory. A closed index answers no questions."""
        self._core = cast("CoreIndex", Closed("index"))
        self._is_closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return "Index (closed)" if self._is_closed else f"Index of {len(self):,} documents"
