"""Answers: what is kept, what is removed and why, and which pairs there are."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from . import _lookalike
from ._html import summary_page
from ._types import Decision, Found, Settings

if TYPE_CHECKING:
    from ._corpus import Corpus
    from ._rows import Input

T = TypeVar("T")


class Removed(NamedTuple):
    """A document that was removed."""

    id: Any
    twin: Any
    similarity: float
    identical: bool


class Pair(NamedTuple):
    """Two documents that reach the threshold, and the counts behind their similarity."""

    a: Any
    b: Any
    similarity: float
    common: int
    size_a: int
    size_b: int


class Member(NamedTuple):
    """A document of a cluster."""

    cluster: int
    id: Any
    kept: bool


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


class Comparison(NamedTuple):
    """Two texts beside each other."""

    is_pair: bool
    why: str
    identical: bool
    common: int
    size_a: int
    size_b: int
    measures: Mapping[str, float | None]
    words_a: list[str]
    words_b: list[str]
    differences: list[tuple[int, int, int, int]] | None
    """Runs of words in which the two differ: start and end in ``words_a``, start and end in ``words_b``."""

    def diff(self) -> str:
        """Return the words of both, with ``[-…-]`` around what only the first has, ``{+…+}`` what only the second has."""
        if self.differences is None:
            return "(too many differences to show)"
        parts: list[str] = []
        at = 0
        for start_a, end_a, start_b, end_b in self.differences:
            parts += self.words_a[at:start_a]
            if start_a < end_a:
                parts.append(f"[-{' '.join(self.words_a[start_a:end_a])}-]")
            if start_b < end_b:
                parts.append(f"{{+{' '.join(self.words_b[start_b:end_b])}+}}")
            at = end_a
        return " ".join(parts + self.words_a[at:])

    def __str__(self) -> str:
        return f"{self.why}\n{self.diff()}"


def compare_texts(a: str, b: str, threshold: str, settings: Settings) -> Comparison:
    """Compare two texts."""
    counts, words, differences = _lookalike.compare(a, b, threshold, settings)
    return Comparison(
        bool(counts["is_pair"]),
        counts["why"],
        counts["identical"],
        counts["common"],
        counts["size_a"],
        counts["size_b"],
        counts["measures"],
        words[0],
        words[1],
        differences,
    )


class Deduplicated(Generic[T]):
    """Which documents of a corpus are kept, and why the others are not.

    A result can be pickled. What needs the corpus (``pairs``, ``check``, ``explain``) cannot be asked of a copy.
    """

    _corpus: Corpus[T] | None
    _reference: Corpus[Any] | None

    @classmethod
    def _of(
        cls,
        corpus: Corpus[T],
        reference: Corpus[Any] | None,
        decision: Decision,
        within: list[str],
        components: bool,
        keep: str | Sequence[int],
    ) -> Deduplicated[T]:
        result: Deduplicated[T] = cls.__new__(cls)
        result._corpus = corpus
        result._reference = reference
        result._input = corpus._input
        result._within = within
        result.threshold = decision["threshold"]
        result.measure = corpus._settings["measure"]
        result.tokens = corpus._settings["tokens"]
        result.components = components
        result.keep = keep if isinstance(keep, str) else "order"
        result._mask = decision["kept"]
        result._rows = array("q", decision["removed"])
        result._twins = array("q", decision["twins"])
        result._references = decision["references"]
        result._similarities = array("d", decision["similarities"])
        result._identical = decision["identical"]
        result._clusters = array("q", decision["clusters"])
        result._members = array("q", decision["members"])
        result.histogram = [Bin(*bin) for bin in decision["histogram"]]
        result._ids = corpus._id_list()
        result._reference_ids = None if reference is None else reference._id_list()
        result._pairs = None
        return result

    _input: Input
    _within: list[str]
    threshold: str
    """The threshold that decided, as an exact number."""
    measure: str
    tokens: str
    components: bool
    keep: str
    histogram: list[Bin]
    """How similar removed documents are to their twins."""
    _mask: bytes
    _rows: array[int]
    _twins: array[int]
    _references: bytes
    _similarities: array[float]
    _identical: bytes
    _clusters: array[int]
    _members: array[int]
    _ids: list[Any] | None
    _reference_ids: list[Any] | None
    _pairs: Any

    @property
    def kept(self) -> T:
        """The rows that are kept, in the type of your data, with all its columns. For files, the ids of the rows.

        >>> import lookalike as la
        >>> la.dedup({"text": ["a b", "a b", "c"], "n": [1, 2, 3]}).kept
        {'text': ['a b', 'c'], 'n': [1, 3]}
        """
        kept: T = self._input.take(self._mask)
        return kept

    @property
    def kept_rows(self) -> list[int]:
        """The numbers of the rows that are kept."""
        return [row for row, is_kept in enumerate(self._mask) if is_kept]

    @property
    def kept_mask(self) -> list[bool]:
        """For each row, whether it is kept."""
        return [bool(is_kept) for is_kept in self._mask]

    @property
    def removed(self) -> Any:
        """The removed documents, each with its twin: a table in the type of your data frame, or a list of :class:`Removed`."""
        columns: dict[str, list[Any]] = {
            "id": self._called(self._rows, self._ids),
            "twin": self._twin_ids(),
            "similarity": self._similarities.tolist(),
            "identical": [bool(identical) for identical in self._identical],
        }
        return self._input.table(columns, Removed)

    @property
    def clusters(self) -> Any:
        """The documents that are in a cluster: its number, the id, and whether it is the one that is kept."""
        documents = len(self._mask)
        ids, kept = [], []
        for member in self._members:
            is_own = member < documents
            ids.append(self._call(member, self._ids) if is_own else self._call(member - documents, self._reference_ids))
            kept.append(bool(self._mask[member]) if is_own else True)
        columns: dict[str, list[Any]] = {"cluster": self._clusters.tolist(), "id": ids, "kept": kept}
        return self._input.table(columns, Member)

    @property
    def pairs(self) -> Any:
        """Every pair at or above the threshold, also those with the reference corpus. They are found when first asked for."""
        if self._pairs is None:
            corpus = self._alive()
            found = [(corpus, corpus._find(self.threshold, None, None, self._within))]
            if self._reference is not None:
                across = corpus._find(self.threshold, None, self._reference, self._within)
                found.append((self._reference, across))
            self._pairs = joined_pairs(corpus, found)
        return self._pairs

    @property
    def ratio(self) -> float:
        """The share of the documents that is kept."""
        return sum(self._mask) / len(self._mask) if self._mask else 1.0

    def duplicates_of(self, id: Any) -> list[Any]:
        """Return the ids of the documents that were removed because they resemble this one.

        >>> import lookalike as la
        >>> la.dedup(["a b", "c", "b a"], tokens="words").duplicates_of(0)
        [2]
        """
        if id not in (range(len(self._mask)) if self._ids is None else self._ids):
            raise KeyError(f"no document has the id {id!r}")
        rows = zip(self._twin_ids(), self._called(self._rows, self._ids), self._references, strict=True)
        return [own for twin, own, is_reference in rows if twin == id and not is_reference]

    def explain(self, a: Any, b: Any = None) -> Comparison:
        """Compare a removed document with its twin, or any two documents."""
        corpus = self._alive()
        if b is not None:
            return corpus.explain(a, b, self.threshold)
        position = corpus._position(a)
        if self._mask[position]:
            raise ValueError(f"document {a!r} is kept; give the document to compare it with")
        at = self._rows.index(position)
        if corpus._open().ids() and not self._references[at]:
            return corpus.explain(a, corpus._id_of(self._twins[at]), self.threshold)
        other = self._reference if self._references[at] else corpus
        texts = [corpus._open().text(position), None if other is None else other._open().text(self._twins[at])]
        if texts[0] is None or texts[1] is None:
            raise ValueError(f"document {a!r} or its twin has no text in memory; compare() takes two texts")
        return compare_texts(texts[0], texts[1], self.threshold, corpus._settings)

    def check(self) -> list[Broken]:
        """Prove the promises on this result: an empty list means that all are kept.

        Every removed document reaches the threshold with its twin, which is kept. Every similarity is exact. No two
        kept documents reach the threshold.
        """
        references = map(bool, self._references)
        rows = list(zip(self._rows, self._twins, references, self._similarities, strict=True))
        return self._alive()._check(self.threshold, rows, self._reference, self._within)

    def __len__(self) -> int:
        return len(self._mask)

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        return summary_page(self._lines(), self.histogram)

    def _lines(self) -> list[str]:
        documents, kept = len(self._mask), sum(self._mask)
        identical = sum(self._identical)
        sign = "≤" if self.measure == "hamming" else "≥"
        clusters = len(set(self._clusters))
        lines = [
            f"{documents:,} documents; {self.measure} {sign} {self.threshold} on {self.tokens}, exact",
            f"removed {documents - kept:,}: {identical:,} identical to an earlier document, "
            f"{documents - kept - identical:,} near; {clusters:,} {'cluster' if clusters == 1 else 'clusters'}; kept {kept:,} ({self.ratio:.1%})",
        ]
        if self.components:
            lines.append("by connected components: a removed document may resemble no kept document")
        return lines

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_corpus": None, "_reference": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deduplicated):
            return NotImplemented
        mine = (self.threshold, self.measure, self._mask, self._twins, self._similarities, self._identical)
        return mine == (other.threshold, other.measure, other._mask, other._twins, other._similarities, other._identical)

    __hash__ = None  # type: ignore[assignment]

    def _alive(self) -> Corpus[T]:
        if self._corpus is None:
            raise ValueError("a result that was pickled has no corpus; ask the corpus that made it")
        return self._corpus

    def _call(self, document: int, ids: list[Any] | None) -> Any:
        return document if ids is None else ids[document]

    def _called(self, documents: Sequence[int], ids: list[Any] | None) -> list[Any]:
        return list(documents) if ids is None else [ids[document] for document in documents]

    def _twin_ids(self) -> list[Any]:
        twins = zip(self._twins, self._references, strict=True)
        return [self._call(twin, self._reference_ids if is_reference else self._ids) for twin, is_reference in twins]


def named_pairs(own: Corpus[Any], other: Corpus[Any], found: Found) -> Any:
    """Make a table of pairs."""
    return joined_pairs(own, [(other, found)])


def joined_pairs(own: Corpus[Any], found: list[tuple[Corpus[Any], Found]]) -> Any:
    """Make a table of pairs with one corpus or several, in which the pairs of a document follow each other."""
    tables = [_columns(own, other, pairs) for other, pairs in found]
    if len(tables) == 1:
        return own._input.table(tables[0], Pair)
    firsts = [first for _, pairs in found for first in array("I", pairs["a"])]
    order = sorted(range(len(firsts)), key=firsts.__getitem__)
    columns: dict[str, Sequence[Any]] = {}
    for name in Pair._fields:
        values = [value for table in tables for value in table[name]]
        columns[name] = [values[at] for at in order]
    return own._input.table(columns, Pair)


def _columns(own: Corpus[Any], other: Corpus[Any], pairs: Found) -> dict[str, Sequence[Any]]:
    numbers = own._input.numbers

    def called(corpus: Corpus[Any], documents: bytes) -> Any:
        ids = corpus._id_list()
        return numbers("I", documents) if ids is None else [ids[document] for document in array("I", documents)]

    return {
        "a": called(own, pairs["a"]),
        "b": called(other, pairs["b"]),
        "similarity": numbers("d", pairs["similarities"]),
        "common": numbers("I", pairs["common"]),
        "size_a": numbers("I", pairs["size_a"]),
        "size_b": numbers("I", pairs["size_b"]),
    }
