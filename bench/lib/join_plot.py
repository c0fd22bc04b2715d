"""A line plot over thresholds as SVG, with a logarithmic axis of seconds. No library."""

import math
from html import escape

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 72, 150, 48, 56
COLOURS = {"auto": "#0b6e4f", "auto, 2 threads": "#5fbf97", "ppjoin": "#c8553d", "ppjoin+": "#e9a03b", "allpairs": "#3d5a98"}
DASHES = {"auto, 2 threads": "6 4"}


def lines(title, ticks, series, note="") -> str:
    """`ticks` are labels of the x axis; `series` maps a name to its seconds at each tick, None where there are none."""
    values = [value for points in series.values() for value in points if value]
    low = 10 ** math.floor(math.log10(min(values) * 0.95))
    high = 10 ** math.ceil(math.log10(max(values) * 1.05))
    inner, depth = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(index):
        return LEFT + inner * (index + 0.5) / len(ticks)

    def y(value):
        return TOP + depth * (1 - math.log10(value / low) / math.log10(high / low))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
           'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           f'<text x="{LEFT}" y="24" font-size="16" font-weight="bold">{escape(title)}</text>']
    decade = low
    while decade <= high * 1.001:
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(decade):.1f}" y2="{y(decade):.1f}" stroke="#bbb"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(decade) + 4:.1f}" text-anchor="end">{_time(decade)}</text>')
        for step in (2, 5):
            if decade * step < high:
                level = y(decade * step)
                out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{level:.1f}" y2="{level:.1f}" stroke="#eee"/>')
                out.append(f'<text x="{LEFT - 8}" y="{level + 3.5:.1f}" text-anchor="end" font-size="10" '
                           f'fill="#888">{_time(decade * step)}</text>')
        decade *= 10
    for index, tick in enumerate(ticks):
        out.append(f'<text x="{x(index):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{escape(tick)}</text>')
    out.append(f'<text x="{LEFT + inner / 2:.1f}" y="{HEIGHT - 12}" text-anchor="middle">Jaccard threshold{escape(note)}</text>')

    ends = []
    for name, points in series.items():
        colour, dash = COLOURS.get(name, "#555"), DASHES.get(name)
        style = f' stroke-dasharray="{dash}"' if dash else ""
        seen = [(x(i), y(value)) for i, value in enumerate(points) if value]
        if not seen:
            continue
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in seen)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.2"{style}/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.2" fill="{colour}"/>' for a, b in seen]
        ends.append([seen[-1][1], name, colour, seen[-1]])

    # Labels at the right, pushed apart where lines end close together, and tied to the end of their line.
    ends.sort(key=lambda end: end[0])
    for before, end in zip(ends, ends[1:]):
        end[0] = max(end[0], before[0] + 18)
    over = (ends[-1][0] - (HEIGHT - BOTTOM)) if ends else 0
    for end in ends:
        level = end[0] - max(0, over)
        a, b = end[3]
        edge = WIDTH - RIGHT + 12
        out.append(f'<line x1="{a + 5:.1f}" y1="{b:.1f}" x2="{edge}" y2="{level:.1f}" stroke="{end[2]}" stroke-width="0.8" '
                   'stroke-opacity="0.6"/>')
        out.append(f'<text x="{edge + 4}" y="{level + 4:.1f}" fill="{end[2]}" font-weight="bold">{escape(end[1])}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def _time(seconds) -> str:
    return f"{seconds:g} s" if seconds >= 0.9995 else f"{seconds * 1000:g} ms"
