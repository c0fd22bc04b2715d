"""Methods that compare signatures: the same pairs, twins, similarities and recall as the command."""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession

from lookalike import spark as las

from .conftest import Command, texts
from .test_parity import SHUFFLED

SCHEMA = "n int, id string, text string, kind string, url string"
COLUMNS = ("id", "text", "kind", "url")
URLS = ["http://a.example/1", "http://www.a.example/2", "https://b.example", "http://b.co.uk/x", "", None]


def pages(most: int) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Rows of a few words, often nearly the same, with addresses."""
    text = st.one_of(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join),
        st.tuples(st.integers(0, 11), st.sampled_from(WORDS)).map(lambda at: " ".join((WORDS * 3)[: at[0]] + [at[1]] + WORDS * 3)),
        st.sampled_from(["", "…", "… !", None]),
    )
    row = st.fixed_dictionaries({"text": text, "kind": st.sampled_from(["x", "y"]), "url": st.sampled_from(URLS)})
    return st.lists(row, min_size=most // 3, max_size=most).map(lambda rows: [{"id": f"d{at}", **row} for at, row in enumerate(rows)])


METHODS = st.sampled_from(
    [
        ("minhash", {"features": (8, 1, 1)}, "0.5"),
        ("minhash", {"features": (6, 1, 2)}, "0.6"),
        ("minhash", {"features": (7, 1, 4)}, "0.4"),
        ("minhash", {"recall": 0.9, "nbytes": 40}, "3/4"),
        ("b", {"features": (4, 2, 2), "shingle": 2}, None),
        ("b", {"features": (4, 1, 3), "shingle": 3, "weighted": True}, "0.3"),
        ("c", {"bits": 128, "agree": 110}, None),
        ("c", {"bits": 64, "agree": 0}, "0.5"),
        ("combined", {"features": (4, 1, 2), "shingle": 2, "bits": 64, "combined_agree": 40}, None),
        ("combined", {"features": (4, 1, 1), "shingle": 2, "combined_agree": 300, "element": 2}, "0.4"),
        ("by-site", {"features": (4, 1, 2), "shingle": 2, "bits": 128, "agree": 112, "combined_agree": 70}, None),
        ("by-site", {"features": (4, 1, 2), "shingle": 2, "bits": 64, "agree": 52, "combined_agree": 30, "site": "paper"}, "0.3"),
        ("by-site", {"bits": 64, "agree": 56, "site": "field:kind"}, None),
    ]
)
PAGE_METHODS = METHODS | st.sampled_from([("exact", {}, "0.5"), ("exact", {}, "2/3")])
PAGES = st.fixed_dictionaries({"within": st.sampled_from([None, "kind"]), "page": st.sampled_from(["text", "main", "paper"]), "tokens": st.just("words:2")})
OPTIONS = st.fixed_dictionaries({"tokens": st.sampled_from(["words", "words:2", "chars:3"]), "within": st.sampled_from([None, "kind"])})


def frame(session: SparkSession, rows: list[dict[str, Any]], seed: int, parts: int) -> DataFrame:
    mixed = [(at, *[row[name] for name in COLUMNS]) for at, row in enumerate(rows)]
    random.Random(seed).shuffle(mixed)
    return session.createDataFrame(mixed, SCHEMA).repartition(parts)


def flags_of(method: str, given: dict[str, Any], threshold: str | None, options: dict[str, Any]) -> list[str]:
    flags = ["--method", method, "--tokens", options["tokens"]]
    flags += ["--html", "text", "--page", options["page"]] if "page" in options else ["--text", "text"]
    flags += ["-t", threshold] if threshold else []
    flags += ["--within", options["within"]] if options["within"] else []
    flags += ["--url", "url"] if method != "minhash" or "page" in options else []
    for name, value in given.items():
        written = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        option = "--" + {"nbytes": "bytes"}.get(name, name.replace("_", "-"))
        flags += [option] if value is True else [option, written]
    return flags


def column_of(options: dict[str, Any]) -> dict[str, str]:
    """The column is of pages or of texts."""
    return {"html" if "page" in options else "text": "text"}


def as_pages(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same rows with web pages."""
    page = "<html><head><title>ant</title></head><body><nav><a href='/'>bee</a></nav><p>{}</p><script>cat</script></body></html>"
    return [{**row, "text": None if row["text"] is None else page.format(row["text"])} for row in rows]


def check_recall(summary: las.Summary, report: dict[str, Any]) -> None:
    if report.get("signatures") is None:
        assert summary.signatures is None
        return
    signed, told = summary.signatures, report["signatures"]
    assert signed is not None
    assert (signed.filter, signed.signature_bytes, signed.designed_recall) == (
        told["filter"],
        told["signature_bytes"],
        told["designed_recall"],
    )
    assert (None if signed.recall is None else vars(signed.recall)) == told["recall"]


def check_pairs(session, lookalike: Command, work, rows, how, options, others, seed, parts, partitions):
    method, given_, threshold = how
    second = [{**row, "id": "s" + row["id"]} for row in others or []]
    flags = flags_of(method, given_, threshold, options)
    expected, report = lookalike.report("pairs", rows, *flags, "--counts", **({"with": second} if others is not None else {}))
    other = frame(session, second, seed, 2) if others is not None else None
    with las.pairs(
        frame(session, rows, seed, parts),
        other,
        url="url",
        id="id",
        order_by=["n"],
        threshold=threshold,
        method=method,
        work=str(work),
        partitions=partitions,
        **column_of(options),
        **options,
        **given_,
    ) as result:
        names = ["a", "b", "similarity", "common", "size_a", "size_b"]
        names += ["b_similarity", "c_similarity", "same_site", "term_difference"] if method not in ("minhash", "exact") else []
        found = result.pairs.collect()
        assert result.pairs.columns == names
        key = [(row["a"], row["b"]) for row in found]
        assert len(key) == len(set(key))
        assert {tuple(row[name] for name in names) for row in found} == {tuple(row.get(name) for name in names) for row in expected}
        check_recall(result.summary, report)


