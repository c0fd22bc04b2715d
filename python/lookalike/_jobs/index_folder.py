"""An index in a folder, by the jobs of the command."""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from .._data.inputs import Files
from .._options.progress import Progress
from .._types import Settings
from .commands import command_line, decide, read_table, run
from .rows import called_by, fields_of, require_free, settings_of, sites_of

if TYPE_CHECKING:
    from .._corpus.documents import Documents

# What of the settings of documents is a matter of each question. All else is fixed by the index.
_ASKED = ("threads", "memory", "max_document", "without")


class FolderIndex:
    """An index in a folder."""

    def __init__(self, folder: str, described: dict[str, Any], settings: Settings) -> None:
        self.folder = folder
        self.described = described
        self.limits = {name: settings[name] for name in ("threads", "memory")}
        # Settings that the index does not have are refused at once.
        shown = self.shown()
        if shown is not None:
            table = settings["without"]
            ours: dict[str, Any] = {**described, "without": None if table is None else table.hash}
            theirs = {name: shown["settings"].get(name) for name in ours}
            if _comparable(ours) != _comparable(theirs):
                raise ValueError(f"the index in {folder} has other settings: {theirs}, not {ours}; open it with its own")

    def shown(self) -> dict[str, Any] | None:
        """Describe the index, if it is there."""
        if not os.path.isdir(self.folder) or not os.listdir(self.folder):
            return None
        return run(command_line("index show", [self.folder]))

    def add(
        self, ids: list[str], batch: Documents[Any], progress: Progress = None
    ) -> list[tuple[str, float, bool] | None]:
        """Add documents. Of those that are not added, return the twin, the similarity, and whether the two are identical."""
        with _files(batch, ids, self.described["within"]) as (space, files, fields):
            removed = os.path.join(space, "removed.jsonl")
            compared = {name: self.described[name] for name in ("threshold", "measure", "within")}
            options: dict[str, Any] = {**settings_of(batch), **fields, **compared, "removed": removed}
            line = command_line("dedup", files, index=self.folder, existing="replace", **options)
            _, fates = decide(line, progress)
            rows = read_table(removed)
        decided: list[tuple[str, float, bool] | None] = [None] * len(ids)
        for at, row, identical in zip(array("q", fates["removed"]), rows, fates["identical"], strict=True):
            decided[at] = (row["twin"], row["similarity"], bool(identical))
        return decided

    def query(
        self, documents: Documents[Any], threshold: str | None, progress: Progress = None
    ) -> list[list[tuple[str, float]]]:
        """Return the matches of each document."""
        found: list[list[tuple[str, float]]] = [[] for _ in range(len(documents))]
        if not found or self.shown() is None:
            return found
        ids = documents._input.ids if isinstance(documents._input, Files) else [str(at) for at in range(len(found))]
        places = {id: at for at, id in enumerate(ids)}
        if len(places) < len(ids):
            raise ValueError("two documents of the files have the same id, and their matches could not be told apart")
        with _files(documents, None, self.described["within"]) as (space, files, fields):
            answer = os.path.join(space, "answer.jsonl")
            options = {name: value for name, value in settings_of(documents).items() if name in _ASKED}
            line = command_line(
                "index query", [self.folder, *files], output=answer, threshold=threshold, **options, **fields
            )
            run(line, progress)
            for row in read_table(answer):
                found[places[row["id"]]].append((row["match"], row["similarity"]))
        return found

    def remove(self, ids: Iterable[str]) -> int:
        """Take documents out, and return how many were there."""
        named = list(ids)
        if not named or self.shown() is None:
            return 0
        return int(run(command_line("index remove", [self.folder, *named]))["removed"])

    def merge(self, threads: int | None, progress: Progress) -> dict[str, Any]:
        """Merge all parts into one."""
        limits = self.limits if threads is None else {**self.limits, "threads": threads}
        return run(command_line("index merge", [self.folder], **limits), progress)

    def check(self, progress: Progress) -> dict[str, Any]:
        """Verify every checksum."""
        return run(command_line("index check", [self.folder]), progress)

    def memory(self) -> int:
        """Return 0: each call reads what it needs, and holds nothing after it."""
        return 0

    def __len__(self) -> int:
        shown = self.shown()
        return 0 if shown is None else int(shown["documents"])


def _comparable(settings: dict[str, Any]) -> dict[str, Any]:
    # 4/5 and 0.8 are the same threshold.
    return {**settings, "threshold": Fraction(settings["threshold"])}


@contextmanager
def _files(
    documents: Documents[Any], ids: list[str] | None, within: list[str]
) -> Generator[tuple[str, list[str], dict[str, Any]], None, None]:
    """Give a folder, the files of documents, and the options that say which fields they have.

    Rows in memory are written to the folder, with these ids, or with their numbers.
    """
    fields = fields_of(documents)
    with tempfile.TemporaryDirectory(prefix="lookalike-") as space:
        if isinstance(documents._input, Files):
            yield space, cast("list[str]", documents._input.data), fields
            return
        path = os.path.join(space, "batch.jsonl")
        sites, _ = sites_of(documents)
        for name in within:
            require_free(name, "within names a column")
        columns = [(name, documents._input.column(name)) for name in dict.fromkeys([*sites, *within])]
        if ids is not None:
            columns.append(called_by(ids))
            fields["id"] = "called"
        documents._text_rows().write(path, "", columns, None)
        yield space, [path], fields
