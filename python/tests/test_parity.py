"""The same rows give the same answer in Python, whatever holds them, as in the command: bit for bit."""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as parquet
import pytest
from conftest import Command, Rows, columns, documents, listed, polars_frame, without
from hypothesis import given, settings
from hypothesis import strategies as st

import lookalike as la

SCHEMA = pa.schema([("id", pa.string()), ("text", pa.string()), ("kind", pa.string()), ("stars", pa.int64())])


def arrow(rows: Rows, kind: pa.DataType = pa.string()) -> pa.Table:
    schema = SCHEMA.set(1, pa.field("text", kind))
    return pa.table(columns(rows), schema=schema)


def chunks(rows: Rows) -> pa.Table:
    half = len(rows) // 2
    return pa.concat_tables([arrow(rows[:half]), arrow([]), arrow(rows[half:])])


def sliced(rows: Rows) -> pa.Table:
    odd = {"id": "?", "text": "ant bee cat Dog eel", "kind": "x", "stars": 9}
    return arrow([odd, *rows, odd]).slice(1, len(rows))


def dictionary(rows: Rows) -> pa.Table:
    table = arrow(rows)
    return table.set_column(1, "text", table["text"].dictionary_encode())


def pandas_frame(rows: Rows) -> pd.DataFrame:
    frame = pd.DataFrame(columns(rows), columns=SCHEMA.names)
    return frame.set_index(pd.Index([f"label {at}" for at in range(len(rows))], name="label"))


def pandas_arrow(rows: Rows) -> pd.DataFrame:
    return arrow(rows).to_pandas(types_mapper=pd.ArrowDtype)


def hugging_face(rows: Rows) -> Any:
    return pytest.importorskip("datasets").Dataset(arrow(rows))


def selected(rows: Rows) -> Any:
    """A dataset that knows its rows by their numbers in another one."""
    return hugging_face([*rows[::-1], *rows[:1]]).select(range(len(rows) - 1, -1, -1))


def relation(rows: Rows) -> Any:
    return pytest.importorskip("duckdb").from_arrow(arrow(rows))


class Foreign:
    """An object of an unknown library that speaks Arrow."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.data.__arrow_c_stream__(requested_schema)


class ForeignArray:
    """The same, with one array in place of a stream."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self.data.__arrow_c_array__(requested_schema)

    def filter(self, mask: Any) -> Any:
        return self.data.filter(mask)


KINDS: dict[str, tuple[Callable[[Rows], Any], Callable[[Any], Rows]]] = {
    "dicts": (lambda rows: rows, lambda kept: kept),
    "generator": (lambda rows: (row for row in rows), lambda kept: kept),
    "columns": (columns, lambda kept: [dict(zip(kept, row, strict=True)) for row in zip(*kept.values(), strict=True)]),
    "arrow": (arrow, pa.Table.to_pylist),
    "arrow large": (lambda rows: arrow(rows, pa.large_string()), pa.Table.to_pylist),
    "arrow chunks": (chunks, pa.Table.to_pylist),
    "arrow slice": (sliced, pa.Table.to_pylist),
    "arrow dictionary": (dictionary, pa.Table.to_pylist),
    "polars": (polars_frame, pl.DataFrame.to_dicts),
    "polars lazy": (lambda rows: polars_frame(rows).lazy(), pl.DataFrame.to_dicts),
    "polars categories": (
        lambda rows: polars_frame(rows).with_columns(pl.col("text").cast(pl.Categorical)),
        pl.DataFrame.to_dicts,
    ),
    "pandas": (pandas_frame, lambda kept: pa.Table.from_pandas(kept, SCHEMA, preserve_index=False).to_pylist()),
    "pandas arrow": (pandas_arrow, lambda kept: pa.Table.from_pandas(kept, SCHEMA).to_pylist()),
}
KINDS["hugging_face"] = (hugging_face, lambda kept: kept.to_list())
KINDS["hugging_face selected"] = (selected, lambda kept: kept.to_list())
KINDS["duckdb"] = (relation, pa.Table.to_pylist)
KINDS["arrow stream"] = (lambda rows: Foreign(arrow(rows)), pa.Table.to_pylist)
if hasattr(pa, "string_view"):
    KINDS["arrow view"] = (lambda rows: arrow(rows, pa.string_view()), pa.Table.to_pylist)

# Their rows come back as a list, as a DataFrame and as a table of pyarrow.
CHANGED = ("generator", "polars lazy", "duckdb", "arrow stream")

