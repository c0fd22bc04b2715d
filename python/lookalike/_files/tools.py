"""Other commands on files: check what was written, sketch, compare two documents, describe pairs, show a run."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from typing import Any, Unpack, cast

from .._data.inputs import Files, adapt
from .._jobs.commands import Path, command_line, run, run_files, write_line
from .._options.arguments import Size, Threshold
from .._options.groups import Features, ReadOptions
from .._options.progress import Progress


def check_files(
    inputs: Path | Iterable[Path],
    threshold: Threshold = 0.8,
    *,
    kept: Path | Iterable[Path],
    removed: Path,
    against: Path | Iterable[Path] = (),
    within: str | Iterable[str] | None = None,
    measure: str = "jaccard",
    memory: Size | None = None,
    tmp: Path | None = None,
    progress: Progress = None,
    **options: Unpack[ReadOptions],
) -> dict[str, Any]:
    """Check what a deduplication wrote, by lookalike or another tool, as ``lookalike check`` does, and return its report.

    >>> import json, pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(space.name)
    >>> rows = [{"id": "a", "text": "one two three"}, {"id": "b", "text": "three two one"}]
    >>> _ = (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\\n" for row in rows))
    >>> kept, removed = folder / "kept.jsonl", folder / "removed.csv"
    >>> _ = la.dedup_files(folder / "in.jsonl", 0.8, output=kept, removed=removed, tokens="words")
    >>> la.check_files(folder / "in.jsonl", 0.8, kept=kept, removed=removed, tokens="words")["passed"]
    True
    >>> space.cleanup()

    Args:
        inputs: The files that were deduplicated.
        threshold, within, measure: Those of the run.
        kept: The files with the kept rows.
        removed: The table of removed documents, each with its twin.
        against: The files of the reference, if there was one.
        memory: How much memory the check may use, such as ``"2GB"`` (default: 80 % of what is available).
        tmp: The folder for temporary files.

    The other arguments are those of :class:`Corpus`. In the report, ``passed`` says whether all promises are kept, and
    ``failures`` which are not.
    """
    return run_files("check", ReadOptions, locals())


def sketch_files(
    inputs: Path | Iterable[Path],
    *,
    output: Path,
    method: str = "minhash",
    functions: int | None = None,
    features: Features | None = None,
    bits: int | None = None,
    memory: Size | None = None,
    force: bool = False,
    progress: Progress = None,
    **options: Unpack[ReadOptions],
) -> dict[str, Any]:
    """Write a signature of every document of files, as ``lookalike sketch`` does, and return its report.

    >>> import pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(space.name)
    >>> _ = (folder / "in.txt").write_text("a text")
    >>> la.sketch_files(folder / "in.txt", output=folder / "signatures.jsonl", functions=64)["signature_bytes"]
    256
    >>> space.cleanup()

    Args:
        inputs: Files, folders or globs.
        output: Where the signatures go: ``.jsonl``, ``.csv`` or ``.tsv`` (hexadecimal), or ``.parquet`` (bytes).
        method: ``minhash``, ``features`` or ``simhash``.
        functions, features, bits: As of :func:`sketch`.
        memory: How much memory the run may use, such as ``"2GB"`` (default: 80 % of what is available).
        force: Replace an existing file.

    The other arguments are those of :class:`Corpus`.
    """
    return run_files("sketch", ReadOptions, locals())


def compare_files(
    a: str | os.PathLike[str],
    b: str | os.PathLike[str],
    threshold: Threshold = 0.8,
    *,
    inputs: Path | Iterable[Path] = (),
    measure: str = "jaccard",
    features: Features = (6, 14, 2),
    shingle: int = 8,
    weighted: bool = False,
    bits: int = 384,
    element: int = 1,
    site: str | None = None,
    progress: Progress = None,
    **options: Unpack[ReadOptions],
) -> dict[str, Any]:
    """Compare two documents of files by every measure and every method, as ``lookalike compare`` does, and return its report.

    >>> import pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(space.name)
    >>> _ = (folder / "a.txt").write_text("to be or not"), (folder / "b.txt").write_text("to be or so")
    >>> la.compare_files(folder / "a.txt", folder / "b.txt", tokens="words")["resemblance"]
    0.6
    >>> space.cleanup()

    Args:
        a, b: Two files with a document each; or two ids, with ``inputs``.
        threshold, measure: What the exact verdict is by.
        inputs: The files that have the documents with these ids.
        features, shingle, weighted, bits, element, site: As of :class:`Corpus`, for the other methods.

    The other arguments are those of :class:`Corpus`.
    """
    return run_files("compare", ReadOptions, locals(), ["a", "b"])


def graph(
    pairs: Any,
    *,
    by: str | None = None,
    svg: Path | None = None,
    force: bool = False,
    format: str | None = None,
    strict: bool = False,
    progress: Progress = None,
) -> dict[str, Any]:
    """Describe pairs as a graph: how many documents have how many pairs, how large the connected components are.

    >>> import lookalike as la
    >>> report = la.graph(la.pairs([{1, 2}, {7}, {1, 2}, {2, 1}], threshold=0.9))
    >>> report["documents"], report["pairs"], report["components"], report["largest_component"]
    (3, 3, 1, 3)

    Args:
        pairs: A table of pairs as :func:`pairs` returns it, or any data with the columns ``a`` and ``b``; or files.
        by: The column whose values are counted (default: ``similarity`` or ``distance``, if there is one).
        svg: A folder for pictures: ``degrees.svg``, ``components.svg`` and ``values.svg``.
        force: Replace pictures that exist.
        format: The format of files, if their names do not say it.
        strict: Stop at the first bad row of files.
        progress: As of :class:`Corpus`.
    """
    data = adapt(_as_dicts(cast("list[Any]", pairs)) if isinstance(pairs, list) else pairs)
    options: dict[str, Any] = {"by": by, "svg": svg, "force": force, "strict": strict}
    if isinstance(data, Files):
        return run(command_line("graph", data.data, format=format, **options), progress)
    wanted = ["a", "b"] + ([by] if by else [name for name in _VALUES if data.columns and name in data.columns][:1])
    with tempfile.TemporaryDirectory(prefix="lookalike-") as folder:
        path = os.path.join(folder, "pairs.jsonl")
        columns = [data.listed(name) for name in wanted if _has(data, name)]
        with open(path, "w", encoding="utf-8") as file:
            for number, (a, b, *value) in enumerate(zip(*columns, strict=True)):
                write_line(file, {"a": str(a), "b": str(b), **dict(zip(wanted[2:], value, strict=True))}, number)
        return run(command_line("graph", [path], **options), progress)


def _as_dicts(rows: list[Any]) -> list[Any]:
    """Return records as dicts, and other rows as they are."""
    return [row._asdict() if hasattr(row, "_asdict") else row for row in rows]


# What `graph` counts by default.
_VALUES = ("similarity", "distance", "unverified_similarity")


def _has(data: Any, name: str) -> bool:
    data.require(name)
    return True


def run_show(folder: Path) -> dict[str, Any]:
    """Show how far a run with ``run=folder`` of :func:`dedup_files` or :func:`pairs_files` is, as ``lookalike run show`` does.

    >>> import pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(space.name)
    >>> _ = (folder / "in.jsonl").write_text('{"text": "a text"}')
    >>> _ = la.dedup_files(folder / "in.jsonl", run=folder / "state", removed=folder / "removed.csv")
    >>> la.run_show(folder / "state")["is_finished"]
    True
    >>> space.cleanup()
    """
    return run(command_line("run show", [os.fspath(folder)]))
