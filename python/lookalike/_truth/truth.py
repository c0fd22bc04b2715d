"""What is true: found pairs and clusters against labels, and a second opinion on other tools."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from typing import Any, Unpack, cast

from .._data.records import VerifiedMember, VerifiedPair
from .._jobs.commands import Path, command_line, read_table, run
from .._options.arguments import Threshold, threshold_text
from .._options.groups import ReadOptions, RowOptions, require_known
from .._options.progress import Progress
from .tables import Documents, Table


def evaluate(
    found: Any,
    labels: Any,
    threshold: float | None = None,
    *,
    columns: str | Iterable[str] | None = None,
    clusters: bool = False,
    label_columns: str | Iterable[str] | None = None,
    same: Iterable[object] = (),
    complete: bool = False,
    groups: bool = False,
    linked: bool = False,
    documents: Any = None,
    other: Any = None,
    by: str | None = None,
    by_site: bool = False,
    report: Path | None = None,
    force: bool = False,
    progress: Progress = None,
    **options: Unpack[RowOptions],
) -> dict[str, Any]:
    """Compare pairs or clusters with labels, as ``lookalike evaluate`` does, and return its figures.

    >>> import lookalike as la
    >>> found = la.pairs(["to be or not", "to be or so", "a ferry"], threshold=0.5, tokens="words")
    >>> figures = la.evaluate(found, [(0, 1, True), (0, 2, True), (1, 2, True)])
    >>> figures["right"], figures["wrong"], figures["missed"], round(figures["f1"]["value"], 3)
    (1, 0, 2, 0.5)

    Args:
        found: Pairs (``a``, ``b`` and perhaps ``similarity``), clusters (``id``, ``cluster``) or removed documents (``id``,
            ``twin``): what :func:`pairs` or :func:`dedup` returns, a data frame, a list of tuples or dicts, a dict of columns,
            a dict from id to cluster, or a path.
        labels: What people say, in the same forms: pairs with a ``label`` of 1 or 0, groups (``id``, ``cluster``), or all
            pairs that are the same (``a``, ``b``).
        threshold: Count only found pairs with at least this similarity, or at most this distance.
        columns, label_columns: The columns, if they have other names.
        clusters, groups: The two columns are an id and its cluster.
        same: The labels that mean the same; all others mean different.
        complete: Pairs that no label mentions are different.
        linked: Pairs are between two collections, whose ids may be equal.
        documents, other: The documents, and those of the second collection, to show the texts of wrong and missed pairs.
        by: Count pairs that agree in this field of the documents, and those that do not.
        by_site: Count pairs of the same site and of different sites, by the addresses in ``url``.
        report: Where to write the result as a page.
        force: Replace an existing page.

    The other arguments say how the documents are read, as of :class:`Corpus`. Ids are strings in the figures.
    """
    require_known(options, RowOptions, "evaluate")
    given, table = locals(), Table(found, "similarity", columns)
    own, second = (Documents(data, options.get("id")) for data in (documents, other))
    with tempfile.TemporaryDirectory(prefix="lookalike-") as folder:
        arguments = command_line(
            "evaluate",
            table.files(folder, "found"),
            **_label_options(folder, given),
            threshold=threshold,
            columns=tuple(table.columns),
            clusters=clusters,
            linked=linked,
            documents=own.files(folder, "documents"),
            other=second.files(folder, "other"),
            by=by,
            by_site=by_site,
            report=report,
            force=force,
            **_reading(own, cast("dict[str, Any]", options)),
        )
        return run(arguments, progress)


def verify(
    data: Any,
    candidates: Any,
    threshold: Threshold = 0.8,
    *,
    columns: str | Iterable[str] | None = None,
    clusters: bool = False,
    other: Any = None,
    output: Path | None = None,
    force: bool = False,
    within: str | Iterable[str] | None = None,
    measure: str = "jaccard",
    progress: Progress = None,
    **options: Unpack[ReadOptions],
) -> dict[str, Any]:
    """Compare the candidate pairs or clusters of any tool exactly, as ``lookalike verify`` does, and return its figures.

    >>> import lookalike as la
    >>> figures = la.verify(["to be or not", "to be or so", "a ferry"], [(0, 1), (0, 2)], 0.5, tokens="words")
    >>> figures["reaching"], figures["short"], figures["table"][0]
    (1, 1, VerifiedPair(a=0, b=1, similarity=0.6, reaches=True, stated=None))

    Args:
        data: The documents: data as :class:`Corpus` takes it, or files.
        candidates: Pairs or clusters, in the forms of ``found`` of :func:`evaluate`.
        threshold, within, measure: As of :func:`pairs`.
        columns: The columns of the candidates, if they have other names.
        clusters: The two columns are an id and its cluster.
        other: A second collection: the second id of a pair is one of these.
        output: Where every candidate goes with its exact similarity. Without it, candidates that are data in memory come back in
            ``table``: in the type of your data frame, or as a list of :class:`VerifiedPair` or :class:`VerifiedMember`.
        force: Replace an existing file.

    The other arguments say how the documents are read, as of :class:`Corpus`.
    """
    require_known(options, ReadOptions, "verify")
    table = Table(candidates, "similarity", columns)
    own, second = (Documents(one, options.get("id")) for one in (data, other))
    is_answered = output is None and not table.is_files
    with tempfile.TemporaryDirectory(prefix="lookalike-") as folder:
        path = os.path.join(folder, "verified.jsonl") if is_answered else output
        arguments = command_line(
            "verify",
            own.files(folder, "data"),
            candidates=table.files(folder, "candidates"),
            columns=tuple(table.columns),
            clusters=clusters,
            other=second.files(folder, "other"),
            output=path,
            force=force,
            threshold=threshold_text(threshold),
            within=within,
            measure=measure,
            **_reading(own, cast("dict[str, Any]", options)),
        )
        figures = run(arguments, progress)
        return {**figures, "table": _verified(table, read_table(cast("str", path)))} if is_answered else figures


def _verified(candidates: Table, rows: list[Any]) -> Any:
    """Return verified candidates in the type that they came in, with the ids that they came with."""
    record = VerifiedMember if rows and "part" in rows[0] else VerifiedPair
    called = candidates.originals()
    columns: dict[str, list[Any]] = {name: [row.get(name) for row in rows] for name in record._fields}
    for name in ("a", "b", "cluster", "id", "twin"):
        if name in columns:
            columns[name] = [called.get(id, id) for id in columns[name]]
    return candidates.input.table(columns, record)


def _label_options(folder: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options that say what is true, from all that a function was given."""
    labels, same = Table(given["labels"], "label", given["label_columns"]), given["same"]
    return {
        "labels": labels.files(folder, "labels"),
        "label_columns": tuple(labels.columns),
        "same": tuple(str(one) for one in ([same] if isinstance(same, str) else same)),
        "complete": given["complete"],
        "groups": given["groups"],
    }


def _reading(documents: Documents, options: dict[str, Any]) -> dict[str, Any]:
    if options.get("format") is not None and not documents.is_files:
        raise ValueError("format is for files, but the data is in memory")
    return options
