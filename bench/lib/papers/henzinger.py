"""Tables 2 to 8 and Figures 1 to 4 of Henzinger's paper (SIGIR 2006), on a made-up crawl.

`lookalike evaluate` judges all pairs of a method: precision and recall. The shares by class, site and similarity are counted here, by the
classes that the generator knows.
"""

import itertools
import json
import math
import random
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass

import plot
import report
from papers import angles, crawl, degrees
from papers.judged import jsonl, table, two

SEEDS = [1, 2, 3, 4, 5]
READING = ["--html", "html", "--url", "url", "--page", "paper"]
SITE = ["--site", "paper"]
CLASSES = ["correct", "incorrect", "undecided"]
# The ranges of Table 5; in them the whole of C's pairs.
RANGES = [(382, 384), (379, 381), (376, 378), (372, 375)]
EXACT = ["0.95", "0.9", "0.8"]
# Term differences are counted of so many of an algorithm's pairs, drawn by chance from all crawls together: some take a tenth of a second.
SAMPLE = 1000
# As the paper prints them: pairs, correct, incorrect, undecided, of which forms.
TABLE_2 = {"all": (1910, .38, .53, .09, .04), "same site": (1758, .34, .57, .09, .04), "different sites": (152, .86, .06, .08, .01),
           "B-similarity 2": (1032, .24, .68, .08, .03), "B-similarity 3": (389, .42, .48, .1, .04),
           "B-similarity 4": (240, .55, .36, .09, .05), "B-similarity 5": (143, .71, .23, .06, .02), "B-similarity 6": (106, .85, .05, .1, .08)}
TABLE_5 = {"all": (1872, .50, .27, .23, .18), "same site": (1393, .36, .34, .30, .25), "different sites": (479, .90, .05, .05, 0),
           "C-similarity 382–384": (179, .47, .37, .16, .10), "C-similarity 379–381": (407, .40, .37, .23, .18),
           "C-similarity 376–378": (532, .37, .27, .35, .30), "C-similarity 372–375": (754, .62, .19, .19, .12)}
# `by site` is an estimate of the paper (section 3.5), whose numbers do not add up: 374M and 919M correct pairs are 1,293M and not the
# printed 1,335M. Of 416M + 1,163M pairs, 1,293M are 0.82 and 1,335M are 0.85.
PRECISION = {"B": .38, "C": .50, "combined": .79, "by site": .85}
# Correct pairs over those of B: for C, 815M over 696M (section 3.3); for the combined algorithm, R on the testing set (Table 12).
BESIDE_B = {"B": 1.0, "C": 815 / 696, "combined": .79}
DIFFERENCES = {"B": {"url": (.41, .32), "time stamp": (.17, .20), "combination": (.22, .24), "execution time": (.16, .19), "visitor count": (.03, .03)},
               "C": {"url": (.72, .53), "combination": (.11, .19), "time stamp": (.04, .08), "execution time": (.04, .08), "message id": (.02, .04)}}
REST = {"B": (.00, .01), "C": (.06, .08)}
REASONS = {"B": {"cannot evaluate": (.47, .43), "form": (.41, .43), "different minor item": (.11, .12), "other": (.01, .01)},
           "C": {"form": (.80, .84), "cannot evaluate": (.15, .13), "other": (.05, .03), "different minor item": (.00, .00)}}
# Mean, median, share of 2, 90 % up to, pairs over 200, of so many. For B the text of section 3.2 has 17 pairs over 200; Table 8 and
# section 3.4.3 have 19.
TERMS = {"B": (24, 11, .21, 42, 17, 1910), "C": (94, 7, .24, 44, 90, 1872)}
LARGE = {"B": (0, 11, 8), "C": (17, 20, 53)}  # Table 8: correct, incorrect, undecided


@dataclass
class Found:
    """A pair of pages with different tokens, and its class."""

    a: str
    b: str
    kind: str  # one of CLASSES
    reason: str
    family: str
    b_similarity: int | None = None
    c_similarity: int | None = None
    same_site: bool | None = None
    terms: int | None = None


