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


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Spark itself. A task may fail once."""
    session = (
        SparkSession.builder.master("local[2,2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.default.parallelism", "3")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    yield session
    session.stop()


SCHEMA = "n int, id string, text string"
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
