"""A sliding window: each new document is compared with those of the last hours."""

from __future__ import annotations

import time as clock
from datetime import datetime
from typing import NamedTuple, Self, Unpack, cast

from ._closed import Closed
from ._corpus.reader import Document, Reader
from ._lookalike import CoreWindow
from ._options.arguments import Threshold, threshold_text
from ._options.groups import ArrivingOptions


class Match(NamedTuple):
    """A document of the window that another resembles."""

    id: str
    similarity: float
    age: float
    """Seconds between the two."""


class Verdict(NamedTuple):
    """Whether a document is new."""

    verdict: str
    """``new``, ``exact``, ``near``, or ``old`` if the document is older than the window."""
    of: str | None
    similarity: float | None
    matches: list[Match]

    @property
    def is_new(self) -> bool:
        """Whether the document resembles nothing in the window."""
        return self.verdict == "new"


_INCOMPARABLE = Verdict("new", None, None, [])


class Window:
    """The documents of the last hours, to compare each new document with.

    >>> import lookalike as la
    >>> window = la.Window(hours=24)
    >>> window.add("The ferry to the island leaves at nine.", time=0, id="a").verdict
    'new'
    >>> window.add("the ferry to the island leaves at nine", time=3600, id="b")
    Verdict(verdict='exact', of='a', similarity=1.0, matches=[Match(id='a', similarity=1.0, age=3600.0)])

    Web pages are rows, as those of a corpus:

    >>> pages = la.Window(html="body", url="address", tokens="words")
    >>> pages.add({"id": "c", "body": "<p>Rain in the <b>north</b>", "address": "https://a.example/"}, time=0).verdict
    'new'
    >>> pages.query({"body": "Rain in the north", "address": None}, time=0).of
    'c'

    A window can be closed, also by ``with``.

    Args:
        hours: How far back the window reaches.
        segment: Hours of a segment. The window drops documents a segment at a time.
        threshold: The minimum similarity of a duplicate, inclusive.
        measure: As of :class:`Corpus`, but no distance.
        index: ``prefix`` or ``bitmaps``: how documents of the window are found. The verdicts are the same.
        compare_with: ``all`` documents of the window, or only those that were new when they arrived: ``accepted``.

    The other arguments say how documents are read and what they are made of, as of :class:`Corpus`. A document without a text, or with
    one that is longer than ``max_document``, is new, and is not compared.
    """

    def __init__(
        self,
        hours: float = 24,
        *,
        segment: float = 1,
        threshold: Threshold = 0.8,
        measure: str = "jaccard",
        index: str = "prefix",
        compare_with: str = "all",
        **options: Unpack[ArrivingOptions],
    ) -> None:
        self._reader = Reader("Window", ArrivingOptions, options, measure=measure)
        bound, chosen = threshold_text(threshold), self._reader.settings
        self._core = CoreWindow(hours * 3600, segment * 3600, bound, index, compare_with, chosen)
        self._count = 0
        self._is_closed = False

    def add(self, document: Document, time: float | datetime | None = None, *, id: str | None = None) -> Verdict:
        """Compare a document with the window, then add it.

        Args:
            document: A text, or a row: a dict with the columns that ``text``, ``html``, ``url`` and ``id`` of the window name.
            time: Seconds since any origin, or a datetime (default: now).
            id: The id that later verdicts name (default: that of the row, or a number, from 0).
        """
        text, own = self._reader.one(document)
        if id is None and own is None:
            own = str(self._count)
            self._count += 1
        if text is None:
            return _INCOMPARABLE
        kind, of, similarity, matches = self._core.add(cast("str", own if id is None else id), text, _milliseconds(time))
        return Verdict(kind, of, similarity, [Match(*match) for match in matches])

    def query(self, document: Document, time: float | datetime | None = None) -> Verdict:
        """Compare a document with the window without adding it."""
        text = self._reader.one(document).text
        if text is None:
            return _INCOMPARABLE
        kind, of, similarity, matches = self._core.query(text, _milliseconds(time))
        return Verdict(kind, of, similarity, [Match(*match) for match in matches])

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the documents and their ids occupy, without the index over all segments."""
        return self._core.memory()

    def close(self) -> None:
        """Free the memory. A closed window answers no questions."""
        self._core = cast("CoreWindow", Closed("window"))
        self._is_closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return "Window (closed)" if self._is_closed else f"Window of {len(self):,} documents"


def _milliseconds(time: float | datetime | None) -> int:
    if time is None:
        return int(clock.time() * 1000)
    if isinstance(time, datetime):
        time = time.timestamp()
    return round(time * 1000)
