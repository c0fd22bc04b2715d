"""What is refused and how, orders, pages, signatures."""

from __future__ import annotations

import os
import subprocess
from typing import Any

import pyarrow as pa
import pytest

import lookalike as la
from lookalike import spark as las
from lookalike.spark._archives import Read

from .conftest import EXAMPLES, Command, answer, rows_of

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


def test_too_many_pairs_are_an_error(sail, tmp_path, monkeypatch):
    df = sail.createDataFrame([(n, f"d{n}", f"one two three {n}") for n in range(50)], SCHEMA)
    given: dict[str, Any] = {"text": "text", "id": "id", "threshold": 0.2, "tokens": "words", "work": str(tmp_path)}
    with pytest.raises(MemoryError, match="max_looked_at"):
        las.pairs(df, max_looked_at=10, **given)
    # Also if they come in tiles, because a task holds one posting.
    monkeypatch.setattr("lookalike.spark._join.HELD", 1 << 40)
    with pytest.raises(MemoryError, match="max_looked_at"):
        las.pairs(df, max_looked_at=1000, **given)
    with las.pairs(df, **given) as result:
        assert result.pairs.count() == 50 * 49 // 2


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


def test_several_columns_of_text(sail, tmp_path):
    """They are one text, also if some are null."""
    values = ["ant bee cat", "bee cat dog", "ant bee", "", None, "cat dog eel fox"]
    rows = [(at, f"d{at}", values[at % 6], values[at * 5 // 7 % 6]) for at in range(60)]
    columns = {name: [row[at] for row in rows] for at, name in [(1, "id"), (2, "title"), (3, "body")]}
    corpus = la.Corpus(columns, text=["title", "body"], id="id", tokens="words:2")
    df = sail.createDataFrame(rows, "n int, id string, title string, body string").repartition(3)
    given: dict[str, Any] = {"text": ["title", "body"], "id": "id", "order_by": ["n"], "tokens": "words:2", "threshold": 0.5, "work": str(tmp_path)}
    with las.dedup(df, **given) as result:
        assert answer(result) == {(one.id, one.twin, one.similarity, one.identical) for one in corpus.dedup(0.5).removed}
        assert 10 < len(answer(result)) < 60
    with las.pairs(df, **given) as result:
        found = {(row["a"], row["b"], row["similarity"]) for row in result.pairs.collect()}
    assert found == {(pair.a, pair.b, pair.similarity) for pair in corpus.pairs(0.5)}


def test_pages(sail, lookalike: Command, tmp_path):
    pages = [f"<html><title>{n % 3}</title><p>the ferry number {n % 4} leaves at nine</p><script>{n}</script></html>" for n in range(12)]
    rows = [{"id": f"p{at}", "html": html, "url": f"http://a/{at}"} for at, html in enumerate(pages)]
    found = lookalike("dedup", rows, "--html", "html", "-t", "0.5", "--tokens", "words:2")
    df = sail.createDataFrame([(at, *row.values()) for at, row in enumerate(rows)], "n int, id string, html string, url string")
    with las.dedup(df, html="html", url="url", id="id", order_by=["n"], threshold=0.5, tokens="words:2", work=str(tmp_path)) as result:
        assert {(row["id"], row["twin"], row["similarity"]) for row in found} == {row[:3] for row in answer(result)}
        assert len(found) > 5


def test_archives(sail, lookalike: Command, tmp_path, monkeypatch):
    """The documents of archives, and the answer of the command on them."""
    archive = EXAMPLES / "crawl.warc.gz"
    folder = tmp_path / "crawl"
    folder.mkdir()
    for name in ("b.warc.gz", "a.warc.gz"):
        (folder / name).write_bytes(archive.read_bytes())
    (folder / "notes.txt").write_text("no archive")
    pages = las.read_warc(sail, str(folder)).toArrow().to_pylist()
    assert {page["file"] for page in pages} == {f"{folder}/a.warc.gz", f"{folder}/b.warc.gz"}
    pages = [page for page in pages if page["file"].endswith("a.warc.gz")]
    assert all(page["html"].startswith("<!doctype html>") and page["text"] is None for page in pages)
    assert pages[0]["time"] == "2025-10-12T12:00:00Z"
    # Long pages leave a task a few at a time.
    monkeypatch.setattr("lookalike.spark._archives.PIECE", 1)
    batches = list(Read(1 << 20)(iter([pa.RecordBatch.from_pydict({"file": [str(archive)]})])))
    assert [batch.num_rows for batch in batches] == [1] * len(pages)
    monkeypatch.undo()
    command = [os.environ["LOOKALIKE_COMMAND"], "dedup", str(archive), "-t", "0.5", "--removed", str(tmp_path / "removed.jsonl")]
    subprocess.run(command, check=True, capture_output=True)
    expected = [(row["id"], row["twin"], row["similarity"]) for row in rows_of(tmp_path / "removed.jsonl")]
    rows = las.read_warc(sail, [str(archive)])
    given: dict[str, Any] = {"html": "html", "url": "url", "id": "id", "order_by": ["file", "record"], "threshold": 0.5}
    with las.dedup(rows, work=str(tmp_path / "work"), **given) as result:
        assert sorted(row[:3] for row in answer(result)) == sorted(expected)
    assert expected
    for path in (tmp_path / "none", tmp_path / "work"):
        with pytest.raises(FileNotFoundError, match=path.name):
            las.read_warc(sail, str(path))


def test_signatures(sail, lookalike: Command):
    rows = [{"id": f"d{at}", "text": text} for at, text in enumerate(["a b c d e f g", "b c d", "", "x y z a b c d"])]
    df = sail.createDataFrame([tuple(row.values()) for row in rows], "id string, text string")
    for method, options, flags in [
        ("minhash", {"functions": 16}, ["--functions", "16"]),
        ("simhash", {"bits": 64}, ["--bits", "64"]),
        ("features", {"filter": (4, 2, 1)}, ["--features", "4,2,1"]),
    ]:
        written = lookalike("sketch", rows, "--method", method, *flags, "--tokens", "words:2")
        signed = las.sketch(df, method, text="text", id="id", tokens="words:2", **options).collect()
        assert {row["id"]: row["signature"] for row in written} == {
            row["id"]: None if row["signature"] is None else bytes(row["signature"]).hex() for row in signed
        }
