"""Documents with their sets, ready to be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, Self, TypeVar

from ._arguments import Threshold, names, require_exact, settings, threshold_text
from ._inputs import Files, adapt
from ._lookalike import Column, CoreCorpus, usual_memory
from ._progress import Progress, watching
from ._result import Broken, Comparison, Deduplicated, compare_texts, named_pairs
from ._rows import Sets
from ._types import Found, Options

T = TypeVar("T")


class Corpus(Generic[T]):
    """Documents with their sets, ready to be compared.

    The sets are made once. Each question repeats only the comparison.

    Args:
        data: A data frame (pandas, polars, pyarrow, or any other with Arrow data), a Hugging Face dataset, a list of
            str or of dict, a dict of columns, sets of integers or tokens, a path, or a list of ``pathlib.Path``.
        text: The column of the text (default: ``text``). Several columns are read one after another, as one text.
        html: A column of web pages, in place of ``text``.
        url: The column of the pages' addresses.
        id: The column of the ids (default: ``id``, if there is one). Without ids, rows are called by their numbers.
        tokens: What sets are made of: ``words:5``, ``words``, ``chars:3``, ``letters:4`` or ``raw``.
        case: ``fold`` ignores differences of case, ``keep`` does not.
        bag: Count repeated shingles: the second occurrence is an element of its own.
        page: How a page becomes text: ``text``, ``main`` or ``paper``.
        measure: ``jaccard``, ``cosine``, ``dice``, ``max``, ``containment``, ``overlap`` or ``hamming``.
        threads: The number of threads (default: all cores). The result does not depend on it.
        method: Only ``exact``. The command has approximate methods; it takes files.
        memory: The most memory for the sets, such as ``"2GB"``, and as much again for the pairs of an answer. If more
            is needed, MemoryError is raised. The comparison itself needs memory of about the size of the sets beside
            that. By default, sets have no limit, and pairs may take 80 % of what is available when you ask. To work
            within a limit in all, use :func:`dedup_files`, which keeps sets in temporary files.
        max_document: A longer text is kept and resembles nothing.
        format: The format of files, if their names do not say it: ``jsonl``, ``csv``, ``tsv``, ``parquet``, ``html``,
            ``warc``, ``text`` or ``lines``.
        progress: True draws a bar (with tqdm). A function is called with the stage, what is done, and the total.

    >>> import lookalike as la
    >>> corpus = la.Corpus(["The ferry leaves at nine.", "Rain in the north.", "The ferry leaves at nine!"])
    >>> corpus.dedup(0.8).kept
    ['The ferry leaves at nine.', 'Rain in the north.']
    """

    def __init__(
        self,
        data: T,
        text: str | Iterable[str] | None = None,
        *,
        html: str | None = None,
        url: str | None = None,
        id: str | None = None,
        tokens: str = "words:5",
        case: str = "fold",
        bag: bool = False,
        page: str | None = None,
        measure: str = "jaccard",
        method: str = "exact",
        threads: int | None = None,
        memory: int | str | None = None,
        max_document: int | str = "50MB",
        format: str | None = None,
        progress: Progress = None,
    ) -> None:
        self._core: CoreCorpus | None = None
        require_exact(method)
        self._settings = settings(
            tokens=tokens,
            case=case,
            bag=bag,
            page=page,
            measure=measure,
            threads=threads,
            max_document=max_document,
            memory=memory,
        )
        self._input = adapt(data)
        if text is not None and html is not None:
            raise ValueError("give either text or html, not both")
        if format is not None and not isinstance(self._input, Files):
            raise ValueError("format is for files, but the data is in memory")
        if page is not None and html is None and not isinstance(self._input, Files):
            raise ValueError("page is for web pages; name their column with html")
        texts = names(html if html is not None else text)
        self._named = {"text": None if html is not None or not texts else texts, "html": html, "url": url, "id": id}
        with watching(progress) as callback:
            if isinstance(self._input, Files):
                self._core = CoreCorpus.of_files(
                    {
                        "paths": self._input.data,
                        "format": format,
                        "text": [] if html is not None else texts,
                        "html": html,
                        "url": url,
                        "id": id,
                    },
                    self._settings,
                    callback,
                )
                self._input.ids = self._core.ids()
                self._id: str | None = None
            elif isinstance(self._input, Sets):
                self._core = CoreCorpus.of_sets(self._input.data, self._settings)
                self._id = None
            else:
                columns = self._texts(texts, html is not None)
                self._core = CoreCorpus.of_rows(
                    columns,
                    html is not None,
                    None if url is None else self._input.column(url),
                    self._settings,
                    callback,
                )
                self._id = self._input.id_column = self._id_column(id)
        self._positions: dict[Any, int] | None = None
        self._ids: list[Any] | None = None

    def _texts(self, texts: list[str], is_page: bool) -> list[Column]:
        if self._input.columns is None:
            if texts and texts != ["text"]:
                self._input.require(texts[0])
            column = self._input.texts()
            column.require_text("the texts")
            return [column]
        columns = []
        for name in texts or ["html" if is_page else "text"]:
            if name not in self._input.columns and not texts:
                listed = ", ".join(map(str, self._input.columns))
                raise KeyError(f"no column 'text' (columns: {listed}). Use text= to name the column of the text")
            column = self._input.column(name)
            column.require_text(name)
            columns.append(column)
        return columns

    def _id_column(self, id: str | None) -> str | None:
        if id is not None:
            self._input.require(id)
            return id
        return "id" if self._input.columns is not None and "id" in self._input.columns else None

    # Questions.

    def dedup(
        self,
        threshold: Threshold = 0.8,
        *,
        keep: str | Sequence[int] = "first",
        against: Any = None,
        within: str | Iterable[str] | None = None,
        components: bool = False,
        to: int | None = None,
        lowest: Threshold | None = None,
        progress: Progress = None,
    ) -> Deduplicated[T]:
        """Decide which documents to keep.

        In keep order, each document is kept unless one that is already kept reaches the threshold with it.

        Args:
            threshold: The minimum similarity of a near-duplicate, inclusive.
            keep: Which of several similar documents stays: ``first``, ``last``, ``longest``, ``shortest``,
                ``max:COLUMN`` or ``min:COLUMN``; or the numbers of all rows in an order of your own.
            against: Another corpus, or data for one: documents that resemble it are removed too.
            within: Columns whose values must be equal for documents to be compared.
            components: Keep one document of each connected component instead. This can remove a document that
                resembles no kept one.
            to: Find the highest threshold that leaves at most so many documents, in place of ``threshold``.
            lowest: The lowest threshold that ``to`` may choose (default: 0.5).
            progress: As of the corpus.

        >>> import lookalike as la
        >>> corpus = la.Corpus(["one two three", "one two three four", "five"], tokens="words")
        >>> corpus.dedup(0.7).removed
        [Removed(id=1, twin=0, similarity=0.75, identical=False)]
        >>> corpus.dedup(to=2).threshold
        '0.75'
        """
        core = self._open()
        if to is None and lowest is not None:
            raise ValueError("lowest is for `to`; give the threshold itself")
        if to is not None and (isinstance(to, bool) or not isinstance(to, int) or to < 0):
            raise ValueError(f"to must be the number of documents to keep, not {to!r}")
        reference = None if against is None else self._other(against)
        bound = threshold_text(threshold if to is None else 0.5 if lowest is None else lowest)
        options = self._options(keep, reference, within, components)
        with watching(progress) as callback:
            decision = core.dedup(bound, to, options, callback)
        return Deduplicated._of(self, reference, decision, names(within), components, keep)

    def pairs(
        self,
        threshold: Threshold = 0.8,
        *,
        other: Any = None,
        within: str | Iterable[str] | None = None,
        distinct: bool = False,
        limit_per_document: int | None = None,
        progress: Progress = None,
    ) -> Any:
        """Find every pair of documents at or above the threshold.

        Args:
            threshold: The minimum similarity, inclusive; the maximum distance, if the measure is one.
            other: Another corpus, or data for one: find pairs of a document of this corpus and one of that.
            within: Columns whose values must be equal for documents to be compared.
            distinct: Find only pairs of different sets, with the first document of each set.
            limit_per_document: Leave out a pair if one of its documents already has so many.
            progress: As of the corpus.

        Returns:
            A table with the columns ``a``, ``b``, ``similarity``, ``common``, ``size_a`` and ``size_b``: in the type
            of your data frame, or as a list of :class:`Pair`.

        >>> import lookalike as la
        >>> la.Corpus([{1, 2, 3}, {7}, {2, 3, 4}]).pairs(0.5)
        [Pair(a=0, b=2, similarity=0.5, common=2, size_a=3, size_b=3)]
        """
        bound = threshold_text(threshold)
        return self._search(bound, None, other, within, distinct, limit_per_document, progress)

    def top(
        self,
        most: int,
        *,
        other: Any = None,
        within: str | Iterable[str] | None = None,
        distinct: bool = False,
        progress: Progress = None,
    ) -> Any:
        """Find the most similar pairs that share anything, the most similar first. Order breaks ties.

        >>> import lookalike as la
        >>> la.Corpus([{1, 2, 3}, {7, 8}, {2, 3}, {8}]).top(1)
        [Pair(a=0, b=2, similarity=0.6666666666666666, common=2, size_a=3, size_b=2)]
        """
        if isinstance(most, bool) or not isinstance(most, int) or most < 1:
            raise ValueError(f"the number of pairs must be 1 or more, not {most!r}")
        return self._search("1", most, other, within, distinct, None, progress)

    def check(
        self,
        threshold: Threshold = 0.8,
        *,
        kept: Iterable[Any] | None = None,
        removed: Iterable[tuple[Any, Any] | tuple[Any, Any, float]] = (),
        against: Any = None,
        within: str | Iterable[str] | None = None,
        progress: Progress = None,
    ) -> list[Broken]:
        """Check a deduplication, of lookalike or of another tool. An empty list means that all promises are kept.

        Each removed document reaches the threshold with a kept twin, stated similarities are exact, and no two kept
        documents reach the threshold.

        Args:
            threshold: The minimum similarity of a near-duplicate.
            kept: The ids of the kept documents. They must be those that are not removed.
            removed: For each removed document its id, the id of its twin and, if it is stated, their similarity.
            against: The other corpus, if documents were removed because of it.
            within: Columns whose values must be equal for documents to be compared.
            progress: As of the corpus.

        >>> import lookalike as la
        >>> corpus = la.Corpus(["a b c", "d", "c b a"], tokens="words")
        >>> corpus.check(0.9, removed=[(2, 0, 1.0)])
        []
        >>> corpus.check(0.9)
        [Broken(promise='both kept', a=0, b=2, similarity=1.0, stated=None)]
        """
        reference = None if against is None else self._other(against)
        rows: list[tuple[int, int, bool, float]] = []
        for row in removed:
            twin, is_reference = self._twin(row[1], reference)
            rows.append((self._position(row[0]), twin, is_reference, row[2] if len(row) > 2 else float("nan")))
        if kept is not None:
            gone = {row[0] for row in rows}
            stated = {self._position(id) for id in kept}
            wrong = next((at for at in range(len(self)) if (at in gone) == (at in stated)), None)
            if wrong is not None:
                how = "both kept and removed" if wrong in gone else "neither kept nor removed"
                raise ValueError(f"document {self._id_of(wrong)!r} is {how}")
        return self._check(threshold_text(threshold), rows, reference, names(within), progress)

    def plan(self, threshold: Threshold = 0.8) -> str:
        """Say how the documents would be compared, and why.

        >>> import lookalike as la
        >>> la.Corpus(["a text", "another"]).plan(0.8).splitlines()[0]
        'light'
        """
        return self._open().plan(threshold_text(threshold))

    def explain(self, a: Any, b: Any, threshold: Threshold = 0.8) -> Comparison:
        """Compare two documents by every measure, with the words in which they differ.

        >>> import lookalike as la
        >>> print(la.Corpus(["to be or not", "to be or so"], tokens="words").explain(0, 1))
        jaccard 0.6 < 0.8; 3 common elements, 4 needed
        to be or [-not-] {+so+}
        """
        core, texts = self._open(), []
        if isinstance(self._input, Files):
            return compare_texts(*core.texts_of_files(str(a), str(b)), threshold_text(threshold), self._settings)
        for id in (a, b):
            text = core.text(self._position(id))
            if text is None:
                raise ValueError(f"document {id!r} has no text in memory; compare() takes two texts")
            texts.append(text)
        return compare_texts(texts[0], texts[1], threshold_text(threshold), self._settings)

    # Itself.

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the corpus holds: its sets, and texts that it shares with your data."""
        return self._open().memory()

    @property
    def empty(self) -> int:
        """How many texts have no token. They are kept and resemble nothing."""
        return self._open().empty

    @property
    def unusable(self) -> int:
        """How many documents have no text, or one that is too long. They are kept and resemble nothing."""
        return self._open().unusable

    @property
    def data(self) -> T:
        """Your data."""
        data: T = self._input.data
        return data

    def close(self) -> None:
        """Free the memory of the sets. Results stay; the corpus answers no more questions."""
        self._core = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._open())

    def __repr__(self) -> str:
        if self._core is None:
            return "Corpus (closed)"
        measure, tokens = self._settings["measure"], self._settings["tokens"]
        what = "sets" if isinstance(self._input, Sets) else tokens
        return f"Corpus of {len(self):,} documents, {measure} on {what}, {self.nbytes / 1e6:.1f} MB"

    # What results need.

    def _open(self) -> CoreCorpus:
        if self._core is None:
            raise ValueError("the corpus is closed")
        return self._core

    def _other(self, data: Any) -> Corpus[Any]:
        if isinstance(data, Corpus):
            ours = {name: self._settings[name] for name in ("tokens", "case", "bag", "page")}
            theirs = {name: data._settings[name] for name in ("tokens", "case", "bag", "page")}
            if ours != theirs:
                raise ValueError(f"the corpora have different settings: {ours} and {theirs}; make both with the same")
            return data
        # A list of texts has no columns. Other data has those of this corpus.
        is_texts = isinstance(data, (list, tuple)) and all(isinstance(text, str) for text in data)  # pyright: ignore
        named: dict[str, Any] = {} if is_texts else self._named
        return Corpus(data, **named, **{name: self._settings[name] for name in self._settings})  # type: ignore[literal-required]

    def _columns(self, within: list[str]) -> list[Column]:
        return [] if isinstance(self._input, Files) else [self._input.column(name) for name in within]

    def _fields(self, within: list[str]) -> list[str]:
        return within if isinstance(self._input, Files) else []

    def _options(
        self,
        keep: str | Sequence[int],
        reference: Corpus[Any] | None,
        within: str | Iterable[str] | None,
        components: bool,
    ) -> Options:
        fields = names(within)
        is_named = isinstance(keep, str)
        key = None
        if isinstance(keep, str) and not isinstance(self._input, Files):
            kind, _, column = keep.partition(":")
            if kind in ("max", "min") and column:
                key = self._input.column(column)
        return {
            "keep": keep if isinstance(keep, str) else "first",
            "key": key,
            "order": None if is_named else [int(row) for row in keep],
            "against": None if reference is None else reference._open(),
            "within": self._columns(fields),
            "within_against": [] if reference is None else reference._columns(fields),
            "fields": self._fields(fields) or ([] if reference is None else reference._fields(fields)),
            "components": components,
        }

    def _search(
        self,
        bound: str,
        most: int | None,
        other: Any,
        within: str | Iterable[str] | None,
        distinct: bool,
        limit: int | None,
        progress: Progress,
    ) -> Any:
        second = None if other is None else self._other(other)
        found = self._find(bound, most, second, names(within), distinct, limit, progress)
        return named_pairs(self, second or self, found)

    def _find(
        self,
        bound: str,
        most: int | None,
        second: Corpus[Any] | None,
        fields: list[str],
        distinct: bool = False,
        limit: int | None = None,
        progress: Progress = None,
    ) -> Found:
        with watching(progress) as callback:
            return self._open().pairs(
                bound,
                most,
                {
                    "other": None if second is None else second._open(),
                    "within": self._columns(fields),
                    "within_other": [] if second is None else second._columns(fields),
                    "fields": self._fields(fields) or ([] if second is None else second._fields(fields)),
                    "distinct": distinct,
                    "limit": limit,
                    "room": self._room(),
                },
                callback,
            )

    def _room(self) -> int | None:
        """Return how many pairs there is memory for, if that is known."""
        memory = self._settings["memory"]
        memory = usual_memory() if memory is None else memory
        return None if memory is None else memory // self._input.pair_bytes

    def _check(
        self,
        bound: str,
        rows: list[tuple[int, int, bool, float]],
        reference: Corpus[Any] | None,
        within: list[str],
        progress: Progress = None,
    ) -> list[Broken]:
        options = self._options("first", reference, within, False)
        with watching(progress) as callback:
            found = self._open().check(bound, rows, options, callback)
        broken: list[Broken] = []
        references = {(row[0], row[1]): row[2] for row in rows}
        for promise, a, b, is_reference, similarity, stated in found:
            second = reference if (is_reference or references.get((a, b), False)) and reference else self
            broken.append(Broken(promise, self._id_of(a), second._id_of(b), similarity, stated))
        return broken

    def _id_list(self) -> list[Any] | None:
        """Return the ids of all documents, or None if they are called by their numbers."""
        if isinstance(self._input, Files):
            return self._input.ids
        if self._id is None:
            return None
        if self._ids is None:
            self._ids = self._input.listed(self._id)
        return self._ids

    def _id_of(self, document: int) -> Any:
        ids = self._id_list()
        return document if ids is None else ids[document]

    def _position(self, id: Any) -> int:
        """Return the number of the document with an id."""
        ids = self._id_list()
        if ids is None:
            if isinstance(id, bool) or not isinstance(id, int) or not 0 <= id < len(self):
                raise KeyError(f"there is no document {id!r}; the documents have the numbers 0 to {len(self) - 1}")
            return id
        if self._positions is None:
            self._positions = {}
            for at, own in enumerate(ids):
                self._positions.setdefault(own, at)
        if id not in self._positions:
            raise KeyError(f"no document has the id {id!r}")
        return self._positions[id]

    def _twin(self, id: Any, reference: Corpus[Any] | None) -> tuple[int, bool]:
        try:
            return self._position(id), False
        except KeyError:
            if reference is None:
                raise
            return reference._position(id), True
