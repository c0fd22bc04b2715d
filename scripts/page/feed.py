"""A day of invented news, made of the sentences of examples/press.jsonl."""

import json
import math
import random
import re
from pathlib import Path

PRESS = Path(__file__).resolve().parents[2] / "examples" / "press.jsonl"
DAY = 24 * 3600


def stories():
    """The longer stories of the corpus, each text once: source, language and sentences."""
    seen = {}
    for line in PRESS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = " ".join(row["text"].split())
        if row["lang"] in ("en", "de", "fr", "es", "it") and len(text) > 250 and not text.isupper():
            seen.setdefault(text[:60].lower(), (row["source"], row["lang"], re.findall(r"[^.!?]+[.!?]+[\"”»]?\s*", text)))
    return list(seen.values())


def edited(random, text):
    """The same story in a later edition: a number, a day or a word is another, or its last sentence is gone."""
    changes = [
        (r"\bMonday|Tuesday|Wednesday|Thursday|Friday\b", lambda _: random.choice(["Saturday", "Sunday", "yesterday"])),
        (r"\b[2-9]\d*\b", lambda found: str(int(found[0]) + random.randint(1, 3))),
        (r"\b(first|last|new|old|few|small)\b", lambda _: random.choice(["second", "latest", "recent", "former"])),
        (r"\bsaid\b|\bsay\b", lambda _: "told reporters"),
        (r"\b(two|three|four|five|six|nine)\b", lambda _: random.choice(["seven", "eight", "ten", "a dozen"])),
    ]
    before = text
    for pattern, change in random.sample(changes, random.randint(2, 4)):
        text = re.sub(pattern, change, text, count=2)
    if text == before or random.random() < 0.2:
        text = text.rstrip() + " More is expected in the course of the day."
    return text


def day(end, documents=2600, seed=7):
    """Documents of the last 24 hours before `end`, in the order of their times: few at night, and the agencies copy each other."""
    chance = random.Random(seed)
    known = stories()
    pool = {}
    for _, lang, sentences in known:
        pool.setdefault(lang, []).extend(sentences)
    times = []
    while len(times) < documents:
        ago = chance.uniform(0, DAY)
        hour = ((end - ago) / 3600) % 24
        if chance.random() < 0.25 + 0.75 * max(0, math.sin((hour - 5) / 16 * math.pi)) ** 0.8:
            times.append(end - ago)
    copies = {"Coastline News Agency": 0.02, "Agentur Nordufer": 0.03, "Dunmere Post": 0.16, "Millen Cross Gazette": 0.22, "Agence Littorale": 0.05}
    past = []
    for number, time in enumerate(sorted(times)):
        source, lang, _ = chance.choice(known)
        told = [text for of, text in past[-400:] if of == lang]
        if told and chance.random() < copies.get(source, 0.09):
            text = chance.choice(told)
            text = text if chance.random() < 0.35 else edited(chance, text)
        else:
            text = "".join(chance.sample(pool[lang], min(5, len(pool[lang]))))
        past.append((lang, text))
        yield {"id": f"{lang}-{number + 1:04}", "source": source, "time": round(time, 3), "text": text.strip()}


def editions(end):
    """One story in three editions."""
    sentences = next(sentences for _, _, sentences in stories() if sentences[0].startswith("Engineers have closed"))
    story = "".join(sentences).strip()
    later = story.replace("second pier", "second and third piers").replace("fourteen miles", "sixteen miles").replace("Engineers have", "The county has")
    latest = later + " The mayor has asked for a temporary crossing before the autumn fair."
    for id, source, ago, text in [("en-9001", "Dunmere Post", 7800, story), ("en-9002", "Thornby Courier", 3000, later), ("en-9003", "Harbour Press Service", 5, latest)]:
        yield {"id": id, "source": source, "time": round(end - ago, 3), "text": text}
