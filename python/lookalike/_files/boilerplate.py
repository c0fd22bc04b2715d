"""Which passages do the sites of a collection repeat?"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from typing import Any, Unpack

from .._jobs.commands import Path, run_files
from .._options.arguments import Size
from .._options.groups import RowOptions
from .._options.progress import Progress
from .._truth.tables import Documents


def boilerplate(data: Any, *, output: Path, id: str | None = None, **options: Any) -> dict[str, Any]:
    """Learn which passages the sites of a collection repeat, as ``lookalike boilerplate`` does, and return its report.

    >>> import pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> table = pathlib.Path(space.name) / "table.jsonl"
    >>> rows = [{"body": f"all rights reserved\\n{n}"} for n in range(3)]
    >>> la.boilerplate(rows, text="body", output=table, min_pages=3)["passages"]
    1
    >>> la.tokens({"body": "all rights reserved\\nRain"}, "words", text="body", without=table).tokens
    ['rain']
    >>> space.cleanup()

    Args:
        data: Documents: data as :class:`Corpus` takes it, or files.
        output: Where the table goes. ``without`` of :class:`Corpus` and of other functions takes it.
        id: The column of the ids, as of :class:`Corpus`.
        options: Those of :func:`boilerplate_files`.
    """
    documents = Documents(data, id)
    with tempfile.TemporaryDirectory(prefix="lookalike-") as folder:
        return boilerplate_files(documents.files(folder, "data"), output=output, id=id, **options)


def boilerplate_files(
    inputs: Path | Iterable[Path],
    *,
    output: Path,
    site: str = "registered",
    min_pages: int = 10,
    min_share: float | str = "0.1",
    memory: Size | None = None,
    force: bool = False,
    progress: Progress = None,
    **options: Unpack[RowOptions],
) -> dict[str, Any]:
    """Learn which passages the sites of a collection repeat, as ``lookalike boilerplate`` does, and return its report.

    >>> import pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(space.name)
    >>> _ = (folder / "in.jsonl").write_text("".join(f'{{"text": "all rights reserved\\\\n{n}"}}\\n' for n in range(3)))
    >>> la.boilerplate_files(folder / "in.jsonl", output=folder / "table.jsonl", min_pages=3)["passages"]
    1
    >>> la.sketch_files(folder / "in.jsonl", output=folder / "s.csv", without=folder / "table.jsonl")["text_bytes"]
    3
    >>> space.cleanup()

    Args:
        inputs: Files, folders or globs.
        output: Where the table goes. ``without`` of :class:`Corpus` and of the functions that end in ``_files`` takes it.
        site: The rule for the site of a page: ``registered``, ``paper`` or ``field:COLUMN``.
        min_pages: The minimum number of pages of a site with a passage.
        min_share: The minimum share of a site's pages with a passage.
        memory: As of :class:`Corpus`.
        force: Replace an existing file.

    The other arguments are those of :class:`Corpus`.
    """
    return run_files("boilerplate", RowOptions, locals())
