"""What `--page main` leaves of pages, beside `--page text` and other extractors: are different pages still different?

For every way to make a text of a page: the pairs with a Jaccard similarity of 0.8 or more on shingles of five words, all by
`lookalike pairs`. On boost and postgresql, which have every page in two versions, a pair of the same page in both is right, and a pair
of two pages of one version is wrong. On petclinic people say which pairs are right. The pages of a manual are all different.

`--without` is a table of `lookalike boilerplate` with its defaults, learned from the same pages. Speed is that of one thread: of
lookalike from the file to words, of the peers from a page in memory to its text.
"""

import json
import subprocess
from pathlib import Path

import report
import webpages
from papers.judged import jsonl

PEERS = {"trafilatura": "trafilatura", "trafilatura-recall": "trafilatura, favor_recall", "resiliparse": "resiliparse, main_content"}
PROGRAM = Path(__file__).resolve().parents[2] / "peers" / "main_text.py"
THRESHOLD = "0.8"


def section(judge, data, python, before, manual, say) -> tuple[list[str], dict, dict]:
    """`python` has the peers, `before` is another build and `manual` a folder of pages; each may be None. The last result is versions."""
    collections = [webpages.versions("boost", data), webpages.versions("postgresql", data), webpages.petclinic(data)]
    lines, facts = ["## The main text of pages", ""], {}
    for collection in [*collections, *([folder(judge, manual)] if manual else [])]:
        more, facts[collection.name] = one(judge, collection, python, before, say)
        lines += more
    return lines, facts, versions(python) if python else {}


def folder(judge, manual) -> webpages.Collection:
    """The HTML files of a folder, every one a page of its own."""
    rows = ({"id": f"manual/one/{page.relative_to(manual)}", "version": "one", "html": page.read_text(encoding="utf-8", errors="replace")}
            for page in sorted(manual.rglob("*.html")))
    return webpages.Collection("manual", jsonl(judge.work / "manual.jsonl", rows), ["--html", "html"], set(), None)


def one(judge, collection, python, before, say) -> tuple[list[str], dict]:
    name, reading, file = collection.name, collection.options, plain(judge, collection)
    with open(file, encoding="utf-8") as rows:
        size = sum(len(json.loads(row)["html"].encode("utf-8", "replace")) for row in rows)
    # A version is a site: what both have in common is not learned from seeing every page twice.
    site = "registered" if collection.labelled is not None else "field:version"
    passages = judge.work / "passages"
    learned = json.loads(judge.run("boilerplate", file, *reading, "--site", site, "-o", passages, "--force", "-q", "--json"))
    ways = {"`--page text`": ["--page", "text"], "`--page main`": ["--page", "main"],
            **{f"`--page {page} --without`": ["--page", page, "--without", passages] for page in ("text", "main")}}
    found = {}
    for title, options in ways.items():
        say(f"main-text: {name}, {title}")
        found[title] = {**score(collection, pairs(judge, file, *reading, *options)), "speed": speed(judge, file, [*reading, *options], size)}
    if before:
        say(f"main-text: {name}, before")
        other = type(judge)(before, judge.work)
        found["`--page main`, before"] = {**score(collection, pairs(other, file, *reading, "--page", "main")), "speed": None}
    for tool, title in PEERS.items() if python else []:
        say(f"main-text: {name}, {title}")
        texts = judge.work / "texts.jsonl"
        done = subprocess.run([python, PROGRAM, tool, file, texts], capture_output=True, text=True, check=True)
        found[title] = {**score(collection, pairs(judge, texts)), "speed": size / 1e6 / json.loads(done.stdout)["seconds"]}
    heads = ["text by", "wrong pairs" if collection.labelled is not None else "pairs of different pages of one version", "recall", "MB/s"]
    rows = [[title, report.count(it["wrong"]), report.share(it["recall"]), report.BLANK if it["speed"] is None else f"{it['speed']:,.1f}"]
            for title, it in found.items()]
    share = learned["passage_bytes"] / learned["text_bytes"]
    return [f"{name[0].upper()}{name[1:]}:", "", *report.table(heads, rows), "",
            f"The table has {learned['passages']} passages, which are {100 * share:.1f} % of the text.", ""], {"ways": found, "boilerplate": learned}


def plain(judge, collection) -> Path:
    """The pages as JSON lines that are not compressed: the peers read no others."""
    if collection.file.suffix != ".zst":
        return collection.file
    target = judge.work / f"{collection.name}.jsonl"
    with open(target, "wb") as out:
        subprocess.run(["zstd", "-dcq", collection.file], stdout=out, check=True)
    return target


def pairs(judge, file, *options) -> set:
    return {tuple(sorted((row["a"], row["b"]))) for row in judge.pairs(file, *options, "-t", THRESHOLD)}


def speed(judge, file, options, size) -> float:
    """Megabytes of HTML per second on one thread: from JSON lines to the words of the text, the best of three runs."""
    command = ["sketch", file, *options, "--functions", "1", "--tokens", "words", "--threads", "1", "--json",
               "-o", judge.work / "sketches.csv", "--force", "-q"]
    return size / 1e6 / min(json.loads(judge.run(*command))["seconds"] for _ in range(3))


def score(collection, found) -> dict:
    counted = found if collection.labelled is None else found & collection.labelled
    wrong = counted - collection.truth
    if collection.labelled is None:
        wrong = {pair for pair in wrong if len({identifier.split("/")[1] for identifier in pair}) == 1}
    return {"wrong": len(wrong), "recall": len(counted & collection.truth) / len(collection.truth) if collection.truth else None}


def versions(python) -> dict:
    program = "from importlib.metadata import version as v; print(v('trafilatura'), v('resiliparse'))"
    told = subprocess.run([python, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    return dict(zip(["trafilatura", "resiliparse"], told))
