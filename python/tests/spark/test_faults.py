"""Tasks that fail, executors that are killed, tasks that are run twice: the same answer.

Like test_cluster.py, apart from the tests on Spark Connect."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import lookalike as la
from lookalike import spark as las
from lookalike.spark._join import Join

from .conftest import EXAMPLES, IN_PARTS, SCHEMA, answer, expected, texts
from .faults import SLOW, Faulty, Reading, Slow

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds executors in /proc, and needs two addresses of this machine")

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


ALWAYS = {"Post", "Meet", "Sum", "Ship", "Verify"}
EXACT = ALWAYS | {"Sample", "Count"}
HEAVY = EXACT | {"HeavyNodes", "MergeNodes", "MeetHeavy"}
ORDINARY = {"sample", "postings", "candidates", "documents of candidates", "verification", "answer"}


def wrap_tasks(cluster, monkeypatch, wrapper: type[Faulty] | type[Slow], *given: Any) -> None:
    """Let something happen to tasks of each of our functions."""
    kind = type(cluster.range(1))
    original, documents = kind.mapInArrow, Join.documents

    def mapped(frame, task, schema):
        return original(frame, wrapper(task, *given), schema)

    def read(join):
        found = documents(join)
        return found.mapInArrow(Reading(), found.schema)

    monkeypatch.setattr(kind, "mapInArrow", mapped)
    monkeypatch.setattr(Join, "documents", read)


def check_faults(told: Path, failed: set[str], killed: set[str]) -> None:
    """A task of each of these failed, in the stage that is its, and in each of these stages an executor was killed."""
    found = {path.name for path in told.iterdir()}
    assert found >= {f"{name} in lookalike: {STAGES[name]}" for name in failed}
    assert {name for name in found if name.startswith("killed")} == {f"killed in lookalike: {stage}" for stage in killed}
    assert all(name.split(" in ")[1].startswith("lookalike: ") for name in found if not name.startswith("Reading"))


@pytest.fixture
def told(tmp_path, monkeypatch) -> Path:
    """A folder in which each fault leaves a file. A part of hits is too much for a task."""
    folder = tmp_path / "told"
    folder.mkdir()
    monkeypatch.setattr("lookalike.spark._join.HITS", 1 << 20)
    return folder


@pytest.mark.parametrize(
    ("limits", "failed", "killed"),
    [
        ({"max_pairs": 50}, EXACT | {"DivideHits", "Unpack", "Twins"}, ORDINARY | {"rounds"}),
        ({"longest_list": 5}, HEAVY, {"long lists"}),
        (IN_PARTS, HEAVY | {"UnpackNodes", "BucketNodes", "FilterNodes"}, set()),
        ({"method": "minhash", "features": (20, 1, 1)}, ALWAYS | {"Probe", "Tally"}, {"recall"}),
    ],
)
def test_tasks_that_fail_and_executors_that_are_killed(cluster, tmp_path, monkeypatch, told, limits, failed, killed):
    """In every function of ours, under the name of its stage in Spark's own page, and in every stage."""
    rows = texts(60 if limits is IN_PARTS else 100)
    df = cluster.createDataFrame(rows, SCHEMA).repartition(3)
    wrap_tasks(cluster, monkeypatch, Faulty, told, {f"lookalike: {stage}" for stage in killed})
    method = {name: limits[name] for name in ("method", "features") if name in limits}
    with las.dedup(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(tmp_path), **limits) as result:
        assert answer(result) == expected(rows, **method)
    check_faults(told, failed, killed)


def check_pairs(df: Any, rows: list[tuple[int, str, str]], work: Path) -> None:
    with las.pairs(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(work)) as result:
        found = {(row["a"], row["b"], row["similarity"]) for row in result.pairs.collect()}
    corpus = la.Corpus({"id": [row[1] for row in rows], "text": [row[2] for row in rows]}, text="text", id="id")
    assert found == {(pair.a, pair.b, pair.similarity) for pair in corpus.pairs(0.6)}


def test_faults_in_pairs(cluster, tmp_path, monkeypatch, told):
    """Where lists come in tiles."""
    rows = texts(100)
    df = cluster.createDataFrame(rows, SCHEMA).repartition(3)
    wrap_tasks(cluster, monkeypatch, Faulty, told, {"lookalike: long lists"})
    monkeypatch.setattr("lookalike.spark._join.HELD", (384 << 20) // 4)
    check_pairs(df, rows, tmp_path)
    check_faults(told, EXACT | {"DivideTiles", "MeetTiles"}, {"long lists"})


def test_a_task_that_reads_archives_fails_once(cluster, monkeypatch, told):
    """It reads its archive again."""
    archive = str(EXAMPLES / "crawl.warc.gz")
    pages = {tuple(row) for row in las.read_warc(cluster, archive).collect()}
    wrap_tasks(cluster, monkeypatch, Faulty, told, set())
    assert {tuple(row) for row in las.read_warc(cluster, archive).collect()} == pages
    assert [path.name.split(" in ")[0] for path in told.iterdir()] == ["Read"]


def test_tasks_that_are_run_twice(cluster, tmp_path, monkeypatch, told):
    """Spark runs a slow task on the other machine too, and both end."""
    rows = texts(100)
    df = cluster.createDataFrame(rows, SCHEMA).repartition(3)
    wrap_tasks(cluster, monkeypatch, Slow, told)
    with las.dedup(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(tmp_path)) as result:
        assert answer(result) == expected(rows)
    found = {path.name.split(" copied")[0] for path in told.iterdir() if " copied in " in path.name}
    assert found >= SLOW
