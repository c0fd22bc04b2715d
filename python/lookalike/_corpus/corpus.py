"""Questions to ask about documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, Unpack, cast

from .._data.records import Broken
from .._jobs.engine import Engine
from .._options.arguments import Size, Threshold, is_whole, names, threshold_text
from .._options.groups import MethodOptions
from .._options.progress import Progress, watching
from .._results.comparison import Comparison
from .._results.result import Deduplicated
from .asking import Asking

T = TypeVar("T")


class Corpus(Asking[T]):
    """Documents with their sets, ready to be compared.

    The sets are made once. Each question repeats only the comparison.

    Args:
        data: A data frame (pandas, polars, pyarrow, or any other with Arrow data), a Hugging Face dataset, a list of
            str or of dict, a dict of columns, sets of integers or tokens, a path, or a list of ``pathlib.Path``.
        text: The column of the text (default: ``text``). Several columns are read one after another, as one text.
        html: A column of web pages, in place of ``text``.
        url: The column of the pages' addresses.
        id: The column of the ids (default: ``id``, if there is one). Without ids, rows are called by their numbers.
        tokens: What sets are made of: ``words:5``, ``words``, ``chars:3``, ``letters:4``, ``spots:2:3`` or ``raw``.
        case: ``fold`` ignores differences of case, ``keep`` does not.
        bag: Count repeated shingles: the second occurrence is an element of its own.
        page: How a page becomes text: ``text``, ``main`` or ``paper``.
        without: A table of :func:`boilerplate_files`: passages that sites repeat, which are left out of texts.
        measure: ``jaccard``, ``cosine``, ``dice``, ``max``, ``overlap``, ``containment``, ``hamming``, or ``edit`` for the
            edit distance of texts, whose threshold is a whole number.
        method: ``exact``; ``spotsigs``, exact too, on the words after English articles and auxiliary verbs; or how
            signatures of a few bytes find pairs: ``minhash``, ``lsh``, ``sketch``, ``simhash``, ``i-match``,
            ``mega-shingles``, ``ddebit``, ``b``, ``c``, ``combined`` or ``by-site``. These do not find all pairs. ``options`` are
            theirs: :class:`MethodOptions`. Rows in memory pass through a temporary file.
        threads: The number of threads (default: all cores). The result does not depend on it.
        memory: The most memory for the sets, such as ``"2GB"``, and as much again for the pairs of an answer. If more
            is needed, MemoryError is raised. The comparison itself needs memory of about the size of the sets beside
            that. By default, sets have no limit, and pairs may take 80 % of what is available when you ask. To work
            within a limit in all, use :func:`dedup_files` and :func:`pairs_files`, which keep sets in temporary files.
        max_document: A longer text is kept and resembles nothing.
        format: The format of files, if their names do not say it: ``jsonl``, ``csv``, ``tsv``, ``parquet``, ``html``,
            ``warc``, ``text`` or ``lines``.
        strict: Stop at the first row of files that cannot be used. Otherwise rows that cannot be read are left out, with
            a warning; ``unreadable`` is their number.
        progress: True draws a bar (with tqdm). A function is called with the stage, what is done, and the total.

    >>> import lookalike as la
    >>> corpus = la.Corpus(["The ferry leaves at nine.", "Rain in the north.", "The ferry leaves at nine!"])
    >>> corpus.dedup(0.8).kept
    ['The ferry leaves at nine.', 'Rain in the north.']
    >>> la.Corpus(["Zürich", "Zurich", "Bern"], measure="edit").pairs(1)
    [EditPair(a=0, b=1, distance=1)]
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
        without: str | os.PathLike[str] | None = None,
        measure: str = "jaccard",
        method: str = "exact",
        threads: int | None = None,
        memory: Size | None = None,
        max_document: Size = "50MB",
        format: str | None = None,
        strict: bool = False,
        progress: Progress = None,
        **options: Unpack[MethodOptions],
    ) -> None:
        choices: dict[str, Any] = {
            "tokens": tokens,
            "case": case,
            "bag": bag,
            "page": page,
            "without": without,
            "measure": measure,
            "threads": threads,
            "max_document": max_document,
            "memory": memory,
        }
        named: dict[str, Any] = {"text": text, "html": html, "url": url, "id": id}
        super().__init__(data, named, choices, (method, options), format, strict, progress)

    def dedup(
        self,
        threshold: Threshold | None = None,
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
            threshold: The minimum similarity of a near-duplicate, inclusive (default: 0.8); the maximum distance, if the
                measure is one. The methods simhash, i-match, mega-shingles, b, c, combined and by-site need none.
            keep: Which of several similar documents stays: ``first``, ``last``, ``longest``, ``shortest``,
                ``max:COLUMN`` or ``min:COLUMN``; or the numbers of all rows in an order of your own.
            against: Another corpus, or data for one: documents that resemble it are removed too.
            within: Columns whose values must be equal for documents to be compared.
            components: Keep one document of each connected component instead. This can remove a document that
                resembles no kept one. ``method="sketch"`` always does.
            to: Find the highest threshold that leaves at most this many documents, in place of ``threshold``.
            lowest: The lowest threshold that ``to`` may choose (default: 0.5).
            progress: As of the corpus.

        >>> import lookalike as la
        >>> corpus = la.Corpus(["one two three", "one two three four", "five"], tokens="words")
        >>> corpus.dedup(0.7).removed
        [Removed(id=1, twin=0, similarity=0.75, identical=False)]
        >>> corpus.dedup(to=2).threshold
        '0.75'
        """
        if to is None and lowest is not None:
            raise ValueError("lowest is for `to`; give the threshold itself")
        if to is not None and (not is_whole(to) or to < 0):
            raise ValueError(f"to must be the number of documents to keep, not {to!r}")
        reference = None if against is None else self._other(against)
        fields = names(within)
        if not self._method.is_exact:
            if to is not None:
                raise ValueError("to needs method='exact' and a similarity; give a threshold")
            engine, bound = Engine(self), self._bound(threshold)
            report, fates = engine.dedup(bound, keep, reference, fields, components, progress)
            return Deduplicated[T]._of(self, reference, {**fates, "threshold": bound}, fields, report["rule"], keep, report)
        lower = "0.5" if lowest is None else threshold_text(lowest)
        bound = cast("str", self._bound(threshold)) if to is None else lower
        core, options = self._open(), self._options(keep, reference, within, components)
        with watching(progress) as callback:
            decision = core.dedup(bound, to, options, callback)
        rule = "components" if components else "survivors"
        return Deduplicated[T]._of(self, reference, decision, fields, rule, keep, None)

    def pairs(
        self,
        threshold: Threshold | None = None,
        *,
        other: Any = None,
        within: str | Iterable[str] | None = None,
        distinct: bool = False,
        limit_per_document: int | None = None,
        progress: Progress = None,
    ) -> Any:
        """Find every pair of documents at or above the threshold.

        Args:
            threshold: The minimum similarity, inclusive (default: 0.8); the maximum distance, if the measure is one. The
                methods simhash, i-match, mega-shingles, b, c, combined and by-site need none.
            other: Another corpus, or data for one: find pairs of a document of this corpus and one of that.
            within: Columns whose values must be equal for documents to be compared.
            distinct: Find only pairs of different sets, with the first document of each set.
            limit_per_document: Leave out a pair if one of its documents already has this many.
            progress: As of the corpus.

        Returns:
            A table with the columns ``a``, ``b``, ``similarity``, ``common``, ``size_a`` and ``size_b``: in the type
            of your data frame, or as a list of :class:`Pair`. With ``measure="edit"`` the columns are those of
            :class:`EditPair`, with a method those of :class:`SignedPair` that the method has.

        >>> import lookalike as la
        >>> la.Corpus([{1, 2, 3}, {7}, {2, 3, 4}]).pairs(0.5)
        [Pair(a=0, b=2, similarity=0.5, common=2, size_a=3, size_b=3)]
        """
        return self._search(self._bound(threshold), None, other, within, distinct, limit_per_document, progress)

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
        if not is_whole(most) or most < 1:
            raise ValueError(f"the number of pairs must be 1 or more, not {most!r}")
        return self._search("1", most, other, within, distinct, None, progress)

    def check(
        self,
        threshold: Threshold | None = None,
        *,
        kept: Iterable[Any] | None = None,
        removed: Iterable[Sequence[Any]] = (),
        against: Any = None,
        within: str | Iterable[str] | None = None,
        progress: Progress = None,
    ) -> list[Broken]:
        """Check a deduplication, of lookalike or of another tool. An empty list means that all promises are kept.

        Each removed document reaches the threshold with a kept twin, stated similarities are exact, and no two kept
        documents reach the threshold.

        Args:
            threshold: The minimum similarity of a near-duplicate (default: 0.8).
            kept: The ids of the kept documents. They must be those that are not removed.
            removed: For each removed document its id, the id of its twin and, if it is stated, their similarity; or rows
                of ``result.removed``. A twin that both corpora have an id for is one of this corpus, unless the row is a
                :class:`RemovedAgainst` that says otherwise.
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
            twin, is_reference = self._twin(row[1], reference, row[4] if len(row) > 4 else None)
            rows.append((self._position(row[0]), twin, is_reference, row[2] if len(row) > 2 else float("nan")))
        if kept is not None:
            gone = {row[0] for row in rows}
            stated = {self._position(id) for id in kept}
            wrong = next((at for at in range(len(self)) if (at in gone) == (at in stated)), None)
            if wrong is not None:
                how = "both kept and removed" if wrong in gone else "neither kept nor removed"
                raise ValueError(f"document {self._id_of(wrong)!r} is {how}")
        bound = "0.8" if threshold is None and not self._method.is_edit else self._bound(threshold)
        return self._check(cast("str", bound), rows, reference, names(within), progress)

    def plan(self, threshold: Threshold | None = None) -> str:
        """Say how the documents would be compared, and why. By signatures or edit distance, pairs are found to say it.

        >>> import lookalike as la
        >>> la.Corpus(["a text", "another"]).plan(0.8).splitlines()[0]
        'light'
        """
        bound = self._bound(threshold)
        if not self._method.is_exact:
            report, _ = Engine(self).pairs(bound, None, None, [], False, None, explain=True)
            return str(report["explain"])
        return self._open().plan(cast("str", bound))

    def explain(self, a: Any, b: Any, threshold: Threshold = 0.8) -> Comparison:
        """Compare two documents by every measure, with the words in which they differ.

        >>> import lookalike as la
        >>> print(la.Corpus(["to be or not", "to be or so"], tokens="words").explain(0, 1))
        jaccard 0.6 < 0.8; 3 common elements, 4 needed
        to be or [-not-] {+so+}
        """
        return self._explain(a, b, threshold_text(threshold))
