"""Web archives as data frames."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import fs

from .. import _lookalike as core
from .._options.arguments import names, size
from ._tasks.batches import PIECE, Batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

COLUMNS = "id string, url string, time string, file string, record long, html string, text string"
SCHEMA = pa.schema([(name, pa.int64() if name == "record" else pa.string()) for name in ("id", "url", "time", "file", "record", "html", "text")])
ENDS = (".warc", ".wet", ".gz", ".zst")
ROWS = 200
"""Pages of a batch, if they are short. Of long ones, a batch has some megabytes."""


class Read:
    """Reads the archives whose names arrive: a row for each document."""

    def __init__(self, most: int) -> None:
        self.most = most

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for file in batch.column("file").to_pylist():
                with _local(file) as path:
                    yield from self._documents(file, core.CoreArchive(path, self.most))

    def _documents(self, file: str, archive: core.CoreArchive) -> Batches:
        rows, length = list[dict[str, Any]](), 0
        while (records := archive.next()) is not None:
            for number, url, time, is_page, content in records:
                row = {"id": url or f"{file}:{number}", "url": url, "time": time, "file": file, "record": number}
                rows.append({**row, "html" if is_page else "text": content})
                length += len(content or "")
                if len(rows) >= ROWS or length >= PIECE:
                    yield pa.RecordBatch.from_pylist(rows, schema=SCHEMA)
                    rows, length = [], 0
        if rows:
            yield pa.RecordBatch.from_pylist(rows, schema=SCHEMA)


@contextmanager
def _local(file: str) -> Generator[str, None, None]:
    """The file on this machine: a copy, if it is elsewhere."""
    system, path = _system(file)
    if isinstance(system, fs.LocalFileSystem):
        yield path
        return
    with tempfile.NamedTemporaryFile(prefix="lookalike-") as copy:
        with system.open_input_stream(path, compression=None) as stream:
            shutil.copyfileobj(stream, copy, 1 << 20)
        copy.flush()
        yield copy.name


def _system(path: str) -> tuple[fs.FileSystem, str]:
    return fs.FileSystem.from_uri(path) if "://" in path else (fs.LocalFileSystem(), path)


def _files(path: str) -> list[str]:
    """The archives in a folder, or the one file."""
    system, inner = _system(path)
    found = system.get_file_info(inner)
    if found.type == fs.FileType.NotFound:
        raise FileNotFoundError(f"{path}: no such file or folder")
    if found.is_file:
        return [path]
    start = path[: len(path) - len(inner)] if path.endswith(inner) else ""
    below = system.get_file_info(fs.FileSelector(inner, recursive=True))
    files = sorted(start + one.path for one in below if one.is_file and one.path.endswith(ENDS))
    if not files:
        raise FileNotFoundError(f"{path}: no archives in this folder (names that end in {', '.join(ENDS)})")
    return files


def read_warc(spark: Any, paths: str | Iterable[str], *, max_document: int | str = "50MB") -> DataFrame:
    """Read web archives (WARC) as the command reads them: a row for each document, with its content in Unicode.

    The columns are `id` (the address, or `file:record`), `url`, `time`, `file`, `record` (counted from 1), and the content in `html` for a
    page or in `text` for plain text. Both are null if a record cannot be used. A task reads a file at a time.

    paths: files, or folders of files whose names end in .warc, .wet, .gz or .zst: on a disk that all machines share, or with an address
        that PyArrow knows (s3://, gs://, hdfs://). Files elsewhere are copied to a temporary file of the task.
    max_document: a longer page is a row without content.
    """
    files = [file for path in names(paths) for file in _files(path)]
    listed = spark.createDataFrame([(file,) for file in files], "file string").repartition(len(files), "file")
    return listed.mapInArrow(Read(size(max_document, "max_document")), COLUMNS)
