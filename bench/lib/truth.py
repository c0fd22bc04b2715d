"""The exact answer on a given kind of token sets, and the checks that it is exact.

Every tool is judged by the exact Jaccard similarity of the very sets that it was given, so that a difference between
tokenizers is nobody's error. The shingles are made in Python and handed to lookalike as they are (`--tokens raw`, each
shingle as 64 bits of BLAKE2b in hex), and the pairs that it finds are the truth. As lookalike is itself one of the
measured, that truth is not taken on trust:

1. on a sample, every pair is counted by brute force, in Python, and both lists must be equal;
2. each pair of the truth is counted again in Python: its similarity must be the reported one;
3. each pair that a peer reports and the truth lacks is counted in Python: it must lie below the threshold.
"""

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

import lookalike
import shingles


@dataclass
class Truth:
    tokens: str  # a key of shingles.TOKENS
    threshold: Fraction
    pairs: dict  # (a, b) -> similarity; row numbers, a < b
    empty: set  # rows without a shingle: they resemble nothing
    missed: set = field(default_factory=set)  # pairs that a check found and the truth lacks: should stay empty
    wrong: set = field(default_factory=set)  # pairs that a check refuted: should stay empty
    checks: list = field(default_factory=list)  # sentences for the report
    faults: list = field(default_factory=list)  # what a check found wrong

    def within(self, documents) -> set:
        """The true pairs among the first so many documents, as corrected by the checks so far."""
        return {pair for pair in (self.pairs.keys() - self.wrong) | self.missed if pair[1] < documents}

    def recall(self):
        """Of the true pairs that are known of, from here or from any check, the share that is here."""
        right = len(self.pairs.keys() - self.wrong)
        return right / (right + len(self.missed)) if right + len(self.missed) else None

    def precision(self):
        return 1 - len(self.wrong) / len(self.pairs) if self.pairs else None


def find(binary, file, work, tokens, threshold, threads) -> Truth:
    """The exact pairs of `file`, by lookalike, on shingles made here."""
    shingled = work / f"{tokens}.shingles.jsonl"
    empty = _write_shingles(file, shingled, shingles.TOKENS[tokens])
    found = work / f"{tokens}.pairs.jsonl"
    done, _ = lookalike.dedup(binary, shingled, work, threads=threads, threshold=threshold, tokens="raw",
                              outputs={"--pairs": found})
    if not done.ok:
        raise SystemExit(f"lookalike failed on the {tokens} shingles: {done.complaint}")
    pairs = {}
    for a, b, similarity in lookalike.pairs(found):
        a, b = int(a), int(b)
        pairs[min(a, b), max(a, b)] = similarity
    shingled.unlink()
    return Truth(tokens, Fraction(threshold), pairs, empty)


def _write_shingles(file, target, cut) -> set:
    """One JSON line a document: its row number, and its shingles as hexadecimal hashes with spaces between."""
    empty = set()
    blake = hashlib.blake2b
    with open(target, "w", encoding="ascii") as out:
        for row, text in enumerate(shingles.texts(file)):
            hashes = [blake(shingle.encode(), digest_size=8).hexdigest() for shingle in cut(text)]
            if not hashes:
                empty.add(row)
            out.write('{"id":"%d","text":"%s"}\n' % (row, " ".join(hashes)))
    return empty


def sample(documents, size, block=250) -> set:
    """Rows for the brute force: blocks spread evenly over the file, as a document's likes are often its neighbours."""
    blocks = max(1, size // block)
    if documents <= blocks * block:
        return set(range(documents))
    starts = [round(i * (documents - block) / max(1, blocks - 1)) for i in range(blocks)]
    return {row for start in starts for row in range(start, start + block)}


def brute_force(file, tokens, threshold, rows) -> dict:
    """Every pair among `rows` that reaches the threshold, by counting all that any two have in common."""
    cut = shingles.TOKENS[tokens]
    sizes, seen, found = {}, defaultdict(list), {}
    for row, text in enumerate(shingles.texts(file)):
        if row not in rows:
            continue
        elements = set(cut(text))
        sizes[row] = len(elements)
        common = Counter()
        for element in elements:
            earlier = seen[element]
            common.update(earlier)
            earlier.append(row)
        for other, shared in common.items():
            union = sizes[other] + sizes[row] - shared
            if shared >= threshold * union:
                found[other, row] = shared / union
    return found


def check_sample(truth, file, rows):
    """Check 1. The truth of the whole file, cut down to the sample, against the brute force on the sample."""
    exact = brute_force(file, truth.tokens, truth.threshold, rows)
    ours = {(a, b) for a, b in truth.pairs if a in rows and b in rows}
    missed, invented = exact.keys() - ours, ours - exact.keys()
    truth.checks.append(f"brute force on {len(rows):,} documents: {len(exact):,} pairs, of which lookalike misses "
                        f"{len(missed):,} and to which it adds {len(invented):,}")
    truth.missed |= missed
    truth.wrong |= invented
    if missed or invented:
        truth.faults.append(f"brute force disagrees: {sorted(missed)[:3]} missed, {sorted(invented)[:3]} added")


def check_pairs(truth, file):
    """Check 2. The similarity of each pair of the truth, counted again."""
    wrong = {pair for pair, (shared, union) in count(file, truth.tokens, truth.pairs).items()
             if shared < truth.threshold * union or shared / union != truth.pairs[pair]}
    truth.wrong |= wrong
    truth.checks.append(f"similarity of all {len(truth.pairs):,} pairs counted again in Python: {len(wrong):,} differ")
    if wrong:
        truth.faults.append(f"wrong similarity: {sorted(wrong)[:3]}")


def check_extra(truth, file, peer, pairs):
    """Check 3. The pairs that a peer found and the truth lacks."""
    extra = {pair for pair in pairs if pair not in truth.pairs}
    missed = {pair for pair, (shared, union) in count(file, truth.tokens, extra).items()
              if union and shared >= truth.threshold * union}
    truth.missed |= missed
    truth.checks.append(f"{peer}: {len(extra):,} pairs that lookalike does not report were counted in Python, "
                        f"{len(missed):,} reach the threshold")
    if missed:
        truth.faults.append(f"{peer} has true pairs that lookalike lacks: {sorted(missed)[:3]}")


def count(file, tokens, pairs) -> dict:
    """(shared, union) of each of these pairs, keeping only the sets that a later row still needs."""
    cut = shingles.TOKENS[tokens]
    partners, last = defaultdict(list), {}
    for a, b in pairs:
        partners[b].append(a)
        last[a] = max(last.get(a, 0), b)
    expiring = defaultdict(list)
    for a, b in last.items():
        expiring[b].append(a)

    kept, counted = {}, {}
    for row, text in enumerate(shingles.texts(file)):
        if row not in partners and row not in last:
            continue
        elements = set(cut(text))
        if row in last:
            kept[row] = elements
        for other in partners.get(row, ()):
            shared = len(kept[other] & elements)
            counted[other, row] = shared, len(kept[other]) + len(elements) - shared
        for done in expiring.get(row, ()):
            del kept[done]
    return counted
