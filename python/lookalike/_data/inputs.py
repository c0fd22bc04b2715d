"""The caller's data: which kind it is, where its columns are, and how to give rows of it back in its own type.

There is one class for each kind of data, here, in ``_rows`` and in ``_frames``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from .frames import ArrowArray, NumpyArray, Series, of_dataset, of_library
from .rows import Input, Rows, Sets, Texts, kind_of


class Files(Input):
    """Files, read by the readers of the command. Their rows are called by their ids."""

    def __init__(self, paths: list[str]) -> None:
        super().__init__(paths)
        self.ids: list[str] = []

    def take(self, kept: bytes) -> list[str]:
        return [id for id, is_kept in zip(self.ids, kept, strict=True) if is_kept]


class Columns(Input):
    """A dict of columns."""

    def __init__(self, data: Mapping[str, Sequence[Any]]) -> None:
        super().__init__(data)
        self.columns = list(data)
        lengths = {name: len(values) for name, values in data.items()}
        if len(set(lengths.values())) > 1:
            written = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise ValueError(f"the columns have different numbers of rows: {written}")

    def values(self, name: str) -> Any:
        return self.data[name]

    def take(self, kept: bytes) -> dict[str, Any]:
        return {name: _taken(values, kept) for name, values in self.data.items()}


def adapt(data: Any) -> Input:
    """Find out what kind of data this is."""
    if isinstance(data, Input):
        return data
    if isinstance(data, str) and not os.path.exists(data) and not any(sign in data for sign in "*?["):
        shown = data if len(data) < 80 else data[:80] + "…"
        raise FileNotFoundError(f"no such file: {shown}. A str is a path; to compare texts, give a list of them")
    if isinstance(data, (str, os.PathLike)):
        return Files([os.fspath(data)])
    module = type(data).__module__.partition(".")[0]
    if module == "datasets":
        return of_dataset(data)
    if isinstance(data, Mapping):
        return Columns(cast("Mapping[str, Any]", data))
    if module not in ("builtins", "collections"):
        found = of_library(data, module)
        if found is not None:
            return found
    if isinstance(data, (bytes, bytearray)) or not isinstance(data, Iterable):
        raise TypeError(
            f"cannot read documents from {kind_of(data)}; give a data frame, a list of str or dict, a dict of columns, "
            "sets of tokens, or a path"
        )
    return _listed(cast("Iterable[Any]", data))


def _listed(data: Iterable[Any]) -> Input:
    items: list[Any] | tuple[Any, ...] = data if isinstance(data, (list, tuple)) else list(data)
    first = next((item for item in items if item is not None), None)
    if isinstance(first, os.PathLike):
        return Files([os.fspath(item) for item in items])
    if isinstance(first, Mapping):
        return Rows(items)
    if first is not None and not isinstance(first, (str, float, bytes, bytearray)) and isinstance(first, Iterable):
        return Sets(items)
    return Texts(items)


def _taken(values: Any, kept: bytes) -> Any:
    """Return the rows of one column that are kept, in its own type."""
    if not isinstance(values, (list, tuple)):
        column = adapt(values)
        if isinstance(column, (Series, ArrowArray, NumpyArray)):
            return column.take(kept)
    return [value for value, is_kept in zip(cast("list[Any]", values), kept, strict=True) if is_kept]
