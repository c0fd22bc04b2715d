"""Documents as the jobs of the command read them: files where they are, rows in memory from a temporary file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._data.inputs import Files
from .._lookalike import Column

if TYPE_CHECKING:
    from .._corpus.documents import Documents

# What rows in files have besides the columns that are asked for.
_FIELDS = ("id", "text", "html", "url", "key", "called", "rank")


def settings_of(documents: Documents[Any]) -> dict[str, Any]:
    """Return the options that say how documents become sets."""
    settings = documents._settings
    chosen: dict[str, Any] = {
        name: settings[name] for name in ("tokens", "case", "bag", "page", "threads", "memory", "max_document")
    }
    table = settings["without"]
    return chosen if table is None else {**chosen, "without": table.path}


def fields_of(documents: Documents[Any]) -> dict[str, Any]:
    """Return the options that say which fields documents have."""
    named = {name: value for name, value in documents._named.items() if value}
    if isinstance(documents._input, Files):
        return {**named, "format": documents._format, "strict": documents._strict}
    # The fields of rows that are written have names of their own.
    return {name: name for name in ("html", "url") if name in named}


def sites_of(documents: Documents[Any], site: str = "") -> tuple[dict[str, str], str | None]:
    """Return the fields that name sites, each with its column, and the rule of the method for the site of a row.

    The method may find sites by a column (``site``), and so may the table of passages.
    """
    column = site.removeprefix("field:") if site.startswith("field:") else None
    table = documents._settings["without"]
    named = None if table is None else table.site_column
    if named is None:
        return ({}, None) if column is None else ({"site": column}, "field:site")
    if column not in (None, named):
        raise ValueError(
            f"the table of `without` finds sites by the column '{named}', and site by '{column}'; use the same column for both"
        )
    require_free(named, "the table of `without` finds sites by a column")
    return {named: named}, None if column is None else f"field:{named}"


def require_free(column: str, what: str) -> None:
    """Raise ValueError if a column cannot have its own name in files."""
    if column in _FIELDS:
        raise ValueError(f"{what} '{column}'; rows in memory are written to a file for this, where that name is taken")


def called_by(ids: list[str]) -> tuple[str, Column]:
    """Return the field with what rows are called, if that is not their number."""
    return ("called", Column.of(ids, "id"))
