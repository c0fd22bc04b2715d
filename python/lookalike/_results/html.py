"""A result as a notebook shows it: the summary, and a histogram of the similarities, in light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def _colours(where: str, text: str, label: str, bar: str) -> str:
    return f"{where}.lookalike{{color:{text}}}{where}.lookalike text{{fill:{label}}}{where}.lookalike rect{{fill:{bar}}}"


_LIGHT, _DARK = ("#1a1a1a", "#444", "#3b6fb6"), ("#e6e6e6", "#bbb", "#7fa8e0")
# JupyterLab has a theme of its own, light or dark, whatever the system has.
_STYLE = (
    "<style>.lookalike{font:13px/1.5 system-ui,sans-serif}.lookalike svg{display:block;margin-top:6px}"
    ".lookalike text{font:11px system-ui,sans-serif}"
    f"{_colours('', *_LIGHT)}@media(prefers-color-scheme:dark){{{_colours('', *_DARK)}}}"
    f"{_colours('[data-jp-theme-light=true] ', *_LIGHT)}{_colours('[data-jp-theme-light=false] ', *_DARK)}</style>"
)
_ROW, _LABEL, _BAR = 18, 84, 320


def summary_page(lines: Sequence[str], histogram: Sequence[tuple[float, float, int]]) -> str:
    """Return lines of text and a histogram as HTML."""
    text = "".join(f"<div>{escape(line)}</div>" for line in lines)
    return f'{_STYLE}<div class="lookalike">{text}{_chart(histogram)}</div>'


def _chart(histogram: Sequence[tuple[float, float, int]]) -> str:
    most = max((count for _, _, count in histogram), default=0)
    if most == 0:
        return ""
    rows: list[str] = []
    for at, (start, end, count) in enumerate(histogram):
        y = at * _ROW
        width = count / most * _BAR
        label = f"{start:g}" if start == end else f"{start:.2f}–{end:.2f}" if end <= 1 else f"{start:g}–{end:g}"
        rows.append(
            f'<text x="{_LABEL - 8}" y="{y + 13}" text-anchor="end">{label}</text>'
            f'<rect x="{_LABEL}" y="{y + 3}" width="{width:.1f}" height="{_ROW - 6}" rx="2"/>'
            f'<text x="{_LABEL + width + 6:.1f}" y="{y + 13}">{count:,}</text>'
        )
    height, width = len(histogram) * _ROW, _LABEL + _BAR + 80
    title = "Similarity of removed documents to their twins"
    return (
        f'<svg role="img" aria-label="{title}" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"<title>{title}</title>{''.join(rows)}</svg>"
    )