TEXTS: dict[str, Callable[[list[str | None]], Any]] = {
    "list": lambda texts: texts,
    "tuple": tuple,
    "generator": lambda texts: (text for text in texts),
    "numpy": lambda texts: np.array(texts, dtype=object),
    "pandas series": lambda texts: pd.Series(texts, dtype=object),
    "pandas arrow series": lambda texts: pd.Series(texts, dtype=pd.ArrowDtype(pa.string())),
    "polars series": lambda texts: pl.Series("t", texts, dtype=pl.String),
    "arrow array": lambda texts: pa.array(texts, pa.string()),
    "arrow chunks": lambda texts: pa.chunked_array([texts[:3], texts[3:]], pa.string()),
    "arrow stream": lambda texts: Foreign(pa.chunked_array([texts[:3], texts[3:]], pa.string())),
    "foreign array": lambda texts: ForeignArray(pa.array(texts, pa.string())),
}
LIBRARIES = {"duckdb": "duckdb", "hugging_face": "datasets"}
# One kind of each library: the others differ in how columns are read, which is tested above.
FEW: dict[str, Callable[[Rows], Any]] = {
    name: KINDS[name][0]
    for name in ("dicts", "columns", "arrow", "polars", "pandas", "hugging_face", "duckdb")
    if importlib.util.find_spec(LIBRARIES.get(name, "pandas")) is not None
}

TOKENS = st.sampled_from(["words", "words:2", "chars:2", "raw"])
THRESHOLDS = st.sampled_from(["0.3", "0.5", "2/3", "0.8", "1"])


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(
    rows=documents(),
    tokens=TOKENS,
    threshold=THRESHOLDS,
    keep=st.sampled_from(["first", "last", "longest", "shortest", "max:stars", "min:stars", "max:kind"]),
    within=st.sampled_from([(), ("kind",), ("kind", "stars")]),
    components=st.booleans(),
    bag=st.booleans(),
)
def test_dedup(
    runner: Command,
    kind: str,
    rows: Rows,
    tokens: str,
    threshold: str,
    keep: str,
    within: tuple[str, ...],
    components: bool,
    bag: bool,
) -> None:
    options: list[object] = ["--tokens", tokens, "-t", threshold, "--keep", keep]
    options += ["--within", ",".join(within)] if within else []
    options += ["--components"] if components else []
    options += ["--bag"] if bag else []
    expected = runner.dedup(rows, *options) if rows else {name: [] for name in ("kept", "removed", "pairs", "clusters")}
    make, read = KINDS[kind]
    data = make(rows)
    corpus = la.Corpus(data, tokens=tokens, bag=bag, threads=2)
    result = corpus.dedup(threshold, keep=keep, within=within, components=components)
    assert read(result.kept) == expected["kept"]
    assert without(listed(result.removed), "identical") == expected["removed"]
    assert without(listed(result.pairs), "common", "size_a", "size_b") == expected["pairs"]
    assert listed(result.clusters) == expected["clusters"]
    assert components or result.check() == []
    if kind == "pandas":
        assert list(result.kept.index) == [f"label {row}" for row in result.kept_rows]
    if kind not in CHANGED:
        assert type(result.kept) is type(data)


@pytest.mark.parametrize("kind", TEXTS)
@settings(max_examples=30)
@given(
    rows=documents(),
    tokens=TOKENS,
    threshold=THRESHOLDS,
    keep=st.sampled_from(["first", "last", "longest", "shortest"]),
    components=st.booleans(),
    bag=st.booleans(),
)
def test_texts_without_columns(
    runner: Command, kind: str, rows: Rows, tokens: str, threshold: str, keep: str, components: bool, bag: bool
) -> None:
    options: list[object] = ["--tokens", tokens, "-t", threshold, "--keep", keep]
    options += ["--components"] if components else []
    options += ["--bag"] if bag else []
    expected = runner.dedup(rows, *options) if rows else {name: [] for name in ("kept", "removed", "pairs", "clusters")}
    texts = [row["text"] for row in rows]
    result = la.dedup(TEXTS[kind](texts), threshold, keep=keep, components=components, tokens=tokens, bag=bag)
    assert numbered(result) == expected_numbers(expected)
    kept = result.kept.to_pylist() if hasattr(result.kept, "to_pylist") else list(result.kept)
    assert [None if pd.isna(text) else text for text in kept] == [row["text"] for row in expected["kept"]]


