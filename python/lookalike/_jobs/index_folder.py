"""An index in a folder, by the jobs of the command."""

from __future__ import annotations

import json
import os
import tempfile
from array import array
from fractions import Fraction
from typing import Any

from .._options.progress import Progress
from .commands import command_line, decide, read_table, run


class FolderIndex:
    """An index in a folder. It has the methods of the native index in memory, and some more."""

    def __init__(self, folder: str, settings: dict[str, Any], threads: int | None) -> None:
        self.folder = folder
        self.threads = threads
        self.settings = settings
        # Settings that the index does not have are refused at once.
        shown = self.shown()
        if shown is not None:
            theirs = {name: shown["settings"][name] for name in settings}
            # 4/5 and 0.8 are the same threshold.
            if {**settings, "threshold": Fraction(settings["threshold"])} != {
                **theirs,
                "threshold": Fraction(theirs["threshold"]),
            }:
                raise ValueError(
                    f"the index in {folder} has other settings: {theirs}, not {settings}; open it with its own"
                )

    def shown(self) -> dict[str, Any] | None:
        """Describe the index, if it is there."""
        if not os.path.isdir(self.folder) or not os.listdir(self.folder):
            return None
        return run(command_line("index show", [self.folder]))

    def add(self, documents: list[tuple[str, str]]) -> list[tuple[str, float, bool] | None]:
        """Add documents. Of those that are not added, return the twin, the similarity, and whether the two are identical."""
        seen: set[str] = set()
        for id, _ in documents:
            if id in seen:
                raise ValueError(f"two documents have the id '{id}'; each document of an index needs its own")
            seen.add(id)
        with tempfile.TemporaryDirectory(prefix="lookalike-") as space:
            batch, removed = os.path.join(space, "batch.jsonl"), os.path.join(space, "removed.jsonl")
            _write(batch, documents)
            options = {"removed": removed, "index": self.folder, "existing": "replace", **self.settings, "threads": self.threads}
            _, fates = decide(command_line("dedup", [batch], **options))
            rows = read_table(removed)
        decided: list[tuple[str, float, bool] | None] = [None] * len(documents)
        for at, row, identical in zip(array("q", fates["removed"]), rows, fates["identical"], strict=True):
            decided[at] = (row["twin"], row["similarity"], bool(identical))
        return decided

    def query(self, texts: list[str], threshold: str | None) -> list[list[tuple[str, float]]]:
        """Return the matches of each text."""
        found: list[list[tuple[str, float]]] = [[] for _ in texts]
        if not texts or self.shown() is None:
            return found
        with tempfile.TemporaryDirectory(prefix="lookalike-") as space:
            asked, answer = os.path.join(space, "asked.jsonl"), os.path.join(space, "answer.jsonl")
            _write(asked, [(str(at), text) for at, text in enumerate(texts)])
            run(command_line("index query", [self.folder, asked], output=answer, threshold=threshold, threads=self.threads))
            for row in read_table(answer):
                found[int(row["id"])].append((row["match"], row["similarity"]))
        return found

    def remove(self, id: str) -> bool:
        """Take a document out, and return whether it was there."""
        if self.shown() is None:
            return False
        return int(run(command_line("index remove", [self.folder, id]))["removed"]) > 0

    def merge(self, threads: int | None, progress: Progress) -> dict[str, Any]:
        """Merge all parts into one."""
        return run(command_line("index merge", [self.folder], threads=threads or self.threads), progress)

    def check(self, progress: Progress) -> dict[str, Any]:
        """Verify every checksum."""
        return run(command_line("index check", [self.folder]), progress)

    def memory(self) -> int:
        """Return 0: each call reads what it needs, and holds nothing after it."""
        return 0

    def __len__(self) -> int:
        shown = self.shown()
        return 0 if shown is None else int(shown["documents"])


def _write(path: str, documents: list[tuple[str, str]]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        for id, text in documents:
            if not isinstance(id, str) or not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError("a document of an index is an id and a text, both str")
            file.write(json.dumps({"id": id, "text": text}, ensure_ascii=False) + "\n")
