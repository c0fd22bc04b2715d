"""Which columns of a data frame are what: texts, ids, the order of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..._options.arguments import names
from .method import Method

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType

Order = str | tuple[str, str]
"""A column to order by: ``"time"``, ``"-time"`` for descending, or ``("time", "desc")``."""


@dataclass(frozen=True)
class Columns:
    """The columns that a question needs, under names of our own: t0 …, url, site, w0 …, o0 …, id, side."""

    texts: int
    is_page: bool
    has_url: bool
    has_site: bool
    within: int
    orders: tuple[tuple[bool, bool], ...]
    """For each column to order by: whether it descends, and whether nulls are first."""

    @property
    def order_names(self) -> list[str]:
        return [f"o{at}" for at in range(len(self.orders))]

    @property
    def text_names(self) -> list[str]:
        return [f"t{at}" for at in range(self.texts)]

    @property
    def within_names(self) -> list[str]:
        return [f"w{at}" for at in range(self.within)]


class Question:
    """How to read a data frame: the names that the caller gave."""

    def __init__(
        self,
        text: str | Iterable[str] | None,
        html: str | None,
        url: str | None,
        id: str,
        order_by: str | Sequence[Order] | None,
        within: str | Iterable[str] | None,
        method: Method,
        keep: str = "first",
    ) -> None:
        if (text is None) == (html is None):
            raise ValueError("give text=, the column of texts, or html=, the column of web pages")
        self.texts = names(text) if html is None else [html]
        self.is_page = html is not None
        self.url = url if self.is_page or method.pages else None
        self.site = method.site
        self.id = id
        self.within = names(within)
        self.order = _ordered([id] if order_by is None else order_by)
        self.keep = keep
        if not self.order:
            raise ValueError("order_by names no column")
        if keep in ("longest", "shortest") and self.is_page:
            raise ValueError(f"keep='{keep}' orders by the length of texts, but these are pages; order by a column")
        if keep not in ("first", "last", "longest", "shortest") and not keep.startswith(("max:", "min:")):
            raise ValueError(f"'{keep}' is not a keep order. Use first, last, longest, shortest, max:COLUMN or min:COLUMN")

    def _keep_columns(self) -> list[tuple[Column, bool, bool]]:
        """The columns to order by: each with whether it descends, and whether nulls are first."""
        from pyspark.sql import functions as F

        is_last = self.keep == "last"
        columns = [(_col(name), down != is_last, down == is_last) for name, down in self.order]
        if self.keep in ("longest", "shortest"):
            lengths = [F.length(_col(name)) + (1 if at else 0) for at, name in enumerate(self.texts)]
            length = F.lit(0)
            for one in lengths:
                length = length + F.coalesce(one, F.lit(0))
            columns.insert(0, (length, self.keep == "longest", False))
        elif ":" in self.keep:
            rule, name = self.keep.split(":", 1)
            columns.insert(0, (_col(name), rule == "max", False))
        return columns

    @property
    def named(self) -> list[str]:
        """All columns that are needed."""
        found = [*self.texts, *self.within, *(name for name, _ in self.order), self.id]
        found += [name for name in (self.url, self.site) if name is not None]
        if ":" in self.keep:
            found.append(self.keep.split(":", 1)[1])
        return found

    def columns(self) -> Columns:
        """What the tasks need to know."""
        orders = tuple((down, nulls_first) for _, down, nulls_first in self._keep_columns())
        return Columns(
            len(self.texts), self.is_page, self.url is not None, self.site is not None, len(self.within), orders
        )

    def order_columns(self, df: DataFrame) -> list[Column]:
        """The columns to order by, as tasks see them."""
        return [_plain(column, df) for column, _, _ in self._keep_columns()]

    def select(self, df: DataFrame, side: int) -> DataFrame:
        """Take the columns that are needed, under names of our own."""
        from pyspark.sql import functions as F

        missing = [name for name in self.named if name not in df.columns]
        if missing:
            raise KeyError(f"no column '{missing[0]}' (columns: {', '.join(df.columns)})")
        for name in self.texts + ([] if self.url is None else [self.url]):
            kind = df.schema[name].dataType.simpleString()
            if not kind.startswith(("string", "varchar", "char")):
                raise TypeError(f"column '{name}' has values of the type {kind}; a text must be a string or null")
        for name, _ in self.order:
            kind = df.schema[name].dataType
            if kind.simpleString().startswith(("map", "variant")):
                raise TypeError(f"rows cannot be ordered by '{name}', which is of the type {kind.simpleString()}")
        chosen = [_col(name).alias(f"t{at}") for at, name in enumerate(self.texts)]
        if self.url is not None:
            chosen.append(_col(self.url).alias("url"))
        if self.site is not None:
            chosen.append(_col(self.site).alias("site"))
        chosen += [_col(name).alias(f"w{at}") for at, name in enumerate(self.within)]
        chosen += [column.alias(f"o{at}") for at, column in enumerate(self.order_columns(df))]
        return df.select(*chosen, _col(self.id).alias("id"), F.lit(side).cast("tinyint").alias("side"))


def _plain(column: Column, df: DataFrame) -> Column:
    """One zero and one not-a-number for floats, which Spark takes for equal."""
    from pyspark.sql import functions as F

    kind = df.select(column.alias("o")).schema["o"].dataType.simpleString()
    if kind in ("float", "double"):
        return F.when(F.isnan(column), F.lit(float("nan")).cast(kind)).otherwise(column + F.lit(0.0).cast(kind))
    return column


def _col(name: str) -> Column:
    """The column of exactly this name, dots and all."""
    from pyspark.sql import functions as F

    return F.col("`" + name.replace("`", "``") + "`")


def _ordered(order_by: str | Sequence[Order]) -> list[tuple[str, bool]]:
    given: Sequence[Order] = names(order_by) if isinstance(order_by, str) else order_by
    order: list[tuple[str, bool]] = []
    for one in given:
        if isinstance(one, str):
            order.append((one[1:], True) if one.startswith("-") else (one, False))
        elif isinstance(one, tuple) and len(one) == 2 and one[1] in ("asc", "desc"):
            order.append((one[0], one[1] == "desc"))
        else:
            raise TypeError(f"order_by names columns, such as 'time', '-time' or ('time', 'desc'), not {one!r}")
    return order


def type_of(df: DataFrame, name: str) -> DataType:
    """The type of a column."""
    return df.schema[name].dataType


def is_connect(df: Any) -> bool:
    """Whether a data frame belongs to a session of Spark Connect."""
    return "connect" in type(df).__module__
