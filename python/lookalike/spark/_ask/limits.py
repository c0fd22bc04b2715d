"""How much a task may hold, and how many tasks there are."""

from __future__ import annotations

import warnings
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
DOCUMENT_ROW = 128
"""Bytes of a document on its way, about: the number of its set, its key, its id and the columns to order by."""
KEPT_HASH = 4 * 24
"""A task holds a hash for each document that it gets, three times at worst, in a quarter of its memory."""
HITS = 4 * 80 // 19
"""A record of a candidate has 19 bytes, and takes 80 when it is summed up, in a quarter of a task's memory."""
WANTED = 2 * 48
"""Every task that sends texts has 20 bytes for each set that is wanted, and as much again when it begins: in half of its memory."""
VISITS = 4 * 12
"""And 4 bytes for each place that such a set goes to, three times at worst: in a quarter of its memory."""
AT_DRIVER = 128
"""Bytes for a candidate or a pair at the driver, with the documents of its sets, about."""
MOST_AT_DRIVER = 50_000_000
"""So many candidates, or pairs, the driver takes at most if nothing is said."""
MOST_FREQUENT = 1 << 20
"""Elements that every task knows to be frequent, if nothing is said."""
SAMPLE_SHARE = 8
"""The sample for the recall takes an eighth of a task's memory, if nothing is said."""
LEAST_MEMORY = 64 << 20
"""Bytes that a task takes in any case."""
ANY_LENGTH = 1 << 62
"""No list is too long to be compared all with all."""


@dataclass(frozen=True)
class Limits:
    """Limits of a run."""

    task_memory: int
    """Bytes that a task may hold."""
    partitions: int | None
    """Tasks of a stage that exchange rows. None: as many as the data needs."""
    max_candidates: int
    """Candidates that the driver takes at a time."""
    max_pairs: int
    """Pairs of sets that the driver decides on."""
    max_sample: int
    """Bytes of the sample on which the recall is measured."""
    max_heavy: int
    """Sets in heavy lists that the driver settles at a time."""
    max_looked_at: int | None
    """Pairs of postings that all tasks together look at, before the longest lists are compared in blocks. None: by the number of rows."""
    max_frequent: int
    """Elements that every task knows to be frequent, at most. In a task they take some 24 bytes each."""
    longest_list: int
    """Documents in the longest list that is compared all with all."""
    first_block: int
    """Documents of heavy lists that are compared with each other in the first block."""


def limits(
    spark: SparkSession,
    task_memory: int | str | None = None,
    partitions: int | None = None,
    *,
    max_candidates: int | None = None,
    max_pairs: int | None = None,
    max_heavy: int | None = None,
    max_sample: int | str | None = None,
    max_looked_at: int | None = None,
    max_frequent: int = MOST_FREQUENT,
    longest_list: int = ANY_LENGTH,
    first_block: int = 1000,
) -> Limits:
    """Read the limits. The memory of a task is what an executor has beside its heap, divided by its cores."""
    given = {
        "partitions": partitions,
        "max_candidates": max_candidates,
        "max_pairs": max_pairs,
        "max_heavy": max_heavy,
        "max_looked_at": max_looked_at,
        "max_frequent": max_frequent,
        "longest_list": longest_list,
        "first_block": first_block,
    }
    for name, value in given.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise ValueError(f"{name} must be a whole number above 0, not {value!r}")
    memory = _memory(spark) if task_memory is None else size(task_memory, "task_memory")
    if memory < LEAST_MEMORY:
        raise ValueError(f"task_memory is {memory:,} bytes, and a task needs at least {LEAST_MEMORY:,} (64MiB)")
    usual = usual_at_driver(_setting(spark, "spark.driver.maxResultSize"), _setting(spark, "spark.driver.memory"))
    return Limits(
        task_memory=memory,
        partitions=partitions,
        max_candidates=max_candidates or usual,
        max_pairs=max_pairs or usual,
        max_heavy=max_heavy or usual,
        max_sample=memory // SAMPLE_SHARE if max_sample is None else size(max_sample, "max_sample"),
        max_looked_at=max_looked_at,
        max_frequent=max_frequent,
        longest_list=longest_list,
        first_block=first_block,
    )


def usual_at_driver(max_result: str | None, driver_memory: str | None) -> int:
    """How many candidates, or pairs, the driver takes if nothing is said, by Spark's settings for it."""
    results = _bytes_of(max_result or "1g", "spark.driver.maxResultSize")
    memory = _spark_size(driver_memory or "1g", "spark.driver.memory")
    # For Spark, results of 0 have no limit.
    return min(MOST_AT_DRIVER, max(1, min(results or memory, memory) // AT_DRIVER))


def most_looked_at(limits: Limits, rows: int, least: int) -> int:
    """Pairs of postings that may be looked at: for a large collection in proportion to its rows."""
    return limits.max_looked_at or max(least, least // 1_000_000 * rows)


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
    if before is None or 0 < _bytes_of(before, BATCH_SIZE) <= most:
        yield
        return
    spark.conf.set(BATCH_SIZE, str(most))
    try:
        yield
    finally:
        spark.conf.set(BATCH_SIZE, before)


def _bytes_of(text: str, name: str) -> int:
    """Spark writes 67108864b, 64MB, 64m or 67108864 for so many bytes."""
    text = text.strip().lower()
    return int(text.removesuffix("b")) if text.removesuffix("b").isdigit() else _spark_size(text, name)


def _memory(spark: SparkSession) -> int:
    """What a task may hold by the settings of the executors, and not less than it needs."""
    memory = _usual_memory(spark)
    if memory < LEAST_MEMORY:
        warnings.warn(
            f"executors have {memory:,} bytes beside their heap for each core; a task of lookalike takes {LEAST_MEMORY:,}. Raise "
            "spark.executor.memoryOverhead, or lower spark.executor.cores",
            stacklevel=4,
        )
    return max(memory, LEAST_MEMORY)


def _usual_memory(spark: SparkSession) -> int:
    def setting(name: str) -> str | None:
        return _setting(spark, name)

    # Python workers live beside the executor's heap: in memory of their own, if it is set aside, or in the overhead.
    own = setting("spark.executor.pyspark.memory") or setting("spark.executor.memoryOverhead")
    if own:
        memory = _spark_size(own, "spark.executor.pyspark.memory")
    else:
        heap = _spark_size(setting("spark.executor.memory") or "1g", "spark.executor.memory")
        memory = max(384 << 20, int(heap * float(setting("spark.executor.memoryOverheadFactor") or 0.1)))
    cores = setting("spark.executor.cores")
    return memory // (int(cores) if cores and cores.isdigit() and int(cores) > 0 else 1)


def _setting(spark: SparkSession, name: str) -> str | None:
    try:
        found = spark.conf.get(name, None)
        return None if found is None else str(found)
    except Exception:  # Some servers do not tell.
        return None


def _spark_size(text: str, name: str) -> int:
    """A size as Spark writes it."""
    return size(_with_unit(text), name)


def _with_unit(text: str) -> str:
    """Spark writes 1g for a gibibyte, and 512 for mebibytes."""
    text = text.strip().lower().removesuffix("b")
    return f"{text[:-1]}{text[-1]}ib" if text[-1:] in "kmgt" else f"{text}mib"
