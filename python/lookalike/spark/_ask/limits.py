"""How much a task may hold, and how many tasks there are."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..._options.arguments import size
from .columns import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

POSTING = 15
"""Bytes of a posting on its way, about."""
IN_MEMORY = 90
"""Bytes that a posting takes in the task that reads it: as it arrived, unpacked into a vector that grows, and as it leaves."""
BATCH_SIZE = "spark.sql.execution.arrow.maxBytesPerBatch"
HELD = 4 * 24
"""A posting that is held takes 24 bytes. A quarter of a task's memory is for such postings; the others wait in a file."""


@dataclass(frozen=True)
class Limits:
    """Limits of a run."""

    task_memory: int
    """Bytes that a task may hold."""
    partitions: int | None
    """Tasks of a stage that exchange rows. None: as many as the data needs."""
    max_candidates: int
    """Candidates that the driver takes at a time, of 16 bytes each."""
    max_pairs: int
    """Pairs that the driver decides on, of 28 bytes each."""
    max_looked_at: int
    """Pairs of postings that all tasks together look at, before the longest lists are compared in blocks."""


def limits(
    spark: SparkSession,
    task_memory: int | str | None,
    partitions: int | None,
    max_candidates: int,
    max_looked_at: int,
    max_pairs: int = 1,
) -> Limits:
    """Read the limits. The memory of a task is what an executor has beside its heap, divided by its cores."""
    if partitions is not None and (isinstance(partitions, bool) or not isinstance(partitions, int) or partitions < 1):
        raise ValueError(f"partitions must be a whole number above 0, not {partitions!r}")
    given = (("max_candidates", max_candidates), ("max_looked_at", max_looked_at), ("max_pairs", max_pairs))
    for name, value in given:
        if value < 1:
            raise ValueError(f"{name} must be above 0, not {value!r}")
    memory = _usual_memory(spark) if task_memory is None else size(task_memory, "task_memory")
    return Limits(max(memory, 64 << 20), partitions, max_candidates, max_pairs, max_looked_at)


def cores(spark: SparkSession) -> int:
    """How many tasks run at a time."""
    if not is_connect(spark):
        return max(1, int(spark.sparkContext.defaultParallelism))
    return max(1, int(spark.conf.get("spark.default.parallelism", "8") or 8))


@contextmanager
def small_batches(spark: SparkSession, task_memory: int) -> Generator[None, None, None]:
    """Let Spark hand rows to tasks in batches that take little of their memory: a task holds two of them, and by default each has 64 MB."""
    try:
        before = spark.conf.get(BATCH_SIZE)
    except Exception:  # Not all engines have this setting.
        before = None
    most = max(1 << 20, task_memory // 32)
    # 0 is no limit.
    if before is None or 0 < _bytes_of(before) <= most:
        yield
        return
    spark.conf.set(BATCH_SIZE, str(most))
    try:
        yield
    finally:
        spark.conf.set(BATCH_SIZE, before)


def _bytes_of(text: str) -> int:
    """Spark writes 67108864b, 64MB, 64m or 67108864 for so many bytes."""
    text = text.strip().lower()
    return int(text.removesuffix("b")) if text.removesuffix("b").isdigit() else size(_with_unit(text), BATCH_SIZE)


def _usual_memory(spark: SparkSession) -> int:
    def setting(name: str) -> str | None:
        try:
            found = spark.conf.get(name, None)
            return None if found is None else str(found)
        except Exception:  # Some servers do not tell.
            return None

    # Python workers live beside the executor's heap: in memory of their own, if it is set aside, or in the overhead.
    own = setting("spark.executor.pyspark.memory") or setting("spark.executor.memoryOverhead")
    if own:
        memory = size(_with_unit(own), "spark.executor.pyspark.memory")
    else:
        heap = size(_with_unit(setting("spark.executor.memory") or "1g"), "spark.executor.memory")
        memory = max(384 << 20, int(heap * float(setting("spark.executor.memoryOverheadFactor") or 0.1)))
    cores = setting("spark.executor.cores")
    return memory // (int(cores) if cores and cores.isdigit() and int(cores) > 0 else 1)


def _with_unit(text: str) -> str:
    """Spark writes 1g for a gibibyte, and 512 for mebibytes."""
    text = text.strip().lower().removesuffix("b")
    return f"{text[:-1]}{text[-1]}ib" if text[-1:] in "kmgt" else f"{text}mib"
