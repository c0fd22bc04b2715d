"""Which settings do labels call for, and which pairs should be labelled next?"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from typing import Any, Unpack

from .._data.records import PairToLabel
from .._jobs.commands import Path, command_line, read_table, run
from .._options.arguments import Threshold, names, threshold_text
from .._options.groups import LabelledOptions, require_known
from .._options.progress import Progress
from .tables import Documents
from .truth import _label_options, _reading


def calibrate(
    data: Any,
    labels: Any,
    *,
    text: str | Iterable[str] | None = None,
    try_text: Iterable[str | Iterable[str]] = (),
    within: Iterable[str | Iterable[str]] = (),
    tokens: str | Iterable[str] = (),
    measures: str | Iterable[str] = (),
    other: Any = None,
    label_columns: str | Iterable[str] | None = None,
    same: Iterable[object] = (),
    complete: bool = False,
    groups: bool = False,
    splits: int = 200,
    report: Path | None = None,
    force: bool = False,
    progress: Progress = None,
    **options: Unpack[LabelledOptions],
) -> dict[str, Any]:
    """Choose tokens, measure, fields and threshold from labels, as ``lookalike calibrate`` does, and return its figures.

    ``chosen`` has the setting, and ``call`` the setting as arguments of :func:`pairs` and :func:`dedup`.

    >>> import lookalike as la
    >>> texts = ["the ferry leaves at nine", "the ferry leaves at ten", "rain in the north", "rain in the north tomorrow"]
    >>> figures = la.calibrate(texts, {0: "ferry", 1: "ferry", 2: "rain", 3: "rain"}, tokens="words")
    >>> figures["call"]
    {'threshold': '0.6', 'tokens': 'words', 'measure': 'jaccard'}
    >>> len(la.pairs(texts, **figures["call"]))
    2

    Args:
        data: The documents: data as :class:`Corpus` takes it, or files.
        labels: What people say of them, as of :func:`evaluate`.
        text: The fields of the text.
        try_text: More lists of fields to try as the text.
        within: Lists of fields to require equal; each is tried, and none at all.
        tokens: Units of comparison to try (default: ``words``, ``chars:3``, ``letters:3`` and ``words:5``).
        measures: Measures to try (default: ``jaccard``, ``cosine``, ``containment``).
        other: A second collection: labels are about pairs of a document of ``data`` and one of these.
        label_columns, same, complete, groups: As of :func:`evaluate`.
        splits: How often the groups are split into halves, to choose on one and judge on the other.
        report: Where to write the result as a page.
        force: Replace an existing page.

    The other arguments say how the documents are read, as of :class:`Corpus`.
    """
    given = locals()
    require_known(options, LabelledOptions, "calibrate")
    own, second = (Documents(one, options.get("id")) for one in (data, other))
    with tempfile.TemporaryDirectory(prefix="lookalike-") as folder:
        figures = run(_line(folder, own, second, given, splits=splits, report=report, force=force), progress)
    if not own.is_files:
        # It names temporary files.
        del figures["command"]
    return {**figures, "call": _call(figures["chosen"], text, options.get("html"))}


def pairs_to_label(
    data: Any,
    most: int,
    threshold: Threshold | None = None,
    *,
    labels: Any = None,
    text: str | Iterable[str] | None = None,
    try_text: Iterable[str | Iterable[str]] = (),
    within: Iterable[str | Iterable[str]] = (),
    tokens: str | Iterable[str] = (),
    measures: str | Iterable[str] = (),
    other: Any = None,
    label_columns: str | Iterable[str] | None = None,
    same: Iterable[object] = (),
    complete: bool = False,
    groups: bool = False,
    seed: int = 1,
    progress: Progress = None,
    **options: Unpack[LabelledOptions],
) -> Any:
    """Propose the pairs whose labels would teach most, as ``lookalike calibrate --label`` does.

    Fill in the column ``label`` with 1 or 0, and give the table to :func:`calibrate` as its labels.

    >>> import lookalike as la
    >>> la.pairs_to_label(["to be or not", "to be or so", "a ferry"], 5, 0.6, tokens="words")
    [PairToLabel(a=0, b=1, label=None, similarity=0.6, text_a='to be or not', text_b='to be or so')]

    Args:
        data: The documents: data as :class:`Corpus` takes it, or files.
        most: How many pairs to propose.
        threshold: Around which similarity: half of the pairs are next to it, the others over all levels (default: 0.8, or with ``labels``
            of 20 groups or more what they call for, compared as they call for).
        labels: Labels that exist already. These pairs are not proposed again.
        text, try_text, within, tokens, measures: As of :func:`calibrate`, if it has to find what the labels call for: with labels and
            without a threshold. Otherwise documents are compared by the first of each (default: ``words:5`` and ``jaccard``).
        other: A second collection: propose pairs of a document of ``data`` and one of these.
        label_columns, same, complete, groups: As of :func:`evaluate`.
        seed: Another number proposes other pairs.

    The other arguments say how the documents are read, as of :class:`Corpus`.

    Returns:
        A table with the columns of :class:`PairToLabel`: in the type of your data frame, or as a list.
    """
    given = locals()
    require_known(options, LabelledOptions, "pairs_to_label")
    own, second = (Documents(one, options.get("id")) for one in (data, other))
    with tempfile.TemporaryDirectory(prefix="lookalike-") as folder:
        output = os.path.join(folder, "proposed.jsonl")
        bound = None if threshold is None else threshold_text(threshold)
        run(_line(folder, own, second, given, label=str(most), output=output, threshold=bound, seed=seed), progress)
        rows = read_table(output)
    called = (own.originals(), own.originals() if other is None else second.originals())
    table: dict[str, list[Any]] = {name: [row.get(name) for row in rows] for name in PairToLabel._fields}
    table["label"] = [None] * len(rows)
    for name, ids in zip(("a", "b"), called, strict=True):
        table[name] = [ids.get(id, id) for id in table[name]]
    return own.input.table(table, PairToLabel)


def _line(folder: str, own: Documents, second: Documents, given: dict[str, Any], **how: object) -> list[str]:
    """Return the arguments of `calibrate`: what both functions are given, and `how`."""
    return command_line(
        "calibrate",
        own.files(folder, "data"),
        **({} if given["labels"] is None else _label_options(folder, given)),
        other=second.files(folder, "other"),
        text=given["text"],
        try_text=_lists(given["try_text"]),
        try_within=_lists(given["within"]),
        tokens=tuple(names(given["tokens"])),
        measures=tuple(names(given["measures"])),
        **how,
        **_reading(own, given["options"]),
    )


def _lists(lists: Iterable[str | Iterable[str]]) -> list[str]:
    """Return lists of fields as the command takes them: one str with commas for each."""
    return [lists] if isinstance(lists, str) else [one if isinstance(one, str) else ",".join(one) for one in lists]


def _call(chosen: dict[str, Any], text: Any, html: str | None) -> dict[str, Any]:
    """Return a setting as arguments of `pairs` and `dedup`."""
    call: dict[str, Any] = {"threshold": chosen["threshold"]}
    fields: list[str] = chosen["text"]
    if html is not None:
        call["html"] = html
    elif text is not None or fields != ["text"]:
        call["text"] = fields
    if chosen["within"]:
        call["within"] = chosen["within"]
    return {**call, "tokens": chosen["tokens"], "measure": chosen["measure"]}
