"""On Spark itself: random cases, and the job in examples.

A process has sessions of Spark or of Spark Connect, not of both: these tests run apart from the others."""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
from typing import Any

import pytest
from conftest import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st

from lookalike import spark as las

from .conftest import EXAMPLES, SCHEMA, answer, expected, rows_of, texts
from .test_methods import URLS
from .test_methods import check_dedup as check_signed_dedup
from .test_methods import check_pairs as check_signed_pairs
from .test_parity import MEMORY, OPTIONS, ORDERS, RULES, SHUFFLED, check_dedup, check_pairs


def cases(seed: int, most: int) -> list[dict[str, Any]]:
    """Forty random collections in one: rows of different ones are not compared (`within`). So one job of Spark has many cases."""
    choose = random.Random(seed)
    rows = list[dict[str, Any]]()
    for case in range(40):
        for _ in range(choose.randrange(most)):
            text = " ".join(choose.choices(WORDS, k=choose.randrange(8))) if choose.random() < 0.9 else choose.choice([None, "", "…"])
            rows.append({"text": text, "kind": f"case {case}", "stars": choose.choice([None, -1, 2])})
    choose.shuffle(rows)
    return [{"id": f"d{at}", **row} for at, row in enumerate(rows)]


@settings(max_examples=2)
@given(
    case=st.integers(0, 999),
    rule=RULES,
    options=OPTIONS,
    references=st.booleans(),
    limits=st.sampled_from([{}, {"most": 1, "longest": 4, "block": 30}, {"most": 1, "longest": 4, "heavy": 250}, {"pairs": 50, "candidates": 300}]),
    order=ORDERS,
    **SHUFFLED,
)
def test_dedup_on_spark(spark, lookalike, tmp_path, case, rule, options, references, limits, order, seed, parts, partitions):
    """Also with adaptive execution off."""
    more = limits | {"references": cases(case + 1, 8) if references else [], "order": order, "partitions": partitions, "within": True}
    spark.conf.set("spark.sql.adaptive.enabled", str(case % 2 == 0).lower())
    try:
        check_dedup(spark, lookalike, cases(case, 20), rule, options, seed, parts, str(tmp_path), **more)
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", "true")


@settings(max_examples=2)
@given(case=st.integers(0, 999), rule=RULES, options=OPTIONS, others=st.booleans(), hold=st.sampled_from([5, 1 << 20]), **SHUFFLED)
def test_pairs_on_spark(spark, lookalike, tmp_path, monkeypatch, case, rule, options, others, hold, seed, parts, partitions):
    monkeypatch.setattr("lookalike.spark._join.HELD", MEMORY // hold)
    second = cases(case + 1, 10) if others else None
    check_pairs(spark, lookalike, tmp_path, cases(case, 20), rule, options, second, seed, parts, partitions, within=True)


def test_methods_on_spark(spark, lookalike, tmp_path):
    """Signatures, with lists compared block by block, and with the recall."""
    choose = random.Random(5)
    words = [f"w{number}" for number in range(30)]

    def pages(count):
        texts = [" ".join(words[: choose.randrange(3)] + words[choose.randrange(4) :]) for _ in range(count)]
        return [{"id": f"d{at}", "text": text, "kind": choose.choice("xy"), "url": choose.choice(URLS)} for at, text in enumerate(texts)]

    options = {"tokens": "words:2", "within": "kind"}
    by_site = ("by-site", {"features": (4, 1, 2), "shingle": 2, "bits": 64, "agree": 56, "combined_agree": 40}, "0.6")
    check_signed_dedup(spark, lookalike, tmp_path, pages(30), by_site, options, pages(6), 1, 3, 5, None)
    minhash = ("minhash", {"features": (6, 2, 2)}, "0.7")
    check_signed_pairs(spark, lookalike, tmp_path, pages(20), minhash, options, pages(20), 1, 3, 2)


def test_more_than_the_driver_takes(spark, tmp_path):
    """Candidates in slices, decided in rounds."""
    rows = texts(200)
    df = spark.createDataFrame(rows, SCHEMA).repartition(3)
    limits = {"max_candidates": 200, "max_pairs": 100}
    with las.dedup(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(tmp_path), **limits) as result:
        assert answer(result) == expected(rows)
        assert result.summary.rounds > 0


def test_the_job_in_examples(spark, lookalike, tmp_path):
    """It reads Parquet, JSON lines and archives."""
    loaded = importlib.util.spec_from_file_location("dedup_job", EXAMPLES / "spark" / "dedup_job.py")
    assert loaded is not None and loaded.loader is not None
    job = importlib.util.module_from_spec(loaded)
    loaded.loader.exec_module(job)
    press = rows_of(EXAMPLES / "press.jsonl")
    spark.read.json(str(EXAMPLES / "press.jsonl")).write.parquet(str(tmp_path / "press"))
    for at, (name, more) in enumerate([("press.jsonl", []), ("press", ["--order-by", "time,id"]), ("crawl.warc.gz", ["--page", "main"])]):
        path, out, work = EXAMPLES / name, tmp_path / f"out-{at}", tmp_path / f"work-{at}"
        path = path if path.exists() else tmp_path / name
        flags = ["--threshold", "0.6", "--work", str(work), *more]
        work.mkdir()
        job.run(spark, job.arguments([str(path), str(out), *flags]))
        kept, removed = (spark.read.parquet(str(out / part)).collect() for part in ("kept", "removed"))
        if name == "crawl.warc.gz":
            command = [os.environ["LOOKALIKE_COMMAND"], "dedup", str(path), "-t", "0.6", "--page", "main"]
            subprocess.run([*command, "--removed", str(tmp_path / "removed.jsonl")], check=True, capture_output=True)
            found = rows_of(tmp_path / "removed.jsonl")
        else:
            ordered = sorted(press, key=lambda row: (row["time"], row["id"]) if more else row["id"])
            found = lookalike("dedup", ordered, "-t", "0.6")
        assert sorted(row[:3] for row in removed) == sorted((row["id"], row["twin"], row["similarity"]) for row in found)
        assert found and kept


@pytest.mark.parametrize("limits", [{"longest_list": 5}, {"method": "minhash"}])
def test_without_adaptive_execution(spark, tmp_path, limits):
    """Like half of the random cases above."""
    rows = texts(200)
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    try:
        df = spark.createDataFrame(rows, SCHEMA)
        with las.dedup(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(tmp_path), **limits) as result:
            assert answer(result) == expected(rows, **{name: limits[name] for name in ("method",) if name in limits})
            assert result.kept.columns == ["n", "id", "text"]
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", "true")
