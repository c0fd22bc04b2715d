"""Figures 5 and 6 of the DDD paper (Montanari and Puglisi 2012): precision, recall and F1 of doc_q, SpotSigs, LSH and I-Match on news."""

from collections import Counter, defaultdict

import plot
import report
from papers import candidates, news, rereading
from papers.judged import jsonl, table, two

# Pairs were looked at from doc_4 = 0.4, 0.15 on five-word shingles and 0.2 on spots up: below that, what is found would be unlabelled.
THRESHOLDS = ["0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"]
SIZES = [2, 3, 4, 5, 6, 8]
COLOURS = {"doc_4": ("#0072b2", "circle"), "SpotSigs": ("#009e73", "square"), "LSH": ("#d55e00", "diamond"),
           "LSH on spots": ("#e69f00", "diamond"), "Jaccard, words:5": ("#222222", "triangle"), "I-Match": ("#cc79a7", "square")}
READING = ["--text", "title,text"]
# Of which methods, at which threshold, the mistakes are shown.
MISTAKES = {"doc_4, 0.6": ("doc_4", "0.6"), "doc_4, 0.8": ("doc_4", "0.8"), "SpotSigs, 0.6": ("SpotSigs", "0.6"), "LSH, 0.6": ("LSH", "0.6"),
            "Jaccard words:5, 0.3": ("Jaccard, words:5", "0.3"), "Jaccard words:5, 0.8 (our default)": ("Jaccard, words:5", "0.8"),
            "I-Match": ("I-Match", ""), "I-Match, 10 lexica": ("I-Match, 10 lexica", "")}


def ways() -> dict:
    """By name: options of a method, its lowest threshold, and whether it is run for every threshold (`each`) or only for the lowest."""
    found = {f"doc_{q}": (["--measure", "max", "--tokens", f"letters:{q}"], "0.4", False) for q in SIZES}
    found["SpotSigs"] = (["--method", "spotsigs"], "0.2", False)
    found["LSH"] = (["--method", "lsh"], "0.2", True)
    # In the program of the SpotSigs authors, which the paper ran: 32 tables of six values each, of spots, whatever the threshold. Copies
    # of it that others published come with chains of one word.
    found["LSH on spots"] = (["--method", "lsh", "--bands", "32,6", "--tokens", "spots:2:3", "--bag"], "0.2", False)
    found["SpotSigs, 1:1"] = (["--method", "spotsigs", "--tokens", "spots:1:1"], "0.2", False)
    found["Jaccard, words:5"] = ([], "0.2", False)
    return found


# I-Match has no threshold.
FINGERPRINTS = {"I-Match": ["--method", "i-match"], "I-Match, 10 lexica": ["--method", "i-match", "--lexica", "10"]}


