"""Table 2 of the PPJoin paper (Xiao and others 2008): an exact join of 4-grams, and a join of 32 min-wise shingles of these."""

import csv
import json
import math
import re
import statistics
import subprocess
import unicodedata

import measure
import report
from papers.judged import DONE, jsonl, table, two

RUNS = 3
THRESHOLDS = ["0.95", "0.9", "0.85", "0.8"]
# As the paper prints them: precision, recall and three columns of seconds, on 348,566 references of MEDLINE. Both copies of the paper head
# these time_qp, time_ap and time_sp. The text says otherwise: qp needs less than 45 seconds from 0.9 up, and qa "substantially longer". So
# the first column is qa (All-Pairs) and the second qp (PPJoin+).
PAPER = {"0.95": (.38, .11, 41.98, 11.76, 1.00), "0.9": (.48, .06, 245.03, 43.37, 1.03), "0.85": (.58, .04, 926.54, 202.65, 1.03),
         "0.8": (.57, .03, 2467.31, 775.00, 1.05)}


PAPER_SIZE = 866.9  # the average size of a record of TREC-4GRAM, in section 7.1


def section(judge, data, timeout, say) -> tuple[list[str], dict]:
    lines, facts = ["## Exact against shingled (the PPJoin paper's Table 2)", ""], {}
    for name, rows in inputs(data):
        file = jsonl(judge.work / "records.jsonl", rows())
        more, facts[name] = one(judge, name, file, timeout, say)
        lines += more
    return lines, facts


def inputs(data):
    """Names, and functions that yield records: titles with abstracts, authors with titles, mails."""
    def unpacked(path):
        return subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout.decode().rstrip("\n").split("\n")

    def abstracts():
        with open(data / "records" / "digital_work.jsonl", encoding="utf-8") as rows:
            found = [row for row in map(json.loads, rows) if row["text"].strip()]
        return ({"id": row["id"], "text": " ".join(str(row.get(field) or "") for field in ("author", "title", "text"))} for row in found)

    def titles():
        rows = (line.split("\t") for line in unpacked(data / "records" / "acl_records.tsv.zst"))
        return ({"id": str(number), "text": " ".join(row[2:4])} for number, row in enumerate(rows))

    def mails():
        rows = map(json.loads, unpacked(data / "mail" / "enron_spam.jsonl.zst"))
        return ({"id": row["id"], "text": row["text"]} for row in rows)

    yield "titles and abstracts", abstracts
    yield "authors and titles", titles
    yield "mails", mails


def grams(file) -> dict:
    """How many records, and how many 4-grams one has on average: distinct ones (the sets of `chars:4`), and all."""
    distinct, every = [], []
    with open(file, encoding="utf-8") as rows:
        for row in rows:
            text = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", json.loads(row)["text"]).casefold()).strip()
            every.append(max(len(text) - 3, bool(text)))
            distinct.append(len({text[at:at + 4] for at in range(every[-1])}))
    return {"records": len(every), "distinct": statistics.mean(distinct), "all": statistics.mean(every)}


def shingles(judge, file):
    """32 min-wise values of 4 bytes of each record, each with its place, as a set."""
    sketches = judge.work / "sketches.jsonl"
    judge.run("sketch", file, "--method", "minhash", "--functions", "32", "--tokens", "chars:4", "-q", "-o", sketches, "--force")
    with open(sketches, encoding="utf-8") as rows:
        found = [(row["id"], row["signature"] or "") for row in map(json.loads, rows)]
    return jsonl(judge.work / "shingles.jsonl", (
        {"id": name, "text": " ".join(f"{at // 8}:{text[at:at + 8]}" for at in range(0, len(text), 8))} for name, text in found))


def join(judge, file, options, timeout):
    """The pairs of a join, and the seconds of preparing and joining, the fastest of three runs; nothing if it takes too long."""
    target, fastest = judge.work / "pairs.csv", math.inf
    for _ in range(RUNS):
        done = measure.run([judge.binary, "pairs", file, *options, "--threads", 1, "-o", target, "--json", "--force"], judge.work,
                           accept=DONE, timeout=timeout)
        if done.status == "timeout":
            return None, None
        if not done.ok:
            raise SystemExit(f"lookalike failed: {done.complaint}")
        seconds = json.loads(done.stdout)["seconds"]
        fastest = min(fastest, seconds["prepare"] + seconds["join"])
    with open(target, encoding="utf-8") as rows:
        return list(csv.DictReader(rows)), fastest


def one(judge, name, file, timeout, say):
    sets, cells, facts = shingles(judge, file), [], []
    for threshold in THRESHOLDS:
        ways = {"qa": (file, ["--tokens", "chars:4", "--algorithm", "allpairs"]), "qp": (file, ["--tokens", "chars:4", "--algorithm", "ppjoin+"]),
                "auto": (file, ["--tokens", "chars:4"]), "sp": (sets, ["--tokens", "raw", "--algorithm", "ppjoin+"]),
                "estimate": (sets, ["--tokens", "raw", "--algorithm", "ppjoin+", "--measure", "overlap"])}
        found, seconds = {}, {}
        for way, (source, options) in ways.items():
            say(f"{name}, {threshold}: {way}")
            # As an estimate, so large a share of the 32 must be equal.
            least = math.ceil(float(threshold) * 32 - 1e-9) if way == "estimate" else threshold
            found[way], seconds[way] = join(judge, source, [*options, "-t", least], timeout)
        truth = {(row["a"], row["b"]) for row in found["auto"]}
        if any(found[way] is not None and {(row["a"], row["b"]) for row in found[way]} != truth for way in ("qa", "qp")):
            raise SystemExit("exact joins differ")
        labels = table(judge.work / "exact.csv", ["a", "b"], truth)
        told = {way: judge.evaluate([{"a": row["a"], "b": row["b"]} for row in found[way]], labels) for way in ("sp", "estimate")}
        told = {way: [(it[of] or {}).get("value") for of in ("precision", "recall")] for way, it in told.items()}
        late = lambda way: report.seconds(seconds[way]) if seconds[way] is not None else f"> {timeout:g}"  # noqa: E731
        theirs = PAPER[threshold]
        cells.append([threshold, report.count(len(truth)), " / ".join(map(two, told["sp"])), " / ".join(map(two, theirs[:2])),
                      " / ".join(map(two, told["estimate"])), " / ".join(map(late, ("qa", "qp", "sp"))),
                      " / ".join(f"{value:,.2f}" for value in theirs[2:]), late("auto")])
        facts.append({"threshold": threshold, "exact": len(truth), "shingled": len(found["sp"]), "judged": told, "seconds": seconds})
    heads = ["t", "pairs", "shingles: precision / recall", "paper", "by an estimate", "seconds: qa / qp / sp", "paper", "auto"]
    size = grams(file)
    about = (f"{name[0].upper()}{name[1:]}: {size['records']:,} records, with {size['distinct']:.1f} distinct 4-grams on average, or "
             f"{size['all']:.1f} with repetitions (in the paper 348,566 and {PAPER_SIZE}).")
    return [about, "", *report.table(heads, cells), ""], {"size": size, "rows": facts}