def section(judge, seeds, exponent, say) -> tuple[list[str], dict, dict]:
    """The crawl with words that follow Zipf's law (`exponent` 1) or are all equally frequent (0)."""
    pools, precision, pages, distinct = defaultdict(list), defaultdict(list), 0, 0
    for seed in seeds:
        say(f"crawl: exponent {exponent}, seed {seed}")
        found, scores, sizes = one_crawl(judge, seed, exponent)
        pages, distinct = pages + sizes[0], distinct + sizes[1]
        for way, it in scores.items():
            precision[way].append(it)
        for way, pairs in found.items():
            pools[way] += pairs
    say(f"crawl: exponent {exponent}, term differences")
    drawn = {way: sample(pools[way], way) for way in ("B", "C")}
    texts = texts_of(judge, {name for pairs in drawn.values() for it in pairs for name in (it.a, it.b)})
    for it in itertools.chain(*drawn.values()):
        it.terms = term_difference(judge, texts[it.a], texts[it.b])
    graphs = {way: degrees.graph(judge, pools[way]) for way in ("B", "C")}
    lines = ["## The crawl (Henzinger's Tables 2 to 8, Figures 1 to 4), " + ("words by Zipf's law" if exponent else "all words equally frequent"), "",
             f"{len(seeds)} crawls of {crawl.SITES} sites: {pages:,} pages, {distinct:,} with different tokens.", "",
             *overview(pools, precision), "", "Table 2, algorithm B:", "", *classes(pools["B"], b_rows(), TABLE_2), "",
             "Table 5, algorithm C:", "", *classes(pools["C"], c_rows(), TABLE_5), "",
             "Tables 3 and 6, what differs in correct pairs:", "", *differences(pools), "",
             "Tables 4 and 7, why pairs are undecided:", "", *reasons(pools), "",
             "Term differences (Figures 2 and 4), and Table 8:", "", *terms(pools), "",
             "C-similarity by B-similarity, of B's pairs (Table 9):", "", *angles.c_by_b(pools["B"]), "",
             "B-similarity by C-similarity, of C's pairs (Table 10):", "", *angles.b_by_c(pools["C"], RANGES), "",
             f"Why pairs of B are above the cut-off of {angles.CUT_OFF}; {len(drawn['B']):,} of them:", "", *angles.explained(drawn["B"], texts), "",
             "Degrees (Figures 1 and 3):", "", *degrees.degree_table(pools, graphs, distinct), "", *degrees.scatter_table(graphs), "",
             "By kind of site:", "", *families(pools), ""]
    facts = {"seeds": seeds, "exponent": exponent, "pages": pages, "distinct": distinct, "precision": precision,
             "counts": {way: Counter(pair.kind for pair in pairs) for way, pairs in pools.items()},
             "degrees": {way: {"exponent": it["exponent"], "average": it["average_degree"]} for way, it in graphs.items()}}
    return lines, facts, {f"papers-degrees-{exponent}": degrees.picture(graphs), f"papers-terms-{exponent}": terms_plot(pools)}


def one_crawl(judge, seed, exponent):
    pages = list(crawl.pages(seed, exponent=exponent))
    ids = [f"{seed}:{number}" for number in range(len(pages))]
    file = jsonl(judge.work / f"crawl-{seed}.jsonl", ({"id": name, "url": page.url, "html": page.html} for name, page in zip(ids, pages)))
    rows = {name: judge.pairs(file, *READING, *SITE, "--method", method, "--unverified") for name, method in
            (("B", "b"), ("C", "c"), ("combined", "combined"), ("by site", "by-site"))}
    exact = judge.pairs(file, *READING, "-t", EXACT[-1])
    for threshold in EXACT:
        rows[f"exact, {threshold}"] = [row for row in exact if float(row["similarity"]) >= float(threshold)]
    # Of pages with the same tokens, the first stands for all, as in the paper.
    by_id, first, later = dict(zip(ids, pages)), set(), set()
    for name, page in by_id.items():
        tokens = (page.item, tuple(sorted(page.marks.items())))
        (later if tokens in first else first).add(name if tokens in first else tokens)
    found = {way: [pair(row, by_id) for row in of if row["a"] not in later and row["b"] not in later] for way, of in rows.items()}
    items = defaultdict(list)
    for name, page in by_id.items():
        if name not in later:
            items[page.item].append(name)
    correct = [two_pages for names in items.values() for two_pages in itertools.combinations(names, 2)
               if crawl.judge(by_id[two_pages[0]], by_id[two_pages[1]])[0] == "correct"]
    labels = table(judge.work / "correct.csv", ["a", "b"], correct)
    scores = {}
    for way, pairs in found.items():
        told = judge.evaluate([{"a": it.a, "b": it.b} for it in pairs], labels)
        if told["right"] != sum(it.kind == "correct" for it in pairs):
            raise SystemExit(f"{way}: evaluate and the generator disagree")
        scores[way] = {"pairs": told["pairs"], "precision": told["precision"]["value"], "recall": told["recall"]["value"]}
    return found, scores, (len(pages), len(pages) - len(later))


