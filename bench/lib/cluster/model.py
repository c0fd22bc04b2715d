"""What a dedup on Spark does at a size that was not measured: counts, bytes and seconds of stages, from runs of other sizes.

Nothing of a run that is predicted is used but its size. Counts (documents, postings, hits, candidates, …) are power laws of the bytes of text.
Bytes and seconds of a stage are a + b × what it grows with, which is one of these counts.
"""

import math

REST = "between stages"
SECONDS = {
    "sample": "text_bytes",
    "postings": "postings",
    "candidates": "hit_bytes",
    "documents of candidates": "rows",
    "verification": "reads",
    "long lists": "heavy",
    "rounds": "pairs",
    "answer": "rows",
}
"""What the seconds of a stage grow with: bytes of text, postings, bytes of hits, rows, bytes of text times how often rows are read for
candidates, postings in heavy lists times blocks, pairs. Other stages have none."""
BYTES = SECONDS | {"verification": "candidates"}
"""What the bytes of a stage grow with."""
COUNTS = ("rows", "postings", "hit_bytes", "heavy_postings", "candidates", "pairs", "rounds", "blocks_read")


def point(run, shuffles) -> dict:
    """A run: its counts, and bytes and seconds of its stages."""
    ours = run["dedup"]
    seconds = {}
    for name, one in ours["parts"]:
        seconds[name] = seconds.get(name, 0.0) + one
    seconds[REST] = max(0.0, ours["seconds"] - sum(seconds.values()))
    counts = {name: ours[name] for name in ("rows", "postings", "hit_bytes", "heavy_postings", "candidates", "pairs", "rounds")}
    # Rows are read once for a slice of candidates that the driver takes, and for each block of heavy lists.
    verified = sum(name == "verification" for name, _ in ours["parts"])
    counts["blocks_read"] = max(0, verified - 1) if ours["rounds"] else 0
    return {"name": run["input"], "text_bytes": run["text_bytes"], "counts": counts, "seconds": seconds, "bytes": shuffles}


class Model:
    """Fitted on runs."""

    def __init__(self, points, most_candidates):
        self.most_candidates = most_candidates
        sizes = [one["text_bytes"] for one in points]
        self.laws = {name: power_law(sizes, [one["counts"][name] for one in points]) for name in COUNTS}
        self.seconds = self._lines(points, "seconds", SECONDS)
        self.bytes = self._lines(points, "bytes", BYTES)

    def counts(self, text_bytes) -> dict:
        """The counts of a collection of this size."""
        return {name: scale * text_bytes**exponent for name, (scale, exponent) in self.laws.items()}

    def grown(self, text_bytes, counts) -> dict:
        """What stages grow with."""
        slices = max(1, math.ceil(counts["candidates"] / self.most_candidates))
        return counts | {"text_bytes": text_bytes, "reads": text_bytes * (slices + counts["blocks_read"]),
                         "heavy": counts["heavy_postings"] * max(1, counts["rounds"])}

    def predict(self, text_bytes, counts=None) -> tuple[dict, dict]:
        """Bytes and seconds by stage."""
        grown = self.grown(text_bytes, counts or self.counts(text_bytes))
        return ({name: a + b * grown.get(BYTES.get(name), 0.0) for name, (a, b) in self.bytes.items()},
                {name: a + b * grown.get(SECONDS.get(name), 0.0) for name, (a, b) in self.seconds.items()})

    def _lines(self, points, what, drivers) -> dict:
        stages = dict.fromkeys(name for one in points for name in one[what])
        return {stage: line([(self.grown(one["text_bytes"], one["counts"]).get(drivers.get(stage), 0.0), one[what].get(stage, 0.0))
                             for one in points]) for stage in stages}


def power_law(sizes, values) -> tuple[float, float]:
    """(c, e) so that a value is about c × size^e. Zeros are left out; of one value there is no e but 1."""
    found = [(math.log(size), math.log(value)) for size, value in zip(sizes, values, strict=True) if value > 0]
    if not found:
        return 0.0, 1.0
    x, y = (sum(one[at] for one in found) / len(found) for at in (0, 1))
    spread = sum((one[0] - x) ** 2 for one in found)
    exponent = sum((one[0] - x) * (one[1] - y) for one in found) / spread if spread > 1e-9 else 1.0
    return math.exp(y - exponent * x), exponent


def line(points) -> tuple[float, float]:
    """(a, b) so that y is about a + b × x, by least squares; neither is negative."""
    count, x, y = len(points), sum(p[0] for p in points), sum(p[1] for p in points)
    xx, xy = sum(p[0] ** 2 for p in points), sum(p[0] * p[1] for p in points)
    spread = count * xx - x * x
    if spread <= 1e-9 * xx * count or not xx:
        return y / count, 0.0
    b = (count * xy - x * y) / spread
    a = (y - b * x) / count
    if a < 0:
        return 0.0, xy / xx
    return (a, b) if b >= 0 else (y / count, 0.0)


def check(points, most_candidates):
    """The largest run, predicted from its size and the others: (what, name, predicted, measured)."""
    *others, last = sorted(points, key=lambda one: one["text_bytes"])
    model = Model(others, most_candidates)
    counts = model.counts(last["text_bytes"])
    sizes, seconds = model.predict(last["text_bytes"])
    rows = [("count", name, counts[name], last["counts"][name]) for name in COUNTS]
    for what, told in (("bytes", sizes), ("seconds", seconds)):
        rows += [(what, name, told.get(name, 0.0), last[what].get(name, 0.0)) for name in dict.fromkeys([*told, *last[what]])]
        rows.append((what, "all", sum(told.values()), sum(last[what].values())))
    return last["name"], rows
