"""From files to files, as the command does it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from .._jobs.commands import Path, command_line, path_list, run
from .._options.arguments import Size, Threshold, threshold_text
from .._options.groups import CompareOptions, require_known
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
    report: Path | None = None,
    by: str | None = None,
    force: bool = False,
    against: Path | Iterable[Path] = (),
    keep: str = "first",
    within: str | Iterable[str] | None = None,
    components: bool = False,
    measure: str = "jaccard",
    method: str = "exact",
    index: Path | None = None,
    existing: str = "refuse",
    memory: Size | None = None,
    plan: bool = False,
    run: Path | None = None,
    restart: bool = False,
    tmp: Path | None = None,
    progress: Progress = None,
    **options: Unpack[CompareOptions],
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
        report: Where a page for people goes, one HTML file.
        by: The field by which the page counts documents, such as a source or a language.
        force: Replace existing files.
        against: Files whose documents are a reference: what resembles them is removed.
        keep, within, components: As of :meth:`Corpus.dedup`.
        measure, method: As of :class:`Corpus`, with the options of the method.
        index, existing: The folder of an index to compare with and to add to, and what to do with ids that it has.
        memory: How much memory the run may use, such as ``"2GB"`` (default: 80 % of what is available).
        plan: Return what the run will need, from a sample of the inputs, and do nothing.
        run: A folder for the state of the run, so that the same call continues after a crash.
        restart: Discard the state in ``run``, and start again.
        tmp: The folder for temporary files.

    The other arguments are those of :class:`Corpus`; ``strict`` stops at the first bad row.
    """
    require_known(options, CompareOptions, "dedup_files")
    arguments = command_line(
        "dedup",
        path_list(inputs),
        threshold=None if threshold is None else threshold_text(threshold),
        output=output,
        removed=removed,
        pairs=pairs,
        clusters=clusters,
        annotate=annotate,
        bad=bad,
        report=report,
        by=by,
        force=force,
        against=path_list(against),
        keep=keep,
        within=within,
        components=components,
        measure=measure,
        method=method,
        index=index,
        existing=None if index is None else existing,
        memory=memory,
        plan=plan,
        run=run,
        restart=restart,
        tmp=tmp,
        **options,
    )
    return _run(arguments, progress)


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
    report: Path | None = None,
    by: str | None = None,
    explain: bool = False,
    force: bool = False,
    within: str | Iterable[str] | None = None,
    measure: str = "jaccard",
    method: str = "exact",
    algorithm: str = "auto",
    memory: Size | None = None,
    plan: bool = False,
    run: Path | None = None,
    restart: bool = False,
    tmp: Path | None = None,
    progress: Progress = None,
    **options: Unpack[CompareOptions],
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
        distinct, limit_per_document, within: As of :meth:`Corpus.pairs`.
        counts: Also write the number of common elements and the sizes of both sets.
        stats: Where counters and times of the join go, as JSON.
        report, by: A page for people, as of :func:`dedup_files`.
        explain: Say in the report, as ``explain``, how the documents were compared, and why.
        force: Replace existing files.
        measure, method: As of :class:`Corpus`, with the options of the method.
        algorithm: How to join: ``auto`` chooses. The pairs are the same.
        memory, plan, run, restart, tmp: As of :func:`dedup_files`.

    The other arguments are those of :class:`Corpus`; ``strict`` stops at the first bad row.
    """
    require_known(options, CompareOptions, "pairs_files")
    arguments = command_line(
        "pairs",
        path_list(inputs),
        threshold=None if threshold is None else threshold_text(threshold),
        output=output,
        **{"with": path_list(other)},
        top=top,
        distinct=distinct,
        limit=limit_per_document,
        counts=counts,
        stats=stats,
        report=report,
        by=by,
        explain=explain,
        quiet=explain,
        force=force,
        within=within,
        measure=measure,
        method=method,
        algorithm=None if algorithm == "auto" else algorithm,
        memory=memory,
        plan=plan,
        run=run,
        restart=restart,
        tmp=tmp,
        **options,
    )
    return _run(arguments, progress)


# `run` is the name of an argument, too.
_run = run
