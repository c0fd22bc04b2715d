"""The caller's data: where its columns are, and how to give rows of it back in its own type.

There is one class for each kind of data. None of them needs a library other than the one that the data comes from.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._lookalike import Column

_TEXTS = "the texts"
_IDS = ("id", "twin", "a", "b")


class Input:
    """Data with rows. ``columns`` has the names of its columns, or is None if it has none."""

    columns: list[str] | None = None
    id_column: str | None = None

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

    def table(self, columns: Mapping[str, list[Any]], row: Any) -> Any:
        """Return a table of results: in the caller's own type, or as a list of ``row``."""
        return [row(*values) for values in zip(*columns.values(), strict=True)]

    def require(self, name: str) -> None:
        """Raise an exception if there is no such column."""
        if self.columns is None:
            raise KeyError(f"there is no column '{name}': {_kind(self.data)} has no columns")
        if name not in self.columns:
            raise KeyError(f"no column '{name}' (columns: {', '.join(map(str, self.columns))})")


class Texts(Input):
    """A list of str, or anything that yields them."""

    def __init__(self, data: Iterable[str | None]) -> None:
        super().__init__(data if isinstance(data, (list, tuple)) else list(data))

    def texts(self) -> Column:
        return Column.of(self.data, _TEXTS)

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


class Frame(Input):
    """A data frame that narwhals knows: pandas, polars, pyarrow, Modin, cuDF."""

    def __init__(self, data: Any, frame: Any) -> None:
        super().__init__(data)
        self.frame = frame
        self.columns = list(frame.columns)

    def values(self, name: str) -> Any:
        return _series_values(self.frame[name])

    def listed(self, name: str) -> list[Any]:
        values: list[Any] = self.frame[name].to_list()
        return values

    def take(self, kept: bytes) -> Any:
        if not kept:
            return self.frame.to_native()
        mask = [bool(is_kept) for is_kept in kept]
        if self.frame.implementation.is_pyarrow():
            return _arrow_rows(self.frame.to_native(), mask)
        return self.frame.filter(mask).to_native()

    def table(self, columns: Mapping[str, list[Any]], row: Any) -> Any:
        import narwhals as nw

        schema = None if any(columns.values()) else {name: self.kind(name) for name in columns}
        return nw.from_dict(dict(columns), schema=schema, backend=self.frame.implementation).to_native()

    def kind(self, name: str) -> Any:
        """Return the type of a column of results, for a table without rows."""
        import narwhals as nw

        if name == "similarity":
            return nw.Float64
        if name in ("identical", "kept"):
            return nw.Boolean
        return self.frame[self.id_column].dtype if name in _IDS and self.id_column is not None else nw.Int64


class Series(Input):
    """One column without a name: a pandas or polars Series, a ChunkedArray of pyarrow."""

    def __init__(self, data: Any, series: Any) -> None:
        super().__init__(data)
        self.series = series

    def texts(self) -> Column:
        return Column.of(_series_values(self.series), _TEXTS)

    def take(self, kept: bytes) -> Any:
        return self.series.filter([bool(is_kept) for is_kept in kept]).to_native() if kept else self.data

    table = Frame.table
    kind = Frame.kind

    @property
    def frame(self) -> Any:
        """Something that knows the library."""
        return self.series


class NumpyArray(Texts):
    """An array of numpy."""

    def take(self, kept: bytes) -> Any:
        return self.array[_numpy_mask(kept)]

    def __init__(self, data: Any) -> None:
        if data.ndim != 1:
            raise ValueError(f"an array of texts has one dimension, but this one has {data.ndim}")
        self.array = data
        super().__init__(data.tolist())


class HuggingFace(Input):
    """A Dataset of Hugging Face."""

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.columns = list(data.column_names)

    def values(self, name: str) -> Any:
        # Follows the indices of a dataset that was filtered or shuffled.
        return self.data.select_columns([name]).with_format("arrow")[:].column(name)

    def listed(self, name: str) -> list[Any]:
        values: list[Any] = self.values(name).to_pylist()
        return values

    def take(self, kept: bytes) -> Any:
        return self.data.select([row for row, is_kept in enumerate(kept) if is_kept])

    def table(self, columns: Mapping[str, list[Any]], row: Any) -> Any:
        return type(self.data).from_dict(dict(columns))


class ArrowArray(Input):
    """An Arrow array without a data frame library around it, such as an Array of pyarrow."""

    def texts(self) -> Column:
        return Column.of(self.data, _TEXTS)

    def take(self, kept: bytes) -> Any:
        pyarrow = _pyarrow()
        mask = pyarrow.array([bool(is_kept) for is_kept in kept], pyarrow.bool_())
        return pyarrow.chunked_array(self.data).filter(mask) if _is_stream(self.data) else self.data.filter(mask)


class Stream(Input):
    """A table that any other library offers as an Arrow stream, such as a relation of DuckDB. pyarrow holds it."""

    def __init__(self, data: Any) -> None:
        import narwhals as nw

        super().__init__(_pyarrow().table(data))
        self.inner = Frame(self.data, nw.from_native(self.data, eager_only=True))
        self.columns = self.inner.columns
        self.values = self.inner.values  # type: ignore[method-assign]
        self.listed = self.inner.listed  # type: ignore[method-assign]
        self.take = self.inner.take  # type: ignore[method-assign]
        self.table = self.inner.table  # type: ignore[method-assign]