def numbered(result: Any) -> dict[str, list[Any]]:
    """What a result says of rows that are called by their numbers."""
    return {
        "kept": result.kept_rows,
        "removed": [(row["id"], row["twin"], row["similarity"]) for row in listed(result.removed)],
        "pairs": [(row["a"], row["b"], row["similarity"]) for row in listed(result.pairs)],
        "clusters": [(row["cluster"], row["id"], row["kept"]) for row in listed(result.clusters)],
    }


def expected_numbers(expected: dict[str, Rows]) -> dict[str, list[Any]]:
    """The same of what the command wrote, where row 7 is called d7."""

    def number(id: str) -> int:
        return int(id[1:])

    return {
        "kept": [number(row["id"]) for row in expected["kept"]],
        "removed": [(number(row["id"]), number(row["twin"]), row["similarity"]) for row in expected["removed"]],
        "pairs": [(number(row["a"]), number(row["b"]), row["similarity"]) for row in expected["pairs"]],
        "clusters": [(row["cluster"], number(row["id"]), row["kept"]) for row in expected["clusters"]],
    }


@settings(max_examples=80)
@given(
    sets=st.lists(st.one_of(st.none(), st.frozensets(st.integers(0, 9), max_size=7)), max_size=14),
    threshold=THRESHOLDS,
    keep=st.sampled_from(["first", "last"]),
    measure=st.sampled_from(["jaccard", "cosine", "containment"]),
)
def test_sets(runner: Command, sets: list[frozenset[int] | None], threshold: str, keep: str, measure: str) -> None:
    rows = [{"id": f"d{at}", "text": None if one is None else " ".join(f"w{n}" for n in sorted(one))} for at, one in enumerate(sets)]
    options = ("--tokens", "words", "-t", threshold, "--keep", keep, "--measure", measure)
    expected = runner.dedup(rows, *options) if rows else {name: [] for name in ("kept", "removed", "pairs", "clusters")}
    # A list of nulls is a list of texts.
    if all(one is None for one in sets):
        return
    for data in (sets, [one and {f"w{n}" for n in one} for one in sets], [one and [b"%d" % n for n in one] for one in sets]):
        result = la.dedup(data, threshold, keep=keep, measure=measure)
        assert numbered(result) == expected_numbers(expected)
        assert result.kept == [data[row] for row in result.kept_rows]


@pytest.mark.parametrize("kind", FEW)
@settings(max_examples=30)
@given(
    rows=documents(),
    others=documents(),
    tokens=TOKENS,
    measure=st.sampled_from(["jaccard", "cosine", "dice", "max", "containment", "overlap", "hamming"]),
    distinct=st.booleans(),
    limit=st.sampled_from([None, 1, 2]),
    top=st.sampled_from([None, 3]),
    two=st.booleans(),
    within=st.sampled_from([(), ("kind",)]),
)
def test_pairs(
    runner: Command,
    kind: str,
    rows: Rows,
    others: Rows,
    tokens: str,
    measure: str,
    distinct: bool,
    limit: int | None,
    top: int | None,
    two: bool,
    within: tuple[str, ...],
) -> None:
    if not rows or (two and not others):
        return
    threshold = {"overlap": "2", "hamming": "3"}.get(measure, "0.5")
    options: list[object] = ["--tokens", tokens, "--measure", measure, "--counts", "--quiet"]
    options += ["--distinct"] if distinct else []
    options += ["--top", top] if top else ["-t", threshold]
    options += ["--limit-per-document", limit] if limit and not top else []
    options += ["--within", ",".join(within)] if within else []
    path = runner.write(rows)
    if two:
        options += ["--with", runner.write(others, "others.jsonl")]
    runner.run("pairs", path, "-o", runner.folder / "pairs.jsonl", "--force", *options)
    expected = runner.read("pairs.jsonl")
    found = la.pairs(
        FEW[kind](rows),
        FEW[kind](others) if two else None,
        threshold,
        top=top,
        within=within,
        distinct=distinct,
        limit_per_document=None if top else limit,
        tokens=tokens,
        measure=measure,
    )
    name = {"similarity": "distance"} if measure == "hamming" else {}
    assert [{name.get(key, key): value for key, value in row.items()} for row in listed(found)] == expected


