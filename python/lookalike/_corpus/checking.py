"""Does a result keep the promises?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .._data.records import Broken
from .._jobs.engine import Engine
from .._options.progress import Progress, watching
from .._types import Options

if TYPE_CHECKING:
    from .asking import Asking

Row = tuple[int, int, bool, float]
"""A removed document, its twin, whether that is in the reference, and the stated similarity, which may be no number."""


def check_sets(
    corpus: Asking[Any],
    options: Options,
    bound: str,
    rows: list[Row],
    reference: Asking[Any] | None,
    progress: Progress,
) -> list[Broken]:
    """Check a result by the sets of its documents."""
    with watching(progress) as callback:
        found = corpus._open().check(bound, rows, options, callback)
    broken: list[Broken] = []
    references = {(row[0], row[1]): row[2] for row in rows}
    for promise, a, b, is_reference, similarity, stated in found:
        second = reference if (is_reference or references.get((a, b), False)) and reference else corpus
        broken.append(Broken(promise, corpus._id_of(a), second._id_of(b), similarity, stated))
    return broken


def check_texts(
    corpus: Asking[Any],
    bound: str,
    rows: list[Row],
    reference: Asking[Any] | None,
    within: list[str],
    progress: Progress,
) -> list[Broken]:
    """Check a result by the edit distances of its texts: all pairs within the threshold are found, and compared with it."""
    engine, gone = Engine(corpus), {row[0] for row in rows}
    _, own = engine.pairs(bound, None, None, within, False, None, progress)
    near: dict[tuple[Any, Any, bool], int] = {}
    for a, b, distance in zip(own["a"], own["b"], own["distance"], strict=True):
        near[a, b, False] = near[b, a, False] = distance
    if reference is not None:
        _, across = engine.pairs(bound, None, reference, within, False, None, progress)
        near |= {(a, b, True): at for a, b, at in zip(across["a"], across["b"], across["distance"], strict=True)}
    broken: list[Broken] = []
    for row, twin, is_reference, stated in rows:
        second = reference if is_reference and reference is not None else corpus
        a, b = corpus._id_of(row), second._id_of(twin)
        distance = near.get((a, b, is_reference))
        if not is_reference and twin in gone:
            broken.append(Broken("twin removed", a, b, None, None))
        elif distance is None:
            broken.append(Broken("not similar", a, b, None, None))
        elif not math.isnan(stated) and stated != distance:
            broken.append(Broken("wrong similarity", a, b, float(distance), stated))
    removed = {corpus._id_of(row) for row in gone}
    for (a, b, is_reference), distance in near.items():
        is_first = is_reference or corpus._position(a) < corpus._position(b)
        if is_first and a not in removed and (is_reference or b not in removed):
            broken.append(Broken("both kept", a, b, float(distance), None))
    return broken
