"""How documents are read that come later than the arguments which say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .._data.inputs import Files, adapt
from .._data.rows import Sets, kind_of
from .._options.arguments import names, settings
from .._options.groups import require_known
from .._options.progress import Progress
from .._types import Settings
from .documents import Documents

Document = str | Mapping[str, Any] | None
"""A document: its text, or a row with the columns that ``text``, ``html``, ``url`` and ``id`` name."""


class Read(NamedTuple):
    """What was read of a document."""

    text: str | None
    """None if it has no text, or one that is too long."""
    id: str | None


class Reader:
    """Reads documents as a :class:`Corpus` does."""

    def __init__(self, function: str, group: type, options: Mapping[str, Any], **own: Any) -> None:
        require_known(options, group, function)
        self._named = {name: options.get(name) for name in ("text", "html", "url", "id")}
        if self._named["text"] is not None:
            self._named["text"] = names(self._named["text"])
        self._format, self._strict = options.get("format"), options.get("strict", False)
        given = {**options, **own}
        self.settings: Settings = settings(**{name: given[name] for name in Settings.__annotations__ if name in given})
        asks_for_columns = any(value not in (None, [], ["text"]) for value in self._named.values())
        # Reading such a text gives it as it is.
        self._takes_texts = not asks_for_columns and self.settings["without"] is None and self.settings["page"] is None
        if "format" not in group.__annotations__:
            # Without files, what is wrong is known before there are rows.
            self.documents([])

    def documents(
        self, data: Any, progress: Progress = None, *, makes_sets: bool = False, threads: int | None = None
    ) -> Documents[Any]:
        """Read data as a corpus does: a data frame, a list of texts or rows, and so on."""
        source = adapt(data)
        is_files = isinstance(source, Files)
        if isinstance(source, Sets):
            raise TypeError("give texts, or rows with texts: these are sets")
        choices: dict[str, Any] = {**self.settings, "threads": self.settings["threads"] if threads is None else threads}
        format, strict = (self._format, self._strict) if is_files else (None, False)
        return Documents[Any](source, self._named, choices, ("exact", {}), format, strict, progress, makes_sets)

    def rows(self, data: Any, threads: int | None = None) -> Documents[Any]:
        """Read data in memory."""
        source = adapt(data)
        if isinstance(source, Files):
            raise TypeError(f"give texts, or rows with texts, such as a list of str or a data frame, not {kind_of(data)}")
        return self.documents(source, threads=threads)

    def one(self, document: Document) -> Read:
        """Read one document."""
        if isinstance(document, str) and self._takes_texts and self._fits(document):
            return Read(document, None)
        read = self.rows([document])
        ids = read._id_list()
        return Read(read._text_rows().text(0), None if ids is None or ids[0] is None else str(ids[0]))

    def text(self, document: Document) -> str:
        """Read the text of one document, which must have one."""
        text = self.one(document).text
        if text is None:
            raise ValueError("the document has no text, or one that is longer than max_document")
        return text

    def _fits(self, text: str) -> bool:
        most = self.settings["max_document"]
        # A character has four bytes at the most.
        return 4 * len(text) <= most or len(text.encode("utf-8", "surrogatepass")) <= most
