"""Tasks that fail, executors that are killed: the same answer.

Like test_cluster.py, apart from the tests on Spark Connect."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from pyspark.sql import DataFrame

from lookalike import spark as las

from .conftest import SCHEMA, answer, expected, texts

STAGES = {
    "Sample": "sample",
    "Count": "sample",
    "Post": "postings",
    "Meet": "postings",
    "DivideHits": "candidates",
    "Sum": "candidates",
    "Ship": "verification",
    "Verify": "verification",
    "HeavyNodes": "long lists",
    "MeetHeavy": "long lists",
    "Twins": "rounds",
    "Unpack": "rounds",
}


def fail_once(monkeypatch, kind: type[DataFrame], folder: Path) -> None:
    """Let a task of each of our functions fail at its end when it runs for the first time, and say in which stage that was."""
    original = kind.mapInArrow

    def mapped(frame, task, schema):
        name = type(task).__name__

        def fails_at_first(batches):
            from pyspark import TaskContext

            yield from task(batches)
            context = TaskContext.get()
            if context.attemptNumber() == 0 and context.partitionId() == 0:
                (folder / f"{name} in {context.getLocalProperty('spark.job.description')}").touch()
                raise OSError("the disk is gone")

        return original(frame, fails_at_first, schema)

    monkeypatch.setattr(kind, "mapInArrow", mapped)


@pytest.mark.parametrize(
    ("limits", "others"),
    [
        ({"max_pairs": 50}, {"DivideHits", "Unpack", "Twins"}),
        ({"longest_list": 5}, {"HeavyNodes", "MeetHeavy"}),
    ],
)
def test_a_task_that_fails_once(spark, tmp_path, monkeypatch, limits, others):
    """In every function of ours, under the name of its stage in Spark's own page."""
    rows, told = texts(300), tmp_path / "told"
    told.mkdir()
    df = spark.createDataFrame(rows, SCHEMA).repartition(3)
    fail_once(monkeypatch, type(df), told)
    monkeypatch.setattr("lookalike.spark._join.HITS", 1 << 20)
    with las.dedup(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(tmp_path), **limits) as result:
        assert answer(result) == expected(rows)
    failed = {"Sample", "Count", "Post", "Meet", "Sum", "Ship", "Verify"} | others
    found = {path.name for path in told.iterdir()}
    assert found >= {f"{name} in lookalike: {STAGES[name]}" for name in failed}
    assert all(name.split(" in ")[1].startswith("lookalike: ") for name in found)


KILLED = '''
import sys, time
from contextlib import contextmanager

from pyspark.sql import SparkSession

from lookalike import spark as las
from lookalike.spark._join import Join
from lookalike.spark._work import Work
from spark.conftest import SCHEMA, answer, expected, texts

settings = {
    "spark.executor.memory": "512m", "spark.task.maxFailures": "20", "spark.stage.maxConsecutiveAttempts": "20",
    "spark.deploy.maxExecutorRetries": "-1", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
}
builder = SparkSession.builder.master("local-cluster[2,1,512]")
for name, value in settings.items():
    builder = builder.config(name, value)
session = builder.getOrCreate()
rows = texts(1500)

def slowly(batches):
    import time
    time.sleep(0.5)
    yield from batches

# Every stage but the first reads what an earlier one has left.
get, stage = Work.get, Join.stage

def slow(self, name, schema=None):
    found = get(self, name, schema)
    return found.mapInArrow(slowly, found.schema)

@contextmanager
def announced(self, name):
    print("begin", time.time(), name, flush=True)
    with stage(self, name):
        yield
    print("end", time.time(), name, flush=True)

Work.get, Join.stage = slow, announced
df = session.createDataFrame(rows, SCHEMA).repartition(3).mapInArrow(slowly, SCHEMA)
with las.dedup(df, text="text", id="id", order_by=["n"], threshold=0.6, work=sys.argv[1], partitions=2) as result:
    assert answer(result) == expected(rows)
print("the same", flush=True)
session.stop()
'''


def executors(parent: int) -> list[int]:
    """The process ids of executors that were started below a process."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found, waiting = [], [parent]
    while waiting:
        for child in children.get(waiting.pop(), []):
            waiting.append(child)
            try:
                if b"CoarseGrainedExecutorBackend" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(child)
            except OSError:
                continue
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_executors_that_are_killed(tmp_path):
    """In the middle of every stage an executor is killed."""
    script, work = tmp_path / "killed.py", tmp_path / "work"
    script.write_text(KILLED)
    work.mkdir()
    process = subprocess.Popen(
        [sys.executable, script, work], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    lines, kills, stages = list[str](), dict[str, float](), list[tuple[str, float, str]]()

    def watch():
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.strip())
            if line.startswith(("begin", "end")):
                kind, when, name = line.strip().split(" ", 2)
                stages.append((kind, float(when), name))
                if kind == "begin" and name not in kills:
                    time.sleep(0.3)
                    for victim in executors(process.pid)[:1]:
                        os.kill(victim, signal.SIGKILL)
                        kills[name] = time.time()

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert process.stderr is not None
    errors = process.stderr.read()
    process.wait()
    watcher.join()
    assert process.returncode == 0, errors[-3000:]
    assert lines[-1] == "the same"
    begun = {name: when for kind, when, name in reversed(stages) if kind == "begin"}
    ended = {name: when for kind, when, name in stages if kind == "end"}
    in_the_middle = {name for name, when in kills.items() if begun[name] < when < ended[name]}
    assert in_the_middle == {"sample", "postings", "candidates", "documents of candidates", "verification", "answer"}
