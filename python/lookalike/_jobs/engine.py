"""Questions that the jobs of the command answer: pairs by edit distance, and pairs by signatures.

The jobs read files. Rows in memory are written to a temporary file, which is deleted with the answer.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from .._data.inputs import Files
from .._data.records import Columns
from .._options.progress import Progress
from .._types import Fates
from .commands import command_line, decide, read_table, run
from .rows import called_by, fields_of, settings_of, sites_of

if TYPE_CHECKING:
    from .._corpus.asking import Asking

# What the ids of rows begin with, of the data and of the other corpus.
_OWN, _OTHER = "own ", "other "


class Engine:
    """Answers questions about the documents of a corpus by jobs."""

    def __init__(self, corpus: Asking[Any]) -> None:
        self.corpus = corpus
        self.method = corpus._method

    def dedup(
        self,
        bound: str | None,
        keep: str | Sequence[int],
        reference: Asking[Any] | None,
        within: list[str],
        components: bool,
        progress: Progress,
    ) -> tuple[dict[str, Any], Fates]:
        """Decide which documents are kept, and return the report too."""
        with self._files(reference, within, keep) as (_, own, other, named):
            return decide(self._dedup_line(own, other, named, bound, components), progress)

    def pairs_behind(
        self,
        bound: str | None,
        keep: str | Sequence[int],
        reference: Asking[Any] | None,
        within: list[str],
        components: bool,
    ) -> Columns:
        """Return all pairs behind a decision, also those with the reference."""
        with self._files(reference, within, keep) as (folder, own, other, named):
            path = os.path.join(folder, "pairs.jsonl")
            run(self._dedup_line(own, other, named, bound, components, pairs=path))
            return self._table(path, reference, counts=False, says_which=reference is not None)

    def report(
        self,
        bound: str | None,
        keep: str | Sequence[int],
        reference: Asking[Any] | None,
        within: list[str],
        components: bool,
        path: str,
        by: str | None,
        force: bool,
    ) -> None:
        """Write a decision as a page. The job decides again: the page shows what it read."""
        with self._files(reference, within, keep, shown=[] if by is None else [by]) as (_, own, other, named):
            page: dict[str, Any] = {"report": path, "by": by, "force": force}
            run(self._dedup_line(own, other, named, bound, components, **page))

    def pairs(
        self,
        bound: str | None,
        most: int | None,
        second: Asking[Any] | None,
        within: list[str],
        distinct: bool,
        limit: int | None,
        progress: Progress = None,
        explain: bool = False,
    ) -> tuple[dict[str, Any], Columns]:
        """Find all pairs, or the most similar, and return the report too."""
        counts = self.method.is_signed and self.method.is_verified
        with self._files(second, within, "first") as (folder, own, other, named):
            path = os.path.join(folder, "pairs.jsonl")
            arguments = command_line(
                "pairs",
                own,
                output=path,
                other=other,
                threshold=None if most is not None else bound,
                top=most,
                distinct=distinct,
                limit_per_document=limit,
                counts=counts,
                explain=explain,
                quiet=True,
                **named,
            )
            report = run(arguments, progress)
            room = self.corpus._room()
            if room is not None and report["pairs"] > room:
                raise MemoryError(
                    f"there are {report['pairs']} pairs, and there is room for {room}; use a higher threshold, allow more "
                    "memory, or write them to a file with pairs_files"
                )
            return report, self._table(path, second, counts)

    def _dedup_line(
        self,
        own: list[str],
        other: list[str],
        named: dict[str, Any],
        bound: str | None,
        components: bool,
        **outputs: Any,
    ) -> list[str]:
        if "q" in named:
            raise ValueError("q is for pairs; dedup chooses it by itself")
        return command_line("dedup", own, against=other, threshold=bound, components=components, **outputs, **named)

    @contextmanager
    def _files(
        self,
        other: Asking[Any] | None,
        within: list[str],
        keep: str | Sequence[int],
        shown: list[str] | None = None,
    ) -> Generator[tuple[str, list[str], list[str], dict[str, Any]], None, None]:
        """Give a folder, the files of both corpora, and the options that say how they are read.

        If people are shown the rows, these have the ids of the data, and the columns ``shown``.
        """
        corpus = self.corpus
        options: dict[str, Any] = {
            **settings_of(corpus),
            **fields_of(corpus),
            "measure": corpus._measure,
            "method": self.method.name,
            **self.method.options,
        }
        if other is not None and isinstance(other._input, Files) != isinstance(corpus._input, Files):
            raise ValueError(
                "one corpus is of files and the other of data in memory; by edit distance or signatures, give both as "
                "files, or both as data"
            )
        if isinstance(corpus._input, Files):
            if not isinstance(keep, str):
                raise ValueError("an order of your own is for data in memory; for files, use max:FIELD or min:FIELD")
            options |= {"within": within} if keep == "first" else {"within": within, "keep": keep}
            with tempfile.TemporaryDirectory(prefix="lookalike-") as folder:
                yield folder, cast("list[str]", corpus._input.data), [] if other is None else other._input.data, options
            return
        key, ranks, rule = _order(corpus, keep)
        sites, field = sites_of(corpus, options.get("site", ""))
        options |= {} if field is None else {"site": field}
        options |= {"within": [f"within{at}" for at in range(len(within))]}
        options |= {} if rule == "first" else {"keep": rule}
        options |= {} if shown is None else {"id": "called"}
        with tempfile.TemporaryDirectory(prefix="lookalike-") as folder:
            own = [_written(corpus, os.path.join(folder, "data.jsonl"), _OWN, within, key, sites, ranks, shown)]
            others = []
            if other is not None:
                called: list[str] | None = None if shown is None else []
                others = [_written(other, os.path.join(folder, "other.jsonl"), _OTHER, within, key, sites, None, called)]
            yield folder, own, others, options

    def _table(self, path: str, second: Asking[Any] | None, counts: bool, says_which: bool = False) -> Columns:
        rows = read_table(path)
        columns: Columns = {name: [row.get(name) for row in rows] for name in self.method.columns(counts)}
        if says_which:
            columns["from_against"] = [self._is_other(row["b"], second) for row in rows]
        if isinstance(self.corpus._input, Files):
            return columns
        columns["a"] = self._named(columns["a"], second)
        columns["b"] = self._named(columns["b"], second)
        return columns

    def _is_other(self, id: str, second: Asking[Any] | None) -> bool:
        """Return whether the second document of a pair is in the other corpus."""
        if not isinstance(self.corpus._input, Files):
            return id.startswith(_OTHER)
        # Ids of files are all that is known. An id that both have is one of the data.
        try:
            return self.corpus._twin(id, second, None)[1]
        except KeyError:
            return False

    def _named(self, ids: Iterable[str], second: Asking[Any] | None) -> list[Any]:
        """Return what rows are called, by the ids that they have in files."""
        own, other = self.corpus._id_list(), None if second is None else second._id_list()
        called: list[Any] = []
        for id in ids:
            is_own = id.startswith(_OWN)
            row, names = int(id.rpartition(" ")[2]), own if is_own else other
            called.append(row if names is None else names[row])
        return called


def _order(corpus: Asking[Any], keep: str | Sequence[int]) -> tuple[str | None, list[int] | None, str]:
    """Return the column by which documents are kept, or the rank of each row, and the rule."""
    if isinstance(keep, str):
        kind, _, column = keep.partition(":")
        return (column, None, f"{kind}:key") if kind in ("max", "min") and column else (None, None, keep)
    order = [int(row) for row in keep]
    if sorted(order) != list(range(len(corpus))):
        raise ValueError(f"the keep order does not name each of the {len(corpus)} documents once")
    ranks = [0] * len(order)
    for rank, row in enumerate(order):
        ranks[row] = rank
    return None, ranks, "min:rank"


def _written(
    corpus: Asking[Any],
    path: str,
    prefix: str,
    within: list[str],
    key: str | None,
    sites: dict[str, str],
    ranks: list[int] | None,
    shown: list[str] | None,
) -> str:
    """Write the rows of a corpus to a file."""
    rows, data = corpus._text_rows(), corpus._input
    fields = [(f"within{at}", data.column(name)) for at, name in enumerate(within)]
    # A reference is not ordered.
    fields += [("key", data.column(key))] if key is not None and prefix == _OWN else []
    fields += [(field, data.column(name)) for field, name in sites.items()]
    if shown is not None:
        ids = corpus._id_list()
        called = [str(id) for id in (range(len(corpus)) if ids is None else ids)]
        fields += [called_by(called), *((name, data.column(name)) for name in shown if name not in sites)]
    rows.write(path, prefix, fields, ranks)
    return path