def section(judge, data, say) -> tuple[list[str], dict, dict]:
    stories = news.stories(data)
    planted = news.planted(stories)
    verdicts = news.verdicts()
    labels = {name: table(judge.work / f"{name}.csv", ["a", "b"], rows) for name, rows in {
        "copies": [pair for pair, verdict in verdicts.items() if verdict == "copy"],
        "rewritten": [pair for pair, verdict in verdicts.items() if verdict != "different"],
        "planted": [(source, copy.id) for source, copy in planted]}.items()}
    real = days(judge, "real", stories)
    say("news: candidates")
    signals = candidates.signals(stories, lambda options: search(judge, real, options))
    check(signals, stories, verdicts)
    weather = Weather(judge, news.every(data))
    again = second(stories, verdicts)
    with_planted = days(judge, "planted", [*stories, *(copy for _, copy in planted)])

    scores, kinds, unread, wrong = defaultdict(dict), {}, {}, {}
    by_id = {story.id: story for story in stories}
    negatives = {pair: candidates.kind_of(*(by_id[name] for name in pair), verdict) for pair, verdict in verdicts.items() if verdict != "copy"}
    planted_ids = {copy.id for _, copy in planted}
    for name, (options, lowest, each) in ways().items():
        say(f"news: {name}")
        for threshold in THRESHOLDS[THRESHOLDS.index(lowest):]:
            if each or threshold == lowest:
                found = search(judge, real, [*options, "-t", threshold])
                more = search(judge, with_planted, [*options, "-t", threshold])
                more = [row for row in more if row["a"] in planted_ids or row["b"] in planted_ids]
            for truth, rows in (("copies", found), ("rewritten", found), ("planted", more)):
                scores[truth][name, threshold] = score(judge.evaluate(rows, labels[truth], "-t", threshold))
            unread[name, threshold] = sum(tuple(sorted((row["a"], row["b"]), key=int)) not in verdicts for row in found
                                          if float(row["similarity"]) >= float(threshold))
            wrong[name, threshold] = mistaken(found, negatives, float(threshold))
            if threshold in ("0.6", "0.7", "0.8"):
                kinds[name, threshold] = by_kind(more, planted, float(threshold))
    for name, options in FINGERPRINTS.items():
        say(f"news: {name}")
        found, more = search(judge, real, options), search(judge, with_planted, options)
        more = [row for row in more if row["a"] in planted_ids or row["b"] in planted_ids]
        for truth, rows in (("copies", found), ("rewritten", found), ("planted", more)):
            rows = [{"a": row["a"], "b": row["b"]} for row in rows]
            scores[truth][name, ""] = score(judge.evaluate(rows, labels[truth]))
        kinds[name, ""] = by_kind(more, planted, 0)
        wrong[name, ""] = mistaken(found, negatives, 0)
    counts = {verdict: sum(it == verdict for it in verdicts.values()) for verdict in ("copy", "rewritten", "different")}
    lines = ["## News (the DDD paper's Figures 5 and 6)", "",
             f"{len(stories):,} stories of {len(news.DAYS)} days. Of {len(verdicts):,} pairs that were looked at, {counts['copy']} are copies, "
             f"{counts['rewritten']} the same news written twice, {counts['different']:,} different. {len(planted)} planted copies.", "",
             "By which signal pairs came to be looked at; one that several find is in several rows:", "", *signals_table(signals, verdicts), "",
             "Copies by threshold: precision / recall / F1.", "", *figure_5(scores["copies"]), "",
             "Pairs found that nobody looked at: " + (", ".join(f"{name} at {t}: {n:,}" for (name, t), n in unread.items() if n) or "none")
             + ". They count as wrong.", "",
             "doc_q by q, precision / recall / F1:", "", *by_size(scores["copies"]), "",
             "Planted copies by threshold: precision / recall / F1.", "", *planted_table(scores["planted"]), "",
             "Hard negatives by type, and how many of them a method takes for copies:", "", *negatives_table(negatives, wrong), "",
             f"Weather: {len(weather.stories)} stories of all days, {len(weather.verdicts):,} pairs that were read.", "", *weather.table(), "",
             "The second reading:", "", *again, "",
             "The best F1 of each method, in hindsight:", "", *best_of(scores), "",
             "Recall of planted copies, by kind:", "", *kinds_table(kinds), ""]
    facts = {"stories": len(stories), "pairs": counts, "planted": len(planted),
             "unread": [{"way": name, "threshold": t, "pairs": n} for (name, t), n in unread.items() if n],
             "scores": {truth: [{"way": name, "threshold": t, **it} for (name, t), it in some.items()] for truth, some in scores.items()},
             "kinds": [{"way": name, "threshold": t, **it} for (name, t), it in kinds.items()],
             "signals": {name: len(found) for name, found in signals.items()},
             "hard negatives": Counter(negatives.values())}
    return lines, facts, {"papers-news": figure_6(scores["copies"], scores["planted"])}


def check(signals, stories, verdicts):
    """That the pairs that were looked at, and the edits, are those that the script makes from the texts."""
    found = set().union(*signals.values())
    if found != set(verdicts):
        raise SystemExit(f"read.tsv: {len(set(verdicts) - found)} pairs that no signal finds, {len(found - set(verdicts))} that are missing")
    if candidates.drawn(stories, verdicts) != news.edits():
        raise SystemExit("edits.tsv is not what its seed draws")


