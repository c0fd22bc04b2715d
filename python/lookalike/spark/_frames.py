"""Data frames and bytes: from one to the other, and to where they belong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ._tasks.batches import IsSorted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def blobs_of(df: DataFrame) -> list[bytes]:
    """The blobs of a frame, at the driver."""
    return list(df.select("blob").toArrow()["blob"].to_pylist())


def frame(spark: Any, table: pa.Table) -> DataFrame:
    """A data frame of a table of the driver."""
    from pyspark.sql.pandas.types import from_arrow_schema

    # Connect cannot tell the types of an empty table.
    return spark.createDataFrame(table) if len(table) else spark.createDataFrame([], from_arrow_schema(table.schema))


def spread(df: DataFrame, partitions: int, column: Any, is_spark: bool) -> DataFrame:
    """Send rows with one number to one partition: that of the number, if this is Spark and can be told so."""
    from pyspark.sql import functions as F

    number = F.pmod(F.col(column) if isinstance(column, str) else column, F.lit(partitions)).cast("int")
    if is_spark and hasattr(df, "repartitionById"):
        return df.repartitionById(partitions, number)
    return df.repartition(partitions, number)


def keeps_order(spark: Any) -> bool:
    """Whether tasks get rows as `sortWithinPartitions` left them. Behind Spark Connect may be an engine that drops the order."""
    from pyspark.sql import functions as F

    rows = spark.range(0, 1000).select(F.pmod(F.col("id") * 7919, F.lit(1009)).alias("n"))
    probed = rows.repartition(2, "n").sortWithinPartitions("n").mapInArrow(IsSorted(), "is_sorted boolean")
    return all(row["is_sorted"] for row in probed.collect())


def arrow_schema(schema: Any) -> pa.Schema:
    """The schema of Arrow for a schema of Spark."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(schema)
