"""The documents of a corpus: their data, their texts or sets, and what they are called."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast

from .._data.inputs import Files, adapt
from .._data.rows import Sets
from .._lookalike import Column, CoreCorpus, CoreRows, usual_memory
from .._options.arguments import names, settings
from .._options.groups import MethodOptions
from .._options.method import method_of
from .._options.progress import Progress, watching

if TYPE_CHECKING:
    from .asking import Asking

T = TypeVar("T")


class Documents(Generic[T]):
    """The documents of a corpus. :class:`Corpus` adds the questions."""

    def __init__(
        self,
        data: T,
        named: dict[str, Any],
        choices: dict[str, Any],
        method: tuple[str, MethodOptions],
        format: str | None,
        strict: bool,
        progress: Progress,
        makes_sets: bool = True,
    ) -> None:
        """Read data. The ids of files come with their sets."""
        self._core: CoreCorpus | None = None
        self._rows: CoreRows | None = None
        self._is_closed = False
        self._measure: str = choices["measure"]
        self._method = method_of(method[0], self._measure, method[1])
        choices = self._method.sets(choices)
        # Two texts are compared by all measures; sets of an edit distance are only for that.
        measured: dict[str, Any] = {**choices, "measure": "jaccard"} if self._method.is_edit else choices
        self._settings = settings(**measured)
        self._input = adapt(data)
        self._format, self._strict = format, strict
        text, html = named["text"], named["html"]
        if text is not None and html is not None:
            raise ValueError("give either text or html, not both")
        if (format is not None or strict) and not isinstance(self._input, Files):
            raise ValueError(f"{'strict' if format is None else 'format'} is for files, but the data is in memory")
        if choices["without"] is not None and isinstance(self._input, Sets):
            raise ValueError("without leaves passages out of texts, but these are sets; give texts")
        if choices["page"] is not None and html is None and not isinstance(self._input, Files):
            raise ValueError("page is for web pages; name their column with html")
        texts = names(html if html is not None else text)
        self._named: dict[str, Any] = {**named, "text": None if html is not None or not texts else texts}
        if not self._method.is_exact and isinstance(self._input, Sets):
            raise ValueError(
                "by edit distance or signatures, texts are compared, but these are sets; give texts, or use method='exact'"
            )
        self._id = None if isinstance(self._input, (Files, Sets)) else self._id_column(named["id"])
        self._columns_of_text = [] if isinstance(self._input, (Files, Sets)) else self._texts(texts, html is not None)
        if (self._method.is_exact and makes_sets) or isinstance(self._input, Files):
            self._core = self._sets(progress)
        self._positions: dict[Any, int] | None = None
        self._ids: list[Any] | None = None

    def _sets(self, progress: Progress = None) -> CoreCorpus:
        """Make the sets of all documents."""
        html, url = self._named["html"], self._named["url"]
        with watching(progress) as callback:
            if isinstance(self._input, Sets):
                return CoreCorpus.of_sets(self._input.data, self._settings, callback)
            if not isinstance(self._input, Files):
                address, site = self._address(), self._site()
                return CoreCorpus.of_rows(self._columns_of_text, html is not None, address, site, self._settings, callback)
            core = CoreCorpus.of_files(
                {
                    "paths": self._input.data,
                    "format": self._format,
                    "text": self._named["text"] or [],
                    "html": html,
                    "url": url,
                    "id": self._named["id"],
                    "strict": self._strict,
                },
                self._settings,
                callback,
            )
        self._input.ids = core.ids()
        if core.unreadable:
            shown = "; ".join(core.problems)
            warnings.warn(
                f"{core.unreadable} rows could not be read and are left out: {shown}. strict=True stops at the first",
                UserWarning,
                stacklevel=4,
            )
        return core

    def _texts(self, texts: list[str], is_page: bool) -> list[Column]:
        if self._input.columns is None:
            if texts and texts != ["text"]:
                self._input.require(texts[0])
            column = self._input.texts()
            column.require_text("the texts")
            return [column]
        columns: list[Column] = []
        for name in texts or ["html" if is_page else "text"]:
            if name not in self._input.columns and not texts:
                listed = ", ".join(map(str, self._input.columns))
                raise KeyError(f"no column 'text' (columns: {listed}). Use text= to name the column of the text")
            column = self._input.column(name)
            column.require_text(name)
            columns.append(column)
        return columns

    def _id_column(self, id: str | None) -> str | None:
        if id is not None:
            self._input.require(id)
        elif self._input.columns is not None and "id" in self._input.columns:
            id = "id"
        self._input.id_column = id
        return id

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the corpus holds: its sets, and texts that it shares with your data."""
        return self._text_rows().memory() if self._core is None else self._core.memory()

    @property
    def empty(self) -> int:
        """How many texts have no token. They are kept and resemble nothing."""
        return self._open().empty

    @property
    def unusable(self) -> int:
        """How many documents have no text, or one that is too long. They are kept and resemble nothing."""
        return self._open().unusable

    @property
    def unreadable(self) -> int:
        """How many rows of files could not be read. They are left out, and a warning says so; ``strict=True`` stops instead."""
        return self._open().unreadable

    @property
    def data(self) -> T:
        """Your data."""
        data: T = self._input.data
        return data

    def close(self) -> None:
        """Free the memory of the sets. Results stay; the corpus answers no more questions."""
        self._core = self._rows = None
        self._columns_of_text = []
        self._is_closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._text_rows() if self._core is None else self._core)

    def __repr__(self) -> str:
        if self._is_closed:
            return "Corpus (closed)"
        what = "sets" if isinstance(self._input, Sets) else "characters" if self._method.is_edit else self._settings["tokens"]
        by = "" if not self._method.is_signed else f", by {self._method.name}"
        return f"Corpus of {len(self):,} documents, {self._measure} on {what}{by}, {self.nbytes / 1e6:.1f} MB"

    # What questions and results need.

    def _open(self) -> CoreCorpus:
        """Return the sets. They are made now if questions did not need them before."""
        if self._is_closed:
            raise ValueError("the corpus is closed")
        if self._core is None:
            self._core = self._sets()
        return self._core

    def _text_rows(self) -> CoreRows:
        """Return the texts of rows in memory."""
        if self._is_closed:
            raise ValueError("the corpus is closed")
        if self._rows is None:
            is_page = self._named["html"] is not None
            self._rows = CoreRows(self._columns_of_text, is_page, self._address(), self._site(), self._settings)
        return self._rows

    def _address(self) -> Column | None:
        url: str | None = self._named["url"]
        return None if url is None else self._input.column(url)

    def _site(self) -> Column | None:
        """Return the column that names the sites of rows, if passages are left out by one."""
        table = self._settings["without"]
        return None if table is None or table.site_column is None else self._input.column(table.site_column)

    def _text(self, document: int) -> str | None:
        """Return the text of a document, if it is in memory."""
        return self._open().text(document) if self._method.is_exact else self._text_rows().text(document)

    def _room(self) -> int | None:
        """Return how many pairs there is memory for, if that is known."""
        memory = self._settings["memory"]
        memory = usual_memory() if memory is None else memory
        return None if memory is None else memory // self._input.pair_bytes

    def _columns(self, within: list[str]) -> list[Column]:
        return [] if isinstance(self._input, Files) else [self._input.column(name) for name in within]

    def _fields(self, within: list[str]) -> list[str]:
        return within if isinstance(self._input, Files) else []

    def _id_list(self) -> list[Any] | None:
        """Return the ids of all documents, or None if they are called by their numbers."""
        if isinstance(self._input, Files):
            return cast("list[Any]", self._input.ids)
        if self._id is None:
            return None
        if self._ids is None:
            self._ids = self._input.listed(self._id)
        return self._ids

    def _id_of(self, document: int) -> Any:
        ids = self._id_list()
        return document if ids is None else ids[document]

    def _position(self, id: Any) -> int:
        """Return the number of the document with an id."""
        ids = self._id_list()
        if ids is None:
            if isinstance(id, bool) or not isinstance(id, int) or not 0 <= id < len(self):
                raise KeyError(f"there is no document {id!r}; the documents have the numbers 0 to {len(self) - 1}")
            return id
        if self._positions is None:
            self._positions = {}
            for at, own in enumerate(ids):
                self._positions.setdefault(own, at)
        if id not in self._positions:
            raise KeyError(f"no document has the id {id!r}")
        return self._positions[id]

    def _twin(self, id: Any, reference: Asking[Any] | None, from_against: bool | None) -> tuple[int, bool]:
        """Return the number of a twin, and whether it is in the reference."""
        if from_against and reference is not None:
            return reference._position(id), True
        try:
            return self._position(id), False
        except KeyError:
            if reference is None or from_against is False:
                raise
            return reference._position(id), True

