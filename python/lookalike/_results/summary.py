"""A result in a few lines, as the command prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .result import Deduplicated


def summary_lines(result: Deduplicated[Any]) -> list[str]:
    """Say what was compared and how, and what was decided."""
    documents, kept = len(result), sum(result._mask)
    identical, clusters = sum(result._identical), len(set(result._clusters))
    bound = "" if result.threshold is None else f" {'≤' if result.measure in ('hamming', 'edit') else '≥'} {result.threshold}"
    lines = [f"{documents:,} documents; {result.measure}{bound} on {result.tokens}, {_certainty(result.signatures)}"]
    if result.signatures is not None:
        lines.append(_signatures(result.method, result.signatures))
    lines.append(
        f"removed {documents - kept:,}: {identical:,} identical to an earlier document, "
        f"{documents - kept - identical:,} near; {clusters:,} {'cluster' if clusters == 1 else 'clusters'}; "
        f"kept {kept:,} ({result.ratio:.1%})"
    )
    if result.components:
        lines.append("by connected components: a removed document may resemble no kept document")
    return lines


def _certainty(signatures: dict[str, Any] | None) -> str:
    if signatures is None:
        return "exact"
    if not signatures["verified"]:
        return "neither complete nor verified"
    if signatures.get("designed_recall") is None and signatures.get("recall") is None:
        return "every pair by this method, at any similarity"
    return "not complete"


def _signatures(method: str, signatures: dict[str, Any]) -> str:
    line = f"by {method}: {signatures['signature_bytes']} bytes per document, {signatures['candidates']:,} candidates"
    designed = signatures.get("designed_recall")
    recall: dict[str, Any] = signatures.get("recall") or {}
    if designed is not None:
        line += f"; recall designed for {designed:.4f} at the threshold"
    if recall.get("measured") is not None:
        line += f", measured {recall['measured']:.4f} ({recall['low']:.4f} to {recall['high']:.4f})"
    return line
