"""Answers: what is kept, what is removed and why."""

from __future__ import annotations

import os
from array import array
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .._data.inputs import Files
from .._data.records import Bin, Broken, Member, MemberAgainst, Removed, RemovedAgainst, UnverifiedRemoved
from .._data.rows import Sets
from .._jobs.engine import Engine
from .._types import Decision
from .comparison import Comparison, compare_texts
from .html import summary_page
from .pairs import joined_pairs, named_pairs
from .summary import summary_lines

if TYPE_CHECKING:
    from .._corpus.asking import Asking
    from .._data.rows import Input

T = TypeVar("T")


class Deduplicated(Generic[T]):
    """Which documents of a corpus are kept, and why the others are not.

    ``removed``, ``clusters`` and ``pairs`` say of each document that may be one of the reference corpus (``against``) whether it
    is, in the column ``from_against``. Without a reference, there is no such column.

    A result can be pickled. What needs the corpus (``pairs``, ``check``, ``explain``) cannot be asked of a copy.
    """

    _corpus: Asking[T] | None
    _reference: Asking[Any] | None

    @classmethod
    def _of(
        cls,
        corpus: Asking[T],
        reference: Asking[Any] | None,
        decision: Decision,
        within: list[str],
        rule: str,
        keep: str | Sequence[int],
        report: dict[str, Any] | None,
    ) -> Deduplicated[T]:
        result: Deduplicated[T] = cls.__new__(cls)
        result._corpus = corpus
        result._reference = reference
        result._has_reference = reference is not None
        result._input = corpus._input
        result._within = within
        result.threshold = decision["threshold"]
        result.measure = corpus._measure
        result.tokens = "characters" if corpus._method.is_edit else corpus._settings["tokens"]
        result.method = corpus._method.name
        result.signatures = None if report is None else report["signatures"]
        result.components = rule == "components"
        result.keep = keep if isinstance(keep, str) else "order"
        result._order = keep
        result._mask = decision["kept"]
        result._rows = array("q", decision["removed"])
        result._twins = array("q", decision["twins"])
        result._references = decision["references"]
        result._similarities = array("d", decision["similarities"])
        result._identical = decision["identical"]
        result._clusters = array("q", decision["clusters"])
        result._members = array("q", decision["members"])
        result.histogram = [Bin(*bin) for bin in decision["histogram"]]
        result._pairs = None
        result._duplicates = result._id_set = None
        return result

    _has_reference: bool
    _input: Input
    _within: list[str]
    threshold: str | None
    """The threshold that decided, as an exact number. None if the method needs none."""
    measure: str
    tokens: str
    method: str
    """``exact``, or how signatures found the pairs."""
    signatures: dict[str, Any] | None
    """What a method by signatures did: its filter, its candidates, and the recall that it was designed for and that was measured."""
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
    _saved_ids: list[Any] | None = None
    _saved_reference_ids: list[Any] | None = None
    _pairs: Any
    _duplicates: dict[Any, list[Any]] | None
    """By document, those that it removed. Built when first asked for."""
    _id_set: Container[Any] | None
    _order: str | Sequence[int]

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
            "similarity" if self._is_verified else "unverified_similarity": self._similarities.tolist(),
            "identical": [bool(identical) for identical in self._identical],
        }
        record = RemovedAgainst if self._has_reference else Removed
        if self._has_reference:
            columns["from_against"] = [bool(is_reference) for is_reference in self._references]
        return self._input.table(columns, record if self._is_verified else UnverifiedRemoved)

    @property
    def clusters(self) -> Any:
        """The documents that are in a cluster: its number, the id, and whether it is the one that is kept."""
        documents, own, references = len(self._mask), self._ids, self._reference_ids
        ids: list[Any] = []
        kept: list[bool] = []
        for member in self._members:
            is_own = member < documents
            ids.append(self._call(member, own) if is_own else self._call(member - documents, references))
            kept.append(bool(self._mask[member]) if is_own else True)
        columns: dict[str, list[Any]] = {"cluster": self._clusters.tolist(), "id": ids, "kept": kept}
        if self._has_reference:
            columns["from_against"] = [member >= documents for member in self._members]
        return self._input.table(columns, MemberAgainst if self._has_reference else Member)

    @property
    def pairs(self) -> Any:
        """Every pair at or above the threshold, also those with the reference corpus. They are found when first asked for."""
        if self._pairs is None:
            corpus, reference = self._alive(), self._reference
            if not corpus._method.is_exact:
                engine = Engine(corpus)
                columns = engine.pairs_behind(self.threshold, self._order, reference, self._within, self.components)
                self._pairs = self._input.table(columns, corpus._method.record(columns))
                return self._pairs
            bound = cast("str", self.threshold)
            found = corpus._find(bound, None, None, self._within)
            if reference is None:
                self._pairs = named_pairs(corpus, corpus, found)
            else:
                across = corpus._find(bound, None, reference, self._within)
                self._pairs = joined_pairs(corpus, found, reference, across)
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
        if self._duplicates is None:
            self._duplicates = self._by_twin()
        if id in self._duplicates:
            return list(self._duplicates[id])
        if id not in self._own_ids():
            raise KeyError(f"no document has the id {id!r}")
        return []

    def explain(self, a: Any, b: Any = None) -> Comparison:
        """Compare a removed document with its twin, or any two documents."""
        corpus = self._alive()
        if b is not None:
            return corpus._explain(a, b, self._bound())
        position = corpus._position(a)
        if self._mask[position]:
            raise ValueError(f"document {a!r} is kept; give the document to compare it with")
        at = self._rows.index(position)
        if isinstance(self._input, Files) and not self._references[at]:
            return corpus._explain(a, corpus._id_of(self._twins[at]), self._bound())
        other = self._reference if self._references[at] else corpus
        texts = [corpus._text(position), None if other is None else other._text(self._twins[at])]
        if texts[0] is None or texts[1] is None:
            raise ValueError(f"document {a!r} or its twin has no text in memory; compare() takes two texts")
        return compare_texts(texts[0], texts[1], self._bound(), corpus._settings)

    def check(self) -> list[Broken]:
        """Prove the promises on this result: an empty list means that all are kept.

        Every removed document reaches the threshold with its twin, which is kept. Every similarity is exact. No two
        kept documents reach the threshold. A method by signatures does not find all pairs: those that it missed among the
        kept documents are listed as ``both kept``.
        """
        corpus = self._alive()
        if self.threshold is None:
            raise ValueError(
                f"method='{self.method}' decided without a threshold; give one to dedup(), or check with Corpus.check(threshold)"
            )
        references = map(bool, self._references)
        # An estimate is not stated as a similarity.
        stated = self._similarities if self._is_verified else [float("nan")] * len(self._rows)
        rows = list(zip(self._rows, self._twins, references, stated, strict=True))
        return corpus._check(self.threshold, rows, self._reference, self._within)

    def report(self, path: str | os.PathLike[str], *, by: str | None = None, force: bool = False) -> None:
        """Write the result as a page for people, as ``lookalike dedup --report`` does: one HTML file with numbers and examples.

        >>> import pathlib, tempfile
        >>> import lookalike as la
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     la.dedup(["a b c", "d", "c b a"], tokens="words").report(pathlib.Path(folder) / "report.html")
        ...     "1 of 3 documents" in (pathlib.Path(folder) / "report.html").read_text("utf-8")
        True

        Args:
            path: Where the page goes; it must end in ``.html``.
            by: The column by which documents are counted, such as a source or a language.
            force: Replace an existing file.
        """
        corpus = self._alive()
        if isinstance(self._input, Sets):
            raise ValueError("a report shows texts, but these documents are sets")
        engine, page = Engine(corpus), os.fspath(path)
        engine.report(self.threshold, self._order, self._reference, self._within, self.components, page, by, force)

    def __len__(self) -> int:
        return len(self._mask)

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        return summary_page(self._lines(), self.histogram)

    def _lines(self) -> list[str]:
        return summary_lines(self)

    def __getstate__(self) -> dict[str, Any]:
        ids: dict[str, Any] = {"_saved_ids": self._ids, "_saved_reference_ids": self._reference_ids}
        made: dict[str, Any] = {"_duplicates": None, "_id_set": None}
        return {**self.__dict__, **ids, **made, "_corpus": None, "_reference": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deduplicated):
            return NotImplemented
        mine = (self.threshold, self.measure, self._mask, self._twins, self._similarities, self._identical)
        return mine == (other.threshold, other.measure, other._mask, other._twins, other._similarities, other._identical)

    __hash__ = None  # type: ignore[assignment]

    def _alive(self) -> Asking[T]:
        if self._corpus is None:
            raise ValueError("a result that was pickled has no corpus; ask the corpus that made it")
        return self._corpus

    @property
    def _is_verified(self) -> bool:
        return self.signatures is None or bool(self.signatures["verified"])

    def _bound(self) -> str:
        """Return the threshold to compare two sets by, for which an edit distance is none."""
        return "0.8" if self.threshold is None or self.measure == "edit" else self.threshold

    # Ids become Python objects when they are first asked for.

    @property
    def _ids(self) -> list[Any] | None:
        return self._saved_ids if self._corpus is None else self._corpus._id_list()

    @property
    def _reference_ids(self) -> list[Any] | None:
        return self._saved_reference_ids if self._reference is None else self._reference._id_list()

    def _own_ids(self) -> Container[Any]:
        if self._id_set is None:
            self._id_set = range(len(self._mask)) if self._ids is None else set(self._ids)
        return self._id_set

    def _by_twin(self) -> dict[Any, list[Any]]:
        """Return the removed documents of each document that removed some."""
        found: dict[Any, list[Any]] = {}
        rows = zip(self._twin_ids(), self._called(self._rows, self._ids), self._references, strict=True)
        for twin, own, is_reference in rows:
            if not is_reference:
                found.setdefault(twin, []).append(own)
        return found

    def _call(self, document: int, ids: list[Any] | None) -> Any:
        return document if ids is None else ids[document]

    def _called(self, documents: Sequence[int], ids: list[Any] | None) -> list[Any]:
        return list(documents) if ids is None else [ids[document] for document in documents]

    def _twin_ids(self) -> list[Any]:
        own, references = self._ids, self._reference_ids
        twins = zip(self._twins, self._references, strict=True)
        return [self._call(twin, references if is_reference else own) for twin, is_reference in twins]
