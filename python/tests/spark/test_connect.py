"""On Spark's own server of Spark Connect: a job of each kind.

It runs apart from the others: a process has one such server, and beside it no session of Spark itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

import lookalike as la
from lookalike import spark as las

from .conftest import IN_PARTS, SCHEMA, SETTINGS, answer, expected, texts


@pytest.fixture(scope="module")
def connected() -> Iterator[SparkSession]:
    """A session of a server that starts with it."""
    builder = SparkSession.builder.remote("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


def test_dedup(connected, tmp_path):
    """Also if lists are compared block by block, and their sets are settled part by part."""
    for documents, limits in [(200, {}), (60, IN_PARTS)]:
        rows = texts(documents)
        df = connected.createDataFrame(rows, SCHEMA).repartition(3)
        with las.dedup(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(tmp_path), **limits) as result:
            assert answer(result) == expected(rows)
            assert sorted(row["id"] for row in result.kept.collect()) == sorted({row[1] for row in rows} - {row[0] for row in answer(result)})


def test_pairs(connected, tmp_path):
    rows = texts(150)
    corpus = la.Corpus({"id": [row[1] for row in rows], "text": [row[2] for row in rows]}, text="text", id="id")
    df = connected.createDataFrame(rows, SCHEMA).repartition(2)
    with las.pairs(df, text="text", id="id", order_by=["n"], threshold="2/3", work=str(tmp_path)) as result:
        found = {(row["a"], row["b"], row["similarity"]) for row in result.pairs.collect()}
    assert found == {(pair.a, pair.b, pair.similarity) for pair in corpus.pairs("2/3")}
    assert found
