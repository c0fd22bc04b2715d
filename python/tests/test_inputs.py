"""What is read, what comes back, and what is said about wrong arguments."""

from __future__ import annotations

import gc
import gzip
import json
import os
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike as la

TEXTS = ["one two three", None, "four", "three two one", ""]


def test_series_and_arrays_come_back_as_they_are() -> None:
    expected = ["one two three", None, "four", ""]
    for data in (
        pl.Series("t", TEXTS),
        pd.Series(TEXTS, dtype=object),
        pa.array(TEXTS),
        pa.chunked_array([TEXTS[:2], TEXTS[2:]]),
        pa.array(TEXTS, pa.large_string()),
    ):
        kept = la.dedup(data, tokens="words").kept
        assert type(kept) is type(data)
        assert [None if pd.isna(text) else text for text in (kept.to_pylist() if isinstance(kept, (pa.Array, pa.ChunkedArray)) else kept.to_list())] == expected


def test_pandas_keeps_index_and_types() -> None:
    frame = pd.DataFrame({"text": ["a b", "c", "b a"], "n": pd.array([1, None, 3], "Int64")}, index=[10, 20, 30])
    kept = la.dedup(frame, tokens="words").kept
    pd.testing.assert_frame_equal(kept, frame.iloc[:2])


def test_arrays_of_numpy() -> None:
    kept = la.dedup(np.array(["a", "b", "a"])).kept
    assert isinstance(kept, np.ndarray) and kept.tolist() == ["a", "b"]
    columns = la.dedup({"text": np.array(["a", "b", "a"]), "n": np.array([1, 2, 3]), "m": [4, 5, 6]}).kept
    assert isinstance(columns["n"], np.ndarray) and columns["n"].tolist() == [1, 2] and columns["m"] == [4, 5]
    with pytest.raises(ValueError, match="one dimension"):
        la.dedup(np.array([["a"]]))


def test_tables_without_rows_have_types() -> None:
    frame = pl.DataFrame({"id": ["a"], "text": ["x"]})
    result = la.dedup(frame)
    assert result.removed.schema == {"id": pl.String, "twin": pl.String, "similarity": pl.Float64, "identical": pl.Boolean}
    assert result.clusters.schema == {"cluster": pl.Int64, "id": pl.String, "kept": pl.Boolean}
    assert la.dedup(frame.drop("id")).pairs.schema["a"] == pl.Int64
    table = la.dedup(pa.table({"id": [1], "text": ["x"]})).removed
    assert table.schema.field("twin").type == pa.int64() and table.num_rows == 0
    assert list(la.dedup(pd.DataFrame({"text": ["x"]})).removed.columns) == ["id", "twin", "similarity", "identical"]


def test_missing_values_of_pandas() -> None:
    for missing in (None, float("nan"), pd.NA, pd.NaT):
        result = la.dedup(pd.DataFrame({"text": pd.Series(["a", missing, missing, "a"], dtype=object)}))
        assert result.kept_rows == [0, 1, 2]


