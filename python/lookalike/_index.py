"""A collection without near-duplicates that grows, in memory or in a folder."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from . import _lookalike
from ._arguments import Threshold, settings, threshold_text
from ._files import dedup_files
from ._lookalike import CoreIndex
from ._types import Settings


class IndexMatch(NamedTuple):
    """A document of an index that a text resembles."""

    id: str
    similarity: float


class Settled(NamedTuple):
    """What was decided on a document: its twin, or None if it was added."""

    id: str
    twin: str | None
    similarity: float | None

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
    [Settled(id='a', twin=None, similarity=None), Settled(id='b', twin=None, similarity=None)]
    >>> index.add({"c": "the ferry to the island leaves at nine"})
    [Settled(id='c', twin='a', similarity=1.0)]
    >>> index.query("The ferry to the island leaves at nine!")
    [IndexMatch(id='a', similarity=1.0)]

    Args:
        folder: The folder of the index. It is made by the first batch. Without it, the index is in memory.
        threshold: The minimum similarity of a near-duplicate, inclusive.
        tokens, case, bag, measure: As of :class:`Corpus`. An index in a folder must be opened with the settings that it has.
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
    ) -> None:
        chosen = settings(tokens=tokens, case=case, bag=bag, measure=measure)
        written = threshold_text(threshold)
        self._core: CoreIndex | _Folder
        self._core = CoreIndex(written, chosen) if folder is None else _Folder(os.fspath(folder), written, chosen)

    def add(self, documents: Documents) -> list[Settled]:
        """Add documents, except those that resemble one that is there. A document replaces the one that has its id.

        In a folder, the index has either all of the batch or nothing of it, whatever happens.
        """
        if isinstance(documents, Mapping):
            documents = cast("Mapping[str, str]", documents).items()
        batch = list(documents)
        settled = self._core.add(batch)
        return [
            Settled(id, None, None) if decided is None else Settled(id, decided[0], decided[1])
            for (id, _), decided in zip(batch, settled, strict=True)
        ]

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


class _Folder:
    """An index in a folder, by the jobs of the command."""

    def __init__(self, folder: str, threshold: str, chosen: Settings) -> None:
        self.folder = folder
        self.threshold = threshold
        self.settings = chosen
        # Settings that the index does not have are refused at once.
        shown = self.shown()
        if shown is not None:
            ours = {"threshold": threshold, **{name: chosen[name] for name in ("tokens", "case", "bag", "measure")}}
            theirs = {name: shown["settings"][name] for name in ours}
            if ours != theirs:
                raise ValueError(f"the index in {folder} has other settings: {theirs}, not {ours}; open it with its own")

    def shown(self) -> dict[str, Any] | None:
        """Describe the index, if it is there."""
        written = _lookalike.show_index(self.folder)
        return None if written is None else json.loads(written)

    def add(self, documents: list[tuple[str, str]]) -> list[tuple[str, float, bool] | None]:
        seen: set[str] = set()
        for id, _ in documents:
            if id in seen:
                raise ValueError(f"two documents have the id '{id}'; each document of an index needs its own")
            seen.add(id)
        with tempfile.TemporaryDirectory(prefix="lookalike-") as space:
            batch, removed = os.path.join(space, "batch.jsonl"), os.path.join(space, "removed.jsonl")
            _write(batch, documents)
            dedup_files(
                batch,
                self.threshold,
                removed=removed,
                index=self.folder,
                existing="replace",
                tokens=self.settings["tokens"],
                case=self.settings["case"],
                bag=self.settings["bag"],
                measure=self.settings["measure"],
            )
            decided = {row["id"]: (row["twin"], row["similarity"], False) for row in _read(removed)}
        return [decided.get(id) for id, _ in documents]

    def query(self, text: str) -> list[tuple[str, float]]:
        if self.shown() is None:
            return []
        with tempfile.TemporaryDirectory(prefix="lookalike-") as space:
            asked, answer = os.path.join(space, "asked.jsonl"), os.path.join(space, "answer.jsonl")
            _write(asked, [("asked", text)])
            files = {"paths": [asked], "format": None, "text": [], "html": None, "url": None, "id": None}
            _lookalike.query_index(self.folder, cast("Any", files), answer, None, self.settings, None)
            return [(row["match"], row["similarity"]) for row in _read(answer)]

    def remove(self, id: str) -> bool:
        before = len(self)
        if before == 0:
            return False
        _lookalike.remove_from_index(self.folder, [id])
        return len(self) < before

    def __len__(self) -> int:
        shown = self.shown()
        return 0 if shown is None else int(shown["documents"])


def _write(path: str, documents: list[tuple[str, str]]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        for id, text in documents:
            if not isinstance(id, str) or not isinstance(text, str):
                raise TypeError("a document of an index is an id and a text, both str")
            file.write(json.dumps({"id": id, "text": text}, ensure_ascii=False) + "\n")


def _read(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
