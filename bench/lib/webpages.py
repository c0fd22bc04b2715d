"""Collections of web pages with what is right, and the pairs that a method finds in them."""

import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import lookalike
import measure
from corpus import ROOT

SHARED = ROOT.parent / "shared" / "data"


@dataclass
class Collection:
    name: str
    file: Path
    options: list
    truth: set  # pairs of ids that are right
    labelled: set | None  # all pairs that people judged; None if every other pair is wrong


@dataclass
class Pair:
    similarity: float
    b: int | None = None
    c: int | None = None
    same_site: bool | None = None
    terms: int | None = None


def versions(name, data=SHARED) -> Collection:
    folder = data / "web"
    with open(folder / f"pairs_{name}.tsv", encoding="utf-8") as rows:
        truth = {tuple(sorted((row["id_a"], row["id_b"]))) for row in csv.DictReader(rows, delimiter="\t")}
    return Collection(name, folder / f"{name}.jsonl.zst", ["--html", "html"], truth, None)


def petclinic(data=SHARED) -> Collection:
    folder = data / "web" / "petclinic"
    truth, labelled = set(), set()
    with open(folder / "pairs.tsv", encoding="utf-8") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            pair = tuple(sorted((row["id_a"], row["id_b"])))
            labelled.add(pair)
            if row["response"] in "01":
                truth.add(pair)
    return Collection("petclinic", folder / "pages.jsonl", ["--html", "html", "--url", "url"], truth, labelled)


class Finder:
    def __init__(self, binary, work):
        self.binary, self.work = binary, work

    def pairs(self, file, options) -> tuple[dict, float]:
        """Pairs by their ids, and how long the join took, in seconds; the whole command, if it does not say."""
        target = self.work / "pairs.csv"
        done = measure.run([self.binary, "pairs", file, *options, "-o", target, "--json", "--force"], self.work,
                           accept=lookalike.DONE, timeout=self.timeout)
        if done.status == "timeout":
            return None, None
        if not done.ok:
            sys.exit(f"lookalike failed: {done.complaint}")
        whole = lambda text: int(text) if text else None  # noqa: E731
        truth = {"true": True, "false": False}
        with open(target, encoding="utf-8") as rows:
            found = {tuple(sorted((row["a"], row["b"]))): Pair(
                float(row["similarity"]), whole(row.get("b_similarity")), whole(row.get("c_similarity")),
                truth.get(row.get("same_site")), whole(row.get("term_difference"))) for row in csv.DictReader(rows)}
        seconds = json.loads(done.stdout)["seconds"]
        return found, seconds["prepare"] + seconds["join"]

    timeout = None


def different(found):
    """Pages with the same sequence of tokens are one."""
    return {ids: pair for ids, pair in found.items() if pair.terms != 0}