def large_texts() -> list[str]:
    """200 MB: more than anything else that a call holds."""
    return [f"{at} " * (1_000_000 // len(f"{at} ")) for at in range(200)]


def peak_above(call: Callable[[], object]) -> int:
    """Return how many bytes of memory a call takes at most, above what the process has."""

    def status(field: str) -> int:
        with open("/proc/self/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field + ":"))

    gc.collect()
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        # The peak begins anew.
        file.write("5")
    before = status("VmRSS")
    call()
    return status("VmHWM") - before


def dataset(texts: list[str]) -> Any:
    return pytest.importorskip("datasets").Dataset(pa.table({"text": texts}))


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="the system does not say how much memory was used")
@pytest.mark.parametrize(
    "make",
    [
        lambda texts: pa.table({"text": texts}),
        lambda texts: pa.table({"text": pa.array(texts, pa.large_string())}),
        lambda texts: pl.DataFrame({"text": texts}),
        lambda texts: pd.DataFrame({"text": pd.Series(texts, dtype="string[pyarrow]")}),
        lambda texts: pd.DataFrame({"text": pd.Series(texts, dtype=pd.ArrowDtype(pa.string()))}),
        dataset,
    ],
    ids=["arrow", "arrow large", "polars", "pandas", "pandas arrow", "hugging_face"],
)
def test_arrow_strings_are_not_copied(make: Callable[[list[str]], Any]) -> None:
    data = make(large_texts())
    corpus: list[la.Corpus[Any]] = []
    ask = {"tokens": "raw", "threads": 1}
    # What is imported at the first call is not of the data.
    la.Corpus(data[:1] if not hasattr(data, "select_columns") else data.select([0]), **ask)  # type: ignore[arg-type]
    assert peak_above(lambda: corpus.append(la.Corpus(data, **ask))) < 50 << 20  # type: ignore[arg-type]
    assert len(corpus[0]) == 200 and corpus[0].empty == 0


def test_duplicates_are_looked_up() -> None:
    texts = ["a b", "c", "b a", "d", "c", "a b"]
    for result in (la.dedup(texts, tokens="words"), pickle.loads(pickle.dumps(la.dedup(texts, tokens="words")))):
        assert [result.duplicates_of(row) for row in range(6)] == [[2, 5], [4], [], [], [], []]
        # The caller owns what it gets.
        result.duplicates_of(0).clear()
        assert result.duplicates_of(0) == [2, 5]
        for unknown in (6, -1, "0", None):
            with pytest.raises(KeyError, match="no document has the id"):
                result.duplicates_of(unknown)
    named = la.dedup([{"id": f"d{at}", "text": text} for at, text in enumerate(texts)], against=[{"id": "d3", "text": "c"}], tokens="words")
    assert named.duplicates_of("d0") == ["d2", "d5"] and named.duplicates_of("d3") == []


def test_duplicates_of_every_row_are_found_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    passes = 0
    build = la.Deduplicated._by_twin

    def counted(self: Any) -> Any:
        nonlocal passes
        passes += 1
        return build(self)

    monkeypatch.setattr(la.Deduplicated, "_by_twin", counted)
    result = la.dedup([str(at % 50) for at in range(1_000)])
    assert sum(len(result.duplicates_of(row)) for row in range(1_000)) == 950 and passes == 1


def test_half_a_character_is_no_text(tmp_path: Path) -> None:
    half = "half \ud800"
    asks: list[Callable[[], Any]] = [
        lambda: la.sketch(["a", half]),
        lambda: la.MinHash().sign(half),
        lambda: la.compare("a", half),
        lambda: la.tokens(half),
        lambda: la.evaluate([("a", half)], [("a", "b", 1)]),
        lambda: la.evaluate([("a", "b")], {"a": half, "b": half}),
        lambda: la.calibrate(["a", half], {0: 0, 1: 0}),
        lambda: la.verify(["a", half], [(0, 1)]),
        lambda: la.graph([{"a": "a", "b": half}]),
        lambda: la.pairs(["a", half], threshold=1, measure="edit"),
        lambda: la.Window().add(half, 0),
        lambda: la.Window().add("a", 0, id=half),
        lambda: la.Window().query(half),
        lambda: la.dedup([{half}, {"a"}]),
        lambda: la.dedup_files(tmp_path / half),
    ]
    for ask in asks:
        with pytest.raises((ValueError, OSError)):
            ask()


def test_signatures_of_any_column() -> None:
    texts = ["one two three", None, "", "four five"]
    expected = la.sketch(texts, tokens="words")
    assert [signature is None for signature in expected] == [False, True, True, False]
    kinds = (tuple(texts), iter(texts), np.array(texts, dtype=object), pd.Series(texts), pl.Series(texts), pa.array(texts), pa.chunked_array([texts, []]))
    for data in kinds:
        assert la.sketch(data, tokens="words") == expected
    many = [f"text {at} of many" if at % 7 else None for at in range(3_000)]
    for method in ("minhash", "simhash", "features"):
        one = la.sketch(many, method, tokens="words", threads=1)
        assert one == la.sketch(many, method, tokens="words", threads=3) and len(one) == 3_000
    signer = la.SimHash(64, tokens="words")
    assert signer.sign_all(many) == [signer.sign(text) for text in many]
    for rows in (pl.DataFrame({"text": texts}), pd.DataFrame({"text": texts}), [{"text": text} for text in texts], {"text": texts}):
        assert la.sketch(rows, tokens="words") == expected
    for wrong in ([{1, 2}], [Path("a")]):
        with pytest.raises(TypeError, match="give texts"):
            la.sketch(wrong)
    with pytest.raises(TypeError, match="row 1 of 'the texts' is not a string"):
        la.sketch(["a", 3])
    with pytest.raises(ValueError, match="threads must be"):
        la.sketch(["a"], threads=0)


@pytest.mark.parametrize("length", [1, 200_000])
def test_kept_rows_of_arrow_are_copied_only_if_that_is_cheap(length: int) -> None:
    texts = ["a" * length, "b" * length, "a" * length, None, "b" * length, "c" * length]
    whole = pa.table({"text": texts, "n": range(6)}).replace_schema_metadata({"from": "here"})
    for table in (whole, pa.concat_tables([whole.slice(0, 3), whole.slice(3)])):
        kept = la.dedup(table, tokens="words").kept
        assert kept.schema.equals(whole.schema, check_metadata=True)
        assert kept.to_pylist() == [whole.to_pylist()[row] for row in (0, 1, 3, 5)]
        shared = kept["text"].chunk(0).buffers()[2].address == table["text"].chunk(0).buffers()[2].address
        assert shared == (length > 1)


def test_any_arrow_stream() -> None:
    class Stream:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return pa.table({"text": ["a b", "b a"], "n": [1, 2]}).__arrow_c_stream__(requested_schema)

    assert la.dedup(Stream(), tokens="words").kept.to_pydict() == {"text": ["a b"], "n": [1]}


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select * from (values ('a b', 1), ('b a', 2), ('c', 3)) as t(text, n)")
    result = la.dedup(relation, tokens="words")
    assert result.kept_rows == [0, 2]
    assert [row["n"] for row in pa.table(result.kept).to_pylist()] == [1, 3]


def test_hugging_face() -> None:
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_dict({"id": ["a", "b", "c", "d"], "text": ["x y", "z", "y x", "x y"], "n": [1, 2, 3, 4]})
    result = la.dedup(data, tokens="words")
    assert result.kept.to_dict() == {"id": ["a", "b"], "text": ["x y", "z"], "n": [1, 2]}
    assert result.removed["twin"][:] == ["a", "a"]
    chosen = data.select([3, 1, 2])
    assert la.dedup(chosen, tokens="words").kept["n"][:] == [4, 2]
    with pytest.raises(TypeError, match="choose a split"):
        la.dedup(datasets.DatasetDict({"train": data}))


def test_sets_of_integers_and_of_tokens() -> None:
    for sets in ([{1, 2, 3}, {2, 3, 1, 4}, {9}], [["a", "b", "c"], ["c", "b", "a", "d"], ["z"]], [{-1, 5, 2**63}, [5, -1, 2**63, 0], [7]]):
        result = la.dedup(sets, 0.75)
        assert result.removed == [la.Removed(1, 0, 0.75, False)]
        assert result.kept == [sets[0], sets[2]]
    assert la.dedup([{1}, None, set(), {1}]).kept_rows == [0, 1, 2]
    with pytest.raises(TypeError, match="some elements are numbers"):
        la.dedup([{1, 2}, {"a"}])
    with pytest.raises(TypeError, match="type float"):
        la.dedup([{1.5}])
    with pytest.raises(OverflowError, match="64 bits"):
        la.dedup([{2**64}])
    with pytest.raises(TypeError, match="texts or sets"):
        la.dedup([{1}, "text"])


def test_files(tmp_path: Path) -> None:
    rows = [{"id": at, "body": text} for at, text in enumerate(["a b c", "d", "c b a"])]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "a.jsonl").write_text(lines, "utf-8")
    with gzip.open(tmp_path / "b.jsonl.gz", "wt") as file:
        file.write(lines)
    one = la.dedup(tmp_path / "a.jsonl", text="body", tokens="words")
    assert one.kept == ["0", "1"] and one.removed == [la.Removed("2", "0", 1.0, True)]
    both = la.dedup([tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"], text="body", tokens="words")
    assert len(both) == 6 and both.kept == ["0", "1"]
    assert la.dedup(str(tmp_path / "*.jsonl*"), text="body", tokens="words") == both
    with pytest.raises(FileNotFoundError, match="to compare texts, give a list"):
        la.dedup("a text, and no path")
    with pytest.raises(OSError, match="no-such"):
        la.dedup(str(tmp_path / "no-such.jsonl"))
    with pytest.raises(ValueError, match=r"no row of the inputs has a field 'txt' \(fields: id, body\)"):
        la.dedup(tmp_path / "a.jsonl", text="txt")


def test_files_and_rows_are_compared_within_the_same_values(tmp_path: Path) -> None:
    rows = [{"id": str(at), "body": "one two three", "shop": shop} for at, shop in enumerate(["a", "b", None, "a"])]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    files, memory = (la.Corpus(data, text="body", tokens="words") for data in (tmp_path / "rows.jsonl", rows))
    expected = [("0", "0"), ("0", "3"), ("1", "1"), ("2", "2"), ("3", "0"), ("3", "3")]
    for one, other in ((files, files), (files, memory), (memory, files), (memory, memory)):
        assert [(str(pair.a), str(pair.b)) for pair in one.pairs(1, other=other, within="shop")] == expected
        assert one.dedup(1, against=other, within="shop").kept_rows == []


def test_a_target_size() -> None:
    corpus = la.Corpus([{1, 2, 3}, {1, 2, 3, 4}, {8, 9}, {8, 9, 10}, {30}])
    result = corpus.dedup(to=4)
    assert (result.threshold, len(result.kept)) == ("0.75", 4)
    assert corpus.dedup(to=3).threshold == "2/3"
    assert corpus.dedup(to=9).threshold == "1"
    with pytest.raises(ValueError, match="3 documents are kept at the threshold 0.5, more than 2"):
        corpus.dedup(to=2)


@pytest.mark.parametrize("threshold", [0.8, "0.8", "4/5", Fraction(4, 5), Decimal("0.8")])
def test_thresholds(threshold: Any) -> None:
    result = la.dedup([set(range(9)), set(range(1, 10))], threshold)
    assert result.threshold == "0.8" and len(result.kept) == 1


def wrong(kind: type[Exception], message: str, *arguments: Any, **options: Any) -> None:
    with pytest.raises(kind, match=message):
        la.dedup(*arguments, **options)


def test_what_is_wrong_is_said() -> None:
    frame = pl.DataFrame({"body": ["a"], "n": [1]})
    wrong(KeyError, r"no column 'text' \(columns: body, n\). Use text=", frame)
    wrong(KeyError, r"no column 'x' \(columns: body, n\)", frame, text="x")
    wrong(KeyError, "no column 'uid'", frame, text="body", id="uid")
    wrong(KeyError, "no column 'z'", frame, text="body", keep="max:z")
    wrong(KeyError, "no column 'z'", frame, text="body", within="z")
    wrong(TypeError, "column 'n' has values of the type Int64", frame, text="n")
    wrong(TypeError, "row 1 of 'the texts' is not a string", ["a", 3])
    wrong(TypeError, "row 0 of 'the texts' is not a string", [b"bytes"])
    wrong(TypeError, "cannot read documents from an int", 3)
    wrong(TypeError, "cannot read documents from a bytes", b"x")
    wrong(ValueError, "out of range for jaccard", ["a"], 1.5)
    wrong(ValueError, "is not a number", ["a"], float("nan"))
    wrong(TypeError, "not list", ["a"], [0.8])
    wrong(TypeError, "not bool", ["a"], True)
    wrong(ValueError, "'newest' is not a keep order", ["a"], keep="newest")
    wrong(ValueError, "does not name each of the 2 documents once", ["a", "b"], keep=[0, 0])
    wrong(ValueError, "words", ["a"], tokens="syllables")
    wrong(ValueError, "jaccard", ["a"], measure="euclid")
    wrong(ValueError, "Use fold or keep", ["a"], case="upper")
    wrong(ValueError, "threads must be", ["a"], threads=0)
    wrong(ValueError, "is no size", ["a"], memory="plenty")
    wrong(MemoryError, "need more than the 10 bytes", ["a b c d e f g h i j"], memory=10)
    wrong(ValueError, "lowest is for", ["a"], lowest=0.5)
    wrong(ValueError, "either text or html", frame, text="body", html="body")
    wrong(ValueError, "format is for files", ["a"], format="csv")
    wrong(ValueError, "strict is for files", ["a"], strict=True)
    wrong(ValueError, "different numbers of rows: text 1, n 2", {"text": ["a"], "n": [1, 2]})
    wrong(ValueError, "row 1 of 'the texts' is no valid text", ["a", "half \ud800"])
    wrong(TypeError, "unexpected keyword", ["a"], threshhold=0.8)
    with pytest.raises(KeyError, match="no document has the id 'q'"):
        la.dedup(pl.DataFrame({"id": ["a"], "text": ["x"]})).duplicates_of("q")
    one, two = la.Corpus(["a"]), la.Corpus(["a"], tokens="words")
    with pytest.raises(ValueError, match="different settings"):
        one.pairs(0.5, other=two)


def test_a_huge_text_and_many_small_ones() -> None:
    huge = "word " * 4_000_000
    result = la.dedup([huge, "x", huge], max_document="1GB")
    assert result.kept_rows == [0, 1]
    assert la.Corpus([huge], max_document="1MB").unusable == 1
    many = [str(at % 1000) for at in range(200_000)]
    assert len(la.dedup(many).kept) == 1000


def test_a_check_finds_what_is_wrong() -> None:
    corpus = la.Corpus(["a b c d", "a b c d e", "x"], tokens="words")
    good = [(1, 0, 0.8)]
    assert corpus.check(0.8, kept=[0, 2], removed=good) == []
    assert corpus.check(0.8, removed=[(1, 0, 0.81)])[0].promise == "wrong similarity"
    assert corpus.check(0.9, removed=good)[0].promise == "not similar"
    assert corpus.check(0.8, removed=[(0, 1), (1, 0)])[0].promise == "twin removed"
    assert corpus.check(0.8)[0] == la.Broken("both kept", 0, 1, 0.8, None)
    with pytest.raises(ValueError, match="document 2 is neither kept nor removed"):
        corpus.check(0.8, kept=[0], removed=good)


def test_explanations() -> None:
    result = la.dedup(["the ferry leaves at nine", "rain", "the ferry leaves at ten"], 0.6, tokens="words")
    compared = result.explain(2)
    assert compared.is_pair and compared.measures["jaccard"] == 4 / 6
    assert compared.diff() == "the ferry leaves at [-ten-] {+nine+}"
    assert not result.explain(0, 1).is_pair
    with pytest.raises(ValueError, match="is kept"):
        result.explain(0)


def test_a_page_for_a_notebook() -> None:
    page = la.dedup(["a b c d", "a b c d e", "x <b>"], 0.5, tokens="words")._repr_html_()
    assert page.count("<rect") == 11 and "prefers-color-scheme:dark" in page and "<script" not in page
    assert "<svg" not in la.dedup(["a"])._repr_html_()


def test_other_data_has_the_same_columns():
    rows = [{"name": "a", "body": "one two three"}, {"name": "b", "body": "four five six"}]
    corpus = la.Corpus(rows, text="body", id="name")
    against = [{"name": "c", "body": "four five six"}]
    assert [(row.id, row.twin) for row in corpus.dedup(against=against).removed] == [("b", "c")]
    assert [(pair.a, pair.b) for pair in corpus.pairs(other=against)] == [("b", "c")]
    assert [row.id for row in corpus.dedup(against=["four five six"]).removed] == ["b"]
