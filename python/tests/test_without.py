"""Passages of a table are left out of texts, as the command does it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from conftest import Command, Rows, listed
from hypothesis import given, settings
from hypothesis import strategies as st

import lookalike as la

FOOTERS = ["All rights reserved by the harbour office", "Read more about the ferry of the island", "Subscribe to the letter"]
WORDS = ["ant bee cat dog eel", "fox gnu hen ibis jay", "kea lark mole newt owl"]


def rows_of(*most: int) -> st.SearchStrategy[Rows]:
    """Rows with passages that some of their sites repeat."""
    row = st.fixed_dictionaries(
        {
            "lines": st.lists(st.sampled_from(FOOTERS + WORDS), max_size=4),
            "source": st.sampled_from(["harbour", "town", None]),
            "url": st.sampled_from(["https://a.example/1", "https://b.example/2", ""]),
        }
    )
    named = st.lists(row, min_size=3, max_size=most[0])
    return named.map(
        lambda rows: [
            {
                "id": f"d{at}",
                "text": "\n".join(row["lines"]),
                "page": "".join(f"<p>{line}</p>" for line in row["lines"]),
                "source": row["source"],
                "url": row["url"],
            }
            for at, row in enumerate(rows)
        ]
    )


def table_of(runner: Command, path: Path, site: str, *how: str) -> Path:
    table = runner.folder / "passages.jsonl"
    runner.run("boilerplate", path, "-o", table, "--site", site, "--min-pages", "2", "--min-share", "0.3", "-q", "--force", *how)
    return table


@pytest.mark.parametrize("site", ["registered", "field:source"])
@pytest.mark.parametrize("is_page", [False, True])
@settings(max_examples=15)
@given(rows=rows_of(10), threshold=st.sampled_from(["0.5", "2/3", "1"]), keep=st.sampled_from(["first", "longest"]))
def test_rows_are_compared_as_the_command_compares_them(
    runner: Command, site: str, is_page: bool, rows: Rows, threshold: str, keep: str
) -> None:
    path = runner.write(rows)
    reading = ["--html", "page", "--url", "url"] if is_page else ["--url", "url"]
    ours: dict[str, Any] = {"html": "page", "url": "url"} if is_page else {"url": "url"}
    table = table_of(runner, path, site, *reading)
    removed = runner.folder / "removed.jsonl"
    line = ["--removed", removed, "--without", table, "--tokens", "words:2", "--keep", keep, "-q", "--force"]
    runner.run("dedup", path, "-t", threshold, *line, *reading)
    theirs = [json.loads(row) for row in removed.read_text("utf-8").splitlines()]
    frame = pl.DataFrame(rows, schema={name: pl.String for name in rows[0]})
    for data in (frame, rows, str(path)):
        corpus = la.Corpus(data, without=table, tokens="words:2", **ours)
        result = corpus.dedup(threshold, keep=keep)
        found = [{name: row[name] for name in ("id", "twin", "similarity")} for row in listed(result.removed)]
        assert found == theirs
        assert result.check() == []


@pytest.mark.parametrize("site", ["registered", "field:source"])
def test_methods_and_edit_distance(runner: Command, site: str) -> None:
    rows = [
        {"id": f"d{at}", "text": f"{FOOTERS[0]}\n{text}", "source": "harbour", "url": "https://a.example/"}
        for at, text in enumerate(WORDS + [WORDS[0] + " fox"])
    ]
    table = table_of(runner, runner.write(rows), site, "--url", "url")
    for options, threshold in (({"measure": "edit"}, 4), ({"method": "minhash", "tokens": "words"}, 0.8)):
        plain = la.pairs(rows, threshold=threshold, url="url", **options)  # type: ignore[arg-type]
        cut = la.pairs(rows, threshold=threshold, url="url", without=table, **options)  # type: ignore[arg-type]
        assert [(pair.a, pair.b) for pair in cut] == [("d0", "d3")]
        assert len(plain) >= 1
    by_site: dict[str, Any] = {"method": "by-site", "site": "field:source", "agree": 1, "shingle": 1}
    assert listed(la.pairs(rows, url="url", without=table, tokens="words", **by_site)) is not None


def test_settings_are_kept(runner: Command) -> None:
    rows = [{"id": f"d{at}", "text": f"{FOOTERS[0]}\n{text}"} for at, text in enumerate(WORDS)]
    table = table_of(runner, runner.write(rows), "registered")
    corpus = la.Corpus(rows, without=table, tokens="words:2")
    # Other data is read as this corpus was, and another corpus must have been.
    assert corpus.pairs(0.1, other=rows) == corpus.pairs(0.1, other=la.Corpus(rows, without=str(table), tokens="words:2"))
    assert len(corpus.pairs(0.1, other=rows)) == 3
    assert corpus.explain("d0", "d1").common == 0
    with pytest.raises(ValueError, match="different settings"):
        corpus.pairs(0.1, other=la.Corpus(rows, tokens="words:2"))
    # A job reads the table wherever the process has gone meanwhile.
    before = os.getcwd()
    os.chdir(table.parent)
    try:
        by_signatures = la.Corpus(rows, without=table.name, method="minhash")
    finally:
        os.chdir(before)
    assert by_signatures.pairs(0.8) == []


def test_mistakes(runner: Command) -> None:
    rows = [{"id": f"d{at}", "text": f"{FOOTERS[0]}\n{text}", "source": "s"} for at, text in enumerate(WORDS)]
    path = runner.write(rows)
    table = table_of(runner, path, "field:source")
    with pytest.raises(OSError, match="no-such-table"):
        la.Corpus(rows, without="no-such-table")
    with pytest.raises(OSError, match="not a table"):
        la.Corpus(rows, without=path)
    with pytest.raises(KeyError, match="no column 'source'"):
        la.Corpus([{"text": "a"}], without=table)
    with pytest.raises(ValueError, match="cuts no passages"):
        la.Corpus([{"html": "a", "source": "s"}], html="html", page="paper", without=table)
    with pytest.raises(ValueError, match="these are sets"):
        la.Corpus([{1, 2}], without=table)
    by_other = la.Corpus(rows, without=table, method="by-site", site="field:id")
    with pytest.raises(ValueError, match="the same column for both"):
        by_other.pairs()
