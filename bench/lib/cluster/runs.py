"""Runs on Spark and of the command, and whether they answer the same."""

import json
import shutil
import sys
from pathlib import Path

import lookalike
import measure

from . import processes

JOB = Path(__file__).with_name("job.py")
BY_THRESHOLD = ("exact", "minhash")
METHODS = (*BY_THRESHOLD, "b", "c", "combined", "by-site")


def largest_worker(samples, stage) -> int:
    """Anonymous memory of the largest Python worker while a stage ran."""
    if stage["begin"] is None:
        return 0
    return max((size for when, size in samples if stage["begin"] <= when <= stage["end"] + processes.TURN), default=0)


class Runner:
    def __init__(self, options, python, binary, scratch):
        self.options, self.python, self.binary, self.scratch = options, python, binary, scratch

    def measure(self, made):
        """The result of one input, and what is wrong with it."""
        result = {"input": made.name, "documents": made.documents, "text_bytes": made.text_bytes, "without": made.without}
        faults = []
        if self.binary:
            result["command"] = self.command(made)
        result["dedup"] = ours = self.spark("dedup", made)
        faults += self.compare(made, ours)
        ordinary = made.name.split()[-1] not in ("pages", "template", "copies")
        if "price" not in self.options.without:
            result["price"] = self.spark("price", made)
        if "minhash" not in self.options.without and ordinary and "seconds" in ours:
            result["minhash"] = self.spark("minhash", made, timeout=10 * ours["seconds"] + 30)
        return [result], faults

    def kill(self, made):
        """The same run undisturbed, with executors killed, and with tasks that fail."""
        found, faults = [], []
        cases = [("undisturbed", {}), ("executors killed", {"kill": self.options.kill_delay}), ("every task fails once", {"fail": True})]
        if self.binary:
            self.command(made)
        for name, extra in cases:
            # Every kill counts as a failure of the stage, whose shuffle is lost, and of the application.
            conf = {"spark.stage.maxConsecutiveAttempts": "20", "spark.task.maxFailures": "20", "spark.deploy.maxExecutorRetries": "-1"}
            run = self.spark("dedup", made, conf=conf, **extra)
            more = self.compare(made, run)
            if name == "executors killed":
                met = {what.removeprefix("lookalike: ") for what, *_ in run.get("killed", [])}
                spared = {stage for stage, _ in run.get("parts", [])} - met
                more += [f"{made.name}: no executor was killed in the stage {stage}" for stage in sorted(spared)]
            found.append({"input": made.name, "case": name, "same": not more, **run})
            faults += [f"{fault} ({name})" for fault in more]
        return found, faults

    def same(self, made):
        """The run with other numbers of tasks, a second time in the same session, and pairs: whether all answer as the command does."""
        found, faults, kept = [], [], set()
        if self.binary:
            self.command(made)
        cases = [(f"{tasks} tasks", {"tasks": tasks}) for tasks in self.options.partitions] + [("the plan twice", {"twice": True})]
        for name, extra in cases:
            run = self.spark("dedup", made, **extra)
            more = self.compare(made, run)
            kept.add(run.get("kept hash"))
            if len(kept) > 1:
                more.append(f"{made.name}: not the same rows are kept")
            found.append({"input": made.name, "case": name, "same": not more, **run})
            faults += [f"{fault} ({name})" for fault in more]
        if self.binary:
            self.command(made, "pairs")
        run = self.spark("dedup", made, pairs=True)
        more = self.compare(made, run, ("a", "b", "similarity"))
        found.append({"input": made.name, "case": "pairs", "same": not more, **run})
        return found, faults + [f"{fault} (pairs)" for fault in more]

    def command(self, made, what="dedup"):
        self._say(made, "command")
        target = self._removed("command")
        target.unlink(missing_ok=True)
        order = [self.binary, what, made.file, "--threads", self.options.threads, "--html" if made.is_page else "--text", "text", "--id", "id",
                 "--json", "--removed" if what == "dedup" else "-o", target]
        if self.options.method in BY_THRESHOLD:
            order += ["-t", "0.8"]
        if self.options.method != "exact":
            order += ["--method", self.options.method]
        if made.is_page:
            order += ["--url", "url"]
        done = measure.run(order, self.scratch, timeout=self.options.timeout, accept=lookalike.DONE)
        if not done.ok:
            sys.exit(f"the command failed: {done.complaint}")
        return {"seconds": done.seconds, "peak": done.peak_bytes, "kept": json.loads(done.stdout).get("kept")}

    def spark(self, what, made, timeout=None, **extra):
        """One run, a process of its own with executors of its own."""
        self._say(made, f"{what} on Spark")
        folders = {name: self.scratch / name for name in ("local", "work", "kept")}
        for folder in folders.values():
            shutil.rmtree(folder, ignore_errors=True)
        folders["work"].mkdir()
        self._removed("dedup").unlink(missing_ok=True)
        order = {"what": what, "input": str(made.file), "master": self.options.master, "removed": str(self._removed("dedup")),
                 "is_page": made.is_page, "partitions": 8, "method": self.options.method,
                 "threshold": 0.8 if self.options.method in BY_THRESHOLD else None, **{name: str(folder) for name, folder in folders.items()}, **extra}
        # Executors of a local cluster have their folders where this says.
        env = {"SPARK_LOCAL_DIRS": str(folders["local"]), "SPARK_LOCAL_IP": "127.0.0.1"}
        done = processes.run([self.python, JOB, json.dumps(order)], timeout=timeout or self.options.timeout, env=env, cwd=self.scratch)
        memory = {kind: [done.peak(kind), done.peak(kind, 1), len(peaks)] for kind, peaks in done.peaks.items()}
        if done.timed_out:
            return {"failed": f"stopped after {done.seconds:.0f} s", "memory": memory}
        if done.code:
            errors = [line for line in (done.stderr + done.stdout).splitlines() if "Error" in line or "Exception" in line]
            (self.options.work / "failed.log").write_text(done.stderr + done.stdout)
            return {"failed": (errors or ["no message"])[-1].strip()[:200], "memory": memory}
        found = json.loads(done.stdout.splitlines()[-1])
        for stage in found["stages"]:
            stage["worker"] = largest_worker(done.workers, stage)
        return found | {"memory": memory}

    def compare(self, made, ours, names=("id", "twin", "similarity")):
        """Whether Spark has removed the same rows, with the same twins and similarities, as the command did."""
        if "failed" in ours:
            return [f"{made.name}: {ours['failed']}"]
        if not self.binary:
            return []
        with open(self._removed("command"), encoding="utf-8") as rows:
            want = {tuple(row[name] for name in names) for row in map(json.loads, rows)}
        with open(self._removed("dedup"), encoding="utf-8") as rows:
            got = {tuple(row[:3]) for row in map(json.loads, rows)}
        if want == got:
            left = made.documents - len(want)
            is_right = ours.get("kept rows", left) == left
            return [] if is_right else [f"{made.name}: Spark keeps {ours['kept rows']:,} rows, the command {left:,}"]
        one = sorted(want ^ got)[0]
        return [f"{made.name}: Spark finds {len(got):,} rows, the command {len(want):,}; {len(want ^ got):,} differ, such as {one}"]

    def _removed(self, who):
        return self.scratch / f"removed-{who}.jsonl"

    def _say(self, made, what):
        print(f"{made.name}: {what}", file=sys.stderr, flush=True)
