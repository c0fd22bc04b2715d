"""Tables of pairs, with what their documents are called."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._data.records import Columns, Pair, PairAgainst
from .._types import Found

if TYPE_CHECKING:
    from .._corpus.asking import Asking


def named_pairs(own: Asking[Any], other: Asking[Any], found: Found) -> Any:
    """Make a table of pairs."""
    return own._input.table(_columns(own, other, found), Pair)


def joined_pairs(own: Asking[Any], found: Found, reference: Asking[Any], across: Found) -> Any:
    """Make a table of pairs within a corpus and with its reference, in which the pairs of a document follow each other."""
    tables = [_columns(own, own, found), _columns(own, reference, across)]
    counts = [len(table["a"]) for table in tables]
    firsts = [first for pairs in (found, across) for first in array("I", pairs["a"])]
    order = sorted(range(len(firsts)), key=firsts.__getitem__)
    columns: Columns = {}
    for name in Pair._fields:
        values = [value for table in tables for value in table[name]]
        columns[name] = [values[at] for at in order]
    columns["from_against"] = [at >= counts[0] for at in order]
    return own._input.table(columns, PairAgainst)


def _columns(own: Asking[Any], other: Asking[Any], pairs: Found) -> dict[str, Sequence[Any]]:
    numbers = own._input.numbers

    def called(corpus: Asking[Any], documents: bytes) -> Any:
        ids = corpus._id_list()
        return numbers("I", documents) if ids is None else [ids[document] for document in array("I", documents)]

    return {
        "a": called(own, pairs["a"]),
        "b": called(other, pairs["b"]),
        "similarity": numbers("d", pairs["similarities"]),
        "common": numbers("I", pairs["common"]),
        "size_a": numbers("I", pairs["size_a"]),
        "size_b": numbers("I", pairs["size_b"]),
    }
