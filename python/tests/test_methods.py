"""Edit distance and signatures give the answers of the command on the same rows, bit for bit."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from conftest import Command, Rows, documents, listed, polars_frame, without
from hypothesis import given, settings
from hypothesis import strategies as st

import lookalike as la

# The method and its options, in Python and in the command.
METHODS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "minhash": ({"method": "minhash"}, ["--method", "minhash"]),
    "minhash wishes": (
        {"method": "minhash", "recall": 0.9, "nbytes": 64},
        ["--method", "minhash", "--recall", "0.9", "--bytes", "64"],
    ),
    "minhash filter": (
        {"method": "minhash", "features": (4, 2, 1), "unverified": True},
        ["--method", "minhash", "--features", "4,2,1", "--unverified"],
    ),
    "lsh": ({"method": "lsh", "functions": 32}, ["--method", "lsh", "--functions", "32"]),
    "lsh bands": (
        {"method": "lsh", "bands": (8, 2), "unverified": True},
        ["--method", "lsh", "--bands", "8,2", "--unverified"],
    ),
    "i-match": (
        {"method": "i-match", "idf": (0, 0.9), "lexica": 5, "least_terms": 1},
        ["--method", "i-match", "--idf", "0,0.9", "--lexica", "5", "--least-terms", "1"],
    ),
    "mega-shingles": ({"method": "mega-shingles", "features": "4,2,2"}, ["--method", "mega-shingles", "--features", "4,2,2"]),
    "ddebit": ({"method": "ddebit", "light": 0.7}, ["--method", "ddebit", "--light", "0.7"]),
    "sketch": ({"method": "sketch", "functions": 20}, ["--method", "sketch", "--functions", "20"]),
    "simhash": (
        {"method": "simhash", "bits": 128, "agree": 90},
        ["--method", "simhash", "--bits", "128", "--agree", "90"],
    ),
    "b": ({"method": "b", "shingle": 2, "weighted": True}, ["--method", "b", "--shingle", "2", "--weighted"]),
    "c": (
        {"method": "c", "element": 2, "agree": 300, "unverified": True},
        ["--method", "c", "--element", "2", "--agree", "300", "--unverified"],
    ),
    "combined": (
        {"method": "combined", "combined_agree": 250, "shingle": 1},
        ["--method", "combined", "--combined-agree", "250", "--shingle", "1"],
    ),
    "by-site": (
        {"method": "by-site", "site": "field:kind", "agree": 250, "shingle": 1},
        ["--method", "by-site", "--site", "field:kind", "--agree", "250", "--shingle", "1"],
    ),
}


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=12)
@given(
    rows=documents(),
    archive=documents(6),
    threshold=st.sampled_from([None, "0.5", "2/3"]),
    keep=st.sampled_from(["first", "last", "longest", "max:stars"]),
    within=st.sampled_from([(), ("kind", "stars")]),
    components=st.booleans(),
)
def test_dedup_by_signatures(
    runner: Command,
    method: str,
    rows: Rows,
    archive: Rows,
    threshold: str | None,
    keep: str,
    within: tuple[str, ...],
    components: bool,
) -> None:
    own, options = METHODS[method]
    arguments: list[object] = [*options, "--tokens", "words:2", "--keep", keep]
    arguments += ["-t", threshold] if threshold else []
    arguments += ["--within", ",".join(within)] if within else []
    arguments += ["--components"] if components else []
    archive = [{**row, "id": f"old {row['id']}"} for row in archive]
    arguments += ["--against", runner.write(archive, "archive.jsonl")] if archive else []
    if not rows:
        return
    expected = runner.dedup(rows, *arguments)
    for make in (list, polars_frame):
        result = la.dedup(
            make(rows),
            threshold,
            keep=keep,
            against=make(archive) if archive else None,
            within=within,
            components=components,
            tokens="words:2",
            **own,
        )
        assert listed_rows(result.kept) == expected["kept"]
        assert without(listed(result.removed), "identical", "from_against") == expected["removed"]
        assert present(listed(result.pairs)) == present(expected["pairs"])
        assert without(listed(result.clusters), "from_against") == without(expected["clusters"], "verified")


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=12)
@given(
    rows=documents(),
    others=documents(),
    threshold=st.sampled_from([None, "0.5"]),
    distinct=st.booleans(),
    limit=st.sampled_from([None, 1]),
    two=st.booleans(),
)
def test_pairs_by_signatures(
    runner: Command,
    method: str,
    rows: Rows,
    others: Rows,
    threshold: str | None,
    distinct: bool,
    limit: int | None,
    two: bool,
) -> None:
    own, options = METHODS[method]
    arguments: list[object] = [*options, "--tokens", "words", "--quiet"]
    arguments += [] if "--unverified" in options else ["--counts"]
    arguments += ["-t", threshold] if threshold else []
    arguments += ["--distinct"] if distinct else []
    arguments += ["--limit-per-document", limit] if limit else []
    if not rows or (two and not others):
        return
    path = runner.write(rows)
    arguments += ["--with", runner.write(others, "others.jsonl")] if two else []
    runner.run("pairs", path, "-o", runner.folder / "pairs.jsonl", "--force", *arguments)
    for make in (list, polars_frame):
        found = la.pairs(
            make(rows),
            make(others) if two else None,
            threshold,
            distinct=distinct,
            limit_per_document=limit,
            tokens="words",
            **own,
        )
        assert present(listed(found)) == present(runner.read("pairs.jsonl"))


def present(rows: Rows) -> Rows:
    """Rows without what they do not have. A list of records has a field for all that a method may know."""
    return [{name: value for name, value in row.items() if value is not None and name != "from_against"} for row in rows]


def listed_rows(kept: Any) -> Rows:
    return kept.to_dicts() if isinstance(kept, pl.DataFrame) else kept


@settings(max_examples=30)
@given(
    rows=documents(),
    archive=documents(6),
    distance=st.integers(0, 6),
    keep=st.sampled_from(["first", "last", "longest", "min:stars"]),
    within=st.sampled_from([(), ("kind",)]),
    components=st.booleans(),
)
def test_dedup_by_edit_distance(
    runner: Command,
    rows: Rows,
    archive: Rows,
    distance: int,
    keep: str,
    within: tuple[str, ...],
    components: bool,
) -> None:
    arguments: list[object] = ["--measure", "edit", "-t", distance, "--keep", keep]
    arguments += ["--within", ",".join(within)] if within else []
    arguments += ["--components"] if components else []
    archive = [{**row, "id": f"old {row['id']}"} for row in archive]
    arguments += ["--against", runner.write(archive, "archive.jsonl")] if archive else []
    if not rows:
        return
    expected = runner.dedup(rows, *arguments)
    for make in (list, polars_frame):
        against = make(archive) if archive else None
        corpus = la.Corpus(make(rows), measure="edit")
        result = corpus.dedup(distance, keep=keep, against=against, within=within, components=components)
        assert listed_rows(result.kept) == expected["kept"]
        assert without(listed(result.removed), "identical", "from_against") == expected["removed"]
        assert without(listed(result.pairs), "from_against") == expected["pairs"]
        assert components or result.check() == []


@settings(max_examples=30)
@given(
    rows=documents(),
    others=documents(),
    distance=st.integers(0, 6),
    top=st.sampled_from([None, 3]),
    q=st.sampled_from([None, 2]),
    two=st.booleans(),
    case=st.sampled_from(["fold", "keep"]),
)
def test_pairs_by_edit_distance(
    runner: Command, rows: Rows, others: Rows, distance: int, top: int | None, q: int | None, two: bool, case: str
) -> None:
    if not rows or (two and not others):
        return
    path = runner.write(rows)
    arguments: list[object] = ["--measure", "edit", "--case", case, "--quiet"]
    arguments += ["--top", top] if top else ["-t", distance]
    arguments += ["--q", q] if q else []
    arguments += ["--with", runner.write(others, "others.jsonl")] if two else []
    runner.run("pairs", path, "-o", runner.folder / "pairs.jsonl", "--force", *arguments)
    options: dict[str, Any] = {"q": q} if q else {}
    for make in (list, polars_frame):
        found = la.pairs(
            make(rows), make(others) if two else None, distance, top=top, measure="edit", case=case, **options
        )
        assert listed(found) == runner.read("pairs.jsonl")


def test_an_order_of_your_own() -> None:
    texts = ["kitten", "sitting", "mitten"]
    assert la.dedup(texts, 3, measure="edit", keep=[2, 1, 0]).kept == ["mitten"]
    assert la.dedup(texts * 2, 0.5, method="minhash", keep=[5, 4, 3, 2, 1, 0]).kept_rows == [3, 4, 5]
    with pytest.raises(ValueError, match="does not name each of the 3 documents once"):
        la.dedup(texts, 3, measure="edit", keep=[0, 0, 1])


def test_files(runner: Command) -> None:
    rows = [{"id": "a", "text": "kitten"}, {"id": "a", "text": "mitten"}, {"id": "b", "text": "Bern"}]
    path = runner.write(rows)
    result = la.dedup(path, 1, measure="edit")
    assert result.kept == ["a", "b"] and result.kept_rows == [0, 2]
    assert la.pairs(path, threshold=1, measure="edit") == [la.EditPair("a", "a", 1)]
    assert la.pairs(path, method="simhash", tokens="chars:2", agree=250)[0].similarity == 4 / 6
    with pytest.raises(ValueError, match="both as files, or both as data"):
        la.dedup(["kitten"], 1, measure="edit", against=path)


def test_the_sets_of_signatures_prove_them(runner: Command) -> None:
    texts = [f"{'one two three four five six seven eight nine ten ' * 4} {at}" for at in range(8)]
    result = la.dedup(texts, 0.5, method="minhash", tokens="words")
    assert result.check() == [] and result.method == "minhash"
    assert result.signatures is not None and result.signatures["verified"]
    assert "not complete" in repr(result) and "recall designed for" in repr(result)
    corpus = la.Corpus(texts, method="simhash", tokens="words")
    assert "by simhash" in repr(corpus) and corpus.empty == 0 and corpus.plan()
    with pytest.raises(ValueError, match="decided without a threshold"):
        corpus.dedup().check()


def test_spots(runner: Command) -> None:
    text = "At a rally to kick off a weeklong campaign for the {} primary, he set the record straight."
    rows = [{"id": f"d{at}", "text": text.format(state)} for at, state in enumerate(["Ohio", "Iowa", "Ohio", "Utah"])]
    choices: list[tuple[dict[str, Any], list[str]]] = [({}, []), ({"tokens": "spots:1:1"}, ["--tokens", "spots:1:1"])]
    for own, options in choices:
        arguments: list[object] = ["--method", "spotsigs", "-t", "0.6", *options]
        expected = runner.dedup(rows, *arguments)
        corpus = la.Corpus(rows, method="spotsigs", **own)
        result = corpus.dedup(0.6)
        assert listed_rows(result.kept) == expected["kept"]
        assert without(listed(result.removed), "identical", "from_against") == expected["removed"]
        assert present(listed(result.pairs)) == present(expected["pairs"])
        assert result.method == "spotsigs" and result.check() == []
    with pytest.raises(ValueError, match="compares spots, not chars:3"):
        la.dedup(rows, 0.6, method="spotsigs", tokens="chars:3")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"measure": "edit"}, "needs a threshold"),
        ({"measure": "edit", "threshold": 0.5}, "whole number"),
        ({"measure": "edit", "threshold": 1, "method": "minhash"}, "only with method='exact'"),
        ({"measure": "edit", "threshold": 1, "tokens": "words"}, "tokens does not work with measure edit"),
        ({"method": "minhash", "measure": "cosine"}, "works only with measure jaccard"),
        ({"method": "minhash", "bits": 64}, "bits works only with method simhash"),
        ({"method": "nearly"}, "'nearly' is not a method"),
        ({"q": 3}, "q works only with measure='edit'"),
        ({"recall": 0.9}, "recall works only with a method"),
    ],
)
def test_what_cannot_be(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        la.pairs(["a text", "a text"], **arguments)


def test_other_mistakes() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'methods'"):
        la.Corpus(["a"], methods="minhash")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="these are sets"):
        la.Corpus([{1, 2}], method="minhash")
    with pytest.raises(ValueError, match="to needs method='exact'"):
        la.dedup(["a"], to=1, method="minhash")
    with pytest.raises(ValueError, match="different methods"):
        la.Corpus(["a"], method="minhash").pairs(other=la.Corpus(["a"]))
