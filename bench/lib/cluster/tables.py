"""The tables of bench/spark."""

import math

import report

MOST_SKEW = 3
"""With skew a stage may take so many times as long as without."""
PREFIX = "lookalike: "
REST = "between stages"


def measured(results) -> list[str]:
    return [*overview(results), "", *doubling(results), "", *by_stage(results), "", *memory(results), "", *skew(results), "", *NOTES, ""]


def overview(results) -> list[str]:
    heads = ["input", "documents", "text MB", "command s", "Spark's price s", "dedup s", "÷ (command + price)", "kept rows s",
             "shuffle MB", "÷ text", "candidates", "pairs", "MinHashLSH s"]
    cells = []
    for result in results:
        ours, minhash = result["dedup"], result.get("minhash", {})
        command, price = result.get("command", {}).get("seconds"), result.get("price", {}).get("seconds")
        row = [result["input"], report.count(result["documents"]), report.megabytes(result["text_bytes"]), report.seconds(command),
               report.seconds(price)]
        if "failed" in ours:
            cells.append([*row, ours["failed"], *[report.BLANK] * 7])
            continue
        ratio = f"{ours['seconds'] / (command + price):.2f}" if command and price else report.BLANK
        shuffled = sum(stage_shuffles(ours).values())
        cells.append([*row, report.seconds(ours["seconds"]), ratio, report.seconds(ours["kept seconds"]), report.megabytes(shuffled),
                      f"{shuffled / result['text_bytes']:.2f}", report.count(ours["candidates"]), report.count(ours["pairs"]),
                      minhash.get("failed") or report.seconds(minhash.get("seconds"))])
    return report.table(heads, cells)


def doubling(results) -> list[str]:
    """How much more time a byte takes if the text doubles."""
    grown = [result for result in results if result["input"].startswith("grown") and "seconds" in result["dedup"]]
    cells = []
    for one, two in zip(grown, grown[1:]):
        larger = two["text_bytes"] / one["text_bytes"]
        slower = two["dedup"]["seconds"] / one["dedup"]["seconds"] / larger
        cells.append([f"{one['input']} to {two['input']}", f"{larger:.2f}", f"{1e9 * one['dedup']['seconds'] / one['text_bytes']:.1f}",
                      f"{1e9 * two['dedup']['seconds'] / two['text_bytes']:.1f}", f"{slower ** (1 / math.log2(larger)) - 1:+.0%}" if larger > 1 else report.BLANK])
    if not cells:
        return []
    return ["Time a byte. The last column is its growth for each doubling of the text; it should be at most +15 %.", "",
            *report.table(["from one size to the next", "times the text", "s a GB", "then", "a doubling"], cells)]


def stage_seconds(run) -> dict:
    """Seconds by stage of the plan, and what lies between them."""
    found = {}
    for name, seconds in run["parts"]:
        found[name] = found.get(name, 0) + seconds
    found[REST] = max(0.0, run["seconds"] - sum(found.values()))
    return found


def stage_shuffles(run) -> dict:
    """Bytes that the stages of the plan wrote for others to read. The caller's own rows are not in them."""
    found = {}
    for stage in run["stages"]:
        name = stage["description"] or PREFIX + REST
        if name.startswith(PREFIX):
            name = name.removeprefix(PREFIX)
            found[name] = found.get(name, 0) + stage["shuffleWriteBytes"]
    return found


def by_stage(results) -> list[str]:
    cells = []
    for result in results:
        if "failed" in result["dedup"]:
            continue
        shuffles = stage_shuffles(result["dedup"])
        for name, seconds in stage_seconds(result["dedup"]).items():
            own = [stage for stage in result["dedup"]["stages"]
                   if (stage["description"] or PREFIX + REST).removeprefix(PREFIX) == name]
            halves = " + ".join(f"{stage['seconds']:.1f}" for stage in own if (stage["seconds"] or 0) >= 0.5)
            spilled = sum(stage["diskBytesSpilled"] for stage in own)
            worker = max((stage["worker"] for stage in own), default=0)
            cells.append([f"{result['input']}: {name}", report.seconds(seconds), halves or report.BLANK, str(sum(s["numTasks"] for s in own)),
                          report.megabytes(shuffles.get(name, 0)), report.megabytes(spilled), report.megabytes(worker)])
    return ["By stage. Spark's own stages of at least half a second are in the third column. The last one is the anonymous memory of the "
            "largest Python worker in that time.", "",
            *report.table(["input and stage", "s", "of that", "tasks", "shuffle MB", "spilled MB", "worker MB"], cells)]