@pytest.mark.parametrize("kind", FEW)
@settings(max_examples=30)
@given(rows=documents(), archive=documents(8), keep=st.sampled_from(["first", "last", "longest"]), threshold=THRESHOLDS)
def test_against(runner: Command, kind: str, rows: Rows, archive: Rows, keep: str, threshold: str) -> None:
    if not rows or not archive:
        return
    archive = [{**row, "id": f"old {row['id']}"} for row in archive]
    path = runner.write(archive, "archive.jsonl")
    expected = runner.dedup(rows, "--against", path, "--keep", keep, "-t", threshold, "--tokens", "words")
    make = FEW[kind]
    result = la.dedup(make(rows), threshold, keep=keep, against=make(archive), tokens="words")
    assert without(listed(result.removed), "identical", "from_against") == expected["removed"]
    counts = ("common", "size_a", "size_b", "from_against")
    assert without(listed(result.pairs), *counts) == expected["pairs"]
    assert without(listed(result.clusters), "from_against") == expected["clusters"]
    assert result.check() == []


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
@settings(max_examples=30)
@given(rows=documents(), keep=st.sampled_from(["first", "longest", "max:stars"]), within=st.sampled_from([(), ("kind",)]))
def test_files(runner: Command, ending: str, rows: Rows, keep: str, within: tuple[str, ...]) -> None:
    if not rows:
        return
    path = runner.write(rows).with_suffix(f".{ending}")
    if ending == "csv":
        csv.write_csv(arrow(rows), path)
    if ending == "parquet":
        parquet.write_table(arrow(rows), path)
    options = ["--within", ",".join(within)] if within else []
    expected = runner.dedup_file(path, "-t", "0.5", "--tokens", "words", "--keep", keep, *options)
    result = la.dedup(path, 0.5, tokens="words", keep=keep, within=within)
    gone = {row["id"] for row in expected["removed"]}
    assert result.kept == [row["id"] for row in rows if row["id"] not in gone]
    assert ending != "jsonl" or result.kept == [row["id"] for row in expected["kept"]]
    assert without(listed(result.removed), "identical") == expected["removed"]
    assert without(listed(result.pairs), "common", "size_a", "size_b") == expected["pairs"]


