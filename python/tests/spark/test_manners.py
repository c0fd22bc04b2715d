"""What is refused and how, orders, pages, signatures."""

from __future__ import annotations

from typing import Any

import pytest

from lookalike import spark as las

from .conftest import Command, answer

SCHEMA = "n int, id string, text string"


def test_rows_without_an_order_are_refused(sail, tmp_path):
    df = sail.createDataFrame([(1, "a", "x y"), (1, "b", "x y"), (2, "c", "z")], SCHEMA)
    with pytest.raises(ValueError, match=r"order_by does not order all rows: .*'a' and 'b' are equal in it \(1\)"):
        las.dedup(df, text="text", id="id", order_by=["n"], work=str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_wrong_arguments(sail, tmp_path):
    df = sail.createDataFrame([(1, "a", "x y")], SCHEMA)
    given: dict[str, Any] = {"text": "text", "id": "id", "order_by": ["n"], "work": str(tmp_path)}
    for error, says, change in [
        (KeyError, r"no column 'body' \(columns: n, id, text\)", {"text": "body"}),
        (TypeError, "column 'n' has values of the type int", {"text": "n"}),
        (ValueError, "threshold 2 is out of range", {"threshold": 2}),
        (ValueError, "is a distance", {"measure": "hamming"}),
        (ValueError, "give text=", {"text": None}),
        (ValueError, "not a keep order", {"keep": "best"}),
        (ValueError, "partitions must be", {"partitions": 0}),
        (TypeError, "order_by names columns", {"order_by": [1]}),
        (OSError, "the executors cannot use the folder '/proc/none'", {"work": "/proc/none"}),
    ]:
        with pytest.raises(error, match=says):
            las.dedup(df, **{**given, **change})
    assert not list(tmp_path.iterdir())


def test_too_many_pairs_are_an_error(sail, tmp_path):
    df = sail.createDataFrame([(n, f"d{n}", f"one two three {n}") for n in range(50)], SCHEMA)
    with pytest.raises(MemoryError, match="max_looked_at"):
        las.pairs(df, text="text", id="id", threshold=0.2, tokens="words", work=str(tmp_path), max_looked_at=10)


def test_descending_orders_and_types(sail, tmp_path):
    rows = [(1.5, None, "b", "x y z"), (float("nan"), 3, "a", "x y z"), (-0.0, 4, "c", "x y z"), (0.0, 5, "d", "x y z")]
    df = sail.createDataFrame(rows, "price double, rank int, id string, text string")
    given: dict[str, Any] = {"text": "text", "id": "id", "work": str(tmp_path)}
    for order, first in [
        (["price", "id"], "c"),
        (["-price"], None),
        ([("price", "desc"), "id"], "a"),
        (["rank"], "b"),
        (["-rank"], "d"),
        (["-id"], "d"),
    ]:
        if first is None:
            with pytest.raises(ValueError, match="does not order all rows"):
                las.dedup(df, order_by=order, **given)
            continue
        with las.dedup(df, order_by=order, **given) as result:
            assert [row["id"] for row in result.kept.collect()] == [first]


def test_pages(sail, lookalike: Command, tmp_path):
    pages = [f"<html><title>{n % 3}</title><p>the ferry number {n % 4} leaves at nine</p><script>{n}</script></html>" for n in range(12)]
    rows = [{"id": f"p{at}", "html": html, "url": f"http://a/{at}"} for at, html in enumerate(pages)]
    found = lookalike("dedup", rows, "--html", "html", "-t", "0.5", "--tokens", "words:2")
    df = sail.createDataFrame([(at, *row.values()) for at, row in enumerate(rows)], "n int, id string, html string, url string")
    with las.dedup(df, html="html", url="url", id="id", order_by=["n"], threshold=0.5, tokens="words:2", work=str(tmp_path)) as result:
        assert {(row["id"], row["twin"], row["similarity"]) for row in found} == {row[:3] for row in answer(result)}
        assert len(found) == 11 or found


def test_signatures(sail, lookalike: Command):
    rows = [{"id": f"d{at}", "text": text} for at, text in enumerate(["a b c d e f g", "b c d", "", "x y z a b c d"])]
    df = sail.createDataFrame([tuple(row.values()) for row in rows], "id string, text string")
    for method, options, flags in [
        ("minhash", {"functions": 16}, ["--functions", "16"]),
        ("simhash", {"bits": 64}, ["--bits", "64"]),
    ]:
        written = lookalike("sketch", rows, "--method", method, *flags, "--tokens", "words:2")
        signed = las.sketch(df, method, text="text", id="id", tokens="words:2", **options).collect()
        assert {row["id"]: row["signature"] for row in written} == {
            row["id"]: None if row["signature"] is None else bytes(row["signature"]).hex() for row in signed
        }
