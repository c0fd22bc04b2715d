"""How candidates are found on a cluster: by elements of sets, or by signatures."""

from __future__ import annotations

from dataclasses import dataclass

from ... import _lookalike as core
from ..._jobs.commands import command_line
from ..._options.arguments import Threshold, threshold_text
from ..._options.groups import MethodOptions
from ..._options.method import method_of as checked

METHODS = ("exact", "minhash", "b", "c", "combined", "by-site")


@dataclass(frozen=True)
class Method:
    """A method."""

    name: str = "exact"
    threshold: str = "0.8"
    arguments: tuple[str, ...] = ()
    """The command's arguments for it; none for the exact method."""
    filter: str = ""
    """The method in words."""
    signature_bytes: int = 0
    designed_recall: float | None = None
    must_reach: bool = True
    """Whether pairs must reach the threshold."""
    posted_bytes: int = 0
    """What a document posts, about."""
    pages: tuple[int, int] | None = None
    """Super-shingles and bits of a page, if pages are compared."""
    site: str | None = None
    """The column with the sites of pages."""

    @property
    def is_signed(self) -> bool:
        """Whether signatures are compared."""
        return bool(self.arguments)

    @property
    def line(self) -> list[str] | None:
        """The command's arguments, as tasks take them."""
        return list(self.arguments) or None


def method_of(name: str, threshold: Threshold | None, measure: str, options: MethodOptions) -> Method:
    """Check the arguments of a method. Without a threshold, b, c, combined and by-site have none."""
    checked(name, measure, options)
    if name not in METHODS:
        raise ValueError(f"method='{name}' does not run on a cluster. Use {', '.join(METHODS)}")
    for option in ("unverified", "q"):
        if options.get(option):
            raise ValueError(f"{option} is not for a cluster: there, all candidates are compared by their sets")
    given = None if threshold is None else threshold_text(threshold)
    if name == "exact":
        return Method(threshold=given or "0.8")
    arguments = command_line("pairs", ["-"], method=name, measure=measure, threshold=given, **options)
    return Method(name, given or "0.8", tuple(arguments), **core.describe_method(arguments))
