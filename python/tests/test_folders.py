"""From files to files, and an index in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Command, documents
from hypothesis import given, settings

import lookalike as la


@settings(max_examples=10)
@given(rows=documents(30))
def test_files_as_the_command_writes_them(runner: Command, rows: list[dict[str, object]]) -> None:
    if not rows:
        return
    expected = runner.dedup(rows, "--tokens", "words", "-t", "0.5", "--keep", "longest")
    outputs = {name: runner.folder / f"own {name}.jsonl" for name in ("output", "removed", "pairs", "clusters")}
    path = runner.folder / "rows.jsonl"
    report = la.dedup_files(path, 0.5, keep="longest", tokens="words", force=True, memory="64MB", **outputs)  # type: ignore[arg-type]
    assert report["kept"] == len(expected["kept"])
    for name, own in (("kept", "output"), ("removed", "removed"), ("pairs", "pairs"), ("clusters", "clusters")):
        assert outputs[own].read_bytes() == (runner.folder / f"{name}.jsonl").read_bytes()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text":"a"}\n', "utf-8")
    (tmp_path / "out.jsonl").write_text("mine", "utf-8")
    with pytest.raises((OSError, ValueError), match="out.jsonl"):
        la.dedup_files(tmp_path / "a.jsonl", output=tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text("utf-8") == "mine"


def test_texts_of_files_are_explained(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "to be or not"}, {"id": "b", "text": "to be or so"}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    result = la.dedup(tmp_path / "a.jsonl", 0.5, tokens="words")
    assert result.explain("b").diff() == "to be or [-so-] {+not+}"
    assert result.explain("a", "b").measures["jaccard"] == 0.6


def test_a_stopped_call_leaves_nothing(tmp_path: Path) -> None:
    inputs, outputs = tmp_path / "in", tmp_path / "out"
    inputs.mkdir()
    outputs.mkdir()
    lines = (json.dumps({"id": str(at), "text": f"{at} " * 40 + "some words that all of them have"}) for at in range(30_000))
    (inputs / "rows.jsonl").write_text("\n".join(lines), "utf-8")
    stages: list[str] = []

    def stop(stage: str, done: int, total: int) -> None:
        stages.append(stage)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        la.dedup_files(
            inputs / "rows.jsonl",
            0.3,
            output=outputs / "kept.jsonl",
            removed=outputs / "removed.csv",
            tokens="chars:4",
            threads=1,
            progress=stop,
        )
    assert stages and list(outputs.iterdir()) == []
