"""One other tool on one labelled collection: F1 of the pairs that it finds, at its defaults and at its best. bench/truth runs it, in
bench/.venv/truth, with a description of the collection as JSON on stdin. Whenever it knows more, it writes a line of JSON to stdout: the last one
counts, also if it is stopped for taking too long.

What a tool is given: the texts, joined and in lower case, for those that compare texts; the fields, for those that compare records. "Best" is
the best setting of some in hindsight, by the labels that judge it, which no user has: the lists of fields that lookalike tries too, on words and on
3-grams, by threshold, and with or without the pairs whose documents differ in the field that lookalike requires equal.
"""

import io
import itertools
import json
import os
import random
import sys
import tempfile
import time
import warnings

os.environ |= {"TQDM_DISABLE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
THRESHOLDS = [step / 10 for step in range(3, 10)]
SEED = 7


def main():
    warnings.simplefilter("ignore")
    one = json.load(sys.stdin)
    measure, wants_records = TOOLS[one["tool"]]
    answer = os.fdopen(os.dup(1), "w")
    # What a tool prints is not ours to pass on.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    begun = time.monotonic()

    def tell(found, is_whole=True):
        print(json.dumps({**found, "whole": is_whole, "seconds": time.monotonic() - begun}), file=answer, flush=True)

    if wants_records and not one["fields"]:
        return
    try:
        measure(one, Judge(one), tell)
    except (Exception, SystemExit) as error:  # noqa: BLE001: a tool that fails has a row that says so
        tell({"failed": f"{type(error).__name__}: {error}".splitlines()[0][:200]})


class Judge:
    """F1 against labels. Pairs without a label are not counted, unless the labels are complete."""

    def __init__(self, one):
        self.same = {pair(a, b) for a, b, is_same in one["labels"] if is_same}
        self.different = {pair(a, b) for a, b, is_same in one["labels"] if not is_same}
        self.complete, self.linked, self.agree = one["complete"], one["linked"], one["agree"]

    def f1(self, found) -> float:
        if self.linked:
            found = {(a, b) for a, b in found if a[0] != b[0]}
        right = len(found & self.same)
        wrong = len(found - self.same) if self.complete else len(found & self.different)
        return 2 * right / (right + wrong + len(self.same)) if right else 0.0

    def best(self, found) -> tuple[float, str]:
        """F1 of what was found, or of the part of it whose documents agree in a field, and which of both it is."""
        scores = [(self.f1(found), "")]
        if self.agree:
            scores.append((self.f1({(a, b) for a, b in found if self.agree.get(a) == self.agree.get(b)}), " within"))
        return max(scores, key=lambda score: score[0])

    def sweep(self, scored) -> tuple[float, float]:
        """The best F1 over all thresholds of scored pairs, and the threshold."""
        best, found = (0.0, 1.0), set()
        ranked = sorted(((score, pair(a, b)) for a, b, score in scored), reverse=True)
        for score, group in itertools.groupby(ranked, key=lambda item: round(item[0], 2)):
            found |= {one for _, one in group}
            best = max(best, (self.f1(found), score))
        return best


def pair(a, b):
    return (a, b) if a < b else (b, a)


def shingles(text, kind):
    return text.split() if kind == "words" else [text[at:at + 3] for at in range(max(len(text) - 2, 1))]


def swept(one, judge, tell, usual, find, plan=None):
    """A tool with a threshold: at its usual one on words of the first list of fields, and at the best of seven, on words and on 3-grams of all
    lists. High thresholds come first, because they take less time."""
    texts = {fields: [(name, text) for name, text in rows if text.strip()] for fields, rows in one["texts"].items()}
    first = next(iter(texts))
    # At low thresholds, nearly all of a large collection are candidates.
    thresholds = THRESHOLDS if len(texts[first]) < 5_000 else THRESHOLDS[3:]
    plan = plan or [(kind, threshold) for threshold in reversed(thresholds) for kind in ("words", "chars:3")]
    found = find(first, texts[first], *usual)
    default, (best, within) = judge.f1(found), judge.best(found)
    how = f"{first}{within} {usual[0]} {usual[1]}"
    tell({"default": default, "best": best, "how": how}, False)
    for kind, threshold in plan:
        for fields, rows in texts.items():
            score, within = judge.best(find(fields, rows, kind, threshold))
            if score > best:
                best, how = score, f"{fields}{within} {kind} {threshold}"
            tell({"default": default, "best": best, "how": how}, False)
    tell({"default": default, "best": best, "how": how})


def datasketch(one, judge, tell):
    from datasketch import MinHash, MinHashLSH

    sketches = {}

    def find(fields, texts, kind, threshold):
        if (fields, kind) not in sketches:
            encoded = ([value.encode() for value in shingles(text, kind)] for _, text in texts)
            sketches[fields, kind] = list(zip((name for name, _ in texts), MinHash.bulk(encoded, num_perm=128)))
        index, found = MinHashLSH(threshold=threshold, num_perm=128), set()
        for name, sketch in sketches[fields, kind]:
            found |= {pair(name, other) for other in index.query(sketch)}
            index.insert(name, sketch)
        return found

    swept(one, judge, tell, ("words", 0.9), find)


def rensa(one, judge, tell):
    from rensa import RMinHash, RMinHashLSH

    sketches = {}

    def find(fields, texts, kind, threshold):
        if (fields, kind) not in sketches:
            sketches[fields, kind] = []
            for name, text in texts:
                sketch = RMinHash(num_perm=128, seed=42)
                sketch.update(shingles(text, kind))
                sketches[fields, kind].append((name, sketch))
        index, found, known = RMinHashLSH(threshold=threshold, num_perm=128, num_bands=16), set(), sketches[fields, kind]
        for number, (name, sketch) in enumerate(known):
            found |= {pair(name, known[other][0]) for other in index.query(sketch) if known[other][1].jaccard(sketch) >= threshold}
            index.insert(number, sketch)
        return found

    swept(one, judge, tell, ("words", 0.8), find)


def gaoya(one, judge, tell):
    from gaoya.minhash import MinHashStringIndex

    def find(fields, texts, kind, threshold):
        options = {"analyzer": "word", "ngram_range": (1, 1)} if kind == "words" else {"analyzer": "char", "ngram_range": (3, 3)}
        index, found = MinHashStringIndex(hash_size=32, jaccard_threshold=threshold, num_bands=42, band_size=3, lowercase=True, **options), set()
        for number, (name, text) in enumerate(texts):
            found |= {pair(name, texts[other][0]) for other in index.query(text)}
            index.insert_document(number, text)
        return found

    swept(one, judge, tell, ("words", 0.75), find)


def text_dedup(one, judge, tell):
    """Its program takes a dataset on disk. The clusters are taken from its union-find, and all pairs of a cluster count as found."""
    from datasets import Dataset
    from text_dedup import minhash
    from text_dedup.utils import UnionFind

    def find(fields, texts, kind, threshold):
        ngram = int(kind.removeprefix("words:"))
        with tempfile.TemporaryDirectory() as folder:
            Dataset.from_dict({"text": [text for _, text in texts]}).save_to_disk(f"{folder}/in")
            minhash.uf = UnionFind()
            minhash.main(["--path", f"{folder}/in", "--local", "--column", "text", "--output", f"{folder}/out", "--threshold", str(threshold),
                          "--ngram", str(ngram), "--min_length", "1" if ngram == 1 else "5", "--num_proc", "1", "--split", "train",
                          "--cache_dir", f"{folder}/cache"], standalone_mode=False)
        clusters = {}
        for at in list(minhash.uf.parent):
            clusters.setdefault(minhash.uf.find(at), []).append(texts[at][0])
        return {pair(a, b) for members in clusters.values() for a, b in itertools.combinations(sorted(members), 2)}

    plan = [("words:5", 0.7), ("words:1", 0.9), ("words:1", 0.7), ("words:1", 0.5), ("words:5", 0.4)]
    swept(one, judge, tell, ("words:5", 0.7), find, plan)


def splink(one, judge, tell):
    """As in its tutorials: blocking rules, a comparison a field, parameters from the data alone. Match probability 0.95, and the best."""
    import logging

    import pandas
    from splink import Linker, SettingsCreator, block_on
    from splink import comparison_library as compare
    from splink.backends.duckdb import DuckDBAPI

    logging.getLogger("splink").setLevel(logging.ERROR)
    fields = one["fields"]
    sides = sorted({name[0] for name, _ in one["records"]})
    api, tables = DuckDBAPI(), []
    for side in sides:
        rows = [{"unique_id": name, **{field: record.get(field) or None for field in fields}} for name, record in one["records"] if name[0] == side]
        tables.append(api.register(pandas.DataFrame(rows).astype("string"), dataset_display_name=f"side{side}"))
    long, *short = fields
    blocks = [f"substr(l.{long}, 1, 8) = substr(r.{long}, 1, 8)", *(f"l.{field} = r.{field}" for field in one["blocks"])]
    settings = SettingsCreator(
        link_type="link_only" if len(sides) > 1 else "dedupe_only",
        comparisons=[compare.JaccardAtThresholds(long, [0.9, 0.8, 0.7]), *(compare.JaroWinklerAtThresholds(field, [0.9, 0.7]) for field in short)],
        blocking_rules_to_generate_predictions=blocks,
    )
    linker = Linker(tables, settings, log_level=logging.ERROR)
    linker.training.estimate_probability_two_random_records_match([block_on(long, short[0])], recall=0.6)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=SEED)
    for block in blocks:
        linker.training.estimate_parameters_using_expectation_maximisation(block, record_sample_proportion=1.0)
    scored = linker.inference.predict(threshold_match_probability=0.01).as_pandas_dataframe()
    scored = list(zip(scored["unique_id_l"], scored["unique_id_r"], scored["match_probability"]))
    best, at = judge.sweep(scored)
    usual = judge.f1({pair(a, b) for a, b, score in scored if score >= 0.95})
    tell({"default": usual, "best": max(best, usual), "how": f"probability {at:.2f}"})


