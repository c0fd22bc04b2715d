"""The parts `budget` and `growth`: a collection larger than the memory, and collections that double in size."""

import report

from . import dedup, grown


def budget(runs, options) -> tuple[list[dict], list[str]]:
    """Each size within its budget, and with ample memory: rows, and faults."""
    rows, faults = [], []
    for size, memory in (pair.split(":") for pair in options.budgets.split(",")):
        ample, tight = runs.of(size, None), runs.of(size, memory)
        same = dedup.same(ample, tight)
        rows.append({"size": size, "memory": memory, "ample": ample, "tight": tight, "same": same})
        if same is False:
            faults.append(f"{size} with {memory}: not the same bytes as with ample memory")
        if tight["status"] != "ok":
            faults.append(f"{size} with {memory}: {tight['status']}")
        if tight["peak_bytes"] > dedup.LIMIT * grown.parse(memory):
            faults.append(f"{size} with {memory}: {report.megabytes(tight['peak_bytes'])} MB were resident")
    return rows, faults


def budget_lines(rows) -> list[str]:
    heads = ["text GB", "budget", "documents", "kept", "s, ample memory", "s, budget", "ratio", "peak MB, ample memory",
             "peak MB, budget", "of the budget", "limit of the kernel MB", "plan", "disk GB", "same bytes"]
    cells = []
    for row in rows:
        ample, tight = row["ample"], row["tight"]
        both = ample["status"] == tight["status"] == "ok"
        cells.append([
            dedup.gigabytes(tight["bytes"]), row["memory"], report.count(tight.get("documents")),
            report.count(tight.get("kept")), dedup.seconds(ample), dedup.seconds(tight),
            dedup.times(tight["seconds"], ample["seconds"]) if both else report.BLANK,
            report.megabytes(ample["peak_bytes"]), report.megabytes(tight["peak_bytes"]),
            f"{tight['peak_bytes'] / tight['budget']:.2f}",
            report.megabytes(tight["limit_bytes"]) if tight["limit_bytes"] else "none",
            tight.get("plan") or report.BLANK, dedup.gigabytes(tight["disk_bytes"]),
            {True: "yes", False: "**no**", None: report.BLANK}[row["same"]]])
    return ["## Within a budget", "", *report.table(heads, cells), "",
            "Peak is the largest sum of anonymous memory, mapped files and shared memory that was resident, looked at "
            "every 20 ms. Disk is what the run held in temporary files. Both runs write the kept rows and the removed "
            "documents.", ""]


def growth(runs, options) -> tuple[list[dict], list[str]]:
    """Sizes that double, within one budget."""
    rows = [runs.of(size, options.growth_memory) for size in options.sizes.split(",")]
    faults = [f"growth, {row['bytes'] / 1e9:.2f} GB: {row['status']}" for row in rows if row["status"] != "ok"]
    return rows, faults


def growth_lines(rows) -> list[str]:
    heads = ["text GB", "budget", "plan", "traced", "s", "of the size before", "s a GB", "of the size before", "peak MB",
             "disk GB", "kept"]
    cells, before = [], None
    for row in rows:
        ok = row["status"] == "ok"
        grown_from = before if ok and before is not None and before["status"] == "ok" else None
        cost = row["seconds"] / row["bytes"] * 1e9
        cells.append([
            dedup.gigabytes(row["bytes"]), row["memory"] or report.BLANK, row.get("plan") or report.BLANK,
            f"{row['told']['traced']:.0%}" if "traced" in (row.get("told") or {}) else report.BLANK,
            dedup.seconds(row), dedup.times(row["seconds"], grown_from["seconds"]) if grown_from else report.BLANK,
            f"{cost:.2f}" if ok else report.BLANK,
            dedup.times(cost, grown_from["seconds"] / grown_from["bytes"] * 1e9) if grown_from else report.BLANK,
            report.megabytes(row["peak_bytes"]), dedup.gigabytes(row["disk_bytes"]), report.count(row.get("kept"))])
        before = row
    return ["## Growth", "", *report.table(heads, cells), ""]


class Runs:
    """Runs of `lookalike dedup` by size and budget. A run that two parts need is made once."""

    def __init__(self, binary, collection, options):
        self.binary, self.collection, self.options = binary, collection, options
        self.made = {}

    def of(self, size, memory) -> dict:
        key = (size, memory)
        if key not in self.made:
            options = self.options
            file = self.collection.text(grown.parse(size))
            try:
                self.made[key] = dedup.run(
                    self.binary, file, self.collection.folder, threads=options.threads, memory=memory,
                    budget=grown.parse(memory) if memory else None, timeout=options.timeout,
                    limited=not options.no_limit)
            finally:
                if file.name == "part.jsonl":
                    file.unlink()
        return self.made[key]