class Files(Input):
    """Files, read by the readers of the command. Their rows are called by their ids."""

    def __init__(self, paths: list[str]) -> None:
        super().__init__(paths)
        self.ids: list[str] = []

    def take(self, kept: bytes) -> list[str]:
        return [id for id, is_kept in zip(self.ids, kept, strict=True) if is_kept]


def adapt(data: Any) -> Input:
    """Find out what kind of data this is."""
    if isinstance(data, str) and not os.path.exists(data) and not any(sign in data for sign in "*?["):
        shown = data if len(data) < 80 else data[:80] + "…"
        raise FileNotFoundError(f"no such file: {shown}. A str is a path; to compare texts, give a list of them")
    if isinstance(data, (str, os.PathLike)):
        return Files([os.fspath(data)])
    module = type(data).__module__.partition(".")[0]
    if module == "datasets":
        return _dataset(data)
    if isinstance(data, Mapping):
        return Columns(data)
    if module not in ("builtins", "collections"):
        found = _frame(data, module)
        if found is not None:
            return found
    if isinstance(data, (bytes, bytearray)) or not isinstance(data, Iterable):
        raise TypeError(
            f"cannot read documents from {_kind(data)}; give a data frame, a list of str or dict, a dict of columns, "
            "sets of tokens, or a path"
        )
    return _listed(data)


def _listed(data: Iterable[Any]) -> Input:
    items: list[Any] | tuple[Any, ...] = data if isinstance(data, (list, tuple)) else list(data)
    first = next((item for item in items if item is not None), None)
    if isinstance(first, os.PathLike):
        return Files([os.fspath(item) for item in items])
    if isinstance(first, Mapping):
        return Rows(items)
    if first is not None and not isinstance(first, (str, float)) and isinstance(first, Iterable):
        return Sets(items)
    return Texts(items)


def _dataset(data: Any) -> Input:
    if hasattr(data, "column_names") and isinstance(data.column_names, list) and hasattr(data, "select"):
        return HuggingFace(data)
    names = ", ".join(map(str, data)) if isinstance(data, Mapping) else ""
    raise TypeError(f"{_kind(data)} is not one table; choose a split{f' ({names})' if names else ''}")


def _frame(data: Any, module: str) -> Input | None:
    if module == "numpy" and hasattr(data, "ndim"):
        return NumpyArray(data)
    import narwhals as nw

    native: Any = nw.from_native(data, allow_series=True, pass_through=True)
    if isinstance(native, nw.LazyFrame) and module == "polars":
        native = native.collect()
    if isinstance(native, nw.DataFrame):
        return Frame(data, native)
    if isinstance(native, nw.Series):
        return Series(data, native)
    if _is_stream(data):
        return Stream(data)
    if hasattr(data, "__arrow_c_array__"):
        return ArrowArray(data)
    return None


def _series_values(series: Any) -> Any:
    native = series.to_native()
    if series.implementation.is_pandas_like():
        # By Arrow, pandas needs pyarrow. Its own strings are Python's.
        kind = getattr(native.dtype, "pyarrow_dtype", None)
        storage = getattr(native.dtype, "storage", "")
        if kind is None and storage not in ("pyarrow", "pyarrow_numpy"):
            return native.tolist()
        return native.array.__arrow_array__()
    if series.implementation.is_polars() and type(series.dtype).__name__ in ("Categorical", "Enum"):
        # Early versions of polars hand over the codes of categories without the categories.
        import narwhals as nw

        return series.cast(nw.String).to_native()
    return native


def _arrow_rows(table: Any, mask: list[bool]) -> Any:
    """Return rows of a table of pyarrow."""
    pyarrow = _pyarrow()
    if not any(str(kind) in ("string_view", "binary_view") for kind in table.schema.types):
        return table.filter(pyarrow.array(mask))
    # pyarrow cannot choose among strings with views, but it can cut them.
    runs: list[list[int]] = []
    for row, is_kept in enumerate(mask):
        if is_kept and runs and runs[-1][1] == row:
            runs[-1][1] += 1
        elif is_kept:
            runs.append([row, row + 1])
    return pyarrow.concat_tables([table.slice(0, 0), *(table.slice(start, end - start) for start, end in runs)])


def _taken(values: Any, kept: bytes) -> Any:
    """Return the rows of one column that are kept, in its own type."""
    if not isinstance(values, (list, tuple)):
        column = adapt(values)
        if isinstance(column, (Series, ArrowArray, NumpyArray)):
            return column.take(kept)
    return [value for value, is_kept in zip(values, kept, strict=True) if is_kept]


def _numpy_mask(kept: bytes) -> Any:
    import numpy

    return numpy.frombuffer(kept, dtype=bool)


def _is_stream(data: Any) -> bool:
    return hasattr(data, "__arrow_c_stream__")


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError("this kind of data needs pyarrow, which is not installed; run `pip install pyarrow`") from None
    return pyarrow


def _kind(data: object) -> str:
    return f"{'an' if type(data).__name__[:1] in 'AEIOUaeiou' else 'a'} {type(data).__name__}"
