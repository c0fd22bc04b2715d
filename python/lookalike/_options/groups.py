"""Groups of arguments that several functions take, with the names of the command's options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TypedDict

from .arguments import Size

Features = tuple[int, int, int] | str
"""A filter of features: ``(6, 14, 2)`` or ``"6,14,2"``."""


class MethodOptions(TypedDict, total=False):
    """Options of a ``method``, and of ``measure="edit"``."""

    unverified: bool
    """Report all candidates, with estimated similarities, and compare no sets."""
    recall: float
    """For minhash: the share of the pairs at the threshold to find (default: 0.99)."""
    nbytes: int
    """For minhash: the most bytes of features for a document (default: 128)."""
    features: Features
    """For minhash, mega-shingles, b, c, combined, by-site: K features of S values each, R of the K equal."""
    functions: int
    """For sketch, lsh: the number of min-wise values for a document (default: 84, for lsh 128)."""
    bands: tuple[int, int] | str
    """For lsh: the number of bands, and of values in each (default: chosen for the threshold)."""
    idf: tuple[float, float] | str
    """For i-match: the range of inverse document frequencies, from 0 to 1, of the words that count (default: 0.2, 0.85)."""
    lexica: int
    """For i-match: the number of lexica, of which one must agree (default: 1)."""
    least_terms: int
    """For i-match: the minimum number of words in a fingerprint (default: 4)."""
    light: float | str
    """For ddebit: the minimum share of common bigrams in the longer text (default: 0.5)."""
    bits: int
    """For simhash, b, c, combined, by-site: bits of a simhash (default: 384)."""
    agree: int
    """For simhash, c, by-site: the minimum number of equal bits (default: 372 of 384)."""
    combined_agree: int
    """For combined, by-site: the minimum number of equal bits if the super-shingles agree (default: 355 of 384)."""
    shingle: int
    """For b, c, combined, by-site: words in a shingle (default: 8)."""
    weighted: bool
    """For b, c, combined, by-site: count repeated shingles."""
    element: int
    """For b, c, combined, by-site: words in an element of algorithm C (default: 1)."""
    site: str
    """For b, c, combined, by-site: the rule for the site of a page, ``registered``, ``paper`` or ``field:COLUMN``."""
    q: int
    """For ``measure="edit"``: characters in a gram of the index. It changes the time, never the result."""


class PassageOptions(TypedDict, total=False):
    """What is left out of texts. As of :class:`Corpus`."""

    without: str | os.PathLike[str] | None


class ElementOptions(PassageOptions, total=False):
    """How texts become elements, but for the unit. As of :class:`Corpus`."""

    page: str | None
    case: str
    bag: bool


class TokenOptions(ElementOptions, total=False):
    """How texts become sets. As of :class:`Corpus`."""

    tokens: str


class PageOptions(TypedDict, total=False):
    """What the text of a row is, if it is a web page. As of :class:`Corpus`."""

    html: str | None
    url: str | None
    max_document: Size


class TextOptions(PageOptions, total=False):
    """What the text of a row is. As of :class:`Corpus`."""

    text: str | Iterable[str] | None


class ShownOptions(TextOptions, ElementOptions, total=False):
    """How a document is read whose tokens are shown."""


class DocumentOptions(TextOptions, TokenOptions, total=False):
    """How documents in memory are read."""


class ArrivingOptions(DocumentOptions, total=False):
    """How documents are read that arrive one after another."""

    id: str | None


class FieldOptions(PageOptions, total=False):
    """How rows of files are read, but for the text. As of :class:`Corpus`."""

    id: str | None
    format: str | None
    strict: bool
    threads: int | None


class LabelledOptions(FieldOptions, PassageOptions, total=False):
    """How documents are read that labels are about, but for the text."""


class RowOptions(FieldOptions, TextOptions, total=False):
    """How rows of files are read. As of :class:`Corpus`."""


class AskOptions(RowOptions, PassageOptions, total=False):
    """How documents are read that an index is asked about: what they are compared by is fixed by the index."""


class ReadOptions(RowOptions, TokenOptions, total=False):
    """How documents are read, from files too."""


class CompareOptions(ReadOptions, MethodOptions, total=False):
    """How files are read, and their documents compared."""


class JobOptions(CompareOptions, total=False):
    """How files become files: what all jobs that compare documents take."""

    within: str | Iterable[str] | None
    """As of :meth:`Corpus.dedup`."""
    measure: str
    method: str
    """As of :class:`Corpus`, with the options of the method."""
    report: str | os.PathLike[str] | None
    """Where a page for people goes, one HTML file."""
    by: str | None
    """The field by which the page counts documents, such as a source or a language."""
    force: bool
    """Replace existing files."""
    memory: Size | None
    """How much memory the run may use, such as ``"2GB"`` (default: 80 % of what is available)."""
    plan: bool
    """Return what the run will need, from a sample of the inputs, and do nothing."""
    run: str | os.PathLike[str] | None
    """A folder for the state of the run, so that the same call continues after a crash."""
    restart: bool
    """Discard the state in ``run``, and start again."""
    tmp: str | os.PathLike[str] | None
    """The folder for temporary files."""


def require_known(given: Iterable[str], group: type, function: str) -> None:
    """Raise TypeError if an argument is not in a group."""
    known: Mapping[str, object] = group.__annotations__
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        raise TypeError(f"{function}() got an unexpected keyword argument '{unknown}'")
