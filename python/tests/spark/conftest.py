"""Sessions of Spark, Spark Connect and Sail, and the command to compare with."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

import lookalike as la
from lookalike import spark as las


@pytest.fixture(scope="session")
def sail() -> Iterator[SparkSession]:
    """Sail, which starts at once: for many random cases."""
    from pysail.spark import SparkConnectServer

    server = SparkConnectServer()
    server.start(background=True)
    _, port = server.listening_address
    session = SparkSession.builder.remote(f"sc://localhost:{port}").create()
    yield session
    session.stop()
    server.stop()


SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "3",
    "spark.default.parallelism": "3",
    "spark.sql.session.timeZone": "UTC",
    "spark.python.daemon.module": "spark.workers",
}


def session_of(master: str, settings: dict[str, str]) -> SparkSession:
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Spark itself."""
    session = session_of("local[2]", SETTINGS)
    yield session
    session.stop()


EXECUTORS = {
    "spark.driver.host": "127.0.0.1",
    "spark.executor.memory": "512m",
    # Executors are killed, and what they had is not asked for again and again.
    "spark.task.maxFailures": "20",
    "spark.stage.maxConsecutiveAttempts": "20",
    "spark.deploy.maxExecutorRetries": "-1",
    "spark.shuffle.io.retryWait": "100ms",
    "spark.locality.wait": "0",
    # A new executor compiles nothing.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # Slow tasks are run twice.
    "spark.speculation": "true",
    "spark.speculation.quantile": "0.5",
    "spark.speculation.minTaskRuntime": "1s",
}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A cluster of two machines with an executor each, of two addresses of this machine: Spark runs a slow task a second time only on
    another machine, which local-cluster does not have."""
    folder = tmp_path_factory.mktemp("cluster")
    SparkContext._ensure_initialized()
    jvm = SparkContext._jvm
    assert jvm is not None
    deploy, conf = jvm.org.apache.spark.deploy, jvm.org.apache.spark.SparkConf()
    running = [deploy.master.Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, conf)._1()]
    url = running[0].address().toSparkURL()
    assert SparkContext._gateway is not None
    masters = SparkContext._gateway.new_array(jvm.String, 1)
    masters[0] = url
    for number in (1, 2):
        given = (f"127.0.0.{number}", 0, 0, 1, 1024, masters, str(folder), jvm.scala.Some(number), conf, jvm.scala.Option.empty())
        running.append(deploy.worker.Worker.startRpcEnvAndEndpoint(*given))
    session = session_of(url, SETTINGS | EXECUTORS)
    yield session
    session.stop()
    for one in reversed(running):
        one.shutdown()


SCHEMA = "n int, id string, text string"
IN_PARTS = {"longest_list": 2, "max_heavy": 30}
"""Limits with which 60 of our texts have sets in heavy lists that are settled in three parts."""
EXAMPLES = Path(__file__).parents[3] / "examples"


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


class Command:
    """The command on rows in order."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = 0

    def __call__(self, name: str, rows: list[dict[str, Any]], *options: str, **others: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return self.report(name, rows, *options, **others)[0]

    def report(
        self, name: str, rows: list[dict[str, Any]], *options: str, **others: list[dict[str, Any]]
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """The rows that it writes, and its report."""
        self.runs += 1
        folder = self.folder / str(self.runs)
        folder.mkdir()
        arguments = [os.environ["LOOKALIKE_COMMAND"], name, self._written(folder, "rows", rows), "--json", *options]
        for option, given in others.items():
            arguments += [f"--{option}", self._written(folder, option, given)]
        output = folder / "out.jsonl"
        if name == "dedup":
            arguments += ["--removed", str(output), "--annotate", str(folder / "annotated.jsonl")]
        else:
            arguments += ["-o", str(output)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 3), done.stderr
        return rows_of(output), json.loads(done.stdout)

    @staticmethod
    def _written(folder: Path, name: str, rows: list[dict[str, Any]]) -> str:
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)


@pytest.fixture
def lookalike(tmp_path: Path) -> Command:
    return Command(tmp_path)


def texts(documents: int, seed: int = 7) -> list[tuple[int, str, str]]:
    """Documents of which many resemble others."""
    rng = random.Random(seed)
    words = [f"w{number}" for number in range(3000)]
    known: list[list[str]] = []
    rows = []
    for number in range(documents):
        if known and rng.random() < 0.5:
            text = list(rng.choice(known))
            text[rng.randrange(len(text))] = rng.choice(words)
        else:
            text = rng.choices(words, k=40)
        known.append(text)
        rows.append((number, f"d{number}", " ".join(text)))
    return rows


def expected(rows: list[tuple[int, str, str]], threshold: float = 0.6, **method: Any) -> set[tuple[Any, ...]]:
    corpus = la.Corpus({"id": [row[1] for row in rows], "text": [row[2] for row in rows]}, text="text", id="id", **method)
    return {(one.id, one.twin, one.similarity, one.identical) for one in corpus.dedup(threshold).removed}


def answer(result: las.Deduped) -> set[tuple[Any, ...]]:
    return {tuple(row) for row in result.removed.collect()}
