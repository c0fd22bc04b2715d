"""What bench/join measures: the inputs, how many pairs they must have, and what was promised of the times."""

import json
import shutil
import subprocess
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import shingles
from corpus import ROOT

SHARED = ROOT.parent / "shared" / "data"


@dataclass
class Input:
    name: str
    title: str
    source: str  # under ../shared/data
    tokens: str
    kind: str  # "sets", "records" or "jsonl"

    @property
    def flags(self) -> list:
        return ["--format", "lines"] if self.kind == "sets" else []


INPUTS = {item.name: item for item in (
    Input("kosarak", "kosarak, sets", "sets/kosarak_first100000.sets.zst", "raw", "sets"),
    Input("bmspos", "BMS-POS, sets", "sets/bmspos_first100000.sets.zst", "raw", "sets"),
    Input("retail", "retail, sets", "sets/retail.sets.zst", "raw", "sets"),
    Input("acl-words", "ACL records, words", "records/acl_records.tsv.zst", "words", "records"),
    Input("mail-words", "mail, words", "mail/enron_spam.jsonl.zst", "words", "jsonl"),
    Input("news-words", "news, words", "news/reuters21578.jsonl.zst", "words", "jsonl"),
    Input("acl-chars3", "ACL records, 3-grams", "records/acl_records.tsv.zst", "chars:3", "records"),
)}

THRESHOLDS = [("jaccard", t) for t in ("0.95", "0.9", "0.8", "0.7", "0.6", "0.5")] + [("cosine", "0.9"), ("cosine", "0.8")]

# Pairs between distinct non-empty sets, counted once by an independent program for each of THRESHOLDS, in that order;
# and the number of distinct sets.
EXPECTED = {
    "kosarak": (69007, [13, 39, 4619, 18645, 608349, 5090080, 874, 86045]),
    "bmspos": (69874, [0, 2, 4106, 16525, 118756, 727334, 926, 47828]),
    "retail": (83490, [0, 0, 780, 3675, 43371, 432274, 128, 12054]),
}

# Seconds of the C++ PPJoin of Mann, Augsten and Bouros (PVLDB 2016) on the same files, one thread, on another machine
# (an AVX-512 Xeon).
PUBLISHED_PPJOIN = {
    "kosarak": {"0.7": 0.025, "0.6": 0.082, "0.5": 0.309},
    "bmspos": {"0.7": 0.123, "0.6": 0.378, "0.5": 1.288},
}
# Seconds of a prototype of the fast plan on 3-grams at Jaccard 0.5, on that machine and on records of another
# collection (99,000 package synopses).
PROTOTYPE_CHARS3 = 1.356


def key(measure, threshold) -> str:
    return f"{measure} {threshold}"


def difficulty(measure, threshold) -> float:
    """Thresholds in one order: a cosine as the Jaccard similarity that it is between sets of one size."""
    value = float(threshold)
    return value / (2 - value) if measure == "cosine" else value


def prepare(item, work) -> Path:
    """The input as a file in `work`, unpacked."""
    source = SHARED / item.source
    if not source.is_file():
        sys.exit(f"The input {item.name} is not here: ../shared/data/ has no {item.source}. Choose others with --inputs.")
    if shutil.which("zstd") is None:
        sys.exit("The inputs are compressed, and the command zstd is not installed.")
    data = subprocess.run(["zstd", "--decompress", "--stdout", "--quiet", source], capture_output=True, check=True).stdout
    if item.kind == "records":
        # id, year, authors, title, without a head.
        rows = (line.split("\t") for line in data.decode().splitlines())
        # As JSON lines: a quotation mark in a title means nothing there.
        data = "".join(json.dumps({"id": row[0], "text": f"{row[2]} {row[3]}"}) + "\n" for row in rows).encode()
    target = work / f"{item.name}.{'txt' if item.kind == 'sets' else 'jsonl'}"
    target.write_bytes(data)
    return target


def sets(item, file):
    """The sets of an input, made in Python: for the number of elements, and for the peers."""
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            if item.kind == "sets":
                yield set(line.split())
                continue
            text = json.loads(line)["text"]
            if item.tokens == "words":
                yield set(shingles.plain_words(text))
            else:
                text = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
                yield {text[i:i + 3] for i in range(max(1, len(text) - 2))} if text else set()


def elements(item, file) -> int:
    return sum(map(len, sets(item, file)))
