"""From files to files, as the command does it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from .._jobs.commands import Path, run_files
from .._options.arguments import Threshold
from .._options.groups import JobOptions
from .._options.progress import Progress


def dedup_files(
    inputs: Path | Iterable[Path],
    threshold: Threshold | None = None,
    *,
    output: Path | None = None,
    removed: Path | None = None,
    pairs: Path | None = None,
    clusters: Path | None = None,
    annotate: Path | None = None,
    bad: Path | None = None,
    against: Path | Iterable[Path] = (),
    keep: str = "first",
    components: bool = False,
    index: Path | None = None,
    existing: str = "refuse",
    progress: Progress = None,
    **options: Unpack[JobOptions],
) -> dict[str, Any]:
    """Remove near-duplicates from files, as ``lookalike dedup`` does, and return its report.

    Rows are copied unchanged. Outputs appear when they are whole: an interrupted call leaves nothing half-written. Sets
    that do not fit in ``memory`` go to temporary files; the result is the same.

    >>> import json, pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(space.name)
    >>> rows = [{"id": "a", "text": "Zürich"}, {"id": "b", "text": "Zurich"}, {"id": "c", "text": "Bern"}]
    >>> _ = (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\\n" for row in rows))
    >>> report = la.dedup_files(folder / "in.jsonl", 1, measure="edit", output=folder / "kept.jsonl")
    >>> report["kept"], [json.loads(line)["id"] for line in (folder / "kept.jsonl").read_text().splitlines()]
    (2, ['a', 'c'])
    >>> space.cleanup()

    Args:
        inputs: Files, folders or globs.
        threshold: The minimum similarity of a near-duplicate, inclusive (default: 0.8). The maximum distance, if the
            measure is one.
        output: Where the kept rows go: a file, or a folder if it ends in ``/``, with one file for each input.
        removed, pairs, clusters, annotate, bad: Where tables go. The name decides the format.
        against: Files whose documents are a reference: what resembles them is removed.
        keep, components: As of :meth:`Corpus.dedup`.
        index, existing: The folder of an index to compare with and to add to, and what to do with ids that it has.

    The other arguments are those of a job (:class:`JobOptions`) and of :class:`Corpus`; ``strict`` stops at the first bad row.
    """
    # What to do with ids that an index has is an option only with an index.
    return run_files("dedup", JobOptions, {**locals(), "existing": None if index is None else existing})


def pairs_files(
    inputs: Path | Iterable[Path],
    threshold: Threshold | None = None,
    *,
    output: Path,
    other: Path | Iterable[Path] = (),
    top: int | None = None,
    distinct: bool = False,
    limit_per_document: int | None = None,
    counts: bool = False,
    stats: Path | None = None,
    explain: bool = False,
    algorithm: str = "auto",
    progress: Progress = None,
    **options: Unpack[JobOptions],
) -> dict[str, Any]:
    """Find every pair of the documents of files, as ``lookalike pairs`` does, write a table, and return the report.

    Pairs are sorted in temporary files, so that there may be more of them than fit in memory.

    >>> import json, pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(space.name)
    >>> rows = [{"id": "a", "text": "one two three"}, {"id": "b", "text": "three two one"}]
    >>> _ = (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\\n" for row in rows))
    >>> la.pairs_files(folder / "in.jsonl", 0.8, output=folder / "pairs.csv", tokens="words")["pairs"]
    1
    >>> print((folder / "pairs.csv").read_text().strip())
    a,b,similarity
    a,b,1.0
    >>> space.cleanup()

    Args:
        inputs: Files, folders or globs.
        threshold: The minimum similarity, inclusive (default: 0.8); the maximum distance, if the measure is one.
        output: Where the pairs go: ``.jsonl``, ``.csv``, ``.tsv`` or ``.parquet``.
        other: Files of a second collection: find pairs of a document of ``inputs`` and one of these.
        top: Find this many of the most similar pairs instead.
        distinct, limit_per_document: As of :meth:`Corpus.pairs`.
        counts: Also write the number of common elements and the sizes of both sets.
        stats: Where counters and times of the join go, as JSON.
        explain: Say in the report, as ``explain``, how the documents were compared, and why.
        algorithm: How to join: ``auto`` chooses. The pairs are the same.

    The other arguments are those of a job (:class:`JobOptions`) and of :class:`Corpus`; ``strict`` stops at the first bad row.
    """
    # The explanation is not mixed with messages.
    return run_files("pairs", JobOptions, {**locals(), "quiet": explain})
