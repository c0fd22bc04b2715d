"""A collection without near-duplicates that grows, in memory or in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self, Unpack, cast

from ._closed import Closed
from ._corpus.documents import Documents
from ._corpus.reader import Document, Reader
from ._jobs.index_folder import FolderIndex
from ._lookalike import Column, CoreIndex
from ._options.arguments import Size, Threshold, names, threshold_text
from ._options.groups import ReadOptions
from ._options.progress import Progress, watching


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


# Values of pandas that stand for a missing one.
_MISSING = ("NAType", "NaTType", "NoneType")


class Index:
    """A collection without near-duplicates that grows: in memory, or in a folder that other processes and the command can use.

    Adding documents in batches keeps the same documents as one deduplication of all of them in that order.

    >>> import lookalike as la
    >>> index = la.Index()
    >>> index.add({"a": "The ferry to the island leaves at nine.", "b": "Rain in the north."})
    [Settled(id='a', twin=None, similarity=None, identical=False), Settled(id='b', twin=None, similarity=None, identical=False)]
    >>> index.add([{"id": "c", "text": "the ferry to the island leaves at nine"}])
    [Settled(id='c', twin='a', similarity=1.0, identical=True)]
    >>> index.query("The ferry to the island leaves at nine!")
    [IndexMatch(id='a', similarity=1.0)]

    Web pages are rows, as those of a corpus:

    >>> pages = la.Index(html="body", url="address", tokens="words")
    >>> _ = pages.add([{"id": 1, "body": "<p>Rain in the <b>north</b>", "address": "https://a.example/"}])
    >>> pages.query({"body": "Rain in the north", "address": "https://b.example/"})
    [IndexMatch(id='1', similarity=1.0)]

    Documents of different groups can be kept apart:

    >>> shops = la.Index(within="shop", tokens="words")
    >>> _ = shops.add([{"id": 1, "shop": "Ames", "text": "a red tent"}, {"id": 2, "shop": "Bode", "text": "a red tent"}])
    >>> shops.query({"shop": "Bode", "text": "a red tent"})
    [IndexMatch(id='2', similarity=1.0)]

    An index can be closed, also by ``with``. That of a folder stays in its folder.

    Args:
        folder: The folder of the index. It is made by the first batch. Without it, the index is in memory.
        threshold: The minimum similarity of a near-duplicate, inclusive.
        measure: As of :class:`Corpus`.
        within: Columns whose values must be equal for documents to be compared.
        memory: The most memory for the sets of a batch. In a folder: for a call, which keeps the rest in temporary files.

    The other arguments say how documents are read and what they are made of, as of :class:`Corpus`. An index in a folder must
    be opened with the settings that it has.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        threshold: Threshold = 0.8,
        measure: str = "jaccard",
        within: str | Iterable[str] | None = None,
        memory: Size | None = None,
        **options: Unpack[ReadOptions],
    ) -> None:
        self._reader = Reader("Index", ReadOptions, options, measure=measure, memory=memory)
        chosen = self._reader.settings
        self._settings: dict[str, Any] = {
            "threshold": threshold_text(threshold),
            **{name: chosen[name] for name in ("tokens", "case", "bag", "measure")},
            "page": chosen["page"] or "text",
            "within": names(within),
        }
        self._within: list[str] = self._settings["within"]
        self._core: CoreIndex | FolderIndex
        if folder is None:
            self._core = CoreIndex(self._settings["threshold"], chosen)
        else:
            self._core = FolderIndex(os.fspath(folder), self._settings, chosen)
        self._is_closed = False

    def add(self, documents: Any, *, progress: Progress = None) -> list[Settled]:
        """Add documents, except those that resemble one that is there. A document replaces the one that has its id.

        In a folder, the index has either all of the batch or nothing of it, whatever happens.

        >>> import lookalike as la
        >>> index = la.Index(text="body", id="key")
        >>> [settled.is_added for settled in index.add({"key": [1, 2], "body": ["Rain in the north.", "rain in the north"]})]
        [True, False]

        Args:
            documents: A dict from id to text, pairs of an id and a text, or data with ids as :class:`Corpus` takes it. An index
                in a folder reads files twice, once for the ids; ``dedup_files(index=…)`` reads them once.
            progress: As of the corpus.
        """
        batch = self._reader.documents(_with_ids(documents), progress, makes_sets=not self._is_in_folder)
        ids = _ids(batch)
        if isinstance(self._core, FolderIndex):
            settled = self._core.add(ids, batch, progress)
        else:
            with watching(progress) as callback:
                settled = self._core.add(ids, batch._open(), *self._keys(batch), callback)
        return [
            Settled(id, None, None) if decided is None else Settled(id, *decided)
            for id, decided in zip(ids, settled, strict=True)
        ]

    def query(self, document: Document, threshold: Threshold | None = None) -> list[IndexMatch]:
        """Return the documents that a text or a row resembles, the most similar first.

        The threshold is that of the index, or a higher one.
        """
        # Only a row has the columns that must be equal.
        if isinstance(self._core, FolderIndex) or self._within:
            return self.query_all([document], threshold)[0]
        text = self._reader.one(document).text
        bound = None if threshold is None else threshold_text(threshold)
        # A document without a text resembles nothing.
        return [IndexMatch(*match) for match in self._core.query(text or "", bound)]

    def query_all(
        self, documents: Any, threshold: Threshold | None = None, *, progress: Progress = None
    ) -> list[list[IndexMatch]]:
        """Return for each document those that it resembles. In a folder, this is much faster than a document at a time.

        ``documents`` is a list of texts, or data as :class:`Corpus` takes it.

        >>> import lookalike as la
        >>> index = la.Index(tokens="words", threshold=0.5)
        >>> _ = index.add({"a": "one two three", "b": "four"})
        >>> index.query_all(["one two", "four", "five"])
        [[IndexMatch(id='a', similarity=0.6666666666666666)], [IndexMatch(id='b', similarity=1.0)], []]
        >>> index.query_all({"text": ["one two"]}, threshold=0.8)
        [[]]
        """
        if isinstance(documents, str) and not os.path.exists(documents):
            raise TypeError("give a list of texts, not a str; query() takes one text")
        asked = self._reader.documents(documents, progress, makes_sets=not self._is_in_folder)
        bound = None if threshold is None else threshold_text(threshold)
        if isinstance(self._core, FolderIndex):
            found = self._core.query(asked, bound, progress)
        else:
            with watching(progress) as callback:
                found = self._core.query_all(asked._open(), *self._keys(asked), bound, callback)
        return [[IndexMatch(*match) for match in matches] for matches in found]

    def remove(self, ids: str | Iterable[str]) -> int:
        """Take documents out by their ids, one or several, and return how many were there.

        >>> import lookalike as la
        >>> index = la.Index()
        >>> _ = index.add({"a": "Rain in the north.", "b": "The ferry leaves at nine."})
        >>> index.remove("a"), index.remove(["a", "b"])
        (1, 1)
        """
        return self._core.remove([ids] if isinstance(ids, str) else [str(id) for id in ids])

    @property
    def _is_in_folder(self) -> bool:
        return isinstance(self._core, FolderIndex)

    def _keys(self, documents: Documents[Any]) -> tuple[list[Column], list[str]]:
        """Return what must be equal: columns of rows, or fields of files."""
        return documents._columns(self._within), documents._fields(self._within)

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

        One part is the fastest to ask, and nothing is left in it of documents that were taken out. It works within the
        ``memory`` of the index. An interrupt leaves the index as it was. ``progress`` is as of :class:`Corpus`.
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


