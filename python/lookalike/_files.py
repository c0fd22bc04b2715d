"""From files to files, as the command does it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from . import _lookalike
from ._arguments import Threshold, names, settings, threshold_text
from ._progress import Progress, watching

Path = str | os.PathLike[str]


def dedup_files(
    inputs: Path | Iterable[Path],
    threshold: Threshold = 0.8,
    *,
    output: Path | None = None,
    removed: Path | None = None,
    pairs: Path | None = None,
    clusters: Path | None = None,
    annotate: Path | None = None,
    bad: Path | None = None,
    force: bool = False,
    strict: bool = False,
    against: Path | Iterable[Path] = (),
    keep: str = "first",
    within: str | Iterable[str] | None = None,
    components: bool = False,
    index: Path | None = None,
    existing: str = "refuse",
    run: Path | None = None,
    tmp: Path | None = None,
    text: str | Iterable[str] | None = None,
    html: str | None = None,
    url: str | None = None,
    id: str | None = None,
    format: str | None = None,
    tokens: str = "words:5",
    case: str = "fold",
    bag: bool = False,
    page: str | None = None,
    measure: str = "jaccard",
    threads: int | None = None,
    memory: int | str | None = None,
    max_document: int | str = "50MB",
    progress: Progress = None,
) -> dict[str, Any]:
    """Remove near-duplicates from files, as ``lookalike dedup`` does, and return its report.

    Rows are copied unchanged. Outputs appear when they are whole: an interrupted call leaves nothing half-written. Sets
    that do not fit in ``memory`` go to temporary files; the result is the same.

    Args:
        inputs: Files, folders or globs.
        threshold: The minimum similarity of a near-duplicate, inclusive.
        output: Where the kept rows go: a file, or a folder if it ends in ``/``, with one file for each input.
        removed, pairs, clusters, annotate, bad: Where tables go. The name decides the format.
        force: Replace existing files.
        strict: Stop at the first bad row.
        against: Files whose documents are a reference: what resembles them is removed.
        keep, within, components: As of :meth:`Corpus.dedup`.
        index, existing: The folder of an index to compare with and to add to, and what to do with ids that it has.
        run: A folder for the state of the run, so that the same call goes on after a crash.
        tmp: The folder for temporary files.
        memory: How much memory the run may use, such as ``"2GB"`` (default: 80 % of what is available).

    The other arguments are those of :class:`Corpus`.
    """
    chosen = settings(
        tokens=tokens,
        case=case,
        bag=bag,
        page=page,
        measure=measure,
        threads=threads,
        max_document=max_document,
        memory=memory,
    )
    with watching(progress) as callback:
        report = _lookalike.dedup_files(
            {"paths": _paths(inputs), "format": format, "text": names(text), "html": html, "url": url, "id": id},
            threshold_text(threshold),
            {
                "against": _paths(against),
                "keep": keep,
                "within": names(within),
                "components": components,
                "output": _path(output),
                "removed": _path(removed),
                "pairs": _path(pairs),
                "clusters": _path(clusters),
                "annotate": _path(annotate),
                "bad": _path(bad),
                "force": force,
                "strict": strict,
                "index": _path(index),
                "existing": existing,
                "run": _path(run),
                "tmp": _path(tmp),
            },
            chosen,
            callback,
        )
    done: dict[str, Any] = json.loads(report)
    return done


def _path(path: Path | None) -> str | None:
    return None if path is None else os.fspath(path)


def _paths(paths: Path | Iterable[Path]) -> list[str]:
    return [os.fspath(paths)] if isinstance(paths, (str, os.PathLike)) else [os.fspath(path) for path in paths]
