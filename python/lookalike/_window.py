"""A sliding window: each new document is compared with those of the last hours."""

from __future__ import annotations

import time as clock
from datetime import datetime
from typing import NamedTuple, Self, cast

from ._closed import Closed
from ._lookalike import CoreWindow
from ._options.arguments import Threshold, settings, threshold_text


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


class Window:
    """The documents of the last hours, to compare each new document with.

    >>> import lookalike as la
    >>> window = la.Window(hours=24)
    >>> window.add("The ferry to the island leaves at nine.", time=0, id="a").verdict
    'new'
    >>> window.add("the ferry to the island leaves at nine", time=3600, id="b")
    Verdict(verdict='exact', of='a', similarity=1.0, matches=[Match(id='a', similarity=1.0, age=3600.0)])

    A window can be closed, also by ``with``.

    Args:
        hours: How far back the window reaches.
        segment: Hours of a segment. The window drops documents a segment at a time.
        threshold: The minimum similarity of a duplicate, inclusive.
        tokens, case, bag, measure: As of :class:`Corpus`.
    """

    def __init__(
        self,
        hours: float = 24,
        *,
        segment: float = 1,
        threshold: Threshold = 0.8,
        tokens: str = "words:5",
        case: str = "fold",
        bag: bool = False,
        measure: str = "jaccard",
    ) -> None:
        chosen = settings(tokens=tokens, case=case, bag=bag, measure=measure)
        self._core = CoreWindow(hours * 3600, segment * 3600, threshold_text(threshold), chosen)
        self._count = 0
        self._is_closed = False

    def add(self, text: str, time: float | datetime | None = None, *, id: str | None = None) -> Verdict:
        """Compare a document with the window, then add it.

        Args:
            text: The text.
            time: Seconds since any origin, or a datetime (default: now).
            id: The id that later verdicts name (default: a number, from 0).
        """
        if id is None:
            id = str(self._count)
            self._count += 1
        kind, of, similarity, matches = self._core.add(id, text, _milliseconds(time))
        return Verdict(kind, of, similarity, [Match(*match) for match in matches])

    def query(self, text: str, time: float | datetime | None = None) -> Verdict:
        """Compare a document with the window without adding it."""
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
