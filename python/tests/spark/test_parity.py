"""The same ids, twins and similarities as the command, on any engine and for any partitions, orders and limits."""

from __future__ import annotations

import random
from typing import Any

from conftest import documents
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession

from lookalike import spark as las

from .conftest import Command

SCHEMA = "n int, id string, text string, kind string, stars int, third int, back double"
MEMORY = 64 << 20
MEASURES = [
    ("jaccard", ["0.5", "1/3", "0.75", "1"]),
    ("cosine", ["0.5", "2/3"]),
    ("dice", ["0.8", "1/2"]),
    ("max", ["0.5", "3/4"]),
    ("containment", ["0.5", "1"]),
    ("overlap", ["1", "3"]),
]
RULES = st.sampled_from([(measure, value) for measure, values in MEASURES for value in values])
OPTIONS = st.fixed_dictionaries(
    {
        "tokens": st.sampled_from(["words", "words:2", "chars:3", "letters:2", "raw"]),
        "bag": st.booleans(),
        "case": st.sampled_from(["fold", "keep"]),
    }
)
# All of them are the order of the rows.
ORDERS = st.sampled_from([["n"], ["-back"], ["third", "n"], ["third", ("back", "desc"), "id"]])


def frame(session: SparkSession, rows: list[dict[str, Any]], seed: int, parts: int, schema: str = SCHEMA) -> DataFrame:
    """The rows in any order and any number of partitions."""
    mixed = [(at, *[row.get(name) for name in ("id", "text", "kind", "stars")], at // 3, -1.0 * at) for at, row in enumerate(rows)]
    random.Random(seed).shuffle(mixed)
    return session.createDataFrame(mixed, schema).repartition(parts)


def flags_of(options: dict[str, Any]) -> list[str]:
    """The command's flags for these options."""
    return ["--tokens", options["tokens"], "--case", options["case"], *(["--bag"] if options["bag"] else [])]


def check_dedup(
    session: SparkSession,
    lookalike: Command,
    rows: list[dict[str, Any]],
    rule: tuple[str, str],
    options: dict[str, Any],
    seed: int,
    parts: int,
    work: str,
    **more: Any,
) -> None:
    measure, threshold = rule
    flags = [*flags_of(options), "--measure", measure, "-t", threshold]
    given: dict[str, Any] = dict(options)
    others: dict[str, Any] = {}
    if more.get("within"):
        flags += ["--within", "kind"]
        given["within"] = "kind"
    if more.get("keep"):
        flags += ["--keep", more["keep"]]
        given["keep"] = more["keep"]
    if more.get("references"):
        others["against"] = [{**row, "id": "r" + row["id"]} for row in more["references"]]
        given["against"] = frame(session, others["against"], seed, 2)
    expected = {(row["id"], row["twin"], row["similarity"]) for row in lookalike("dedup", rows, *flags, **others)}
    with las.dedup(
        frame(session, rows, seed, parts),
        text="text",
        id="id",
        order_by=more.get("order", ["n"]),
        threshold=threshold,
        measure=measure,
        work=work,
        max_looked_at=more.get("most"),
        longest_list=more.get("longest", 1000),
        first_block=more.get("block", 1000),
        max_frequent=more.get("frequent", 1 << 18),
        partitions=more.get("partitions"),
        max_candidates=more.get("candidates"),
        max_pairs=more.get("pairs"),
        max_heavy=more.get("heavy"),
        task_memory=MEMORY,
        **given,
    ) as result:
        removed = result.removed.collect()
        assert {(row["id"], row["twin"], row["similarity"]) for row in removed} == expected
        assert len(removed) == len(expected)
        kept = sorted(row["n"] for row in result.kept.collect())
        gone = {row["id"] for row in removed}
        assert kept == [at for at, row in enumerate(rows) if row["id"] not in gone]
        texts = {row["id"]: row["text"] for row in rows}
        assert all(texts[row["id"]] is not None for row in removed)
        clusters = {(row["cluster"], row["id"]) for row in result.clusters.collect() if not row["kept"]}
        own = {(twin, id) for id, twin, _ in expected if not twin.startswith("r")}
        assert clusters == own


SHUFFLED = {"seed": st.integers(0, 99), "parts": st.integers(1, 17), "partitions": st.sampled_from([None, 1, 2, 5])}


@settings(max_examples=50)
@given(rows=documents(40), rule=RULES, options=OPTIONS, within=st.booleans(), order=ORDERS, **SHUFFLED)
def test_dedup(sail, lookalike, tmp_path, rows, rule, options, within, order, seed, parts, partitions):
    work = str(tmp_path)
    check_dedup(sail, lookalike, rows, rule, options, seed, parts, work, within=within, order=order, partitions=partitions)


@settings(max_examples=40)
@given(
    rows=documents(40),
    rule=RULES,
    options=OPTIONS,
    references=documents(20),
    most=st.sampled_from([1, 3, 40, 1 << 40]),
    block=st.sampled_from([1, 3, 1000]),
    hold=st.sampled_from([1, 4, 20, 1 << 20]),
    candidates=st.sampled_from([20, 1 << 40]),
    heavy=st.sampled_from([12, 1 << 40]),
    pairs=st.sampled_from([40, 1 << 40]),
    bits=st.booleans(),
    steps=st.booleans(),
    **SHUFFLED,
)
def test_dedup_in_blocks_and_against(
    sail, lookalike, tmp_path, monkeypatch, rows, rule, options, references, most, block, hold, candidates, heavy, pairs, bits, steps, seed, parts, partitions
):
    """Lists that are too long are compared block by block; those that no task can hold in tiles. The driver settles the sets in them part by
    part. Tasks know of a few sets which of them are in such lists, and take others for them."""
    monkeypatch.setattr("lookalike.spark._join.HELD", MEMORY // hold)
    if steps:
        # A task sums up the hits of a few candidates, and knows the places of three sets.
        monkeypatch.setattr("lookalike.spark._join.HITS", MEMORY // 200)
        monkeypatch.setattr("lookalike.spark._compare.WANTED", MEMORY // 3)
    if bits:
        monkeypatch.setattr("lookalike.spark._blocks.FILTER_SHARE", MEMORY)
        monkeypatch.setattr("lookalike.spark._blocks.IN_BLOCK", MEMORY // 5)
    limits = {"most": most, "longest": 1000 if most > 40 else most, "block": block, "candidates": candidates, "partitions": partitions}
    limits |= {"heavy": heavy, "pairs": pairs}
    limits["frequent"] = 1 if hold == 4 else 1 << 18
    check_dedup(sail, lookalike, rows, rule, options, seed, parts, str(tmp_path), references=references, **limits)


@settings(max_examples=20)
@given(rows=documents(30), rule=RULES, options=OPTIONS, references=documents(15), candidates=st.sampled_from([1, 20, 1 << 40]), pairs=st.sampled_from([1, 9]), **SHUFFLED)
def test_dedup_of_more_than_the_driver_takes(
    sail, lookalike, tmp_path, rows, rule, options, references, candidates, pairs, seed, parts, partitions
):
    """Candidates are taken in slices, and tasks decide in rounds."""
    limits = {"candidates": candidates, "pairs": pairs, "partitions": partitions}
    check_dedup(sail, lookalike, rows, rule, options, seed, parts, str(tmp_path), references=references, **limits)


@settings(max_examples=20)
@given(rows=documents(25), rule=RULES, keep=st.sampled_from(["last", "longest", "shortest", "max:stars", "min:stars"]), **SHUFFLED)
def test_dedup_in_other_orders(sail, lookalike, tmp_path, rows, rule, keep, seed, parts, partitions):
    options = {"tokens": "words", "bag": False, "case": "fold"}
    check_dedup(sail, lookalike, rows, rule, options, seed, parts, str(tmp_path), keep=keep, partitions=partitions)


def check_pairs(
    session, lookalike, tmp_path, rows, rule, options, others, seed, parts, partitions, candidates=None, within=False, order=("n",)
):
    measure, threshold = rule
    flags = [*flags_of(options), "--measure", measure, "-t", threshold, "--counts", *(["--within", "kind"] if within else [])]
    second = [{**row, "id": "s" + row["id"]} for row in others or []]
    expected = lookalike("pairs", rows, *flags, **({"with": second} if others is not None else {}))
    other = frame(session, second, seed, 3) if others is not None else None
    given = {"text": "text", "id": "id", "order_by": list(order), "threshold": threshold, "measure": measure, **options}
    given |= {"within": "kind"} if within else {}
    given |= {"partitions": partitions, "max_candidates": candidates, "task_memory": MEMORY}
    with las.pairs(frame(session, rows, seed, parts), other, work=str(tmp_path), **given) as result:
        names = ["a", "b", "similarity", "common", "size_a", "size_b"]
        found = sorted(tuple(row[name] for name in names) for row in result.pairs.collect())
    # For overlap the command's similarity is the count itself.
    assert found == sorted(tuple(row[name] for name in names) for row in expected)


@settings(max_examples=40)
@given(rows=documents(30), rule=RULES, options=OPTIONS, others=st.none() | documents(20), candidates=st.sampled_from([20, 1 << 40]), hold=st.sampled_from([1, 4, 20, 1 << 20]), within=st.booleans(), order=ORDERS, **SHUFFLED)
def test_pairs(sail, lookalike, tmp_path, monkeypatch, rows, rule, options, others, candidates, hold, within, order, seed, parts, partitions):
    """Also if a task does not hold the documents of a list, which are compared in tiles."""
    monkeypatch.setattr("lookalike.spark._join.HELD", MEMORY // hold)
    check_pairs(sail, lookalike, tmp_path, rows, rule, options, others, seed, parts, partitions, candidates, within, order)
