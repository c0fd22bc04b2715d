"""Ctrl-C ends every call that takes long, soon and wherever it is."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from conftest import interrupted, needs_signals, stop_in, stops

import lookalike as la

pytestmark = needs_signals
WORDS = [f"w{number}" for number in range(5000)]


def text(number: int, length: int) -> str:
    start = number * 7919 % 4001
    return " ".join(WORDS[(start + at) % 5000] for at in range(length))


def repeated(texts: list[str], rows: int) -> pa.Table:
    """A column of many rows that takes little memory, and as long to read as any."""
    codes = pa.array((number % len(texts) for number in range(rows)), pa.int32())
    return pa.table({"text": pa.DictionaryArray.from_arrays(codes, pa.array(texts))})


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Large files: documents, pairs with an estimate, and labels."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = "".join(json.dumps({"text": text(number, 400), "site": f"s{number % 7}"}) + "\n" for number in range(200))
        lines = "".join(f'{{"a":"{at}","b":"{at + 1}","similarity":0.5,"label":1}}\n' for at in range(2000))
        for path, chunk, times in (("rows", rows, 250), ("pairs", lines, 1000)):
            with open(folder / f"{path}.jsonl", "w", encoding="utf-8") as file:
                for _ in range(times):
                    file.write(chunk)
        with gzip.open(folder / "rows.jsonl.gz", "wt", 1, encoding="utf-8") as file:
            for _ in range(250):
                file.write(rows)
        table = pa.Table.from_pylist([json.loads(row) for row in rows.splitlines()])
        parquet.write_table(pa.concat_tables([table] * 250), folder / "rows.parquet", row_group_size=1000)
        (folder / "removed.csv").write_text("id,twin\n", "utf-8")
        (folder / "candidates.csv").write_text("a,b\nrows.jsonl:1,rows.jsonl:2\n", "utf-8")
        (folder / "labels.csv").write_text("a,b,label\nrows.jsonl:1,rows.jsonl:2,1\nrows.jsonl:1,rows.jsonl:3,0\n", "utf-8")
        yield folder


# Each with stages in which it is stopped. The files are in the current folder.
FILES: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "Corpus": (partial(la.Corpus, "rows.jsonl", tokens="chars:4"), ("reading",)),
    "Corpus of gzip": (partial(la.Corpus, "rows.jsonl.gz", tokens="chars:4"), ("reading",)),
    "dedup_files": (partial(la.dedup_files, "rows.jsonl", output="out.jsonl", annotate="all.jsonl"), ("reading", "writing")),
    "dedup_files of Parquet": (partial(la.dedup_files, "rows.parquet", output="out.parquet", annotate="all.parquet"), ("writing",)),
    "dedup_files by signatures": (partial(la.dedup_files, "rows.jsonl", method="minhash"), ("reading",)),
    "pairs_files": (partial(la.pairs_files, "rows.jsonl", output="out.csv", memory="64MB"), ("reading", "writing")),
    "check_files": (partial(la.check_files, "rows.jsonl", kept="rows.jsonl", removed="removed.csv"), ("reading",)),
    "sketch_files": (partial(la.sketch_files, "rows.jsonl", output="out.jsonl"), ("reading",)),
    "boilerplate_files": (partial(la.boilerplate_files, "rows.jsonl", output="out.jsonl", site="field:site"), ("reading",)),
    "compare_files": (
        partial(la.compare_files, "rows.jsonl.gz:1", "rows.jsonl.gz:50000", inputs="rows.jsonl.gz"),
        ("reading",),
    ),
    "graph": (partial(la.graph, "pairs.jsonl"), ("reading",)),
    "evaluate": (partial(la.evaluate, "pairs.jsonl", "pairs.jsonl"), ("reading",)),
    "evaluate by a field": (partial(la.evaluate, "candidates.csv", "labels.csv", documents="rows.jsonl.gz", by="site"), ("reading",)),
    "calibrate": (partial(la.calibrate, "rows.jsonl", "labels.csv"), ("comparing",)),
    "pairs_to_label": (partial(la.pairs_to_label, "rows.jsonl", 10, tokens="chars:4"), ("reading",)),
    "verify": (partial(la.verify, "rows.jsonl", "candidates.csv", tokens="chars:4"), ("reading",)),
}


@pytest.mark.parametrize("name", FILES)
def test_files(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    space = folder / "space"
    space.mkdir(exist_ok=True)
    monkeypatch.setattr(tempfile, "tempdir", str(space))
    monkeypatch.chdir(folder)
    before = set(folder.iterdir())
    question, stages = FILES[name]

    def nothing_left() -> None:
        assert set(folder.iterdir()) == before and not any(space.iterdir())

    stop_in(stages, lambda progress: question(progress=progress), nothing_left)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of an index. The lock only says who holds it."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "lock"}


def test_an_index_in_a_folder(tmp_path: Path) -> None:
    index = la.Index(tmp_path / "index", tokens="words", threads=2)
    batches = [[(f"d{number}", " ".join(f"{number}_{at}" for at in range(150))) for number in range(first, first + 80_000)] for first in (0, 80_000)]
    for batch in batches:
        index.add(batch)
    before = contents(tmp_path / "index")
    assert len([name for name in before if name.startswith("part")]) == 2

    def unharmed() -> None:
        assert contents(tmp_path / "index") == before

    stop_in(["checking"], lambda progress: index.check(progress=progress))
    stop_in(["merging"], lambda progress: index.merge(progress=progress), unharmed)
    seen: list[str] = []
    assert index.merge(progress=lambda stage, done, total: seen.append(stage))["parts"] == 1
    assert index.check()["documents"] == len(index) and "merging" in seen
    # Of a batch, either all is in or nothing.
    for moment in (0.05, 0.3):
        is_stopped = interrupted(lambda: index.add([("new", "a text"), ("newer", "another"), *batches[0][:20_000]]), moment)
        assert len(index) in ((160_000, 160_002) if is_stopped else (160_002,))


def test_an_index_in_memory() -> None:
    index = la.Index(tokens="words", threads=2)
    batches = [[(f"d{at}", " ".join(f"{at}_{word}" for word in range(100))) for at in range(first, first + 7_000)] for first in range(0, 63_000, 7_000)]
    for batch in batches[:-1]:
        index.add(batch)
    last, asked = batches[-1], [batch[5][1] for batch in batches]
    before = (len(index), index.nbytes, index.query_all(asked))

    def unharmed() -> None:
        assert (len(index), index.nbytes, index.query_all(asked)) == before

    # The last batch replaces a document, and makes the parts so many that they are merged.
    last[0] = ("d5", last[0][1])
    stop_in(["comparing", "writing index", "merging"], lambda progress: index.add(last, progress=progress), unharmed)
    assert all(settled.is_added for settled in index.add(last)) and len(index) == 62_999


def test_a_table_of_passages(tmp_path: Path) -> None:
    lines = [f"{text(number, 3)} {number}" for number in range(60_000)]
    # Each line is on two pages.
    pages = [{"text": "\n".join([*lines[at : at + 100], f"{at} {copy}"])} for at in range(0, 60_000, 100) for copy in (1, 2)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages), "utf-8")
    report = la.boilerplate_files(tmp_path / "in.jsonl", output=tmp_path / "table.jsonl", min_pages=2, min_share=0)
    assert report["passages"] > 50_000
    assert stops(lambda: la.Corpus(["a"], without=tmp_path / "table.jsonl"))


def test_sets_and_signatures() -> None:
    table = repeated([text(number, 3000) for number in range(50)], 20_000)
    texts, long = table["text"].combine_chunks(), (text(1, 1_500_000), text(2, 1_500_000))
    # The elements of a set are read one by one.
    stop_in(["reading"], lambda progress: la.Corpus([range(10**8)], progress=progress))
    stop_in(["reading"], lambda progress: la.Corpus([range(10**5)] * 1000, progress=progress))
    stop_in(["signing"], lambda progress: la.sketch(texts, progress=progress))
    stop_in(["signing"], lambda progress: la.sketch(texts, "simhash", threads=1, progress=progress))
    stop_in(["signing"], lambda progress: la.MinHash(512).sign_all(texts, threads=2, progress=progress))
    assert stops(lambda: la.compare(*long), 0.2, 0.05)


def test_keep_orders(folder: Path) -> None:
    page = "<html><body>" + "".join(f"<p>{text(number, 40)}</p>" for number in range(300)) + "</body></html>"
    pages = repeated([page], 4_000)
    # The texts of pages are read again for their lengths.
    corpus = la.Corpus(pages, html="text", tokens="raw", threads=1)
    stop_in(["ordering"], lambda progress: corpus.dedup(keep="longest", progress=progress))
    files = la.Corpus(folder / "rows.jsonl", tokens="raw")
    # So are files.
    stop_in(["reading"], lambda progress: files.dedup(keep="longest", progress=progress))
    stop_in(["reading"], lambda progress: files.dedup(keep="max:site", progress=progress))
    stop_in(["reading"], lambda progress: files.pairs(within="site", progress=progress))