def days(judge, name, stories) -> list:
    """One file a day: a window of 24 hours, and frequencies of words that are those of a day."""
    return [jsonl(judge.work / f"{name}-{day}.jsonl", ({"id": story.id, "title": story.title, "text": story.text}
                                                      for story in stories if story.day == day)) for day in news.DAYS]


def search(judge, files, options) -> list[dict]:
    return [row for file in files for row in judge.pairs(file, *READING, *options)]


def score(told) -> dict:
    return {"pairs": told["pairs"], "right": told["right"], **{name: (told[name] or {}).get("value") for name in ("precision", "recall", "f1")}}


def mistaken(rows, negatives, threshold) -> Counter:
    """How many hard negatives of each type are among the pairs found."""
    found = (candidates.ordered(row["a"], row["b"]) for row in rows if float(row["similarity"]) >= threshold)
    return Counter(negatives[pair] for pair in found if pair in negatives)


def by_kind(rows, planted, threshold) -> dict:
    """Recall of each kind of edit."""
    found = {frozenset((row["a"], row["b"])) for row in rows if float(row["similarity"]) >= threshold}
    hits = defaultdict(list)
    for source, copy in planted:
        hits[copy.id.split("-")[0]].append(frozenset((source, copy.id)) in found)
    return {kind: sum(of) / len(of) for kind, of in hits.items()}


def figure_5(scores):
    names = ["doc_4", "SpotSigs", "SpotSigs, 1:1", "LSH", "LSH on spots", "Jaccard, words:5"]
    rows = []
    for show in (told, matches):
        rows += [*report.table(["t", *names], [[t, *(show(scores.get((name, t))) for name in names)] for t in THRESHOLDS]), ""]
        for name in FINGERPRINTS:
            rows += [f"{name}: " + show(scores[name, ""]), ""]
        rows += ["Pairs found / copies among them (the paper's T and T ∩ C):", ""] if show is told else []
    return rows[:-1]


def matches(it):
    return report.BLANK if it is None else f"{report.count(it['pairs'])} / {report.count(it['right'])}"


def told(it) -> str:
    return report.BLANK if it is None else " / ".join(two(it[of]) for of in ("precision", "recall", "f1"))


def by_size(scores):
    return report.table(["t", *(f"q = {q}" for q in SIZES)],
                        [[t, *(told(scores[f"doc_{q}", t]) for q in SIZES)] for t in THRESHOLDS[2:]])


def planted_table(scores):
    names = ["doc_4", "SpotSigs", "LSH", "LSH on spots", "Jaccard, words:5"]
    rows = report.table(["t", *names], [[t, *(told(scores.get((name, t))) for name in names)] for t in THRESHOLDS])
    return [*rows, "", *(line for name in FINGERPRINTS for line in (f"{name}: " + told(scores[name, ""]), ""))][:-1]


def signals_table(signals, verdicts):
    rows = []
    for name, found in [*signals.items(), ("all", set(verdicts))]:
        of = Counter(verdicts[pair] for pair in found)
        rows.append([name, *map(report.count, (len(found), of["copy"], of["rewritten"], of["different"]))])
    return report.table(["signal", "pairs", "copy", "rewritten", "different"], rows)


def negatives_table(negatives, wrong):
    counts = Counter(negatives.values())
    names = ["the same event, written twice", *candidates.TYPES, "another story of the same company", "other"]
    rows = [[name, report.count(counts[name]), *(report.count(wrong[key][name]) for key in MISTAKES.values())] for name in names]
    return report.table(["type", "pairs", *MISTAKES], rows)


