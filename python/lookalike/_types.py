"""What passes between the two halves of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from ._lookalike import Column, CoreCorpus, PassageTable


class Settings(TypedDict):
    tokens: str
    case: str
    bag: bool
    page: str | None
    without: PassageTable | None
    measure: str
    threads: int | None
    max_document: int
    memory: int | None


class Files(TypedDict):
    paths: list[str]
    format: str | None
    text: list[str]
    html: str | None
    url: str | None
    id: str | None
    strict: bool


class Signing(TypedDict):
    """The signatures that two texts are compared by."""

    features: str
    shingle: int
    weighted: bool
    bits: int
    element: int


class Options(TypedDict):
    keep: str
    key: Column | None
    order: list[int] | None
    against: CoreCorpus | None
    within: list[Column]
    within_against: list[Column]
    fields: list[str]
    components: bool


class Search(TypedDict):
    other: CoreCorpus | None
    within: list[Column]
    within_other: list[Column]
    fields: list[str]
    distinct: bool
    limit: int | None
    room: int | None


class Fates(TypedDict):
    """What was decided on documents. Numbers are bytes of 64-bit integers or floats, truths are bytes of 0 and 1."""

    kept: bytes
    removed: bytes
    twins: bytes
    references: bytes
    similarities: bytes
    identical: bytes
    clusters: bytes
    members: bytes
    histogram: list[tuple[float, float, int]]


class Decision(Fates):
    threshold: str | None


class Found(TypedDict):
    """Pairs: similarities as 64-bit floats, all else as unsigned 32-bit integers."""

    a: bytes
    b: bytes
    similarities: bytes
    common: bytes
    size_a: bytes
    size_b: bytes


# What passes to and from the tasks of a Spark job.


class Rows(TypedDict):
    texts: list[Column]
    is_page: bool
    url: Column | None
    site: Column | None
    within: list[Column]


class SparkMethod(TypedDict):
    filter: str
    signature_bytes: int
    designed_recall: float | None
    must_reach: bool
    posted_bytes: int
    pages: tuple[int, int] | None
    site: str | None
