"""Data of other libraries: data frames, series, arrays, datasets. None of them is imported unless the data comes from it."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Mapping, Sequence
from typing import Any, cast

from .._lookalike import Column
from .rows import TEXTS, Input, Texts, kind_of

_IDS = ("id", "twin", "a", "b")


class Frame(Input):
    """A data frame that narwhals knows: pandas, polars, pyarrow, Modin, cuDF."""

    # Six columns of eight bytes, twice while they are handed over, and what they are made from.
    pair_bytes = 128

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
        if self.frame.implementation.is_pyarrow():
            return _arrow_rows(self.frame.to_native(), kept)
        return self.frame.filter([bool(is_kept) for is_kept in kept]).to_native()

    def table(self, columns: Mapping[str, Sequence[Any]], row: Any) -> Any:
        import narwhals as nw

        schema = None if any(map(len, columns.values())) else {name: self.kind(name) for name in columns}
        return nw.from_dict(dict(columns), schema=schema, backend=self.frame.implementation).to_native()

    def numbers(self, kind: str, values: bytes) -> Any:
        try:
            import numpy
        except ImportError:
            return array(kind, values).tolist()
        numbers = numpy.frombuffer(values, dtype=kind)
        return numbers if kind == "d" else numbers.astype("int64")

    def kind(self, name: str) -> Any:
        """Return the type of a column of results, for a table without rows."""
        import narwhals as nw

        if name in ("similarity", "unverified_similarity"):
            return nw.Float64
        if name in ("identical", "kept", "same_site", "from_against"):
            return nw.Boolean
        return self.frame[self.id_column].dtype if name in _IDS and self.id_column is not None else nw.Int64


class Series(Input):
    """One column without a name: a pandas or polars Series, a ChunkedArray of pyarrow."""

    def __init__(self, data: Any, series: Any) -> None:
        super().__init__(data)
        self.series = series

    def texts(self) -> Column:
        return Column.of(_series_values(self.series), TEXTS)

    def take(self, kept: bytes) -> Any:
        return self.series.filter([bool(is_kept) for is_kept in kept]).to_native() if kept else self.data

    table = Frame.table
    kind = Frame.kind
    numbers = Frame.numbers
    pair_bytes = Frame.pair_bytes

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

    def table(self, columns: Mapping[str, Sequence[Any]], row: Any) -> Any:
        return cast("Any", type(self.data)).from_dict({name: list(values) for name, values in columns.items()})


class ArrowArray(Input):
    """An Arrow array without a data frame library around it, such as an Array of pyarrow."""

    def texts(self) -> Column:
        return Column.of(self.data, TEXTS)

    def take(self, kept: bytes) -> Any:
        pyarrow = _pyarrow()
        mask = pyarrow.array([bool(is_kept) for is_kept in kept], pyarrow.bool_())
        return pyarrow.chunked_array(self.data).filter(mask) if _is_stream(self.data) else self.data.filter(mask)


class Stream(Input):
    """A table that any other library offers as an Arrow stream, such as a relation of DuckDB. pyarrow holds it."""

    def __init__(self, table: Any) -> None:
        import narwhals as nw

        super().__init__(table)
        self.inner = Frame(self.data, nw.from_native(self.data, eager_only=True))
        self.columns = self.inner.columns
        self.values = self.inner.values  # type: ignore[method-assign]
        self.listed = self.inner.listed  # type: ignore[method-assign]
        self.take = self.inner.take  # type: ignore[method-assign]
        self.table = self.inner.table  # type: ignore[method-assign]
        self.numbers = self.inner.numbers  # type: ignore[method-assign]
        self.pair_bytes = self.inner.pair_bytes


def of_dataset(data: Any) -> Input:
    """Return the data of Hugging Face."""
    if hasattr(data, "column_names") and isinstance(data.column_names, list) and hasattr(data, "select"):
        return HuggingFace(data)
    names = ", ".join(map(str, cast("Mapping[str, Any]", data))) if isinstance(data, Mapping) else ""
    raise TypeError(f"{kind_of(cast('object', data))} is not one table; choose a split{f' ({names})' if names else ''}")


def of_library(data: Any, module: str) -> Input | None:
    """Return the data of another library, if it is known or speaks Arrow."""
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
        pyarrow = _pyarrow()
        try:
            return Stream(pyarrow.table(data))
        except pyarrow.ArrowInvalid:
            # A stream of strings, and not of rows: one column without a name.
            column = pyarrow.chunked_array(data)
            return Series(column, nw.from_native(column, series_only=True))
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


# Copying as many bytes of new memory takes longer than to cut a slice.
_SLICE = 1 << 16


def _arrow_rows(table: Any, kept: bytes) -> Any:
    """Return rows of a table of pyarrow: slices, which share the memory of the table, or a copy if there were many slices."""
    pyarrow = _pyarrow()
    # pyarrow cannot choose among strings with views, but it can cut them.
    has_views = any(str(kind) in ("string_view", "binary_view") for kind in table.schema.types)
    runs = kept.count(b"\0\1") + kept.startswith(b"\1")
    if has_views or runs * _SLICE <= table.nbytes:
        slices = (table.slice(start, end - start) for start, end in _runs(kept))
        return pyarrow.concat_tables([table.slice(0, 0), *slices])
    numbers = pyarrow.Array.from_buffers(pyarrow.uint8(), len(kept), [None, pyarrow.py_buffer(kept)])
    return table.filter(numbers.cast(pyarrow.bool_()))


def _runs(kept: bytes) -> Generator[tuple[int, int], None, None]:
    """Give the start and the end of each run of rows that are kept."""
    start = kept.find(b"\1")
    while start >= 0:
        end = kept.find(b"\0", start)
        end = len(kept) if end < 0 else end
        yield start, end
        start = kept.find(b"\1", end)


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
