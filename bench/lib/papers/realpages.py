"""What can be had of Henzinger's tables on real pages: boost, postgresql and petclinic.

The labels say which pairs are right. They do not say *what* differs in a right pair, nor why people could not decide. So Tables 3, 4, 6
and 7 cannot be made of them. A version is a site in boost and postgresql, whose pages have no addresses; petclinic is one site.
"""

import csv
import subprocess
from collections import Counter

import report
import webpages
from papers import angles, degrees
from papers.henzinger import CLASSES, Found, b_rows, c_rows, classes, share, term_facts
from papers.judged import table, two

WAYS = {"B": "b", "C": "c", "combined": "combined"}
PETCLINIC = {"0": "correct", "1": "undecided", "2": "incorrect"}  # clones, near-duplicates, different pages


def section(judge, data, say) -> tuple[list[str], dict]:
    lines, cells, by_degree, facts, finder = ["## Real pages", ""], [], [], {}, webpages.Finder(judge.binary, judge.work)
    for name in ("boost", "postgresql", "petclinic"):
        say(f"pages: {name}")
        has_versions = name != "petclinic"
        collection = webpages.versions(name, data) if has_versions else webpages.petclinic(data)
        judged = None if has_versions else petclinic_classes(data)
        correct = collection.truth if judged is None else [ids for ids, kind in judged.items() if kind == "correct"]
        labels = table(judge.work / "correct.csv", ["a", "b"], correct)
        pools, pages = {}, count_pages(collection.file)
        for way, method in WAYS.items():
            options = [*collection.options, "--page", "paper", "--method", method, *(["--site", "field:version"] if has_versions else [])]
            found = webpages.different(finder.pairs(collection.file, options)[0])
            pools[way] = [Found(*ids, judged[ids] if judged else "correct" if ids in collection.truth else "incorrect", "", name, it.b, it.c,
                                it.same_site, it.terms) for ids, it in found.items() if judged is None or ids in judged]
            told = judge.evaluate([{"a": it.a, "b": it.b} for it in pools[way]], labels)
            if told["right"] != sum(it.kind == "correct" for it in pools[way]):
                raise SystemExit(f"{name}, {way}: evaluate and the labels disagree")
            facts[f"{name} {way}"] = {"counts": Counter(it.kind for it in pools[way]), "recall": (told["recall"] or {}).get("value")}
            cells.append(row(f"{name}, {way}", pools[way]))
        lines += by_class(name, pools)
        for way in ("B", "C"):
            if pools[way]:
                by_degree.append(degrees.row(f"{name}, {way}", pools[way], degrees.graph(judge, pools[way]), pages))
    heads = ["", "pairs", *CLASSES, "term difference: mean", "median", "90 % up to", "share over 200"]
    return [*lines, "Degrees:", "", *report.table(degrees.HEADS, by_degree), "", "All, pages with the same tokens apart:", "",
            *report.table(heads, cells), ""], facts


def by_class(name, pools) -> list[str]:
    """Tables 2 and 5."""
    lines = []
    for way, rows in (("B", b_rows()), ("C", c_rows())):
        shown = [f"{name}, algorithm {way}: no pair of different pages."]
        if pools[way]:
            shown = [f"{name}, algorithm {way}:", "", *classes(pools[way], rows)]
        lines += [*shown, ""]
    if pools["B"]:
        lines += [f"{name}, C-similarity by B-similarity:", "", *angles.c_by_b(pools["B"]), ""]
    return lines


def row(title, pairs):
    if not pairs:
        return [title, "0", *[report.BLANK] * 7]
    it = term_facts(pairs)
    return [title, report.count(len(pairs)), *(two(share(pairs, lambda one, kind=kind: one.kind == kind)) for kind in CLASSES),
            f"{it['mean']:.0f}", f"{it['median']:.0f}", str(it["90 %"]), two(it["large"])]


def count_pages(file) -> int:
    content = file.read_bytes() if file.suffix != ".zst" else subprocess.run(["zstd", "-dcq", file], stdout=subprocess.PIPE, check=True).stdout
    return content.count(b"\n")


def petclinic_classes(data) -> dict:
    """People called pairs clones, near-duplicates or different; in the paper's words correct, undecided and incorrect."""
    with open(data / "web" / "petclinic" / "pairs.tsv", encoding="utf-8") as rows:
        return {tuple(sorted((row["id_a"], row["id_b"]))): PETCLINIC[row["response"]] for row in csv.DictReader(rows, delimiter="\t")}
