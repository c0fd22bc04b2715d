"""Functions from files to files write what the command writes, byte for byte, and return its report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from conftest import Command, documents
from hypothesis import given, settings

import lookalike as la

ROWS = [{"id": f"d{at}", "text": f"one two three four five six seven {at % 4}", "kind": "xy"[at % 2]} for at in range(20)]
WISHES: list[tuple[dict[str, Any], list[str]]] = [
    ({"threshold": "0.5", "tokens": "words", "counts": True}, ["-t", "0.5", "--tokens", "words", "--counts"]),
    ({"threshold": 3, "measure": "edit", "q": 2}, ["-t", "3", "--measure", "edit", "--q", "2"]),
    ({"top": 7, "distinct": True, "tokens": "words"}, ["--top", "7", "--distinct", "--tokens", "words"]),
    ({"top": 7, "measure": "edit", "case": "keep"}, ["--top", "7", "--measure", "edit", "--case", "keep"]),
    ({"threshold": 0.9, "algorithm": "ppjoin", "within": "kind"}, ["-t", "0.9", "--algorithm", "ppjoin", "--within", "kind"]),
    ({"threshold": 0.5, "limit_per_document": 2, "bag": True}, ["-t", "0.5", "--limit-per-document", "2", "--bag"]),
    ({"method": "minhash", "recall": 0.95, "memory": "64MB"}, ["--method", "minhash", "--recall", "0.95"]),
    ({"method": "by-site", "site": "field:kind"}, ["--method", "by-site", "--site", "field:kind"]),
]


@pytest.mark.parametrize("wish", range(len(WISHES)))
@pytest.mark.parametrize("two", [False, True])
def test_pairs(runner: Command, wish: int, two: bool) -> None:
    own, options = WISHES[wish]
    path, other = runner.write(ROWS), runner.write(ROWS[::3], "other.jsonl")
    runner.run("pairs", path, *(["--with", other] if two else []), "-o", runner.folder / "theirs.csv", *options, "-q")
    output, stats = runner.folder / "ours.csv", runner.folder / "stats.json"
    report = la.pairs_files(path, output=output, stats=stats, other=other if two else (), **own)
    assert output.read_bytes() == (runner.folder / "theirs.csv").read_bytes()
    assert report["pairs"] == len(output.read_text("utf-8").splitlines()) - 1
    assert json.loads(stats.read_text("utf-8"))["pairs"] == report["pairs"]


def test_plans_and_runs(runner: Command) -> None:
    path, state, output = runner.write(ROWS), runner.folder / "state", runner.folder / "pairs.jsonl"
    plan = la.pairs_files(path, output=output, memory="64MB", plan=True)
    theirs = json.loads(runner.run("pairs", path, "-o", output, "--memory", "64MB", "--plan", "--json"))
    assert plan["documents"] == theirs["documents"] and not output.exists()
    assert la.dedup_files(path, memory="64MB", plan=True)["documents"] == theirs["documents"]
    report = la.pairs_files(path, output=output, run=state, explain=True)
    assert report["explain"] and la.run_show(state)["is_finished"]
    assert la.run_show(state) == json.loads(runner.run("run", "show", state, "--json"))
    with pytest.raises(ValueError, match="restart"):
        la.pairs_files(path, 0.9, output=output, run=state, force=True)
    assert la.pairs_files(path, 0.9, output=output, run=state, restart=True, force=True)["threshold"] == 0.9
    with pytest.raises(ValueError, match="not the folder of a run"):
        la.run_show(runner.folder)


@settings(max_examples=8)
@given(rows=documents(20), archive=documents(6))
def test_checks(runner: Command, rows: list[dict[str, Any]], archive: list[dict[str, Any]]) -> None:
    if not rows or not archive:
        return
    path, old = runner.write(rows), runner.write([{**row, "id": f"old {row['id']}"} for row in archive], "old.jsonl")
    kept, removed = runner.folder / "kept.jsonl", runner.folder / "removed.jsonl"
    la.dedup_files(path, 0.5, tokens="words", against=old, output=kept, removed=removed, force=True)
    report = la.check_files(path, 0.5, kept=kept, removed=removed, against=old, tokens="words")
    assert report["passed"] and report["documents"] == len(rows)
    within = {"memory": "64MB", "tmp": runner.folder / "space"}
    (runner.folder / "space").mkdir(exist_ok=True)
    again = la.check_files(path, 0.5, kept=kept, removed=removed, against=old, tokens="words", **within)  # type: ignore[arg-type]
    assert again["memory"] != report["memory"] and again["passed"]
    with pytest.raises(ValueError, match="tmp no-such: there is no such folder"):
        la.check_files(path, 0.5, kept=kept, removed=removed, against=old, tokens="words", memory="1MB", tmp="no-such")
    strict = la.check_files(path, 0.5, kept=path, removed=removed, against=old, tokens="words")
    assert strict["passed"] == (report["removed"] == 0 and strict["breaches"] == 0)


@pytest.mark.parametrize(
    ("own", "options"),
    [
        ({}, []),
        ({"method": "simhash", "bits": 128, "tokens": "words"}, ["--method", "simhash", "--bits", "128", "--tokens", "words"]),
        ({"method": "features", "features": (4, 3, 1)}, ["--method", "features", "--features", "4,3,1"]),
    ],
)
def test_sketches(runner: Command, own: dict[str, Any], options: list[str]) -> None:
    path = runner.write(ROWS)
    runner.run("sketch", path, "-o", runner.folder / "theirs.jsonl", *options, "-q")
    la.sketch_files(path, output=runner.folder / "ours.jsonl", memory="64MB", **own)
    assert (runner.folder / "ours.jsonl").read_bytes() == (runner.folder / "theirs.jsonl").read_bytes()


def test_boilerplate(runner: Command) -> None:
    rows = [{"id": f"d{at}", "site": "s", "text": f"All rights reserved by the harbour office.\nown {at}"} for at in range(4)]
    path = runner.write(rows)
    line = ["--site", "field:site", "--min-pages", "3", "--min-share", "0.5"]
    runner.run("boilerplate", path, "-o", runner.folder / "theirs.table", *line, "-q")
    report = la.boilerplate_files(path, output=runner.folder / "ours.table", site="field:site", min_pages=3, min_share=0.5)
    assert (report["documents"], report["passages"]) == (4, 1)
    assert (runner.folder / "ours.table").read_bytes() == (runner.folder / "theirs.table").read_bytes()
    pairs = [la.pairs_files(path, 0.3, output=runner.folder / "p.csv", without=table, force=True)["pairs"]
             for table in (None, runner.folder / "ours.table")]
    assert pairs == [6, 0]


def test_comparisons(runner: Command) -> None:
    path = runner.write(ROWS)
    options = {"shingle": 3, "weighted": True, "bits": 128, "element": 2, "features": (4, 3, 1)}
    line = ["--shingle", "3", "--weighted", "--bits", "128", "--element", "2", "--features", "4,3,1"]
    theirs = json.loads(runner.run("compare", "d0", "d1", "--in", path, "--json", *line))
    ours = la.compare_files("d0", "d1", inputs=path, **options)  # type: ignore[arg-type]
    assert ours == theirs
    compared = la.compare(str(ROWS[0]["text"]), str(ROWS[1]["text"]), **options)  # type: ignore[arg-type]
    assert (compared.b_similarity, compared.c_similarity) == (theirs["b_similarity"], theirs["c_similarity"])
    assert compared.shared_features == theirs["shared_features"]
    assert [judged._asdict() for judged in compared.verdicts.values()] == [
        {"is_pair": verdict["pair"], "why": verdict["why"]} for verdict in theirs["verdicts"]
    ]


@pytest.mark.parametrize("make", [list, pl.DataFrame, pd.DataFrame])
def test_graphs(runner: Command, make: Callable[[Any], Any]) -> None:
    path = runner.write(ROWS)
    runner.run("pairs", path, "-t", "0.5", "--counts", "-o", runner.folder / "pairs.jsonl", "-q")
    found = la.pairs(make(ROWS), threshold=0.5)
    for by in (None, "common"):
        line = ["--by", by] if by else []
        theirs = json.loads(runner.run("graph", runner.folder / "pairs.jsonl", "--json", *line))
        assert la.graph(found, by=by) == theirs == la.graph(runner.folder / "pairs.jsonl", by=by)
    la.graph(found, svg=runner.folder / "plots")
    assert sorted(path.name for path in (runner.folder / "plots").iterdir()) == ["components.svg", "degrees.svg", "values.svg"]
    with pytest.raises(KeyError, match="no column 'a'"):
        la.graph(make([{"x": 1}]))


def test_filters(runner: Command) -> None:
    theirs = json.loads(runner.run("filter", "-t", "0.9", "--prior", "uniform", "--functions", "100", "--at", "0.5,0.9", "--json"))
    ours = la.design_filter(0.9, prior="uniform", functions=100, at=[0.5, 0.9], svg=runner.folder / "filter.svg")
    assert (ours.k, ours.s, ours.r) == tuple(theirs["filter"][name] for name in "ksr")
    assert [chance._asdict() for chance in ours.at] == theirs["at"] and (runner.folder / "filter.svg").exists()
    with pytest.raises(ValueError, match="recall"):
        la.design_filter(0.9, recall=2)


def test_bad_rows_are_counted_and_said(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id":"a","text":"one"}\n{"id":"b","text":\n{"id":"c","text":null}\n', "utf-8")
    with pytest.warns(UserWarning, match="1 rows could not be read and are left out: .*rows.jsonl, row 2"):
        corpus = la.Corpus(path)
    assert (len(corpus), corpus.unreadable, corpus.unusable) == (2, 1, 1)
    with pytest.raises(ValueError, match="row 2"):
        la.Corpus(path, strict=True)
    with pytest.raises(ValueError, match="row 2"):
        la.dedup_files(path, strict=True)
    assert la.Corpus(["a"]).unreadable == 0


def test_arguments_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"text":"one"}\n', "utf-8")
    with pytest.raises(TypeError, match="pairs_files\\(\\) got an unexpected keyword argument 'treshold'"):
        la.pairs_files(path, output=tmp_path / "out.csv", treshold=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="invalid value 'plenty' for 'algorithm"):
        la.pairs_files(path, output=tmp_path / "out.csv", algorithm="plenty")
    with pytest.raises(ValueError, match="is no size"):
        la.pairs_files(path, output=tmp_path / "out.csv", memory="plenty")
    with pytest.raises(ValueError, match="no row of the inputs has a field 'body'"):
        la.dedup(path, text="body")
