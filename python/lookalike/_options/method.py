"""How pairs are found, if not by comparing sets: by the edit distance of texts, by signatures, or by spots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .._data.records import EditPair, EditPairAgainst, Pair, SignedPair
from .groups import MethodOptions, require_known

_PAGES = ("b", "c", "combined", "by-site")
# These have a threshold only if one is given.
_WITHOUT_THRESHOLD = ("simhash", "i-match", "mega-shingles", *_PAGES)
_SIGNED = ("minhash", "lsh", "sketch", "ddebit", *_WITHOUT_THRESHOLD)
_METHODS = ("exact", "spotsigs", *_SIGNED)


class Method(NamedTuple):
    """How pairs are found."""

    name: str
    options: MethodOptions
    is_edit: bool

    @property
    def is_exact(self) -> bool:
        """Whether sets are compared, each with each."""
        return self.name == "exact" and not self.is_edit

    @property
    def is_signed(self) -> bool:
        """Whether signatures or spots are compared."""
        return self.name != "exact"

    @property
    def is_verified(self) -> bool:
        """Whether similarities are exact."""
        return not self.options.get("unverified", False)

    @property
    def threshold(self) -> str | None:
        """The threshold if none is given."""
        return None if self.name in _WITHOUT_THRESHOLD or self.is_edit else "0.8"

    def sets(self, choices: dict[str, Any]) -> dict[str, Any]:
        """Return the settings of the sets that are compared. SpotSigs has sets of its own."""
        if self.name != "spotsigs":
            return choices
        tokens = "spots:2:3" if choices["tokens"] == "words:5" else choices["tokens"]
        return {**choices, "tokens": tokens, "bag": True}

    def columns(self, counts: bool) -> list[str]:
        """Return the columns of a table of pairs."""
        if self.is_edit:
            return ["a", "b", "distance"]
        columns = ["a", "b", "similarity" if self.is_verified else "unverified_similarity"]
        if counts and self.is_verified:
            columns += ["common", "size_a", "size_b"]
        if self.name == "simhash":
            columns.append("agree")
        if self.name in _PAGES:
            columns += ["b_similarity", "c_similarity", "same_site", *(["term_difference"] if self.is_verified else [])]
        return columns

    def record(self, columns: Mapping[str, object]) -> Any:
        """Return the row of a list of pairs with these columns."""
        records = (Pair, EditPair, EditPairAgainst)
        return next((record for record in records if record._fields == tuple(columns)), SignedPair)


def method_of(name: str, measure: str, options: MethodOptions) -> Method:
    """Check the arguments of a method."""
    require_known(options, MethodOptions, "Corpus")
    if name not in _METHODS:
        raise ValueError(f"'{name}' is not a method. Use {', '.join(_METHODS)}")
    is_edit = measure == "edit"
    if is_edit and name != "exact":
        raise ValueError("measure='edit' works only with method='exact'")
    if "q" in options and not is_edit:
        raise ValueError("q works only with measure='edit'")
    if name == "exact" and (other := next((option for option in options if option != "q"), None)):
        raise ValueError(f"{other} works only with a method that compares signatures: {', '.join(_SIGNED)}")
    return Method(name, options, is_edit)
