"""News of five days of Reuters-21578, of which somebody read which stories are copies of each other; and planted copies.

The repository has ids, verdicts (`news/read.tsv`) and edits (`news/edits.tsv`), not texts: these come from ../shared/data.
`candidates.py` makes the list of pairs and that of edits again. `docs/theory/papers-news.md` says how the verdicts were made.
"""

import csv
import json
import random
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent / "news"
# The five days with the most stories that have a text, of those in the collection. The DDD paper has one day of 744.
DAYS = ["1987-03-05", "1987-04-09", "1987-04-13", "1987-10-19", "1987-10-20"]


@dataclass
class Story:
    id: str
    day: str
    title: str
    text: str

    @property
    def paragraphs(self) -> list[str]:
        return [part.strip() for part in re.split(r"\n {4}", self.text)]


def stories(data) -> list[Story]:
    """The stories of the five days, in the order of the file."""
    return [story for story in every(data) if story.day in DAYS]


def every(data) -> list[Story]:
    """All stories that have a text."""
    file = data / "news" / "reuters21578.jsonl.zst"
    rows = subprocess.run(["zstd", "-dcq", file], stdout=subprocess.PIPE, check=True).stdout.decode().rstrip("\n").split("\n")
    found = [Story(str(row["id"]), row["time"][:10], row["title"], row["text"]) for row in map(json.loads, rows)]
    return [story for story in found if story.text.strip()]


def verdicts() -> dict[tuple, str]:
    """Of every pair that was looked at: copy, rewritten or different."""
    with open(HERE / "read.tsv", encoding="utf-8") as rows:
        return {(row["a"], row["b"]): row["verdict"] for row in csv.DictReader(rows, delimiter="\t")}


# --- Planted copies ---------------------------------------------------------------------------------------------------------------

# How another desk would have written some words, from the style of the time to the style of today.
WORDS = {"mln": "million", "dlrs": "dollars", "dlr": "dollar", "pct": "percent", "cts": "cents", "said": "stated", "bpd": "barrels per day",
         "stg": "sterling", "u.s.": "American", "also": "in addition", "about": "some", "would": "will", "told": "informed"}
FRAME_TOP = ("All the news of the hour. Choose your edition: world, business, markets, technology. Sign in or subscribe to read without "
             "advertisements. You are reading one of three free stories of this month.")
FRAME_BOTTOM = ("More from this section. Share this story with your friends. Terms of use, privacy, contact. Prices are delayed by at "
                "least fifteen minutes. No part of this service may be reproduced without permission in writing. All rights reserved.")


def headline(story, rng, donor):
    """Another headline: the first eight words of the text."""
    return " ".join(story.text.split()[:8]).upper(), story.paragraphs


def added(story, rng, donor):
    """A paragraph of another story after the second."""
    parts = story.paragraphs
    return story.title, [*parts[:2], rng.choice(donor.paragraphs[1:]), *parts[2:]]


def background(story, rng, donor):
    """Three paragraphs of another story at the end."""
    return story.title, [*story.paragraphs, *donor.paragraphs[1:4]]


def reordered(story, rng, donor):
    """All paragraphs but the first in another order."""
    rest = story.paragraphs[1:]
    rng.shuffle(rest)
    return story.title, [story.paragraphs[0], *rest]


def cut(story, rng, donor):
    """Without the last third of the paragraphs."""
    parts = story.paragraphs
    return story.title, parts[:len(parts) - len(parts) // 3]


def halved(story, rng, donor):
    """Without the last half of the paragraphs."""
    parts = story.paragraphs
    return story.title, parts[:(len(parts) + 1) // 2]


def corrected(story, rng, donor):
    """One number is another one, and the headline says so."""
    numbers = [match for match in re.finditer(r"\d+", story.text)]
    if not numbers:
        return "(CORRECTED) - " + story.title, story.paragraphs
    match = rng.choice(numbers)
    other = str((int(match.group()) + rng.randint(1, 8)) % 10 ** len(match.group())).zfill(len(match.group()))
    text = story.text[:match.start()] + other + story.text[match.end():]
    return "(CORRECTED) - " + story.title, Story(story.id, story.day, story.title, text).paragraphs


def reworded(story, rng, donor):
    """Thirteen frequent words written otherwise, wherever they are."""
    def other(match):
        return WORDS.get(match.group().lower(), match.group())

    return story.title, [re.sub(r"[A-Za-z]\.[A-Za-z]\.|[A-Za-z]+", other, part) for part in story.paragraphs]


def typed(story, rng, donor):
    """Typing errors: a letter is missing in every twentieth word."""
    def word(number, text):
        return text[:-2] + text[-1] if number % 20 == 7 and len(text) > 3 else text

    count, parts = 0, []
    for part in story.paragraphs:
        words = part.split()
        parts.append(" ".join(word(count + at, text) for at, text in enumerate(words)))
        count += len(words)
    return story.title, parts


def framed(story, rng, donor):
    """In the page of another publisher: a menu before it, a footer after it."""
    return story.title, [FRAME_TOP, *story.paragraphs, FRAME_BOTTOM]


KINDS = {kind.__name__: kind for kind in (headline, added, background, reordered, cut, halved, corrected, reworded, typed, framed)}


def edits() -> list[tuple]:
    """(story, kind, donor or nothing), as `news/edits.tsv` lists them. `candidates.drawn` draws the same."""
    with open(HERE / "edits.tsv", encoding="utf-8") as rows:
        return [(row["story"], row["kind"], row["donor"]) for row in csv.DictReader(rows, delimiter="\t")]


def planted(found) -> list[tuple[str, Story]]:
    """The copies: (id of the story, its copy)."""
    by_id = {story.id: story for story in found}
    return [(story, edited(by_id[story], kind, by_id.get(donor))) for story, kind, donor in edits()]


def edited(story, kind, donor) -> Story:
    """A copy of a story with edits of a kind; always the same one."""
    title, parts = KINDS[kind](story, random.Random(f"{kind}/{story.id}"), donor)
    return Story(f"{kind}-{story.id}", story.day, title, "\n    ".join(parts))
