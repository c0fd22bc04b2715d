"""Windows, indexes, signatures, tokens and comparisons read documents as the command does: pages, addresses, passages left out, long texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import Command, Rows
from hypothesis import given, settings
from hypothesis import strategies as st
from test_without import FOOTERS, rows_of, table_of

import lookalike as la

# Arguments, and the same as options of the command. "TABLE" is replaced by a table of passages.
READINGS: list[tuple[dict[str, Any], list[str]]] = [
    ({"bag": True, "case": "keep", "tokens": "words:2"}, ["--bag", "--case", "keep", "--tokens", "words:2"]),
    ({"html": "page", "url": "url", "tokens": "words"}, ["--html", "page", "--url", "url", "--tokens", "words"]),
    ({"html": "page", "page": "main", "tokens": "words"}, ["--html", "page", "--page", "main", "--tokens", "words"]),
    ({"text": ["source", "text"], "max_document": 60, "tokens": "words"}, ["--text", "source,text", "--max-document", "60", "--tokens", "words"]),
    ({"url": "url", "without": "TABLE", "tokens": "words"}, ["--url", "url", "--without", "TABLE", "--tokens", "words"]),
    (
        {"html": "page", "url": "url", "without": "TABLE", "tokens": "chars:3"},
        ["--html", "page", "--url", "url", "--without", "TABLE", "--tokens", "chars:3"],
    ),
]
SITES = ["registered", "field:source"]


def reading(runner: Command, rows: Rows, which: int, site: str) -> tuple[Path, dict[str, Any], list[str]]:
    path = runner.write(rows)
    own, line = READINGS[which]
    if "without" not in own:
        return path, own, line
    how = [option for name in ("html", "url") if name in own for option in (f"--{name}", own[name])]
    table = table_of(runner, path, site, *how)
    return path, {**own, "without": table}, [str(table) if one == "TABLE" else one for one in line]


def frames(rows: Rows) -> list[Any]:
    whole = {name: [row[name] for row in rows] for name in rows[0]}
    schema = {name: pl.String for name in whole}
    return [rows, whole, pl.DataFrame(whole, schema=schema), pd.DataFrame(whole), pa.table(whole, schema=pl.DataFrame([], schema).to_arrow().schema)]


every_reading = pytest.mark.parametrize(("which", "site"), [(at, site) for at in range(len(READINGS)) for site in SITES[: 1 + (at > 3)]])


@every_reading
@settings(max_examples=5)
@given(rows=rows_of(8))
def test_signatures(runner: Command, which: int, site: str, rows: Rows) -> None:
    path, own, line = reading(runner, rows, which, site)
    for method, signer in (("minhash", la.MinHash), ("features", la.Features), ("simhash", la.SimHash)):
        if method == "simhash":
            own = {name: value for name, value in own.items() if name != "bag"}
            line = [one for one in line if one != "--bag"]
        runner.run("sketch", path, "--method", method, "-o", runner.folder / "theirs.jsonl", "-q", "--force", *line)
        theirs = [row["signature"] for row in runner.read("theirs.jsonl")]
        for data in frames(rows):
            assert [None if one is None else one.hex() for one in la.sketch(data, method, **own)] == theirs
        one_by_one = [signer(**own).sign(row) for row in rows]  # type: ignore[attr-defined]
        assert [None if one is None else one.hex() for one in one_by_one] == theirs


@every_reading
@settings(max_examples=5)
@given(rows=rows_of(8), index=st.sampled_from(["prefix", "bitmaps"]), compare_with=st.sampled_from(["all", "accepted"]))
def test_windows(runner: Command, which: int, site: str, rows: Rows, index: str, compare_with: str) -> None:
    rows = [{**row, "time": 1_000 * at} for at, row in enumerate(rows)]
    path, own, line = reading(runner, rows, which, site)
    theirs, ours = runner.folder / "theirs.jsonl", runner.folder / "ours.jsonl"
    line = [*line, "--measure", "jaccard", "-t", "0.6", "--index", index, "--compare-with", compare_with, "--window", "1h", "--segment", "30m"]
    runner.run("stream", path, "-o", theirs, "-q", "--force", *line)
    window = la.Window(1, segment=0.5, threshold="3/5", index=index, compare_with=compare_with, **own)
    for row, told in zip(rows, runner.read("theirs.jsonl"), strict=True):
        time = float(str(row["time"]))
        before = window.query(row, time)
        verdict = window.add(row, time)
        assert before == verdict and told["id"] == row["id"]
        found = [{"id": one.id, "similarity": one.similarity, "age": one.age} for one in verdict.matches]
        assert [verdict.verdict, verdict.of, verdict.similarity, found] == [told[name] for name in ("verdict", "of", "similarity", "matches")]
    options = {**own, "measure": "jaccard", "index": index, "compare_with": compare_with, "window": "1h", "segment": "30m"}
    la.stream_files(path, 0.6, output=ours, force=True, **options)
    assert ours.read_bytes() == theirs.read_bytes()


@every_reading
@settings(max_examples=4)
@given(rows=rows_of(9), first=st.integers(1, 6), is_within=st.booleans())
def test_indexes(
    runner: Command, which: int, site: str, rows: Rows, first: int, is_within: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path, own, line = reading(runner, rows, which, site)
    named, asking = own, [one for one in line if one != "--bag"]
    if is_within:
        own, line = {**own, "within": "source"}, [*line, "--within", "source"]
    folders = tmp_path_factory.mktemp("indexes")
    memory = la.Index(threshold=0.6, **own)
    folder = la.Index(folders / "ours", threshold="3/5", memory="64MB", threads=2, **own)
    by_files = [la.Index(threshold=0.6, **own), la.Index(folders / "files", threshold=0.6, **own)]
    # The last batch replaces documents.
    for number, batch in enumerate((rows[:first], rows[first:], [rows[0], rows[-1]])):
        if not batch:
            continue
        made = frames(batch)[number]
        settled = memory.add(made)
        assert settled == folder.add(made)
        file, removed = runner.write(batch, f"batch{number}.jsonl"), runner.folder / "removed.jsonl"
        adding = ["--existing", "replace", "--removed", removed, "-t", "0.6", "--force", "-q"]
        runner.run("dedup", file, "--index", folders / "theirs", *adding, *line)
        found = [{"id": one.id, "twin": one.twin, "similarity": one.similarity} for one in settled if not one.is_added]
        assert found == [{name: row[name] for name in ("id", "twin", "similarity")} for row in runner.read("removed.jsonl")]
        for other in by_files:
            assert other.add(file) == settled
    assert la.Index(folders / "theirs", threshold=0.6, **own).info()["documents"] == len(memory) == len(folder)
    asked = memory.query_all(rows)
    assert [memory.query(row) for row in rows] == asked
    for index in (folder, *by_files):
        assert index.query_all(path) == index.query_all(frames(rows)[2]) == asked
    for name in ("--tokens", "--case", "--page"):
        if name in asking:
            at = asking.index(name)
            del asking[at : at + 2]
    runner.run("index", "query", folders / "theirs", path, "-o", runner.folder / "theirs.csv", "--force", "-q", *asking)
    kept = {name: value for name, value in named.items() if name not in ("bag", "tokens", "case", "page")}
    la.index_query_files(folders / "theirs", path, output=runner.folder / "ours.csv", memory="64MB", threads=2, force=True, **kept)
    assert (runner.folder / "ours.csv").read_bytes() == (runner.folder / "theirs.csv").read_bytes()


@every_reading
@settings(max_examples=3)
@given(rows=rows_of(5))
def test_tokens_and_comparisons(runner: Command, which: int, site: str, rows: Rows) -> None:
    path, own, line = reading(runner, rows, which, site)
    own = {name: value for name, value in own.items() if name != "max_document"}
    line = line[: line.index("--max-document")] + line[line.index("--tokens") :] if "--max-document" in line else line
    for row in rows[:2]:
        theirs = json.loads(runner.run("tokens", path, "--pick", row["id"], "--json", *line))
        seen = la.tokens(row, **own)
        assert seen.tokens == theirs["tokens"]
        assert [{"shingle": shingle, "hash": f"{hash:016x}"} for shingle, hash in seen.shingles] == theirs["shingles"]
        assert la.tokens_files(path, pick=row["id"], **own) == theirs
    theirs = json.loads(runner.run("compare", "d0", "d1", "--in", path, "--json", *line))
    compared = la.compare(rows[0], rows[1], **own)
    names = ("identical", "common", "b_similarity", "c_similarity", "shared_features", "term_difference")
    assert [getattr(compared, name) for name in names] == [theirs[name] for name in names]
    assert compared.measures == {one["measure"]: one["value"] for one in theirs["measures"]}


def test_boilerplate(runner: Command) -> None:
    rows = [{"id": f"d{at}", "source": "s", "body": f"{FOOTERS[0]}\nown {at}"} for at in range(4)]
    path = runner.write(rows)
    runner.run("boilerplate", path, "-o", runner.folder / "theirs.table", "--text", "body", "--site", "field:source", "--min-pages", "3", "-q")
    for data in frames(rows):
        output = runner.folder / "ours.table"
        report = la.boilerplate(data, output=output, text="body", site="field:source", min_pages=3, force=True)
        assert report["passages"] == 1 and output.read_bytes() == (runner.folder / "theirs.table").read_bytes()


def test_documents_without_a_usable_text(tmp_path: Path) -> None:
    long = "a long text of words"
    for index in (la.Index(max_document=10, tokens="words"), la.Index(tmp_path / "index", max_document=10, tokens="words")):
        assert all(settled.is_added for settled in index.add({"a": long, "b": None, "c": long, "d": "short"}))
        assert len(index) == 4
        assert index.query(long) == [] and index.query_all([long, None, "short"]) == [[], [], [la.IndexMatch("d", 1.0)]]
    window = la.Window(max_document=10, tokens="words")
    for document in (long, long, None, {"text": None}):
        assert window.add(document, time=0) == la.Verdict("new", None, None, [])
    assert len(window) == 0 and window.add("naïve", time=0).is_new and len(window) == 1
    assert la.sketch([long, "short"], max_document=10)[0] is None and la.MinHash(max_document=10).sign(long) is None
    # As many bytes as are allowed.
    assert la.SimHash(max_document=6).sign("naïve") is not None and la.SimHash(max_document=5).sign("naïve") is None
    for ask in (lambda: la.tokens(long, max_document=10), lambda: la.compare(long, "a", max_document=10), lambda: la.tokens({"text": None})):
        with pytest.raises(ValueError, match="no text, or one that is longer than max_document"):
            ask()


def test_ids(tmp_path: Path) -> None:
    for folder in (None, tmp_path / "index"):
        index = la.Index(folder, tokens="words", id="key")
        assert [one.id for one in index.add(pl.DataFrame({"key": [1, 2], "text": ["a", "b"]}))] == ["1", "2"]
        assert index.query({"key": 1, "text": "b"}) == [la.IndexMatch("2", 1.0)]
        for data, why in (
            (pd.DataFrame({"key": [None, "x"], "text": ["c", "d"]}), "row 0 has no id"),
            ([{"key": "x", "text": "c"}, {"key": "x", "text": "d"}], "two documents have the id 'x'"),
        ):
            with pytest.raises(ValueError, match=why):
                index.add(data)
        with pytest.raises(KeyError, match="no column 'key'"):
            index.add([{"text": "a"}])
        assert len(index) == 2
    with pytest.raises(ValueError, match="needs an id; name the column"):
        la.Index().add(["a text"])
    with pytest.raises(TypeError, match="an id and a text, but one is"):
        la.Index().add([("a", "b"), ("c", "d", "e")])  # type: ignore[list-item]
    window = la.Window(id="key", tokens="words")
    window.add({"key": 7, "text": "a"}, time=0)
    window.add({"key": 8, "text": "b"}, time=0, id="own")
    assert [window.query({"key": None, "text": text}, time=0).of for text in "ab"] == ["7", "own"]


def test_several_are_removed_at_once(tmp_path: Path) -> None:
    for folder in (None, tmp_path / "index"):
        index = la.Index(folder, tokens="words", threads=2)
        index.add([(f"d{at}", f"word{at}") for at in range(6)])
        assert index.remove("d0") == 1 and index.remove("d0") == 0 and index.remove([]) == 0
        assert index.remove(["d0", "d1", "none", "d2"]) == 2 and index.remove(f"d{at}" for at in (3, 4)) == 2
        assert len(index) == 1 and index.query("word5") and not index.query("word1")


def test_progress_and_memory_of_an_index(tmp_path: Path) -> None:
    rows = [(f"d{at}", f"word{at} some words of many") for at in range(20)]
    for folder in (None, tmp_path / "index"):
        stages: set[str] = set()
        index = la.Index(folder, threshold=0.5)

        def tell(stage: str, done: int, total: int, stages: set[str] = stages) -> None:
            stages.add(stage)

        index.add(rows, progress=tell)
        assert {"reading", "asking index"} <= stages, stages
        stages.clear()
        index.query_all([text for _, text in rows], progress=tell)
        assert "reading" in stages, stages
    small = la.Index(tmp_path / "index", threshold=0.5, memory="1B")
    for ask in (lambda: small.query("a word"), small.merge, lambda: small.add({"a": "b"})):
        with pytest.raises((MemoryError, ValueError), match="memory"):
            ask()
    assert la.Index(tmp_path / "index", threshold=0.5, memory="1GB").merge()["parts"] == 1


def test_an_index_is_opened_with_its_settings(runner: Command) -> None:
    rows = [{"id": f"d{at}", "text": f"{FOOTERS[0]}\nown {at}"} for at in range(3)]
    path = runner.write(rows)
    table = table_of(runner, path, "registered")
    folder = runner.folder / "index"
    la.Index(folder, without=table).add(rows)
    assert len(la.Index(folder, without=table)) == 3
    with pytest.raises(ValueError, match="other settings"):
        la.Index(folder)
    with pytest.raises(ValueError, match="other settings"):
        la.Index(folder, without=table, html="page", page="main")
    runner.run("dedup", path, "--index", runner.folder / "within", "--within", "id", "-q")
    with pytest.raises(ValueError, match="other settings"):
        la.Index(runner.folder / "within")


def test_what_is_wrong_is_said() -> None:
    for make in (la.Window, la.Index, la.MinHash, la.SimHash, la.Features, la.tokens, la.compare, la.sketch, la.calibrate):
        texts = {"tokens": ["a"], "compare": ["a", "b"], "sketch": [["a"]], "calibrate": [["a"], {}]}.get(make.__name__, [])
        with pytest.raises(TypeError, match="unexpected keyword argument 'treshold'"):
            make(*texts, treshold=1)
    for make in (la.Window, la.MinHash):
        with pytest.raises(ValueError, match="page is for web pages"):
            make(page="main")
        with pytest.raises(ValueError, match="either text or html"):
            make(text="a", html="b")
    with pytest.raises(KeyError, match="no column 'body'"):
        la.Window(html="body").add("a page", time=0)
    with pytest.raises(KeyError, match="no column 'body'"):
        la.tokens({"text": "a"}, html="body")
    with pytest.raises(TypeError, match="these are sets"):
        la.Window().add(["a", "b"], time=0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'tree' is not a value of index. Use prefix or bitmaps"):
        la.Window(index="tree")
    with pytest.raises(ValueError, match="Use all or accepted"):
        la.Window(compare_with="new")
    with pytest.raises(ValueError, match="simhash"):
        la.SimHash(bag=True)
