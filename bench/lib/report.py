"""Rows to Markdown and JSON."""

import json
import statistics
from pathlib import Path

BLANK = "–"


def table(heads, rows) -> list[str]:
    """A Markdown table; the first column is to the left, the others to the right."""
    rule = [":--"] + ["--:"] * (len(heads) - 1)
    return ["| " + " | ".join(cells) + " |" for cells in [heads, rule, *rows]]


def seconds(value) -> str:
    return BLANK if value is None else f"{value:.3f}" if value < 10 else f"{value:.1f}"


def best(values):
    return min(values) if values else None


def median(values):
    return statistics.median(values) if values else None


def megabytes(value) -> str:
    return BLANK if value is None else f"{value / 1e6:,.0f}"


def count(value) -> str:
    return BLANK if value is None else f"{value:,}"


def share(value) -> str:
    """Four places, but never rounded up to a whole that it is not."""
    if value is None:
        return BLANK
    return "0.9999" if 0.9999 < value < 1 else f"{value:.4f}"


def write(target, lines, facts):
    """Prints the Markdown, and writes it and the JSON beside it."""
    text = "\n".join(lines) + "\n"
    print(text, end="")
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    target.with_suffix(".json").write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
