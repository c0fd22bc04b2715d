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

import lookalike as la
from lookalike import spark as las

from .conftest import EXAMPLES, SCHEMA, answer, expected, texts

STAGES = {
    "Sample": "sample",
    "Count": "sample",
    "Post": "postings",
    "Meet": "postings",
    "DivideHits": "candidates",
    "Sum": "candidates",
    "Ship": "verification",
    "Verify": "verification",
    "Twins": "rounds",
    "Unpack": "rounds",
    "UnpackNodes": "rounds",
    "Probe": "recall",
    "Tally": "recall",
} | dict.fromkeys(("HeavyNodes", "MergeNodes", "FilterNodes", "BucketNodes", "MeetHeavy", "Divide", "DivideTiles", "MeetTiles"), "long lists")


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


ALWAYS = {"Post", "Meet", "Sum", "Ship", "Verify"}
EXACT = ALWAYS | {"Sample", "Count"}
HEAVY = EXACT | {"HeavyNodes", "MergeNodes", "MeetHeavy"}


def check_failed(told: Path, names: set[str]) -> None:
    """A task of each of these failed, in the stage that is its."""
    found = {path.name for path in told.iterdir()}
    assert found >= {f"{name} in lookalike: {STAGES[name]}" for name in names}
    assert all(name.split(" in ")[1].startswith("lookalike: ") for name in found)


@pytest.fixture
def told(tmp_path, monkeypatch) -> Path:
    """A folder in which each failure leaves a file. A part of hits is too much for a task."""
    folder = tmp_path / "told"
    folder.mkdir()
    monkeypatch.setattr("lookalike.spark._join.HITS", 1 << 20)
    return folder


@pytest.mark.parametrize(
    ("limits", "failed"),
    [
        ({"max_pairs": 50}, EXACT | {"DivideHits", "Unpack", "Twins"}),
        ({"longest_list": 5}, HEAVY),
        ({"method": "minhash", "features": (20, 1, 1)}, ALWAYS | {"Probe", "Tally"}),
    ],
)
def test_a_task_that_fails_once(spark, tmp_path, monkeypatch, told, limits, failed):
    """In every function of ours, under the name of its stage in Spark's own page."""
    rows = texts(300)
    df = spark.createDataFrame(rows, SCHEMA).repartition(3)
    fail_once(monkeypatch, type(df), told)
    method = {name: limits[name] for name in ("method", "features") if name in limits}
    with las.dedup(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(tmp_path), **limits) as result:
        assert answer(result) == expected(rows, **method)
    check_failed(told, failed)


def test_a_task_of_pairs_that_fails_once(spark, tmp_path, monkeypatch, told):
    """Where lists come in tiles."""
    rows = texts(150)
    df = spark.createDataFrame(rows, SCHEMA).repartition(3)
    fail_once(monkeypatch, type(df), told)
    monkeypatch.setattr("lookalike.spark._join.HELD", (384 << 20) // 4)
    with las.pairs(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(tmp_path)) as result:
        found = {(row["a"], row["b"], row["similarity"]) for row in result.pairs.collect()}
    corpus = la.Corpus({"id": [row[1] for row in rows], "text": [row[2] for row in rows]}, text="text", id="id")
    assert found == {(pair.a, pair.b, pair.similarity) for pair in corpus.pairs(0.6)}
    check_failed(told, EXACT | {"DivideTiles", "MeetTiles"})


def test_a_task_that_reads_archives_fails_once(spark, monkeypatch, told):
    """It reads its archive again."""
    archive = str(EXAMPLES / "crawl.warc.gz")
    pages = {tuple(row) for row in las.read_warc(spark, archive).collect()}
    fail_once(monkeypatch, type(spark.range(1)), told)
    assert {tuple(row) for row in las.read_warc(spark, archive).collect()} == pages
    assert [path.name.split(" in ")[0] for path in told.iterdir()] == ["Read"]


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
rows = texts(800)

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
given = {"text": "text", "id": "id", "order_by": ["n"], "threshold": 0.6, "work": sys.argv[1], "partitions": 2}
with las.dedup(df, longest_list=5, **given) as result:
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
    begun, ended = {}, {}
    for kind, when, name in reversed(stages):
        (begun if kind == "begin" else ended)[name] = when
    in_the_middle = {name for name, when in kills.items() if begun[name] < when < ended[name]}
    ordinary = {"sample", "postings", "candidates", "documents of candidates", "verification", "answer"}
    assert in_the_middle == ordinary | {"long lists"}
