"""An index: in memory, in a folder, and as the command sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Command

import lookalike as la


def test_an_index_in_a_folder_is_one_in_memory(tmp_path: Path) -> None:
    batches = [
        {"a": "The ferry to the island leaves at nine.", "b": "Rain in the north."},
        {"c": "the ferry to the island leaves at nine", "d": "Rain in the north, and snow in the far south."},
        {"e": "Rain in the north and snow in the far south"},
    ]
    memory, folder = la.Index(), la.Index(tmp_path / "index")
    assert folder.query("nothing is there yet") == [] and len(folder) == 0
    for batch in batches:
        assert memory.add(batch) == folder.add(batch)
    assert memory.add({"f": batches[0]["a"]}) == [la.Settled("f", "a", 1.0, True)] == folder.add({"f": batches[0]["a"]})
    again = la.Index(tmp_path / "index")
    texts = [text for batch in batches for text in batch.values()]
    for text in texts:
        assert memory.query(text) == again.query(text)
    for threshold in (None, 0.8, "9/10", 1):
        assert memory.query_all(texts, threshold) == again.query_all(texts, threshold)
    for index in (memory, again):
        with pytest.raises(ValueError, match="0.8 or more, and not"):
            index.query("a text", 0.5)
    assert again.remove("a") and not again.remove("a")
    assert len(again) == 2 and again.query(batches[0]["a"]) == []
    assert len(la.Index(tmp_path / "index", threshold="4/5")) == 2
    with pytest.raises(ValueError, match="other settings"):
        la.Index(tmp_path / "index", threshold=0.9)
    with pytest.raises(ValueError, match="two documents have the id 'x'"):
        again.add([("x", "one"), ("x", "two")])


def test_a_folder_is_that_of_the_command(runner: Command) -> None:
    folder = runner.folder / "index"
    index = la.Index(folder, tokens="words", threshold=0.5)
    assert index.info()["documents"] == 0 and index.query_all(["a"]) == [[]]
    for at in range(3):
        index.add({f"d{at}": f"some words {at} {at}{at}"})
    shown = json.loads(runner.run("index", "show", folder, "--json"))
    assert index.info() == shown and index.check()["documents"] == shown["documents"]
    path = runner.write([{"id": "q", "text": "some words 1"}])
    runner.run("index", "query", folder, path, "-o", runner.folder / "found.jsonl", "-q")
    expected = [(row["match"], row["similarity"]) for row in runner.read("found.jsonl")]
    assert [tuple(match) for match in index.query("some words 1")] == expected
    assert index.remove("d0") and index.merge()["parts"] == 1
    assert len(index.info()["parts"]) == 1 and len(index) == 2


def test_documents_of_different_groups_are_not_compared(tmp_path: Path) -> None:
    rows = [{"id": at, "text": "some words", "shop": shop, "year": year} for at, (shop, year) in enumerate(["ax", "bx", "ay", "ax", "by"])]
    for folder in (None, tmp_path / "index"):
        index = la.Index(folder, within=["shop", "year"], tokens="words")
        assert [settled.twin for settled in index.add(rows)] == [None, None, None, "0", None]
        assert [match.id for match in index.query(rows[3])] == ["0"]
        assert [[match.id for match in matches] for matches in index.query_all(rows)] == [["0"], ["1"], ["2"], ["0"], ["4"]]
        assert index.query({**rows[0], "year": "z"}) == [] and index.info()["settings"]["within"] == ["shop", "year"]
        for wrong in ("some words", {"text": "some words", "shop": "a"}):
            with pytest.raises(KeyError, match="shop|year"):
                index.query(wrong)
    with pytest.raises(ValueError, match="other settings"):
        la.Index(tmp_path / "index", within="shop", tokens="words")
    with pytest.raises(ValueError, match="within names a column 'key'"):
        la.Index(tmp_path / "other", within="key").add([{"id": 1, "text": "a", "key": 1}])


def test_a_damaged_index_is_said(tmp_path: Path) -> None:
    index = la.Index(tmp_path / "index", tokens="words")
    index.add({"a": "one two three", "b": "four five six"})
    [part] = tmp_path.glob("index/part-*")
    part.write_bytes(part.read_bytes()[:-8] + b"12345678")
    with pytest.raises(OSError, match="part-"):
        index.check()


def test_memory_has_no_files() -> None:
    with pytest.raises(ValueError, match="in memory; make it with Index"):
        la.Index().merge()
    with pytest.raises(TypeError, match="query\\(\\) takes one text"):
        la.Index().query_all("a text")