@settings(max_examples=25)
@given(rows=pages(30), how=METHODS, options=OPTIONS, others=st.none() | pages(15), **SHUFFLED)
def test_pairs(sail, lookalike, tmp_path, rows, how, options, others, seed, parts, partitions):
    check_pairs(sail, lookalike, tmp_path, rows, how, options, others, seed, parts, partitions)


def check_dedup(session, lookalike: Command, work, rows, how, options, references, most, seed, parts, partitions):
    method, given_, threshold = how
    against = [{**row, "id": "r" + row["id"]} for row in references]
    flags = flags_of(method, given_, threshold, options)
    expected, report = lookalike.report("dedup", rows, *flags, **({"against": against} if against else {}))
    with las.dedup(
        frame(session, rows, seed, parts),
        url="url",
        id="id",
        order_by=["n"],
        threshold=threshold,
        method=method,
        against=frame(session, against, seed, 2) if against else None,
        work=str(work),
        partitions=partitions,
        max_looked_at=most,
        longest_list=min(1000, most),
        first_block=3,
        **column_of(options),
        **options,
        **given_,
    ) as result:
        removed = [(row["id"], row["twin"], row["similarity"]) for row in result.removed.collect()]
        assert sorted(removed) == sorted((row["id"], row["twin"], row["similarity"]) for row in expected)
        # Pages in long lists may meet no other, so that the sample has another size.
        if method == "minhash" or most > 3:
            check_recall(result.summary, report)


@settings(max_examples=25)
@given(rows=pages(30), how=METHODS, options=OPTIONS, references=pages(15), most=st.sampled_from([1, 3, 1 << 40]), **SHUFFLED)
def test_dedup(sail, lookalike, tmp_path, rows, how, options, references, most, seed, parts, partitions):
    """Also with lists that are compared block by block."""
    check_dedup(sail, lookalike, tmp_path, rows, how, options, references, most, seed, parts, partitions)


@settings(max_examples=16)
@given(rows=pages(25).map(as_pages), how=PAGE_METHODS, options=PAGES, others=st.none() | pages(12).map(as_pages), **SHUFFLED)
def test_pages(sail, lookalike, tmp_path, rows, how, options, others, seed, parts, partitions):
    """Web pages, also by Henzinger's rules."""
    check_pairs(sail, lookalike, tmp_path, rows, how, options, others, seed, parts, partitions)
    check_dedup(sail, lookalike, tmp_path, rows, how, options, others or [], 1 << 40, seed, parts, partitions)


def test_many_near_duplicates(sail, lookalike: Command, tmp_path):
    """Enough pairs that a recall below 1 is measured."""
    documents = texts(400)
    rows = [{"id": id, "text": text} for _, id, text in documents]
    df = sail.createDataFrame(documents, "n int, id string, text string").repartition(3)
    given: dict[str, Any] = {"text": "text", "id": "id", "order_by": ["n"], "tokens": "words:2", "work": str(tmp_path)}
    flags = ["--method", "minhash", "--features", "4,4,1", "-t", "0.5", "--tokens", "words:2"]
    expected, report = lookalike.report("pairs", rows, *flags)
    with las.pairs(df, method="minhash", features=(4, 4, 1), threshold=0.5, **given) as result:
        assert {row[:3] for row in result.pairs.collect()} == {(row["a"], row["b"], row["similarity"]) for row in expected}
        check_recall(result.summary, report)
        assert 0.1 < report["signatures"]["recall"]["measured"] < 1
        assert "recall designed for" in str(result.summary)
    with las.pairs(df, method="minhash", features=(4, 4, 1), threshold=0.5, max_sample="64kB", **given) as result:
        recall = result.summary.signatures.recall
        # Fewer sets than the command draws, because their texts take too much.
        assert 1 < recall.sampled_sets < report["signatures"]["recall"]["sampled_sets"] and recall.sets == report["signatures"]["recall"]["sets"]


def test_what_is_refused(sail, tmp_path):
    df = sail.createDataFrame([(1, "a", "x y", "k", "u")], SCHEMA)
    given: dict[str, Any] = {"text": "text", "id": "id", "order_by": ["n"], "work": str(tmp_path)}
    for error, says, change in [
        (ValueError, "method='simhash' does not run on a cluster", {"method": "simhash"}),
        (ValueError, "'nearly' is not a method", {"method": "nearly"}),
        (ValueError, "recall works only with method minhash", {"method": "b", "recall": 0.9}),
        (ValueError, "method minhash works only with measure jaccard", {"method": "minhash", "measure": "cosine"}),
        (ValueError, "unverified is not for a cluster", {"method": "minhash", "unverified": True}),
        (ValueError, "recall works only with a method that compares signatures", {"recall": 0.9}),
        (TypeError, "unexpected keyword argument 'speed'", {"speed": 1}),
        (KeyError, "no column 'host'", {"method": "by-site", "site": "field:host"}),
    ]:
        with pytest.raises(error, match=says):
            las.dedup(df, **{**given, **change})
    assert not list(tmp_path.iterdir())
