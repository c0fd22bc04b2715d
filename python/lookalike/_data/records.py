"""Rows of answers, for data that is no data frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Removed(NamedTuple):
    """A document that was removed."""

    id: Any
    twin: Any
    similarity: float
    """The exact similarity of the two, or their distance if the measure is one."""
    identical: bool
    """Whether an earlier document has the same set or the same text."""


class RemovedAgainst(NamedTuple):
    """A document that was removed, if there is a reference corpus (``against``)."""

    id: Any
    twin: Any
    similarity: float
    identical: bool
    from_against: bool
    """Whether the twin is a document of the reference corpus, and not of your data."""


class Pair(NamedTuple):
    """Two documents that reach the threshold, and the counts behind their similarity."""

    a: Any
    b: Any
    similarity: float
    common: int
    size_a: int
    size_b: int


class PairAgainst(NamedTuple):
    """Two documents that reach the threshold, in a result with a reference corpus (``against``)."""

    a: Any
    b: Any
    similarity: float
    common: int
    size_a: int
    size_b: int
    from_against: bool
    """Whether ``b`` is a document of the reference corpus."""


class EditPair(NamedTuple):
    """Two texts within an edit distance."""

    a: Any
    b: Any
    distance: int


class EditPairAgainst(NamedTuple):
    """Two texts within an edit distance, in a result with a reference corpus (``against``)."""

    a: Any
    b: Any
    distance: int
    from_against: bool
    """Whether ``b`` is a document of the reference corpus."""


class SignedPair(NamedTuple):
    """Two documents whose signatures agree, found by a ``method`` other than ``exact``. What a method does not have is None."""

    a: Any
    b: Any
    similarity: float | None = None
    """The exact similarity; None with ``unverified=True``."""
    unverified_similarity: float | None = None
    """The similarity that the signatures suggest, with ``unverified=True``."""
    common: int | None = None
    size_a: int | None = None
    size_b: int | None = None
    agree: int | None = None
    """Equal bits of the simhashes."""
    b_similarity: int | None = None
    """Equal super-shingles of two pages."""
    c_similarity: int | None = None
    """Equal bits of the simhashes of two pages."""
    same_site: bool | None = None
    term_difference: int | None = None
    """The number of words in which two pages differ."""
    from_against: bool | None = None
    """Whether ``b`` is a document of the reference corpus, in a result that has one."""


class Member(NamedTuple):
    """A document of a cluster."""

    cluster: int
    id: Any
    kept: bool


class MemberAgainst(NamedTuple):
    """A document of a cluster, if there is a reference corpus (``against``)."""

    cluster: int
    id: Any
    kept: bool
    from_against: bool
    """Whether it is a document of the reference corpus."""


class Broken(NamedTuple):
    """A promise that a result does not keep."""

    promise: str
    a: Any
    b: Any
    similarity: float | None
    stated: float | None


class Bin(NamedTuple):
    """How many similarities are in a range."""

    start: float
    end: float
    documents: int


class UnverifiedRemoved(NamedTuple):
    """A document that was removed by its signature alone, with ``unverified=True``."""

    id: Any
    twin: Any
    unverified_similarity: float
    """The similarity that the signatures suggest."""
    identical: bool
    from_against: bool | None = None
    """Whether the twin is a document of the reference corpus, if there is one."""


class PairToLabel(NamedTuple):
    """Two documents whose label would teach much."""

    a: Any
    b: Any
    label: Any
    """Empty: set it to 1 if the two are the same, and to 0 if they are not."""
    similarity: float
    text_a: str
    text_b: str


class VerifiedPair(NamedTuple):
    """A candidate pair with its exact similarity."""

    a: Any
    b: Any
    similarity: float | None
    """None if a document is not there."""
    reaches: bool | None
    """Whether the two reach the threshold."""
    stated: float | None
    """The similarity that the candidates state."""


class VerifiedMember(NamedTuple):
    """A member of a candidate cluster, and the part of the cluster that the threshold supports it in."""

    cluster: Any
    """What the candidates call it. Clusters that share a document are one, with the name that comes first."""
    part: int | None
    id: Any
    kept: bool | None
    """Whether it would stay."""
    twin: Any
    """The member that it resembles and that stays."""
    similarity: float | None


Columns = dict[str, Any]
"""A table of results: the values of each column."""


def as_records(columns: Mapping[str, Any], record: Any) -> list[Any]:
    """Return the rows of a table as named tuples."""
    rows = zip(*columns.values(), strict=True)
    if tuple(columns) == record._fields:
        return [record(*row) for row in rows]
    return [record(**dict(zip(columns, row, strict=True))) for row in rows]
