"""The tokens of a document of files."""

from __future__ import annotations

import os
from typing import Any, Unpack

from .._jobs.commands import run_files
from .._options.groups import ReadOptions


def tokens_files(
    file: str | os.PathLike[str], *, row: int | None = None, pick: str | None = None, **options: Unpack[ReadOptions]
) -> dict[str, Any]:
    """Show the tokens of a document of a file, and its shingles with their hashes, as ``lookalike tokens --json`` does.

    >>> import pathlib, tempfile
    >>> import lookalike as la
    >>> space = tempfile.TemporaryDirectory()
    >>> folder = pathlib.Path(space.name)
    >>> _ = (folder / "in.jsonl").write_text('{"id": "a", "text": "one"}\\n{"id": "b", "text": "To be, or NOT"}')
    >>> la.tokens_files(folder / "in.jsonl", pick="b", tokens="words:2")["tokens"]
    ['to', 'be', 'or', 'not']
    >>> space.cleanup()

    Args:
        file: The file.
        row: The row of the document (default: the first).
        pick: The id of the document, in place of its row.

    The other arguments are those of :class:`Corpus`.
    """
    return run_files("tokens", ReadOptions, locals(), ["file"])
