"""How the C-similarity of a pair goes with its B-similarity (Henzinger's section 3.4.4), and what it comes from."""

import math
import re
import statistics
from collections import Counter

import report
from papers.judged import two

BITS, CUT_OFF = 384, 355
# Table 9, and what section 3.4.4 says of it: the average C-similarity by B-similarity and of all, and the share of 372 or more.
C_BY_B = {"2": (331.5, None), "3": (342.4, None), "4": (352.4, None), "5": (358.9, None), "6": (370.9, None), "all": (341, .04)}
# Table 10: the average B-similarity by C-similarity; and of all, the share of 2 or more and that of 0.
B_BY_C = {"372–375": (.10, None, None), "376–378": (.22, None, None), "379–381": (.32, None, None), "382–384": (.32, None, None),
          "all": (None, .04, .95)}


def c_by_b(pairs) -> list[str]:
    """Table 9, with the shares above some bounds: that of C, and the cut-off of the combined algorithm."""
    rows = []
    for name, (theirs, theirs_of_c) in C_BY_B.items():
        bits = sorted(it.c_similarity for it in pairs if name == "all" or it.b_similarity == int(name))
        if bits:
            at = lambda part: str(bits[math.ceil(part * len(bits)) - 1])  # noqa: E731
            rows.append([name, report.count(len(bits)), f"{statistics.mean(bits):.1f}", f"{theirs:.1f}" if name != "all" else "about 341",
                         at(0.1), at(0.5), two(share(bits, 350)), two(share(bits, CUT_OFF)), two(share(bits, 372)), two(theirs_of_c)])
    return report.table(["B-similarity", "pairs", "average C-similarity", "paper", "10 % up to", "50 % up to", "350 or more",
                         f"{CUT_OFF} or more", "372 or more", "paper"], rows)


def share(values, least):
    return sum(value >= least for value in values) / len(values)


def b_by_c(pairs, ranges) -> list[str]:
    """Table 10."""
    rows = []
    for low, high in [*reversed(ranges), (0, BITS)]:
        name = f"{low}–{high}" if low else "all"
        found = [it.b_similarity for it in pairs if low <= it.c_similarity <= high]
        theirs, theirs_of_b, theirs_none = B_BY_C[name]
        if found:
            rows.append([name, report.count(len(found)), two(statistics.mean(found)), two(theirs), two(share(found, 2)), two(theirs_of_b),
                         two(found.count(0) / len(found)), two(theirs_none)])
    return report.table(["C-similarity", "pairs", "average B-similarity", "paper", "2 or more", "paper", "0", "paper"], rows)


# --- What it comes from -----------------------------------------------------------------------------------------------------------

def bag(html) -> Counter:
    """The terms of a page and how often each occurs, as the paper counts them: markup is left out, but for the file names of images."""
    images = re.findall(r'<img src="[^"]*?([^"/]*)"', html)
    return Counter(re.findall(r"[a-z0-9]+", re.sub("<[^>]*>", " ", html).lower())) + Counter(images)


def agreeing(cosine) -> float:
    """How many bits of two random projections agree on average, from the cosine of the pages."""
    return BITS * (1 - math.acos(min(1, cosine)) / math.pi)


def by_angle(a, b) -> float:
    """The C-similarity that the angle between two bags leads one to expect."""
    dot = sum(count * b[term] for term, count in a.items())
    return agreeing(dot / math.sqrt(squares(a) * squares(b)))


def by_words(a, b) -> float:
    """The same, if as many words differed but no word occurred twice."""
    return agreeing((a & b).total() / math.sqrt(a.total() * b.total()))


def squares(terms) -> int:
    return sum(count ** 2 for count in terms.values())


def explained(pairs, texts) -> list[str]:
    """The C-similarity of pairs as measured, by the angle, and as it were if no word occurred twice."""
    bags = {name: bag(texts[name]) for it in pairs for name in (it.a, it.b)}
    ways = {"measured": [it.c_similarity for it in pairs], "expected from the angle": [by_angle(bags[it.a], bags[it.b]) for it in pairs],
            "expected, if no word occurred twice": [by_words(bags[it.a], bags[it.b]) for it in pairs]}
    rows = [[name, f"{statistics.mean(bits):.1f}", two(share(bits, CUT_OFF))] for name, bits in ways.items()]
    repeated = statistics.mean(squares(bags[it.a]) / bags[it.a].total() for it in pairs)
    lengths = statistics.median(bags[it.a].total() for it in pairs)
    differ = statistics.median((bags[it.a] - bags[it.b]).total() + (bags[it.b] - bags[it.a]).total() for it in pairs)
    return [*report.table(["C-similarity", "average", f"{CUT_OFF} or more"], rows), "",
            f"The sum of squared frequencies is {repeated:.1f} times the number of words, on average. Half of the pages have up to {lengths:.0f} words, "
            f"and half of the pairs up to {differ:.0f} differing ones."]
