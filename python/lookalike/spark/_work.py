"""Where stages leave their results: a folder that all executors reach."""

from __future__ import annotations

import shutil
import tempfile
import uuid
from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

from ._ask.columns import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Work:
    """A folder of our own inside the given one."""

    def __init__(self, spark: SparkSession, folder: str | None) -> None:
        self.spark = spark
        self.is_own = folder is None
        self.schemas: dict[str, Any] = {}
        parent = folder or self._usual()
        self.path = f"{parent.rstrip('/')}/lookalike-{uuid.uuid4().hex}"
        self._check(parent)

    def _usual(self) -> str:
        """The checkpoint folder, or a temporary one if everything runs on this machine."""
        if not is_connect(self.spark):
            folder = self.spark.sparkContext._jsc.sc().getCheckpointDir()
            if folder.isDefined():
                self.is_own = False
                return str(folder.get())
            master = self.spark.sparkContext.master or ""
        else:
            master = self.spark.conf.get("spark.master", "") or ""
        if master.startswith("local"):
            return tempfile.mkdtemp(prefix="lookalike-spark-")
        raise ValueError(
            "give work=, a folder that all executors can write to and read from, such as 'hdfs:///tmp' or 's3a://bucket/tmp'; "
            "or set one with spark.sparkContext.setCheckpointDir"
        )

    def _check(self, parent: str) -> None:
        """See that stages can write there, before anything long begins."""
        path = f"{self.path}/check"
        try:
            self.spark.range(0, 3, 1, 1).write.parquet(path)
            found = self.spark.read.parquet(path).count()
        except Exception as error:
            first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            self.remove()
            raise OSError(f"the executors cannot use the folder '{parent}' (work=): {first}") from error
        if found != 3:
            self.remove()
            raise OSError(
                f"the executors write to '{parent}' (work=), but not all see what others wrote: it must be a folder that all machines share"
            )

    def put(self, df: DataFrame, name: str, *, by: str | None = None) -> None:
        """Run a stage, and leave its rows in a folder."""
        path = f"{self.path}/{name}"
        self.schemas[name] = df.schema
        writer = df.write.option("compression", "none")
        (writer.partitionBy(by) if by else writer).parquet(path)

    def get(self, name: str, schema: Any = None) -> DataFrame:
        """Read what a stage has left."""
        # Of a stage without rows there may be no file to tell the columns.
        return self.spark.read.schema(schema or self.schemas[name]).parquet(f"{self.path}/{name}")

    def get_all(self, names: list[str], schema: str) -> DataFrame:
        """Read what several stages have left."""
        if not names:
            return self.spark.createDataFrame([], schema)
        return self.spark.read.schema(schema).parquet(*[f"{self.path}/{name}" for name in names])

    def remove(self) -> None:
        """Remove everything."""
        try:
            if urlparse(self.path).scheme in ("", "file"):
                local = urlparse(self.path).path
                shutil.rmtree(local.rsplit("/", 1)[0] if self.is_own else local, ignore_errors=True)
            elif not is_connect(self.spark):
                jvm, context = self.spark._jvm, self.spark.sparkContext
                path = jvm.org.apache.hadoop.fs.Path(self.path)
                path.getFileSystem(context._jsc.hadoopConfiguration()).delete(path, True)
        except Exception:  # The session may be gone: then the folder stays, and its name says whose it is.
            pass
