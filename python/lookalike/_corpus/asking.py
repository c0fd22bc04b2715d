"""What the questions to a corpus share: their options, and how pairs are found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, cast

from .._data.inputs import Files
from .._data.records import Broken
from .._jobs.engine import Engine
from .._options.arguments import Threshold, names, threshold_text
from .._options.progress import Progress, watching
from .._results.comparison import Comparison, compare_texts
from .._results.pairs import named_pairs
from .._types import Found, Options
from .checking import check_sets, check_texts
from .documents import Documents

T = TypeVar("T")


class Asking(Documents[T]):
    """Documents to ask about. :class:`Corpus` has the questions."""

    def _bound(self, threshold: Threshold | None) -> str | None:
        """Write a threshold, or that of the method."""
        if threshold is not None:
            return threshold_text(threshold)
        if self._method.is_edit:
            raise ValueError("measure='edit' needs a threshold: the greatest distance, a whole number, such as 2")
        return self._method.threshold

    def _other(self, data: Any) -> Asking[Any]:
        """Return another corpus, or make one of data with the settings of this one."""
        if isinstance(data, Asking):
            other = cast("Asking[Any]", data)
            ours, theirs = (
                {name: corpus._settings[name] for name in ("tokens", "case", "bag", "page", "without")}
                for corpus in (self, other)
            )
            if ours != theirs:
                raise ValueError(f"the corpora have different settings: {ours} and {theirs}; make both with the same")
            if self._method != other._method:
                raise ValueError(
                    "the corpora are compared by different methods or options; make both with the same measure and method"
                )
            return other
        # A list of texts has no columns. Other data has those of this corpus.
        is_texts = isinstance(data, (list, tuple)) and all(isinstance(text, str) for text in cast("list[object]", data))
        named = {} if is_texts else self._named
        choices = {**self._settings, "measure": self._measure, "method": self._method.name}
        make: Any = type(self)
        made: Asking[Any] = make(data, **named, **choices, **self._method.options)
        return made

    def _options(
        self,
        keep: str | Sequence[int],
        reference: Asking[Any] | None,
        within: str | Iterable[str] | None,
        components: bool,
    ) -> Options:
        fields = names(within)
        key = None
        if isinstance(keep, str) and not isinstance(self._input, Files):
            kind, _, column = keep.partition(":")
            if kind in ("max", "min") and column:
                key = self._input.column(column)
        return {
            "keep": keep if isinstance(keep, str) else "first",
            "key": key,
            "order": None if isinstance(keep, str) else [int(row) for row in keep],
            "against": None if reference is None else reference._open(),
            "within": self._columns(fields),
            "within_against": [] if reference is None else reference._columns(fields),
            "fields": self._fields(fields) or ([] if reference is None else reference._fields(fields)),
            "components": components,
        }

    def _search(
        self,
        bound: str | None,
        most: int | None,
        other: Any,
        within: str | Iterable[str] | None,
        distinct: bool,
        limit: int | None,
        progress: Progress,
    ) -> Any:
        second, fields = None if other is None else self._other(other), names(within)
        if not self._method.is_exact:
            _, columns = Engine(self).pairs(bound, most, second, fields, distinct, limit, progress)
            return self._input.table(columns, self._method.record(columns))
        found = self._find(cast("str", bound), most, second, fields, distinct, limit, progress)
        return named_pairs(self, second or self, found)

    def _find(
        self,
        bound: str,
        most: int | None,
        second: Asking[Any] | None,
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

    def _check(
        self,
        bound: str,
        rows: list[tuple[int, int, bool, float]],
        reference: Asking[Any] | None,
        within: list[str],
        progress: Progress = None,
    ) -> list[Broken]:
        if self._method.is_edit:
            return check_texts(self, bound, rows, reference, within, progress)
        return check_sets(self, self._options("first", reference, within, False), bound, rows, reference, progress)

    def _explain(self, a: Any, b: Any, bound: str) -> Comparison:
        if isinstance(self._input, Files):
            return compare_texts(*self._open().texts_of_files(str(a), str(b)), bound, self._settings)
        texts: list[str] = []
        for id in (a, b):
            text = self._text(self._position(id))
            if text is None:
                raise ValueError(f"document {id!r} has no text in memory; compare() takes two texts")
            texts.append(text)
        return compare_texts(texts[0], texts[1], bound, self._settings)
