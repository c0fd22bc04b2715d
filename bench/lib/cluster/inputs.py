"""The Parquet files that are measured. They are made once and stay in the work folder."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import corpus
from scale import grown

ROWS = Path(__file__).with_name("rows.py")
ALL = 1 << 60


@dataclass
class Input:
    """A Parquet file, and the input without skew that it is compared with."""

    name: str
    file: Path
    documents: int
    text_bytes: int
    without: str | None = None
    is_page: bool = False


def make(options, python):
    """Makes the inputs one after the other."""
    maker = Maker(options, python)
    if "docs" in options.inputs:
        yield maker.rows("docs", "jsonl", ALL, *[corpus.SHARED / part for part in corpus.PARTS])
    if "mail" in options.inputs:
        yield maker.rows("mail", "jsonl", ALL, corpus.SHARED.parent / "mail" / "enron_spam.jsonl.zst")
    if "reuters" in options.inputs:
        yield maker.rows("reuters", "jsonl", ALL, corpus.SHARED.parent / "news" / "reuters21578.jsonl.zst")
    if "boost" in options.inputs:
        yield maker.rows("boost", "pages", ALL, corpus.SHARED.parent / "web" / "boost.jsonl.zst", is_page=True)
    if "grown" in options.inputs:
        sizes = sorted(options.sizes.split(","), key=grown.parse)
        source = options.grown or maker.grow(grown.parse(sizes[-1]))
        if source.stat().st_size < 0.99 * grown.parse(sizes[-1]):
            sys.exit(f"{source} has fewer than {sizes[-1]}")
        for size in sizes:
            yield maker.rows(f"grown {size}", "jsonl", grown.parse(size), source)
    for kind in ("pages", "template"):
        if kind in options.inputs:
            count = options.skew_documents
            yield maker.rows(f"no {kind}", "skew", count, f"no {kind}")
            yield maker.rows(kind, "skew", count, kind, without=f"no {kind}")
    if "copies" in options.inputs:
        yield maker.rows("copies", "skew", options.skew_documents, "copies")


class Maker:
    def __init__(self, options, python):
        self.options, self.python = options, python
        self.folder = options.work / "inputs"
        self.folder.mkdir(parents=True, exist_ok=True)

    def rows(self, name, *order, without=None, is_page=False) -> Input:
        names = [part.name if isinstance(part, Path) else str(part) for part in order]
        file = self.folder / f"{name.replace(' ', '-').replace(',', '')}.parquet"
        facts = file.with_suffix(".json")
        known = json.loads(facts.read_text()) if facts.is_file() and file.is_file() else {}
        if known.get("order") != names:
            for part in order:
                if isinstance(part, Path) and not part.is_file():
                    sys.exit(f"{part}: no such file. Leave this input out with --inputs.")
            print(f"writing {file.name}", file=sys.stderr, flush=True)
            command = [self.python, ROWS, order[0], file, *order[1:]]
            done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True)
            known = json.loads(done.stdout) | {"order": names}
            facts.write_text(json.dumps(known) + "\n")
        return Input(name, file, known["documents"], known["text_bytes"], without, is_page)

    def grow(self, size) -> Path:
        generator = grown.build(self.options.no_build, self.options.grow)
        collection = grown.Collection(self.options.work, self.options.seeds or grown.SEEDS, generator)
        return collection.make("text", size)[0]
