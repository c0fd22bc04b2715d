"""Files of documents that are compared with those before them: in a window of time, or in an index."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Unpack

from .._jobs.commands import Path, run_files
from .._options.arguments import Size, Threshold
from .._options.groups import AskOptions, ReadOptions
from .._options.progress import Progress


def stream_files(
    inputs: Path | Iterable[Path],
    threshold: Threshold = 0.8,
    *,
    output: Path,
    time: str = "time",
    window: str = "24h",
    segment: str = "1h",
    measure: str = "max",
    index: str = "prefix",
    compare_with: str = "all",
    only: str | None = None,
    force: bool = False,
    progress: Progress = None,
    **options: Unpack[ReadOptions],
) -> dict[str, Any]:
    """Judge the documents of files in their order, by a window of time, as ``lookalike stream`` does, and return its report.

    >>> import json, pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(space.name)
    >>> rows = [{"id": "a", "time": 0, "text": "Rain in the north."}, {"id": "b", "time": 60, "text": "rain in the north"}]
    >>> _ = (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\\n" for row in rows))
    >>> report = la.stream_files(folder / "in.jsonl", output=folder / "verdicts.jsonl", only="duplicates")
    >>> report["new"], report["exact"], report["near"]
    (1, 1, 0)
    >>> json.loads((folder / "verdicts.jsonl").read_text())["of"]
    'a'
    >>> space.cleanup()

    Args:
        inputs: Files, folders or globs.
        threshold: The minimum similarity of a duplicate, inclusive.
        output: Where the verdicts go, as JSON lines.
        time: The field of the time: RFC 3339, or seconds since 1970.
        window, segment: How far back the window reaches, and the length of its segments, such as ``15m``, ``24h`` or ``7d``.
        measure: As of the command, whose default is ``max``.
        index, compare_with: As of :class:`Window`.
        only: Write only the verdicts on documents that are ``new``, or on ``duplicates``.
        force: Replace an existing file.

    The other arguments are those of :class:`Corpus`, but the default of ``tokens`` is ``letters:4``, as of the command.
    """
    return run_files("stream", ReadOptions, locals())


def index_query_files(
    folder: str | os.PathLike[str],
    inputs: Path | Iterable[Path],
    threshold: Threshold | None = None,
    *,
    output: Path,
    memory: Size | None = None,
    force: bool = False,
    progress: Progress = None,
    **options: Unpack[AskOptions],
) -> dict[str, Any]:
    """Find the documents of an index that those of files resemble, as ``lookalike index query`` does, and return its report.

    >>> import json, pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(space.name)
    >>> _ = la.Index(folder / "index").add({"a": "Rain in the north."})
    >>> _ = (folder / "in.jsonl").write_text('{"id": "b", "text": "rain in the north"}')
    >>> la.index_query_files(folder / "index", folder / "in.jsonl", output=folder / "matches.jsonl")["matches"]
    1
    >>> json.loads((folder / "matches.jsonl").read_text())
    {'id': 'b', 'match': 'a', 'similarity': 1.0}
    >>> space.cleanup()

    Args:
        folder: The folder of the index.
        inputs: Files, folders or globs.
        threshold: The minimum similarity, inclusive (default: that of the index, which is the lowest possible).
        output: Where the matches go: ``.jsonl``, ``.csv``, ``.tsv`` or ``.parquet``.
        memory: How much memory the run may use, such as ``"2GB"`` (default: 80 % of what is available).
        force: Replace an existing file.

    The other arguments are those of :class:`Corpus`. What documents are compared by is fixed by the index.
    """
    return run_files("index query", AskOptions, locals(), ["folder", "inputs"])
