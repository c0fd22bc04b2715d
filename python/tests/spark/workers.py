"""Starts the workers of Spark that run Python, so that a task costs little.

They have imported what they need before they are forked. And they have PySpark from its folder: before each task a worker lets Python look
for new modules, which takes longer than a small task if PySpark is in an archive, as Spark would have it."""

import sys

sys.path[:] = [path for path in sys.path if not path.endswith(".zip")]
for path in [path for path in sys.path_importer_cache if path.endswith(".zip")]:
    del sys.path_importer_cache[path]

import pandas  # noqa: E402, F401
import pyarrow  # noqa: E402, F401
from pyspark.daemon import manager  # noqa: E402

import lookalike.spark  # noqa: E402, F401

if __name__ == "__main__":
    manager()
