"""Labels, settings and second opinions: the figures are those of the command, whatever the tables come in."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import Command

import lookalike as la

ROWS = [
    {"id": f"d{at}", "text": f"the old harbour wall of town{at // 3} was rebuilt in {1900 + at % 3}", "year": at % 2} for at in range(60)
]
GROUPS = {row["id"]: f"g{at // 3}" for at, row in enumerate(ROWS)}
KINDS: list[Callable[[Any], Any]] = [list, pl.DataFrame, pd.DataFrame, pa.Table.from_pylist, lambda rows: {name: [row[name] for row in rows] for name in rows[0]}]


def labelled(seed: int = 1) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    pairs = [chance.sample(range(60), 2) for _ in range(80)] + [[at, at + 1] for at in range(0, 60, 3)]
    return [{"a": f"d{a}", "b": f"d{b}", "label": int(a // 3 == b // 3)} for a, b in pairs]


def figures(runner: Command, *arguments: object) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(runner.run(*arguments, "--json"))
    return answer


@pytest.mark.parametrize("make", KINDS)
def test_evaluate(runner: Command, make: Callable[[Any], Any]) -> None:
    documents, labels = runner.write(ROWS, "documents.jsonl"), runner.write(labelled(), "labels.jsonl")
    found = la.pairs_files(documents, 0.4, output=runner.folder / "found.jsonl", tokens="words")
    table = make(runner.read("found.jsonl"))
    line = ("evaluate", runner.folder / "found.jsonl", "--labels", labels, "-t", "0.7", "--documents", documents, "--by", "year")
    theirs = figures(runner, *line)
    ours = la.evaluate(table, make(labelled()), 0.7, documents=make(ROWS), by="year")
    assert ours == theirs == la.evaluate(runner.folder / "found.jsonl", labels, 0.7, documents=documents, by="year")
    assert found["pairs"] > ours["pairs"] > 0 and ours["right"] > 0 and ours["by"]


def test_evaluate_what_the_package_returns(runner: Command) -> None:
    documents = runner.write(ROWS, "documents.jsonl")
    groups = runner.write([{"id": id, "cluster": group} for id, group in GROUPS.items()], "groups.jsonl")
    result = la.dedup(ROWS, 0.7, tokens="words")
    paths = {name: runner.folder / f"{name}.jsonl" for name in ("removed", "clusters")}
    la.dedup_files(documents, 0.7, tokens="words", **paths)  # type: ignore[arg-type]
    for found, path in ((result, paths["clusters"]), (result.clusters, paths["clusters"]), (result.removed, paths["removed"])):
        assert la.evaluate(found, GROUPS) == figures(runner, "evaluate", path, "--labels", groups)
    pairs = la.pairs(ROWS, threshold=0.7, tokens="words")
    tuples = [(pair.a, pair.b, pair.similarity) for pair in pairs]
    assert la.evaluate(pairs, GROUPS) == la.evaluate(tuples, GROUPS) and la.evaluate(pairs, GROUPS)["clusters"]
    same = {(a, b) for a, b in ((f"d{n}", f"d{n + 1}") for n in range(0, 60, 3))}
    assert la.evaluate(tuples, same)["labels"] == "mapping"
    assert la.evaluate([], GROUPS)["missed"] == 60
    linked = la.evaluate([("d1", "d1")], [("d1", "d1", 1), ("d1", "d2", 0)], linked=True)
    assert linked["right"] == 1


def test_classes_and_columns() -> None:
    labels = pd.DataFrame({"left": [0, 0, 1], "right": [1, 2, 2], "kind": [0, 5, 1]})
    figures = la.evaluate(
        {"x": [0, 0], "y": [1, 2]}, labels, columns=["x", "y"], label_columns="left,right,kind", same=[0, 1]
    )
    assert (figures["right"], figures["wrong"], figures["missed"]) == (1, 1, 1)
    clusters = la.evaluate({"doc": [0, 1, 2], "bucket": [9, 9, 8]}, labels, columns="doc,bucket", clusters=True, label_columns="left,right,kind", same="0")
    assert clusters["right"] == 1 and clusters["found"] == "clusters"


@pytest.mark.parametrize("make", KINDS)
def test_calibrate(runner: Command, make: Callable[[Any], Any]) -> None:
    documents, labels = runner.write(ROWS, "documents.jsonl"), runner.write(labelled(), "labels.jsonl")
    theirs = figures(runner, "calibrate", documents, "--labels", labels, "--within", "year", "--tokens", "words,chars:3")
    ours = la.calibrate(make(ROWS), make(labelled()), within=["year"], tokens="words,chars:3")
    call = ours.pop("call")
    assert ours == {name: value for name, value in theirs.items() if name != "command"}
    assert call["threshold"] == ours["chosen"]["threshold"] and "command" in la.calibrate(documents, labels)
    found = la.pairs(make(ROWS), **call)
    assert la.evaluate(found, make(labelled()))["f1"]["value"] == pytest.approx(ours["f1"]["value"])


def test_texts_are_called_by_their_numbers() -> None:
    texts = [str(row["text"]) for row in ROWS]
    groups = dict(enumerate(GROUPS.values()))
    by_number, by_id = la.calibrate(texts, groups), la.calibrate(ROWS, GROUPS)
    assert by_number == by_id
    assert la.calibrate(pd.Series(texts), groups) == by_id
    with pytest.raises(TypeError, match="these are sets"):
        la.calibrate([{1, 2}, {3}], groups)


@pytest.mark.parametrize("make", KINDS)
def test_pairs_to_label(runner: Command, make: Callable[[Any], Any]) -> None:
    documents = runner.write(ROWS, "documents.jsonl")
    runner.run("calibrate", documents, "--label", 40, "-o", runner.folder / "ask.jsonl", "--tokens", "words", "-t", "0.7", "-q")
    asked = la.pairs_to_label(make(ROWS), 40, 0.7, tokens="words")
    rows = [row._asdict() for row in asked] if isinstance(asked, list) else pl.DataFrame(asked).to_dicts() if not isinstance(asked, pd.DataFrame) else asked.to_dict("records")
    assert [(row["a"], row["b"], row["similarity"]) for row in rows] == [(row["a"], row["b"], row["similarity"]) for row in runner.read("ask.jsonl")]
    answered = [{"a": row["a"], "b": row["b"], "label": int(int(row["a"][1:]) % 3 == int(row["b"][1:]) % 3)} for row in rows]
    assert la.calibrate(make(ROWS), make(answered))["enough"]["same"] == sum(row["label"] for row in answered)
    again = la.pairs_to_label(ROWS, 40, 0.7, tokens="words", labels=answered)
    assert not {(row["a"], row["b"]) for row in answered} & {(row.a, row.b) for row in again}


def test_passages_are_left_out(runner: Command) -> None:
    rows = [{**row, "text": f"All rights reserved by the harbour office.\n{row['text']}", "site": "s"} for row in ROWS]
    documents, labels = runner.write(rows, "documents.jsonl"), runner.write(labelled(), "labels.jsonl")
    table = runner.folder / "passages.jsonl"
    runner.run("boilerplate", documents, "-o", table, "--site", "field:site", "--min-pages", "5", "-q")
    theirs = figures(runner, "calibrate", documents, "--labels", labels, "--tokens", "words", "--without", table)
    assert theirs != figures(runner, "calibrate", documents, "--labels", labels, "--tokens", "words")
    ours = la.calibrate(rows, labelled(), tokens="words", without=table)
    assert {**ours, "command": 0, "call": 0} == {**theirs, "command": 0, "call": 0}
    runner.run("calibrate", documents, "--label", 10, "-o", runner.folder / "ask.jsonl", "--tokens", "words", "--without", table, "-q")
    asked = la.pairs_to_label(rows, 10, tokens="words", without=table)
    assert [(one.a, one.b, one.similarity) for one in asked] == [(row["a"], row["b"], row["similarity"]) for row in runner.read("ask.jsonl")]


@pytest.mark.parametrize(
    ("own", "line"),
    [
        ({"tokens": "words,chars:3", "measures": ["cosine"]}, ["--tokens", "words,chars:3", "--measures", "cosine"]),
        ({"tokens": "words", "try_text": ["text"], "within": ["year"]}, ["--tokens", "words", "--try-text", "text", "--within", "year"]),
        ({"tokens": "words", "same": [1], "complete": True}, ["--tokens", "words", "--same", "1", "--complete"]),
        ({"tokens": "words", "label_columns": ["left", "right"], "groups": True}, ["--tokens", "words", "--label-columns", "left,right", "--groups"]),
    ],
)
def test_pairs_to_label_around_what_labels_call_for(runner: Command, own: dict[str, Any], line: list[str]) -> None:
    labels: list[dict[str, Any]] = labelled()
    if "groups" in own:
        labels = [{"left": id, "right": group} for id, group in GROUPS.items()]
    documents, written = runner.write(ROWS, "documents.jsonl"), runner.write(labels, "labels.jsonl")
    runner.run("calibrate", documents, "--labels", written, "--label", 30, "-o", runner.folder / "ask.jsonl", "-q", *line)
    asked = la.pairs_to_label(ROWS, 30, labels=labels, **own)
    assert [(one.a, one.b, one.similarity) for one in asked] == [(row["a"], row["b"], row["similarity"]) for row in runner.read("ask.jsonl")]
    assert asked


@pytest.mark.parametrize("make", KINDS)
def test_verify(runner: Command, make: Callable[[Any], Any]) -> None:
    documents = runner.write(ROWS, "documents.jsonl")
    candidates = [{"a": f"d{at}", "b": f"d{at + 2}", "similarity": 0.8} for at in range(50)]
    line = ("verify", documents, "--candidates", runner.write(candidates, "candidates.jsonl"), "-t", "0.7", "--tokens", "words")
    theirs = figures(runner, *line, "-o", runner.folder / "verified.jsonl")
    ours = la.verify(make(ROWS), make(candidates), 0.7, tokens="words")
    table = ours.pop("table")
    timed = ("seconds", "input_bytes", "text_bytes", "peak_memory_bytes", "megabytes_per_second")
    keep = {name: value for name, value in ours.items() if name not in timed}
    assert keep == {name: value for name, value in theirs.items() if name not in timed}
    first = table[0] if isinstance(table, list) else None
    assert len(table) == 50 and (first is None or first.similarity == runner.read("verified.jsonl")[0]["similarity"])
    clusters = la.verify(make(ROWS), {f"d{at}": at // 6 for at in range(60)}, 0.7, tokens="words")
    assert clusters["candidates"] == "clusters" and clusters["table"][5] == la.VerifiedMember(0, 2, "d5", False, "d4", 9 / 11)
    files = la.verify(documents, runner.folder / "candidates.jsonl", 0.7, tokens="words", output=runner.folder / "own.jsonl")
    assert "table" not in files and (runner.folder / "own.jsonl").read_bytes() == (runner.folder / "verified.jsonl").read_bytes()


@pytest.mark.parametrize("make", KINDS)
def test_reports(runner: Command, make: Callable[[Any], Any]) -> None:
    documents, ours, theirs = runner.write(ROWS, "data.jsonl"), runner.folder / "ours.html", runner.folder / "theirs.html"
    runner.run("dedup", documents, "-t", "0.7", "--tokens", "words", "--keep", "last", "--report", theirs, "--by", "year", "-q")
    result = la.dedup(make(ROWS), 0.7, tokens="words", keep="last")
    result.report(ours, by="year")
    # The page names where the data was.
    named = theirs.read_text("utf-8").replace(str(documents), "data.jsonl")
    assert ours.read_text("utf-8") == named
    with pytest.raises(OSError, match="already exists"):
        result.report(ours)
    result.report(ours, force=True)
    la.evaluate(result, GROUPS, report=runner.folder / "evaluate.html")
    la.calibrate(make(ROWS), GROUPS, report=runner.folder / "calibrate.html")
    for name in ("evaluate", "calibrate"):
        page = (runner.folder / f"{name}.html").read_text("utf-8")
        assert "Content-Security-Policy" in page and "lookalike-" not in page


def test_reports_of_other_corpora(tmp_path: Path) -> None:
    texts = ["Zürich", "Zurich", "Bern"]
    for options in ({"measure": "edit", "threshold": 1}, {"method": "minhash"}, {"against": ["Bern"]}, {"keep": [2, 1, 0]}):
        la.dedup(texts, **options).report(tmp_path / "page.html", force=True)  # type: ignore[arg-type]
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id":"x","text":"one"}\n{"id":"y","text":"one"}\n', "utf-8")
    la.dedup(path).report(tmp_path / "files.html")
    assert "1 of 2 documents" in (tmp_path / "files.html").read_text("utf-8")
    report = la.pairs_files(path, output=tmp_path / "pairs.csv", report=tmp_path / "pairs.html")
    assert report["pairs"] == 1 and (tmp_path / "pairs.html").exists()
    with pytest.raises(ValueError, match="these documents are sets"):
        la.dedup([{1}, {1}]).report(tmp_path / "sets.html")


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="cannot read a table"):
        la.evaluate(["a", "b"], GROUPS)
    with pytest.raises(ValueError, match="two ids, or two ids and a similarity"):
        la.evaluate([(1, 2, 3, 4)], GROUPS)
    with pytest.raises(KeyError, match="no column 'x'"):
        la.evaluate({"a": [1], "b": [2]}, GROUPS, columns="x,y")
    with pytest.raises(FileNotFoundError):
        la.evaluate(str(tmp_path / "none.csv"), GROUPS)
    with pytest.raises(ValueError, match="no labelled pair"):
        la.calibrate(ROWS, [("d0", "d5", 0)])
    with pytest.raises(TypeError, match="unexpected keyword argument 'treshold'"):
        la.verify(ROWS, [("d0", "d1")], treshold=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="format is for files"):
        la.calibrate(ROWS, GROUPS, format="jsonl")