def sample(pairs, way) -> list[Found]:
    """So many pairs of all crawls together, each as likely as any other."""
    return random.Random(f"terms/{way}").sample(pairs, min(len(pairs), SAMPLE))


def texts_of(judge, names) -> dict[str, str]:
    """The pages with these ids, as HTML."""
    found = {}
    for seed in {name.split(":")[0] for name in names}:
        with open(judge.work / f"crawl-{seed}.jsonl", encoding="utf-8") as rows:
            found |= {row["id"]: row["html"] for row in map(json.loads, rows) if row["id"] in names}
    return found


def term_difference(judge, a, b) -> int | None:
    files = [judge.work / "a.html", judge.work / "b.html"]
    for file, html in zip(files, (a, b)):
        file.write_text(html, encoding="utf-8")
    return json.loads(judge.run("compare", *files, "--page", "paper", "--json"))["term_difference"]


def pair(row, pages) -> Found:
    a, b = pages[row["a"]], pages[row["b"]]
    whole = lambda name: int(row[name]) if row.get(name) else None  # noqa: E731
    family = a.family if a.item.rsplit("/", 1)[0] == b.item.rsplit("/", 1)[0] else "two sites"
    return Found(row["a"], row["b"], *crawl.judge(a, b), family, whole("b_similarity"), whole("c_similarity"),
                 row.get("same_site") == "true")


# --- Tables -----------------------------------------------------------------------------------------------------------------------

def overview(pools, precision):
    cells, of_b = [], sum(it.kind == "correct" for it in pools["B"])
    for way, pairs in pools.items():
        of = [it["precision"] for it in precision[way]]
        right = sum(it.kind == "correct" for it in pairs)
        same = report.BLANK if way.startswith("exact") else two(share(pairs, lambda it: it.same_site))
        recall = statistics.mean(it["recall"] for it in precision[way])
        cells.append([way, report.count(len(pairs)), two(right / len(pairs)), f"{two(min(of))}–{two(max(of))}",
                      two(PRECISION.get(way)), two(recall), two(right / of_b), two(BESIDE_B.get(way)), same])
    return report.table(["", "pairs", "precision", "by seed", "paper", "recall", "correct pairs over B's", "paper", "on the same site"], cells)


def share(pairs, holds):
    return sum(map(bool, map(holds, pairs))) / len(pairs) if pairs else None


def b_rows():
    return [("all", lambda it: True), ("same site", lambda it: it.same_site), ("different sites", lambda it: not it.same_site),
            *((f"B-similarity {b}", lambda it, b=b: it.b_similarity == b) for b in range(2, 7))]


def c_rows():
    return [*b_rows()[:3], *((f"C-similarity {low}–{high}", lambda it, low=low, high=high: low <= it.c_similarity <= high)
                             for low, high in RANGES)]


def classes(pairs, rows, paper=None):
    """A row for each kind of pair: how many, and the shares that are correct, incorrect and undecided (by forms, if there is a paper's)."""
    cells = []
    for title, holds in rows:
        some = [it for it in pairs if holds(it)]
        shares = [share(some, lambda it, kind=kind: it.kind == kind) for kind in CLASSES]
        row = [title, report.count(len(some)), *map(two, shares)]
        if paper:
            row += [two(share(some, lambda it: it.reason == "form")), " / ".join(two(value) for value in paper[title][1:])]
        cells.append(row)
    return report.table(["", "pairs", *CLASSES, *(["forms", "paper"] if paper else [])], cells)


