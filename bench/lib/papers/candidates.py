"""How the labelled news was chosen: the pairs that were looked at, and the stories that have a planted copy.

Both can be made anew from the texts, and `bench/papers` compares them with `news/read.tsv` and `news/edits.tsv` in every run. The verdicts
are a reader's, and no script makes them.
"""

import itertools
import random
import re
from collections import Counter, defaultdict

from papers import news

# Words of headlines that are never rare, whatever they are on one day.
USUAL = set("a an and as at by dlrs for from in mln of on the to with year".split())
# A method finds candidates at a threshold below any at which it is judged.
METHODS = {"doc_4, 0.4": ["--measure", "max", "--tokens", "letters:4", "-t", "0.4"],
           "words, 0.4": ["--tokens", "words", "-t", "0.4"],
           "five-word shingles, 0.15": ["--tokens", "words:5", "-t", "0.15"],
           "spots, 0.2": ["--method", "spotsigs", "-t", "0.2"],
           "I-Match, ten lexica": ["--method", "i-match", "--lexica", "10"]}
SEED, KINDS = 2012, list(news.KINDS)


def words(story) -> set:
    return set(re.findall(r"[a-z]+", story.title.lower())) - USUAL


def numbers(story) -> set:
    return set(re.findall(r"\d[\d,./]*\d|\d", story.text))


def in_common(stories, features, most, least) -> set:
    """Pairs of stories of a day that have so many features in common, each of which at most so many stories of the day have."""
    holders, found = defaultdict(list), Counter()
    for story in stories:
        for feature in features(story):
            holders[story.day, feature].append(story.id)
    for ids in holders.values():
        if len(ids) <= most:
            found.update(ordered(*pair) for pair in itertools.combinations(ids, 2))
    return {pair for pair, count in found.items() if count >= least}


def ordered(a, b) -> tuple:
    return tuple(sorted((a, b), key=int))


def signals(stories, search) -> dict[str, set]:
    """The candidates by each signal. `search` gives the pairs that lookalike finds with some options."""
    return {"two rare words in both headlines": in_common(stories, words, 8, 2),
            "three rare numbers in both texts": in_common(stories, numbers, 5, 3),
            **{name: {ordered(row["a"], row["b"]) for row in search(options)} for name, options in METHODS.items()}}


def drawn(stories, verdicts) -> list[tuple]:
    """(story, kind of edit, donor or nothing) of 300 stories: 30 of each kind, from those with at least four paragraphs and 100 words that
    have no other copy and were not written twice."""
    taken = {story for pair, verdict in verdicts.items() if verdict != "different" for story in pair}
    fit = [story.id for story in stories if len(story.paragraphs) >= 4 and len(story.text.split()) >= 100 and story.id not in taken]
    rng, found = random.Random(SEED), []
    for number, story in enumerate(rng.sample(fit, 30 * len(KINDS))):
        kind = KINDS[number % len(KINDS)]
        donor = rng.choice([other for other in fit if other != story])
        found.append((story, kind, donor if kind in ("added", "background") else ""))
    return found


# --- What the hard negatives are ----------------------------------------------------------------------------------------------------

# By the headlines alone, the first that fits both: a rule, not a reader's word.
TYPES = {
    "results and dividends": r"NET|LOSS|QTR|QTRS|QTLY|SHR|PROFIT|RESULTS|EARNINGS|DIVIDEND|PAYOUT|DIV|QUARTERLY|DISTRIBUTION",
    "weather and earthquakes": r"WEATHER|RAINS?|SNOW|DROUGHT|FROST|STORM|EARTHQUAKE|QUAKE|TREMOR",
    "bonds and notes": r"(?:EURO)?BONDS?|NOTES?|CONVERTIBLE|DEBENTURES|FLOATER|CP|PREFERRED|FRANC ISSUE",
    "money market, rates, reserves": r"MONEY|RATES?|REPURCHASES|BILLS|TREASURY|RESERVES",
    "crops and commodities": r"WHEAT|GRAINS?|COTTON|SOYBEANS?|MAIZE|CROPS?|CORN|SUGAR|COCOA|COFFEE|OILSEEDS?|CATTLE|BEEF|RICE|CRUDE|OIL",
    "sales and traffic of a month": r"SALES|LOAD FACTOR|TRAFFIC",
    "buying back shares": r"BUYS? BACK|BUYBACK|REPURCHASE|REPURCHASING|TO BUY UP TO",
}


def kind_of(a, b, verdict) -> str:
    """What kind of hard negative a pair of stories is."""
    if verdict == "rewritten":
        return "the same event, written twice"
    for kind, pattern in TYPES.items():
        if all(re.search(rf"\b(?:{pattern})\b", story.title) for story in (a, b)):
            return kind
    tickers = [set(re.findall(r"<([A-Z]+)", story.title)) for story in (a, b)]
    return "another story of the same company" if tickers[0] & tickers[1] else "other"
