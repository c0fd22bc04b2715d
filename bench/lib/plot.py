"""Line charts as SVG, side by side in one file, written by hand: no library is needed to draw or to look at them."""

import math
from dataclasses import dataclass, field
from html import escape

WIDTH, HEIGHT = 340, 280  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 62, 20, 34, 46
LEGEND = 34
FONT = "font-family='Helvetica, Arial, sans-serif'"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")  # a smaller font within a text is not drawn alike everywhere


@dataclass
class Line:
    name: str
    colour: str
    points: list  # (x, y); a y of None leaves a gap
    mark: str = "circle"  # circle, dot, square, diamond, triangle or none
    dashed: bool = False
    joined: bool = True  # by a line from point to point


@dataclass
class Panel:
    title: str
    x_label: str
    y_label: str
    lines: list = field(default_factory=list)
    x_log: bool = False
    y_log: bool = False
    x_ticks: list | None = None
    y_ticks: list | None = None


def draw(panels, columns, caption) -> str:
    """A grid of panels under one legend. `caption` is what a reader who cannot see the picture is told."""
    rows = math.ceil(len(panels) / columns)
    width, height = columns * WIDTH, rows * HEIGHT + LEGEND
    parts = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
             f"role='img' {FONT} font-size='11'>",
             f"<title>{escape(caption)}</title>", f"<rect width='{width}' height='{height}' fill='white'/>",
             *_legend(panels, width)]
    for number, panel in enumerate(panels):
        left, top = number % columns * WIDTH, LEGEND + number // columns * HEIGHT
        parts += [f"<g transform='translate({left},{top})'>", *_panel(panel), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def _legend(panels, width):
    seen = {line.name: line for panel in panels for line in panel.lines}
    space = 34
    widths = [26 + 6.4 * len(name) + space for name in seen]
    x = (width - sum(widths) + space) / 2
    for line, step in zip(seen.values(), widths):
        yield _stroke(line, [(x, 18), (x + 22, 18)])
        yield _mark(line, x + 11, 18)
        yield f"<text x='{x + 28:.1f}' y='22' font-size='12'>{escape(line.name)}</text>"
        x += step


def _panel(panel):
    points = [point for line in panel.lines for point in line.points if point[1] is not None]
    if panel.y_log:
        points = [point for point in points if point[1] > 0]
    x_scale = _Scale([x for x, _ in points], LEFT, WIDTH - RIGHT, panel.x_log, panel.x_ticks, tight=True)
    y_scale = _Scale([y for _, y in points], HEIGHT - BOTTOM, TOP, panel.y_log, panel.y_ticks)

    yield f"<text x='{(LEFT + WIDTH - RIGHT) / 2}' y='20' text-anchor='middle' font-size='13'>{escape(panel.title)}</text>"
    for value in y_scale.ticks:
        y = y_scale(value)
        yield f"<line x1='{LEFT}' y1='{y:.1f}' x2='{WIDTH - RIGHT}' y2='{y:.1f}' stroke='#e3e3e3'/>"
        yield f"<text x='{LEFT - 6}' y='{y + 4:.1f}' text-anchor='end'>{y_scale.label(value)}</text>"
    for value in x_scale.ticks:
        x = x_scale(value)
        yield f"<line x1='{x:.1f}' y1='{HEIGHT - BOTTOM}' x2='{x:.1f}' y2='{HEIGHT - BOTTOM + 4}' stroke='#444'/>"
        yield f"<text x='{x:.1f}' y='{HEIGHT - BOTTOM + 17}' text-anchor='middle'>{x_scale.label(value)}</text>"
    yield (f"<path d='M{LEFT},{TOP} V{HEIGHT - BOTTOM} H{WIDTH - RIGHT}' fill='none' stroke='#444'/>")
    yield (f"<text x='{(LEFT + WIDTH - RIGHT) / 2}' y='{HEIGHT - 10}' text-anchor='middle'>{escape(panel.x_label)}</text>")
    middle = (TOP + HEIGHT - BOTTOM) / 2
    yield (f"<text x='13' y='{middle}' text-anchor='middle' transform='rotate(-90 13 {middle})'>"
           f"{escape(panel.y_label)}</text>")
    for line in panel.lines:
        run = []
        for x, y in [*line.points, (None, None)]:
            if y is None or (panel.y_log and y <= 0):
                yield _stroke(line, run)
                run = []
            else:
                run.append((x_scale(x), y_scale(y)))
        yield from (_mark(line, x_scale(x), y_scale(y)) for x, y in line.points
                    if y is not None and not (panel.y_log and y <= 0))


def _stroke(line, points) -> str:
    if len(points) < 2 or not line.joined:
        return ""
    dash = " stroke-dasharray='5 3'" if line.dashed else ""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f"<polyline points='{path}' fill='none' stroke='{line.colour}' stroke-width='1.8'{dash}/>"


def _mark(line, x, y) -> str:
    shapes = {
        "none": "",
        "circle": f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3.2' fill='{line.colour}'/>",
        "dot": f"<circle cx='{x:.1f}' cy='{y:.1f}' r='1.8' fill='{line.colour}'/>",
        "square": f"<rect x='{x - 3:.1f}' y='{y - 3:.1f}' width='6' height='6' fill='{line.colour}'/>",
        "diamond": f"<path d='M{x:.1f},{y - 4.2:.1f} l4.2,4.2 l-4.2,4.2 l-4.2,-4.2 z' fill='{line.colour}'/>",
        "triangle": f"<path d='M{x:.1f},{y - 4:.1f} l4,7 h-8 z' fill='{line.colour}'/>",
    }
    return shapes[line.mark]


class _Scale:
    """Values to coordinates, and where the ticks are."""

    def __init__(self, values, begin, end, log, ticks=None, tight=False):
        low, high = min(values), max(values)
        self.begin, self.end, self.log = begin, end, log
        if log:
            low, high = math.floor(math.log10(low)), math.ceil(math.log10(high))
            high = max(high, low + 1)
            step = 1 if high - low <= 9 else 2
            self.ticks = [10 ** power for power in range(low, high + 1, step)]
            self.low, self.high = low, high
        elif ticks:
            margin = (max(ticks) - min(ticks)) * 0.04
            self.ticks, self.low, self.high = ticks, min(ticks) - margin, max(ticks) + margin
        else:
            step = _step(high - min(low, 0))
            self.low = min(0, math.floor(low / step) * step)
            self.high = high if tight else math.ceil(high / step) * step
            self.ticks = [step * n for n in range(round(self.low / step), math.floor(self.high / step + 1e-9) + 1)]
        self.decimals = 0 if log else max(_decimals(tick) for tick in self.ticks)

    def __call__(self, value):
        value = math.log10(value) if self.log else value
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def label(self, value) -> str:
        if not self.log:
            return f"{value:,.{self.decimals}f}"
        power = round(math.log10(value))
        if -3 <= power <= 3:
            return f"{value:,.{max(0, -power)}f}"
        return "10" + str(power).translate(RAISED)


def _step(span):
    """1, 2 or 5 times a power of ten, so that there are about five ticks."""
    power = 10 ** math.floor(math.log10(span / 5)) if span > 0 else 1
    return next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= 6)


def _decimals(value) -> int:
    return len(f"{value:.6f}".rstrip("0").partition(".")[2])
