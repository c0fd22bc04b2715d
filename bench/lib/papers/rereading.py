"""What was read besides the pairs of the five days: pairs of weather stories of all days, and a sample of the first reader's work.

`news/weather.tsv` and `news/second.tsv` have the verdicts; which pairs were read, this script makes again and compares.
"""

import csv
import itertools
import math
import random
import re

from papers import candidates, news

# A weather story has such a word in its headline, and no company: "FROST AND SULLIVAN <FRSL>" is one.
WEATHER = (r"\b(?:WEATHER|(?<!ACID )RAINS?|RAINFALL|SHOWERS|SNOWS?|DROUGHT|FROST|STORMS?|FLOODS?|HURRICANE|CYCLONE|TYPHOON|MONSOON)\b")
SAMPLE = 100


def weather(every) -> list[news.Story]:
    """The weather stories of the whole collection, as if they were of one day."""
    return [news.Story(story.id, "all", story.title, story.text) for story in every
            if re.search(WEATHER, story.title) and "<" not in story.title]


def weather_pairs(stories, search) -> list[tuple]:
    """Those to read: what the signals find, two words that both headlines have, however frequent they are, and a hundred of the rest."""
    found = set().union(*candidates.signals(stories, search).values(), candidates.in_common(stories, candidates.words, len(stories), 2))
    rest = [candidates.ordered(a.id, b.id) for a, b in itertools.combinations(stories, 2)]
    return sorted([*found, *random.Random("weather/rest").sample([pair for pair in rest if pair not in found], SAMPLE)], key=place)


def second(stories, verdicts, read) -> dict[str, list[tuple]]:
    """The pairs of the second reading: of those that were called different by their headlines alone, and of those of a day that nobody
    had looked at."""
    headlines = [pair for pair, how in read.items() if how == "headline"]
    days = {day: [story.id for story in stories if story.day == day] for day in news.DAYS}
    others = [pair for ids in days.values() for pair in itertools.starmap(candidates.ordered, itertools.combinations(ids, 2)) if pair not in verdicts]
    return {"by headlines alone": sorted(random.Random("second reading/headline").sample(headlines, SAMPLE), key=place),
            "nobody": sorted(random.Random("second reading/nobody looked").sample(others, SAMPLE), key=place)}


def place(pair) -> tuple:
    return tuple(map(int, pair))


def rows(name) -> list[dict]:
    with open(news.HERE / name, encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def verdicts(name) -> dict[tuple, str]:
    return {(row["a"], row["b"]): row["verdict"] for row in rows(name)}


# --- How often a verdict is wrong -------------------------------------------------------------------------------------------------

def interval(wrong, of, confidence=0.95) -> tuple[float, float]:
    """Between which shares the true one is, by Clopper and Pearson: a smaller or larger share would lead to what was seen in less than
    half of the remaining cases."""
    rest = (1 - confidence) / 2
    low = 0 if wrong == 0 else solve(lambda share: 1 - at_most(wrong - 1, of, share) - rest)
    high = 1 if wrong == of else solve(lambda share: rest - at_most(wrong, of, share))
    return low, high


def at_most(count, of, share) -> float:
    """The probability of at most so many, if each has this one."""
    return sum(math.comb(of, k) * share ** k * (1 - share) ** (of - k) for k in range(count + 1))


def solve(rising) -> float:
    """Where a function that rises from 0 to 1 is nought."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return low
