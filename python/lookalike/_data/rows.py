"""Data that Python itself has: lists, dicts, sets."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .._lookalike import Column
from .records import as_records

TEXTS = "the texts"


class Input:
    """Data with rows. ``columns`` has the names of its columns, or is None if it has none."""

    columns: list[str] | None = None
    id_column: str | None = None
    pair_bytes = 320
    """Bytes of memory for each pair of an answer, at the most."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def column(self, name: str) -> Column:
        """Return a column."""
        self.require(name)
        return Column.of(self.values(name), name)

    def values(self, name: str) -> Any:
        """Return the values of a column, as Arrow data or as a list."""
        raise NotImplementedError

    def listed(self, name: str) -> list[Any]:
        """Return the values of a column as a list."""
        return list(self.values(name))

    def texts(self) -> Column:
        """Return the only column, if the data has no names."""
        raise NotImplementedError

    def take(self, kept: bytes) -> Any:
        """Return the rows that are kept, in the caller's own type."""
        raise NotImplementedError

    def table(self, columns: Mapping[str, Sequence[Any]], row: Any) -> Any:
        """Return a table of results: in the caller's own type, or as a list of ``row``."""
        return as_records(columns, row)

    def numbers(self, kind: str, values: bytes) -> Any:
        """Return numbers of the native half, as a column for :meth:`table`."""
        return array(kind, values)

    def require(self, name: str) -> None:
        """Raise an exception if there is no such column."""
        if self.columns is None:
            raise KeyError(f"there is no column '{name}': {kind_of(self.data)} has no columns")
        if name not in self.columns:
            raise KeyError(f"no column '{name}' (columns: {', '.join(map(str, self.columns))})")


class Texts(Input):
    """A list of str, or anything that yields them."""

    def __init__(self, data: Iterable[str | None]) -> None:
        super().__init__(data if isinstance(data, (list, tuple)) else list(data))

    def texts(self) -> Column:
        return Column.of(self.data, TEXTS)

    def require(self, name: str) -> None:
        # Without rows, nobody knows which columns there would be.
        if self.data:
            super().require(name)

    def values(self, name: str) -> list[Any]:
        return []

    def take(self, kept: bytes) -> list[Any]:
        return [text for text, is_kept in zip(self.data, kept, strict=True) if is_kept]


class Sets(Texts):
    """Sets of integers or tokens."""


class Rows(Texts):
    """A list of dicts."""

    def __init__(self, data: Iterable[Mapping[str, Any]]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.columns = list(dict.fromkeys(name for row in self.data for name in row))

    def values(self, name: str) -> list[Any]:
        return [row.get(name) for row in self.data]


def kind_of(data: object) -> str:
    """Return the type of an object, with an article."""
    return f"{'an' if type(data).__name__[:1] in 'AEIOUaeiou' else 'a'} {type(data).__name__}"
