"""What arguments mean, checked where the mistake is made."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Union

from .._lookalike import PassageTable
from .._types import Settings

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

Threshold = Union[float, int, str, "Fraction", "Decimal"]
"""``0.8``, ``"0.8"``, ``"4/5"`` and ``Fraction(4, 5)`` are the same exact threshold."""

Size = int | str
"""A number of bytes, or a str such as ``"512MiB"`` or ``"8GB"``."""

_UNITS = {"": 1, "b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def threshold_text(threshold: Threshold) -> str:
    """Write a threshold so that it is read as the same exact number."""
    # A number of numpy has an item. Fractions and decimals are written as they are read.
    number: object = getattr(threshold, "item", lambda: threshold)()
    is_exact = type(number).__name__ in ("Fraction", "Decimal")
    if isinstance(number, bool) or not (is_exact or isinstance(number, (int, float, str))):
        raise TypeError(f"a threshold is a number or a str such as '4/5', not {type(threshold).__name__}")
    return str(number)


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number, which True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def size(value: int | str, name: str) -> int:
    """Read a size: a number of bytes, or a str such as '512MiB' or '8GB'."""
    if is_whole(value) and isinstance(value, int):
        if value < 0:
            raise ValueError(f"{name} must not be negative, but is {value}")
        return value
    if not isinstance(value, str):
        raise TypeError(f"{name} is a number of bytes or a str such as '512MiB', not {type(value).__name__}")
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?\s*", value.lower())
    units = _UNITS | _BINARY
    if found is None or found[2] not in units:
        raise ValueError(f"{name}='{value}' is no size; write it like 4096, '64kB', '512MiB' or '8GB'")
    return int(float(found[1]) * units[found[2]])


def settings(
    *,
    tokens: str = "words:5",
    case: str = "fold",
    bag: bool = False,
    page: str | None = None,
    without: str | os.PathLike[str] | PassageTable | None = None,
    measure: str = "jaccard",
    threads: int | None = None,
    max_document: int | str = "50MB",
    memory: int | str | None = None,
) -> Settings:
    """Collect how documents become sets and how these are compared."""
    if measure == "edit":
        raise ValueError(
            "measure='edit' compares texts, but this compares sets. `Corpus`, `dedup` and `pairs` take it; for two texts, "
            "compare(a, b).measures has the edit distance"
        )
    if threads is not None and (not is_whole(threads) or not 1 <= threads <= 1024):
        raise ValueError(f"threads must be a whole number from 1 to 1024, not {threads!r}")
    if without is not None and page == "paper":
        raise ValueError("without does not work with page='paper', which cuts no passages; use page='text' or page='main'")
    return {
        "tokens": tokens,
        "case": case,
        "bag": bag,
        "page": page,
        # Read once. A job reads it again, perhaps from another folder.
        "without": without
        if without is None or isinstance(without, PassageTable)
        else PassageTable(os.path.abspath(without)),
        "measure": measure,
        "threads": threads,
        "max_document": size(max_document, "max_document"),
        "memory": None if memory is None else size(memory, "memory"),
    }


def names(value: str | Iterable[str] | None) -> list[str]:
    """Read the names of columns: one, several, or several with commas between them."""
    if value is None:
        return []
    return value.split(",") if isinstance(value, str) else list(value)