class Weather:
    """Weather stories of all days as one window, and what the methods take for copies among them."""

    def __init__(self, judge, every):
        self.judge, self.stories, self.verdicts = judge, rereading.weather(every), rereading.verdicts("weather.tsv")
        self.file = jsonl(judge.work / "weather.jsonl", ({"id": story.id, "title": story.title, "text": story.text} for story in self.stories))
        if rereading.weather_pairs(self.stories, lambda options: search(judge, [self.file], options)) != list(self.verdicts):
            raise SystemExit("weather.tsv does not have the pairs that the rule draws")

    def type_of(self, pair) -> str:
        titles = {story.id: story.title for story in self.stories}
        return {"copy": "a copy", "rewritten": "the same event, written twice"}.get(
            self.verdicts.get(pair, "different"), "the same headline, another day" if titles[pair[0]] == titles[pair[1]] else "other")

    def found(self, way, threshold) -> Counter:
        options = [*ways()[way][0], "-t", threshold] if threshold else FINGERPRINTS[way]
        return Counter(self.type_of(candidates.ordered(row["a"], row["b"])) for row in search(self.judge, [self.file], options))

    def table(self) -> list[str]:
        counts, found = Counter(map(self.type_of, self.verdicts)), {name: self.found(*key) for name, key in MISTAKES.items()}
        names = ["a copy", "the same event, written twice", "the same headline, another day", "other"]
        return report.table(["type", "pairs", *MISTAKES], [[name, report.count(counts[name]), *(report.count(it[name]) for it in found.values())]
                                                           for name in names])


def second(stories, verdicts) -> list[str]:
    """How many verdicts of the first reader another reading contradicts."""
    read = {(row["a"], row["b"]): row["read"] for row in rereading.rows("read.tsv")}
    again, rows = rereading.rows("second.tsv"), []
    for first, pairs in rereading.second(stories, verdicts, read).items():
        of = {(row["a"], row["b"]): row["verdict"] for row in again if row["first"] == first}
        if list(of) != pairs:
            raise SystemExit("second.tsv does not have the pairs that its seed draws")
        counts = Counter(of.values())
        wrong = [counts["copy"], counts["copy"] + counts["rewritten"]]
        rows.append([first, report.count(len(pairs)), *(f"{count} ({low:.3f}–{high:.3f})" for count in wrong
                                                      for low, high in [rereading.interval(count, len(pairs))])])
    return report.table(["looked at before", "pairs", "a copy after all", "a copy or the same news written twice"], rows)


def best_of(scores):
    """At which threshold a method is best, and how good; by copies, by copies and what was written twice, and by planted copies."""
    cells = []
    for name in [*ways(), *FINGERPRINTS]:
        row = [name]
        for truth in ("copies", "rewritten", "planted"):
            options = {t: it for (way, t), it in scores[truth].items() if way == name}
            t = max(options, key=lambda t: (options[t]["f1"] or 0, t))
            row.append(f"{two(options[t]['f1'])}" + (f" at {t}" if t else ""))
        cells.append(row)
    return report.table(["", "copies", "copies and written twice", "planted copies"], cells)


def kinds_table(kinds):
    shown = {"doc_4, 0.7": ("doc_4", "0.7"), "doc_4, 0.8": ("doc_4", "0.8"), "SpotSigs, 0.6": ("SpotSigs", "0.6"), "LSH, 0.6": ("LSH", "0.6"),
             "Jaccard words:5, 0.6": ("Jaccard, words:5", "0.6"), "Jaccard words:5, 0.8 (our default)": ("Jaccard, words:5", "0.8"),
             "I-Match": ("I-Match", ""), "I-Match, 10 lexica": ("I-Match, 10 lexica", "")}
    return report.table(["", *news.KINDS], [[title, *(two(kinds[key][kind]) for kind in news.KINDS)] for title, key in shown.items()])


def figure_6(copies, planted) -> str:
    def panel(title, scores):
        lines = []
        for name, (colour, mark) in COLOURS.items():
            at = (lambda t: scores[name, ""]) if name == "I-Match" else (lambda t: scores.get((name, t), {"f1": None}))
            lines.append(plot.Line(name, colour, [(float(t), at(t)["f1"]) for t in THRESHOLDS], mark, name == "I-Match"))
        return plot.Panel(title, "threshold", "F1", lines, x_ticks=[float(t) for t in THRESHOLDS], y_ticks=[0, 0.2, 0.4, 0.6, 0.8, 1])

    return plot.draw([panel("copies that were read", copies), panel("planted copies", planted)], 2,
                     "F1 by threshold of doc_4, SpotSigs, LSH, I-Match and our default, on read and on planted copies")
