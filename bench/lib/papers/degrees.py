"""How many pages are in how many pairs (Henzinger's Figures 1 and 3): the power law that fits, and how far from it the numbers are."""

import json
import math
import statistics
from collections import Counter
from dataclasses import dataclass

import plot
import report
from papers.judged import table

# Pairs and pages as printed, the share of all pages, average degree, share of degree 100 or more, exponent.
GRAPH = {"B": ("1,831M", "27.4M", 1.7, 135, .108, -1.3), "C": ("1,630M", "35.5M", 2.2, 92, .075, -1.4)}
# The scatter is measured as far as the lines of all algorithms expect so many pages of a degree.
LEAST = 5
HEADS = ["", "pairs", "pages in a pair", "share of pages", "average degree", "degree of 100 or more", "exponent"]


def graph(judge, pairs) -> dict:
    """What `lookalike graph` says of the pairs, and the exponent of the power law that fits the degrees."""
    file = table(judge.work / "graph.csv", ["a", "b"], ((it.a, it.b) for it in pairs))
    told = json.loads(judge.run("graph", file, "--json"))
    counts = {it["value"]: it["count"] for it in told["degrees"]}
    line = fitted(counts)
    return {**told, "counts": counts, "exponent": line and line.slope}


@dataclass
class Fit:
    """A line through logarithms: its slope, and the point in the middle."""

    slope: float
    middle_x: float
    middle_y: float

    def at(self, degree) -> float:
        """How many pages the line expects with this degree."""
        return math.exp(self.middle_y + self.slope * (math.log(degree) - self.middle_x))


def fitted(counts) -> Fit | None:
    """The line through log density over log degree, by least squares, in buckets that double; none through fewer than three."""
    buckets = Counter()
    for degree, count in counts.items():
        buckets[degree.bit_length() - 1] += count
    # The middle of the whole numbers of a bucket: 1, 2.5, 5.5, …
    points = [(math.log((3 * 2 ** k - 1) / 2), math.log(count / 2 ** k)) for k, count in buckets.items()]
    if len(points) < 3:
        return None
    mean_x, mean_y = (statistics.mean(values) for values in zip(*points))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return Fit(slope, mean_x, mean_y)


# --- Scatter ----------------------------------------------------------------------------------------------------------------------

def reach(lines) -> int:
    """The largest degree up to which all lines expect at least LEAST pages."""
    degree = 1
    while all(line.at(degree + 1) >= LEAST for line in lines):
        degree += 1
    return degree


def scatter(counts, line, last) -> float:
    """How far the numbers of pages are from the line, as the root of the mean square, in powers of ten. A degree that no page has counts
    as half a page."""
    return root_mean_square(shown(counts, degree) - math.log10(line.at(degree)) for degree in range(1, last + 1))


def by_chance(line, last) -> float:
    """The same, if every number of pages were drawn by chance (Poisson) around the line."""
    squares = []
    for mean in map(line.at, range(1, last + 1)):
        spread = 12 * math.sqrt(mean) + 12
        near = range(max(0, round(mean - spread)), round(mean + spread))
        log = lambda count, mean=mean: count * math.log(mean) - mean - math.lgamma(count + 1)  # noqa: E731
        squares.append(sum(math.exp(log(count)) * (math.log10(count or 0.5) - math.log10(mean)) ** 2 for count in near))
    return math.sqrt(statistics.mean(squares))


def jumps(counts, last) -> float:
    """How far a number of pages is from that of the next degree, in the same unit: no line is needed. (Over the root of two, because both
    numbers scatter.)"""
    return root_mean_square(shown(counts, degree + 1) - shown(counts, degree) for degree in range(1, last)) / math.sqrt(2)


def shown(counts, degree) -> float:
    return math.log10(counts.get(degree) or 0.5)


def root_mean_square(values) -> float:
    return math.sqrt(statistics.mean(value ** 2 for value in values))


def scatter_table(degrees) -> list[str]:
    """B and C over the same degrees."""
    lines = {way: fitted(it["counts"]) for way, it in degrees.items()}
    if None in lines.values():
        return ["No line fits fewer than three buckets of degrees."]
    last = reach(lines.values())
    if last < 2:
        return ["Too few pages for a scatter."]
    rows = [[way, f"1–{last}", *(f"{value:.2f}" for value in (scatter(it["counts"], lines[way], last), by_chance(lines[way], last),
                                                            jumps(it["counts"], last)))] for way, it in degrees.items()]
    return report.table(["", "degrees", "scatter about the line", "by chance alone", "from degree to degree"], rows)


# --- Tables and pictures ----------------------------------------------------------------------------------------------------------

def degree_table(pools, degrees, pages):
    cells = []
    for way, it in degrees.items():
        cells.append(row(way, pools[way], it, pages))
        pairs, of, percent, average, share_high, theirs = GRAPH[way]
        cells.append([f"{way}, paper", pairs, of, f"{percent / 100:.3f}", str(average), f"{share_high:.3f}", str(theirs)])
    return report.table(HEADS, cells)


def row(title, pairs, it, pages):
    high = sum(count for degree, count in it["counts"].items() if degree >= 100) / it["documents"]
    return [title, report.count(len(pairs)), report.count(it["documents"]), f"{it['documents'] / pages:.3f}", f"{it['average_degree']:.1f}",
            f"{high:.3f}", report.BLANK if it["exponent"] is None else f"{it['exponent']:.2f}"]


def picture(degrees) -> str:
    panels = []
    for way, title, colour in (("B", "Fig. 1: algorithm B", "#d55e00"), ("C", "Fig. 3: algorithm C", "#0072b2")):
        counts, line = degrees[way]["counts"], fitted(degrees[way]["counts"])
        # The fit, and the paper's exponent through the middle of the fit, as far as a page is left.
        middle = math.exp(line.middle_x)
        ends = lambda slope: (1, min(max(counts), middle * math.exp(line.middle_y) ** (-1 / slope)))  # noqa: E731
        lines = [plot.Line(f"degrees of {way}", colour, sorted(counts.items()), "dot", joined=False)]
        for name, slope, tint, dashed in (("fitted exponent", line.slope, "#222222", False), ("the paper's", GRAPH[way][-1], "#777777", True)):
            through = Fit(slope, line.middle_x, line.middle_y)
            lines.append(plot.Line(name, tint, [(x, through.at(x)) for x in ends(slope)], "none", dashed))
        panels.append(plot.Panel(title, "degree: pairs of a page", "pages", lines, x_log=True, y_log=True))
    return plot.draw(panels, 2, "How many pages are in how many pairs, for algorithms B and C, both axes logarithmic")
