"""Tables of pairs, clusters and labels, and documents, for commands that read files: data in memory goes to a temporary file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from .._data.frames import Series
from .._data.inputs import Columns, Files, adapt
from .._data.rows import Input, Rows, Sets, Texts, kind_of
from .._jobs.commands import write_line
from .._options.arguments import names
from .._results.result import Deduplicated

# Values of other libraries that stand for a missing one.
_MISSING = ("NAType", "NaTType")


class Table:
    """A table of pairs or clusters, as files or as data in memory."""

    def __init__(self, data: Any, third: str, columns: str | Iterable[str] | None) -> None:
        """Take the data. ``third`` is what the third item of a tuple is called, and ``columns`` those that the user named."""
        self.input = _table_of(data, third)
        self.columns = names(columns)

    @property
    def is_files(self) -> bool:
        """Whether the command can read the table where it is."""
        return isinstance(self.input, Files)

    def files(self, folder: str, name: str) -> list[str]:
        """Return the files of the table, which is written if it is in memory."""
        if isinstance(self.input, Files):
            return cast("list[str]", self.input.data)
        return [write_rows(self.input, os.path.join(folder, f"{name}.jsonl"), self.columns or self.input.columns or [])]

    def originals(self) -> dict[str, Any]:
        """Return the ids of data in memory, by how they are written in files."""
        if isinstance(self.input, Files):
            return {}
        found: dict[str, Any] = {}
        for name in self.columns or self.input.columns or []:
            found |= {_written(value): value for value in self.input.listed(name) if isinstance(value, (str, int))}
        return found


class Documents:
    """Documents for a command, as files or as data in memory."""

    def __init__(self, data: Any, id: str | None = None) -> None:
        self.input = Files([]) if data is None else adapt(data)
        self.id = id
        if self.input.columns is None and not isinstance(self.input, Files):
            self.input = Columns({"text": _texts(self.input)})

    @property
    def is_files(self) -> bool:
        """Whether the command can read the documents where they are."""
        return isinstance(self.input, Files)

    def files(self, folder: str, name: str) -> list[str]:
        """Return the files of the documents, which are written if they are in memory. Rows without an id get their number."""
        if isinstance(self.input, Files):
            return cast("list[str]", self.input.data)
        has_ids = self.id is not None or "id" in (self.input.columns or [])
        return [write_rows(self.input, os.path.join(folder, f"{name}.jsonl"), self.input.columns or [], not has_ids)]

    def originals(self) -> dict[str, Any]:
        """Return the ids of data in memory, by how they are written in files."""
        if isinstance(self.input, Files):
            return {}
        name = self.id or ("id" if "id" in (self.input.columns or []) else None)
        if name is not None:
            return {_written(value): value for value in self.input.listed(name)}
        return {str(row): row for row in range(len(self.input.listed((self.input.columns or ["text"])[0])))}


def write_rows(data: Input, path: str, columns: Sequence[str], numbered: bool = False) -> str:
    """Write columns of data as JSON lines, with a column of row numbers ``id`` if the rows are to be numbered."""
    for name in columns:
        data.require(name)
    listed = [data.listed(name) for name in columns]
    with open(path, "w", encoding="utf-8") as file:
        for number, row in enumerate(zip(*listed, strict=True)):
            values: dict[str, Any] = {"id": number} if numbered else {}
            values |= {name: _plain(value) for name, value in zip(columns, row, strict=True)}
            write_line(file, values, number)
    return path


def _table_of(data: Any, third: str) -> Input:
    if isinstance(data, Deduplicated):
        data = cast("Deduplicated[Any]", data).clusters
    if isinstance(data, Mapping) and data and not any(_is_column(value) for value in cast("Mapping[Any, Any]", data).values()):
        # The cluster of each id.
        of = cast("Mapping[Any, Any]", data)
        return Columns({"id": list(of), "cluster": list(of.values())})
    if isinstance(data, (str, os.PathLike, Mapping)) or not isinstance(data, Iterable):
        return _with_columns(adapt(data))
    if isinstance(data, (list, tuple, set, frozenset)) or type(cast("object", data)).__module__ == "builtins":
        rows = list(cast("Iterable[Any]", data))
        if rows and hasattr(rows[0], "_asdict"):
            return Rows([row._asdict() for row in rows])
        if rows and isinstance(rows[0], (tuple, list)):
            return _of_tuples(cast("list[Sequence[Any]]", rows), third)
        # Without rows there are no columns either.
        return _with_columns(adapt(rows)) if rows else Columns({"a": [], "b": []})
    return _with_columns(adapt(data))


def _of_tuples(rows: list[Sequence[Any]], third: str) -> Input:
    wrong = next((row for row in rows if len(row) not in (2, 3) or len(row) != len(rows[0])), None)
    if wrong is not None:
        raise ValueError(f"a row of a table is two ids, or two ids and a {third}, all rows alike, but one is {wrong!r}")
    return Columns({name: [row[at] for row in rows] for at, name in enumerate(("a", "b", third)[: len(rows[0])])})


def _with_columns(data: Input) -> Input:
    if data.columns is None and not isinstance(data, Files):
        raise TypeError(
            f"cannot read a table from {kind_of(data.data)}; give a data frame, a list of tuples or dicts, a dict of columns, a "
            "dict from id to cluster, or a path"
        )
    return data


def _texts(data: Input) -> list[Any]:
    """Return the texts of data without columns."""
    if isinstance(data, Sets):
        raise TypeError("these are sets; this needs documents with texts")
    if isinstance(data, Texts):
        return list(data.data)
    if isinstance(data, Series):
        return cast("list[Any]", data.series.to_list())
    return cast("list[Any]", data.data.to_pylist())


def _is_column(value: Any) -> bool:
    return not isinstance(value, (str, bytes)) and hasattr(value, "__len__")


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if type(value).__name__ in _MISSING or (isinstance(value, float) and value != value):
        return None
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _written(value: Any) -> str:
    """Return an id as a command writes it."""
    return value if isinstance(value, str) else json.dumps(value, default=str)