def memory(results) -> list[str]:
    kinds = ["driver JVM", "driver Python", "executor", "Python worker"]
    cells = []
    for result in results:
        for what in ("dedup", "price", "minhash"):
            peaks = result.get(what, {}).get("memory")
            if peaks:
                row = [report.megabytes(peaks[kind][0]) if kind in peaks else report.BLANK for kind in kinds]
                own = peaks.get("Python worker", [0, 0])[1]
                share = result[what].get("share")
                share = f"{own / share:.2f}" if share else report.BLANK
                cells.append([f"{result['input']}: {what}", *row, report.megabytes(own), share])
        if "command" in result:
            cells.append([f"{result['input']}: command", *[report.BLANK] * 4, report.megabytes(result["command"]["peak"]), report.BLANK])
    return ["The largest resident set of any process of a kind, in MB.", "",
            *report.table(["run", *kinds, "anonymous, of a worker", "÷ share"], cells)]


def skew(results) -> list[str]:
    found = {result["input"]: result for result in results}
    cells = []
    for result in results:
        plain = found.get(result["without"])
        if plain is None or "failed" in result["dedup"] or "failed" in plain["dedup"]:
            continue
        with_it, without = stage_seconds(result["dedup"]), stage_seconds(plain["dedup"])
        slowest = max(without.values())
        for name in dict.fromkeys([*without, *with_it]):
            one, two = with_it.get(name, 0.0), without.get(name, 0.0)
            ratio = one / (two or slowest)
            cells.append([f"{result['input']}: {name}", report.seconds(one), report.seconds(two) if two else report.BLANK, f"{ratio:.2f}",
                          "yes" if ratio <= MOST_SKEW else "no"])
        ratio = result["dedup"]["seconds"] / plain["dedup"]["seconds"]
        cells.append([f"{result['input']}: all", report.seconds(result["dedup"]["seconds"]), report.seconds(plain["dedup"]["seconds"]),
                      f"{ratio:.2f}", "yes" if ratio <= MOST_SKEW else "no"])
    if not cells:
        return []
    return [f"Skew. No stage may take more than {MOST_SKEW} times as long as without skew. A stage that there is only with skew is",
            "compared with the slowest stage of the run without it.", "",
            *report.table(["input and stage", "with s", "without s", "ratio", f"at most {MOST_SKEW}"], cells)]


def same(results) -> list[str]:
    cells = [[f"{run['input']}: {run['case']}", run.get("failed") or report.seconds(run["seconds"]), "yes" if run["same"] else "no"] for run in results]
    return report.table(["run", "s", "same as the command"], cells)


def kills(results) -> list[str]:
    cells = []
    for run in results:
        failed = sum(stage["numFailedTasks"] for stage in run.get("stages", []))
        killed = [f"{name.removeprefix(PREFIX)} ({stage})" for name, stage, _ in run.get("killed", [])]
        cells.append([f"{run['input']}: {run['case']}", run.get("failed") or report.seconds(run["seconds"]), str(failed), str(len(killed)),
                      ", ".join(killed) or report.BLANK, "yes" if run["same"] else "no"])
    return report.table(["run", "s", "tasks that failed", "executors killed", "in the stages", "same as the command"], cells)


NOTES = """\
*dedup* is the call, until the removed rows are in the work folder; *kept rows* is writing the others to Parquet. *Shuffle* is what Spark's
stages wrote for other tasks, compressed as Spark does it, without the stages that write the kept rows. *Spark's price* is all rows through
an identity `mapInArrow` and one shuffle of them. *MinHashLSH* is MLlib's, on 2²⁴ hashed shingles with three tables; it is stopped after ten
times the time of dedup. Executors are started before the clock. The share of a worker is the default of
`task_memory`; libraries and Arrow's buffers come on top of what it holds.""".splitlines()