def _with_ids(documents: Any) -> Any:
    """Return documents as data with columns, if they are a dict from id to text, or pairs of an id and a text."""
    if isinstance(documents, Mapping):
        of = cast("Mapping[Any, Any]", documents)
        if any(not isinstance(text, str) and text is not None for text in of.values()):
            return of
        return {"id": list(of), "text": list(of.values())}
    if not _is_listed(documents):
        return documents
    items: list[Any] = list(documents)
    if items and not isinstance(items[0], tuple):
        return items
    wrong = next((item for item in items if not _is_pair(item)), None)
    if wrong is not None:
        raise TypeError(f"a document of an index is an id and a text, but one is {wrong!r}")
    return {"id": [id for id, _ in items], "text": [text for _, text in items]}


def _is_listed(data: Any) -> bool:
    """Return whether data is a list, or another object of Python itself that yields items."""
    if isinstance(data, (str, os.PathLike)) or not isinstance(data, Iterable):
        return False
    return isinstance(data, (list, tuple)) or type(cast("object", data)).__module__ == "builtins"


def _is_pair(item: object) -> bool:
    return isinstance(item, tuple) and len(cast("tuple[object, ...]", item)) == 2


def _ids(batch: Documents[Any]) -> list[str]:
    """Return the ids of the documents of a batch, each of which needs its own."""
    named = batch._id_list()
    if named is None:
        raise ValueError("each document of an index needs an id; name the column of the ids with id, or give a dict from id to text")
    ids: list[str] = []
    for row, id in enumerate(named):
        if type(id).__name__ in _MISSING or id != id:
            raise ValueError(f"row {row} has no id; each document of an index needs one")
        ids.append(str(id))
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise ValueError(f"two documents have the id '{id}'; each document of an index needs its own")
        seen.add(id)
    return ids