def dedupe(one, judge, tell):
    """Trained on 100 pairs that are the same and 300 that are not, drawn from the labels that judge it. Threshold 0.5, and the best of five."""
    import dedupe as tool
    from dedupe import variables
    from dedupe.serializer import write_training

    fields, chance = one["fields"], random.Random(SEED)
    clean = {name: {field: str(record.get(field) or "").lower().strip() or None for field in fields} for name, record in one["records"]}
    long, *short = fields
    definition = [variables.String(long, has_missing=True), *(variables.String(field, has_missing=True) for field in short)]
    sides = sorted({name[0] for name in clean})
    same = chance.sample(sorted(judge.same), min(100, len(judge.same)))
    names = sorted(clean)
    distinct = [(a, b) for a, b in (chance.sample(names, 2) for _ in range(300)) if pair(a, b) not in judge.same and (len(sides) == 1 or a[0] < b[0])]
    training = io.StringIO()
    write_training({kind: [(clean[a], clean[b]) for a, b in pairs] for kind, pairs in (("match", same), ("distinct", distinct))}, training)
    training.seek(0)
    # It knows the records of a training file, and not those of pairs that are marked later, unless they are in its sample.
    if len(sides) > 1:
        trained = tool.RecordLink(definition, num_cores=1)
        parts = [{name: record for name, record in clean.items() if name[0] == side} for side in sides]
        trained.prepare_training(*parts, training_file=training, sample_size=2000)
    else:
        trained, parts = tool.Dedupe(definition, num_cores=1), [clean]
        trained.prepare_training(clean, training_file=training, sample_size=2000)
    trained.train(recall=0.95, index_predicates=False)
    def find(threshold):
        if len(sides) > 1:
            return {pair(a, b) for (a, b), _ in trained.join(*parts, threshold=threshold, constraint="many-to-many")}
        return {pair(a, b) for members, _ in trained.partition(clean, threshold) for a, b in itertools.combinations(sorted(members), 2)}
    tried = {}
    for threshold in (0.5, 0.9, 0.7, 0.3, 0.1):
        tried[threshold] = judge.f1(find(threshold))
        at, best = max(tried.items(), key=lambda item: item[1])
        tell({"default": tried[0.5], "best": best, "how": f"threshold {at}"}, threshold == 0.1)


# Each with whether it needs fields.
TOOLS = {"datasketch": (datasketch, False), "rensa": (rensa, False), "gaoya": (gaoya, False), "text-dedup": (text_dedup, False),
         "splink": (splink, True), "dedupe": (dedupe, True)}

if __name__ == "__main__":
    main()