def many(count: int) -> Rows:
    """Rows enough for several threads, of which most resemble some others."""
    chance = random.Random(7)
    words = [f"{a}{b}" for a in ("ka", "lo", "mi", "ne", "pu", "ra") for b in ("lan", "mer", "nos", "pit", "rad")]
    texts: list[str | None] = [" ".join(chance.choices(words, k=chance.randint(4, 14))) for _ in range(count // 3)]
    while len(texts) < count:
        text = chance.choice(texts) or ""
        changed = [word for word in text.split() if chance.random() > 0.05] + chance.choices(words, k=chance.randint(0, 1))
        texts.append(None if chance.random() < 0.02 else " ".join(changed))
    chance.shuffle(texts)
    kinds, stars = ["x", "y", None], [None, -1, 0, 1, 2]
    return [{"id": f"d{at}", "text": text, "kind": chance.choice(kinds), "stars": chance.choice(stars)} for at, text in enumerate(texts)]


@pytest.mark.parametrize("keep", ["longest", "max:stars"])
def test_two_thousand_rows_on_several_threads(runner: Command, keep: str) -> None:
    rows = many(2_000)
    expected = runner.dedup(rows, "--tokens", "words:2", "-t", "0.6", "--keep", keep, "--within", "kind")
    assert 100 < len(expected["kept"]) < 1_900
    for kind, (make, read) in KINDS.items():
        # Where only the lowest versions are, these libraries are not.
        if importlib.util.find_spec(LIBRARIES.get(kind.partition(" ")[0], "pytest")) is None:
            continue
        for threads in (1, 3):
            result = la.dedup(make(rows), 0.6, keep=keep, within="kind", tokens="words:2", threads=threads)
            assert read(result.kept) == expected["kept"], kind
            assert without(listed(result.removed), "identical") == expected["removed"], kind
    whole = runner.dedup(rows, "--tokens", "words:2", "-t", "0.6")
    for kind, of_texts in TEXTS.items():
        assert numbered(la.dedup(of_texts([row["text"] for row in rows]), 0.6, tokens="words:2", threads=3)) == expected_numbers(whole), kind


@settings(max_examples=30)
@given(
    rows=documents(25),
    hours=st.sampled_from([1, 2, 24]),
    times=st.lists(st.integers(0, 20_000), min_size=25, max_size=25),
    threshold=st.sampled_from(["0.5", "2/3", "1"]),
    measure=st.sampled_from(["jaccard", "max", "containment"]),
    in_order=st.booleans(),
)
def test_a_window_judges_as_stream_does(
    runner: Command, rows: Rows, hours: int, times: list[int], threshold: str, measure: str, in_order: bool
) -> None:
    rows = [row for row in rows if row["text"] is not None]
    if not rows:
        return
    arrivals = sorted(times) if in_order else times
    path = runner.write([{**row, "time": time} for row, time in zip(rows, arrivals, strict=False)])
    line = ("-t", threshold, "--measure", measure, "--tokens", "words", "--window", f"{hours}h", "--segment", "30m")
    written = runner.run("stream", path, "--quiet", *line)
    expected = [json.loads(verdict) for verdict in written.splitlines()]
    window = la.Window(hours, segment=0.5, threshold=threshold, tokens="words", measure=measure)
    for row, time, verdict in zip(rows, arrivals, expected, strict=False):
        found = window.add(row["text"], time, id=row["id"])
        assert (found.verdict, found.of, found.similarity) == (verdict["verdict"], verdict["of"], verdict["similarity"])
        assert [match._asdict() for match in found.matches] == verdict["matches"]


@settings(max_examples=20)
@given(texts=st.lists(st.text(st.characters(codec="utf-8"), max_size=12), min_size=1, max_size=8))
def test_any_text(runner: Command, texts: list[str]) -> None:
    rows = [{"id": f"d{at}", "text": text} for at, text in enumerate(texts)]
    expected = runner.dedup(rows, "--tokens", "chars:2", "-t", "0.5")
    result = la.dedup(texts, 0.5, tokens="chars:2")
    assert [f"d{row}" for row in result.kept_rows] == [row["id"] for row in expected["kept"]]
    assert [one.similarity for one in result.removed] == [row["similarity"] for row in expected["removed"]]


@pytest.mark.parametrize("method", ["minhash", "simhash", "features"])
def test_signatures(runner: Command, method: str) -> None:
    texts = ["ant bee cat", "", "日本語 の 文", "ant " * 40]
    path = runner.write([{"id": str(at), "text": text} for at, text in enumerate(texts)])
    runner.run("sketch", path, "--method", method, "--tokens", "words", "-o", runner.folder / "s.jsonl", "--quiet")
    expected = [row["signature"] for row in runner.read("s.jsonl")]
    found = la.sketch(texts, method, tokens="words")
    assert [None if signature is None else signature.hex() for signature in found] == expected


@pytest.mark.parametrize("page", ["text", "main", "paper"])
def test_pages(runner: Command, page: str) -> None:
    pages = [
        f"<html><title>T</title><nav>menu {at}</nav><p>{'A paragraph of prose, long enough to be one. ' * 6}</p></html>"
        for at in range(3)
    ]
    rows = [{"id": str(at), "body": body, "address": f"http://a.example/{at}"} for at, body in enumerate(pages)]
    expected = runner.dedup(rows, "--html", "body", "--url", "address", "--page", page, "-t", "0.5")
    result = la.dedup(rows, 0.5, html="body", url="address", page=page)
    assert without(listed(result.removed), "identical") == expected["removed"]


def test_twins_say_which_corpus_they_are_of() -> None:
    own, archive = ["a b", "c d", "b a", "x y"], ["y x", "c d"]
    for make in (list, lambda texts: pl.DataFrame({"text": texts})):
        result = la.dedup(make(own), 0.9, against=make(archive), tokens="words")
        removed = [(row["id"], row["twin"], row["from_against"]) for row in listed(result.removed)]
        assert removed == [(1, 1, True), (2, 0, False), (3, 0, True)]
        assert [(row["a"], row["b"], row["from_against"]) for row in listed(result.pairs)] == [
            (0, 2, False),
            (1, 1, True),
            (3, 0, True),
        ]
        members = {(row["id"], row["from_against"]) for row in listed(result.clusters)}
        assert members == {(0, False), (2, False), (1, False), (1, True), (3, False), (0, True)}
        assert result.check() == []
    rows = la.dedup(own, 0.9, against=archive, tokens="words").removed
    assert isinstance(rows[0], la.RemovedAgainst)
    assert la.check(own, 0.9, removed=rows, against=archive, tokens="words") == []
    wrong = [row._replace(from_against=False) for row in rows[:1]] + rows[1:]
    assert [broken.promise for broken in la.check(own, 0.9, removed=wrong, against=archive, tokens="words")]


def test_the_top_of_many_equals_takes_little() -> None:
    texts = ["the same text"] * 30_000 + ["another text", "the same words"]
    found = la.Corpus(texts, tokens="words", memory="256MB").top(3)
    assert [(pair.a, pair.b) for pair in found] == [(0, 1), (0, 2), (0, 3)]
    assert len(la.Corpus(texts, tokens="words").top(40_000)) == 40_000
