"""Ctrl-C ends every call that takes long, soon and wherever it is."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import needs_signals, stops

import lookalike as la

pytestmark = needs_signals
DELAYS = (0.05, 0.4)
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
        (folder / "removed.csv").write_text("id,twin\n", "utf-8")
        (folder / "candidates.csv").write_text("a,b\nrows.jsonl:1,rows.jsonl:2\n", "utf-8")
        (folder / "labels.csv").write_text("a,b,label\nrows.jsonl:1,rows.jsonl:2,1\nrows.jsonl:1,rows.jsonl:3,0\n", "utf-8")
        yield folder


Question = Callable[[Path], Any]
FILES: dict[str, Question] = {
    "Corpus": lambda folder: la.Corpus(folder / "rows.jsonl", tokens="chars:4"),
    "Corpus of gzip": lambda folder: la.Corpus(folder / "rows.jsonl.gz", tokens="chars:4"),
    "dedup_files": lambda folder: la.dedup_files(folder / "rows.jsonl", output=folder / "out.jsonl"),
    "dedup_files by signatures": lambda folder: la.dedup_files(folder / "rows.jsonl", method="minhash"),
    "pairs_files": lambda folder: la.pairs_files(folder / "rows.jsonl", output=folder / "out.csv", memory="64MB"),
    "check_files": lambda folder: la.check_files(folder / "rows.jsonl", kept=folder / "rows.jsonl", removed=folder / "removed.csv"),
    "sketch_files": lambda folder: la.sketch_files(folder / "rows.jsonl", output=folder / "out.jsonl"),
    "boilerplate_files": lambda folder: la.boilerplate_files(folder / "rows.jsonl", output=folder / "out.jsonl", site="field:site"),
    "compare_files": lambda folder: la.compare_files(*(f"{folder}/rows.jsonl.gz:{row}" for row in (1, 50_000)), inputs=folder / "rows.jsonl.gz"),
    "graph": lambda folder: la.graph(folder / "pairs.jsonl"),
    "evaluate": lambda folder: la.evaluate(folder / "pairs.jsonl", folder / "pairs.jsonl"),
    "evaluate by a field": lambda folder: la.evaluate(
        folder / "candidates.csv", folder / "labels.csv", documents=folder / "rows.jsonl.gz", by="site"
    ),
    "pairs_to_label": lambda folder: la.pairs_to_label(folder / "rows.jsonl", 10, tokens="chars:4"),
    "verify": lambda folder: la.verify(folder / "rows.jsonl", folder / "candidates.csv", tokens="chars:4"),
}


@pytest.mark.parametrize("name", FILES)
def test_files(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    space = folder / "space"
    space.mkdir(exist_ok=True)
    monkeypatch.setattr(tempfile, "tempdir", str(space))
    monkeypatch.chdir(folder)
    before = set(folder.iterdir())

    def nothing_left(stopped: bool) -> None:
        left = set(folder.iterdir()) - before
        # An interrupt that comes when the outputs are in place leaves them there, whole.
        assert all(path.name in ("out.jsonl", "out.csv") for path in left), (stopped, left)
        assert not any(space.iterdir())
        for path in left:
            path.unlink()

    assert stops(lambda: FILES[name](folder), *DELAYS, after=nothing_left)


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
    questions: list[Callable[[], Any]] = [
        # The elements of a set are read one by one.
        lambda: la.Corpus([range(10**8)]),
        lambda: la.Corpus([range(10**5)] * 1000),
        lambda: la.sketch(texts),
        lambda: la.sketch(texts, "simhash", threads=1),
        lambda: la.MinHash(512).sign_all(texts, threads=2),
        lambda: la.compare(*long),
    ]
    for question in questions:
        assert stops(question, 0.2, 0.05), question


def test_keep_orders(folder: Path) -> None:
    page = "<html><body>" + "".join(f"<p>{text(number, 40)}</p>" for number in range(300)) + "</body></html>"
    pages = repeated([page], 4_000)
    # The texts of pages are read again for their lengths.
    corpus = la.Corpus(pages, html="text", tokens="raw", threads=1)
    assert stops(lambda: corpus.dedup(keep="longest"))
    files = la.Corpus(folder / "rows.jsonl", tokens="raw")
    for ask in (lambda: files.dedup(keep="longest"), lambda: files.dedup(keep="max:site"), lambda: files.pairs(within="site")):
        assert stops(ask, 0.05)


def test_progress_of_what_comes_before_a_question() -> None:
    stages: set[str] = set()
    page = "<html><body>" + "".join(f"<p>{text(number, 40)}</p>" for number in range(300)) + "</body></html>"
    pages = repeated([page], 12_000)
    corpus = la.Corpus(pages, html="text", tokens="raw", threads=1)
    corpus.dedup(keep="longest", progress=lambda stage, done, total: stages.add(stage))
    la.sketch(repeated([text(1, 3000)], 3_000)["text"].combine_chunks(), threads=1, progress=lambda stage, done, total: stages.add(stage))
    assert {"ordering", "signing"} <= stages