def differences(pools):
    cells = []
    for way in ("B", "C"):
        right = [it for it in pools[way] if it.kind == "correct"]
        same = [it for it in right if it.same_site]
        for reason, count in Counter(it.reason for it in right).most_common():
            theirs = DIFFERENCES[way].get(reason)
            cells.append([way, reason, report.count(count), two(count / len(right)), two(share(same, lambda it: it.reason == reason)),
                          " / ".join(map(two, theirs)) if theirs else report.BLANK])
        rest = lambda it, named=DIFFERENCES[way]: it.reason not in named  # noqa: E731
        cells.append([way, "those without a paper's share, together", report.count(sum(map(rest, right))), two(share(right, rest)),
                      two(share(same, rest)), " / ".join(map(two, REST[way]))])
    return report.table(["", "difference", "pairs", "share", "on the same site", "paper: all / same site"], cells)


def reasons(pools):
    cells = []
    for way in ("B", "C"):
        some = [it for it in pools[way] if it.kind == "undecided"]
        same = [it for it in some if it.same_site]
        for reason, theirs in REASONS[way].items():
            of = lambda it, reason=reason: it.reason == reason  # noqa: E731
            cells.append([way, reason, report.count(sum(map(of, some))), two(share(some, of)), two(share(same, of)), " / ".join(map(two, theirs))])
    return report.table(["", "reason", "pairs", "share", "on the same site", "paper: all / same site"], cells)


def term_facts(pairs) -> dict:
    values = sorted(it.terms for it in pairs if it.terms is not None)
    large = [it for it in pairs if it.terms is not None and it.terms > 200]
    return {"mean": statistics.mean(values), "median": statistics.median(values), "two": values.count(2) / len(values),
            "90 %": values[math.ceil(0.9 * len(values)) - 1], "large": len(large) / len(values),
            "classes": [sum(it.kind == kind for it in large) for kind in CLASSES]}


def terms(pools):
    cells = []
    for way in ("B", "C"):
        it, (mean, median, twos, ninety, large, of) = term_facts(pools[way]), TERMS[way]
        cells.append([way, f"{it['mean']:.0f}", f"{it['median']:.0f}", two(it["two"]), str(it["90 %"]), f"{it['large']:.3f}",
                      " / ".join(map(report.count, it["classes"]))])
        cells.append([f"{way}, paper", str(mean), str(median), two(twos), str(ninety), f"{large / of:.3f} ({large} pairs)", " / ".join(map(str, LARGE[way]))])
    return report.table(["", "mean", "median", "share of 2", "90 % up to", "share over 200", "over 200: " + " / ".join(CLASSES)], cells)


def families(pools):
    cells = []
    names = [*crawl.FAMILIES, "two sites"]
    for family in names:
        row = [family]
        for way in ("B", "C", "combined", f"exact, {EXACT[-1]}"):
            some = Counter(it.kind for it in pools[way] if it.family == family)
            row.append(" / ".join(report.count(some[kind]) for kind in CLASSES) if some else report.BLANK)
        cells.append(row)
    return report.table(["pairs: " + " / ".join(CLASSES), "B", "C", "combined", f"exact, {EXACT[-1]}"], cells)


# --- Figures ----------------------------------------------------------------------------------------------------------------------

def terms_plot(pools) -> str:
    panels = []
    for way, title, colour in (("B", "Fig. 2: algorithm B", "#d55e00"), ("C", "Fig. 4: algorithm C", "#0072b2")):
        counts = Counter(it.terms for it in pools[way] if it.terms is not None and it.terms <= 200)
        stems = [point for x, y in sorted(counts.items()) for point in ((x, 0), (x, y), (x, None))]
        panels.append(plot.Panel(title, "term difference", "pairs", [plot.Line(f"pairs of {way}", colour, stems, "none")],
                                 x_ticks=[0, 50, 100, 150, 200]))
    return plot.draw(panels, 2, "How many pairs have which term difference, up to 200, for algorithms B and C")
