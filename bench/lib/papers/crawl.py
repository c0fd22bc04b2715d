"""A small crawl, made by a seeded generator, in which the class of every pair of pages is known: correct, incorrect or undecided, as
Henzinger's paper (SIGIR 2006, section 3.1) defines them.

    from papers import crawl
    for page in crawl.pages(seed=1): ...
    crawl.judge(page_a, page_b)        # ("correct", "url"), ("undecided", "form"), ("incorrect", "")

A *site* here is a family of pages that one publisher makes from one template; `FAMILIES` has one function a kind of site. The numbers
were written down from the paper and from what is generally known of the web, before any method was run:

* Half of the sites are ordinary (`articles`). The other half is divided equally among the kinds that the paper names as causes of right
  and wrong pairs, because neither the paper nor anything else says how many sites are of which kind.
* The pages of a site follow a power law with exponent 2, from 10 to 240. (The paper: a power law, 36.5 pages a host on average.)
* The length of a page's own text is log-normal with a median of 350 words. Templates are 40 to 50 % of the text of the web (Gibson,
  Punera, Tomkins 2005): the share of a site is drawn from Beta(2, 2.5), whose mean is 0.44.
* The paper gives the numbers for databases (200 to 400 or 1,000 to 2,000 words, 10 to 30 consecutive ones differ), directories
  (about 1,000 words, 1 to 5 scattered ones differ) and addresses (2 to 4 words).
* The n-th word of the language is used in proportion to 1/n.

Only `exponent` was added after the first run: with 0, all words are equally frequent (docs/theory/papers-web.md says why).
"""

import bisect
import itertools
import random
from dataclasses import dataclass, field

SITES = 400
SMALLEST, LARGEST = 10, 240
TOPS = ["com", "com", "com", "org", "net", "info"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
# What differs between two pages with the same main item, and what the paper calls such a pair if nothing else does.
UNDECIDED = {"refresh": "cannot evaluate", "form": "form", "box": "different minor item", "edits": "other"}
CORRECT = ["url", "time stamp", "execution time", "visitor count", "message id", "session id", "server name", "invisible", "entry page"]


@dataclass
class Page:
    url: str
    html: str
    family: str
    item: str  # the main item: pages with different ones are incorrect near-duplicates
    marks: dict = field(default_factory=dict)  # what else may differ: a kind of CORRECT or UNDECIDED, and its value


def judge(a, b) -> tuple[str, str]:
    """The class of a pair, and the reason."""
    if a.item != b.item:
        return "incorrect", ""
    kinds = [kind for kind in (*UNDECIDED, *CORRECT) if a.marks.get(kind) != b.marks.get(kind)]
    for kind in kinds:
        if kind in UNDECIDED:
            return "undecided", UNDECIDED[kind]
    return "correct", kinds[0] if len(kinds) == 1 else "combination" if kinds else "equal"


def pages(seed, sites=SITES, exponent=1):
    """All pages of a crawl, site by site."""
    words = Words(exponent)
    kinds = [kind for kind in FAMILIES if kind != "articles"]
    for number in range(sites):
        rng = random.Random(f"{seed}/{number}")
        kind = "articles" if number % 2 else kinds[number // 2 % len(kinds)]
        yield from FAMILIES[kind](Site(rng, words, kind, f"{seed}/{number}"))


class Words:
    """A made-up language: 30,000 words, the n-th of which is used in proportion to 1/n, or to another power of n."""

    def __init__(self, exponent=1, size=30_000):
        rng = random.Random("words")
        syllables = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "an", "er", "is")]
        found = {}
        while len(found) < size:
            found["".join(rng.choices(syllables, k=rng.choice((1, 2, 2, 3, 3, 4))))] = None
        self.words = list(found)
        self.weights = list(itertools.accumulate(n ** -exponent for n in range(1, size + 1)))

    def text(self, rng, count) -> list[str]:
        total = self.weights[-1]
        return [self.words[bisect.bisect(self.weights, rng.random() * total)] for _ in range(count)]


class Site:
    """What the pages of a site have in common, and how they are put together."""

    def __init__(self, rng, words, kind, name):
        self.rng, self.words, self.kind, self.name = rng, words, kind, name
        self.size = power(rng, SMALLEST, LARGEST)
        self.host = "www." + self.domain()
        share = rng.betavariate(2, 2.5)
        self.own = self.length()  # words of a typical page
        around = min(3000, round(self.own * share / (1 - share)))
        self.top, self.bottom = self.text(around // 2), self.text(around - around // 2)

    def text(self, count):
        return self.words.text(self.rng, count)

    def length(self):
        return round(min(3000, max(60, self.rng.lognormvariate(5.86, 0.8))))

    def domain(self):
        return "".join(self.text(2)) + str(self.rng.randrange(100)) + "." + self.rng.choice(TOPS)

    def frame(self, top, bottom):
        self.top, self.bottom = self.text(top), self.text(bottom)

    def page(self, main, item, marks=None, url=None, links="", tail=""):
        url = url or f"http://{self.host}/{self.rng.randrange(10**6)}.html"
        menu = "".join(f'<li><a href="/{word}{links}">{word}</a></li>' for word in self.top)
        html = (f"<html><head><title>{' '.join(self.top[:3])}</title></head><body><ul>{menu}</ul><p>{' '.join(main)}</p>"
                f"<p>{' '.join(self.bottom)}</p>{tail}</body></html>")
        return Page(url, html, self.kind, f"{self.name}/{item}", marks or {})

    def items(self, least=2):
        """Numbers of items, repeated: each page is fetched several times, by a power law."""
        copies = power(self.rng, least, self.size)
        return [number // copies for number in range(self.size)]


def power(rng, low, high) -> int:
    """A whole number with a probability in proportion to 1/n²."""
    u = rng.random()
    return min(high, int(1 / ((1 - u) / low + u / (high + 1))))


# --- Ordinary sites, and what makes wrong pairs -----------------------------------------------------------------------------------

def articles(site):
    """Every page has its own text between the site's menu and footer."""
    for item in range(site.size):
        yield site.page(site.text(site.length()), item)


def database(site):
    """Records of 10 to 30 consecutive words in a page of 200 to 400, or of 1,000 to 2,000, words."""
    around = site.rng.randint(*site.rng.choice([(200, 400), (1000, 2000)]))
    site.frame(around // 2, around - around // 2)
    for item in range(site.size):
        yield site.page(site.text(site.rng.randint(10, 30)), item)


def shop(site):
    """A product of 30 to 120 words in the site's frame."""
    for item in range(site.size):
        yield site.page(site.text(site.rng.randint(30, 120)), item)


def directory(site):
    """About 1,000 words, of which 1 to 5 scattered ones are the page's own."""
    common = site.text(site.rng.randint(900, 1100))
    site.frame(10, 10)
    own = site.rng.sample(range(len(common)), site.rng.randint(1, 5))
    for item in range(site.size):
        main = list(common)
        for place in own:
            main[place] = str(site.rng.randrange(10**6))
        yield site.page(main, item)


def lists(site):
    """A record of 10 to 30 words, and a list of 200 names that some pages repeat up to three times and some do not have."""
    names = site.text(200)
    site.frame(100, 100)
    for item in range(site.size):
        yield site.page(site.text(site.rng.randint(10, 30)) + names * site.rng.randint(0, 3), item)


def software(site):
    """Different sites with the same software: one page each, in the frame that it comes with."""
    for item in range(site.size):
        yield site.page(site.text(site.length()), item, url=f"http://www.{site.domain()}/")


# --- What makes right pairs -------------------------------------------------------------------------------------------------------

def stamp(rng, kind):
    """A line that the server writes, with a value that differs from time to time."""
    if kind == "time stamp":
        return (f"generated {rng.choice(DAYS)} {rng.randint(1, 28)} June 2006 {rng.randrange(24):02}:{rng.randrange(60):02}:"
                f"{rng.randrange(60):02}")
    return {"execution time": f"created in 0.{rng.randrange(10**4):04} seconds",
            "visitor count": f"you are visitor number {rng.randrange(10**6)}",
            "session id": f"session {rng.getrandbits(64):016x}", "message id": f"message {rng.getrandbits(40):010x}"}[kind]


def dynamic(site):
    """Pages fetched several times. The server writes the time, how long it took, or how many visitors there were; or several of them."""
    kinds = ["time stamp", "execution time", "visitor count"]
    kinds = site.rng.sample(kinds, site.rng.choice((1, 1, 1, 2, 3)))
    for item, group in itertools.groupby(site.items()):
        main = site.text(site.length())
        for _ in group:
            marks = {kind: stamp(site.rng, kind) for kind in kinds}
            yield site.page(main, item, marks, tail="".join(f"<p>{line}</p>" for line in marks.values()))


def session(site):
    """Pages fetched several times with another session id in all links; on every second site, the id is in the text, too."""
    shown = site.rng.random() < 0.5
    for item, group in itertools.groupby(site.items()):
        main = site.text(site.length())
        for _ in group:
            line = stamp(site.rng, "session id")
            yield site.page(main, item, {"session id": line} if shown else {}, links="?s=" + line.split()[1],
                            tail=f"<p>{line}</p>" if shown else "")


def archive(site):
    """Messages of a mailing list, each of them at two or three addresses with another message id."""
    for item in range(max(1, site.size // 3)):
        main = site.text(site.length())
        for _ in range(site.rng.choice((2, 3))):
            line = stamp(site.rng, "message id")
            yield site.page(main, item, {"message id": line}, tail=f"<p>{line}</p>")


def addresses(site):
    """Pages with several addresses, which they show ("printed from http://…")."""
    for item, group in itertools.groupby(site.items()):
        main = site.text(site.length())
        for _ in group:
            url = f"http://{site.host}/{site.text(1)[0]}/{site.rng.randrange(10**5)}.html"
            yield site.page(main, item, {"url": url}, url=url, tail=f"<p>printed from {url}</p>")


def parked(site):
    """Domains for sale by one firm: a page of 80 to 300 words that names the domain one to four times."""
    around, times = site.rng.randint(80, 300), site.rng.randint(1, 4)
    site.frame(around // 2, around - around // 2)
    for _ in range(site.size):
        domain = site.domain()
        yield site.page([f"{word} http://{domain}/" for word in ("buy", "about", "offer", "contact")[:times]], 0, {"url": domain},
                        url=f"http://{domain}/")


def mirror(site):
    """The pages of a site on two to five hosts, with the name of the server at the end."""
    hosts = [site.domain() for _ in range(site.rng.randint(2, 5))]
    for item in range(max(1, site.size // len(hosts))):
        main = site.text(site.length())
        for host in hosts:
            yield site.page(main, item, {"server name": host}, url=f"http://www.{host}/{item}.html", tail=f"<p>served by {host}</p>")


def entry(site):
    """Entry pages to one site, on different domains, with 5 to 30 words of their own in one place."""
    around = site.length()
    site.frame(around // 2, around - around // 2)
    for number in range(site.size):
        yield site.page(site.text(site.rng.randint(5, 30)), 0, {"entry page": number}, url=f"http://www.{site.domain()}/")


def invisible(site):
    """Pages fetched several times, with 5 to 60 images for the layout whose names change."""
    count = site.rng.randint(5, 60)
    for item, group in itertools.groupby(site.items()):
        main = site.text(site.length())
        for _ in group:
            names = [f"s{site.rng.randrange(10**6)}.gif" for _ in range(count)]
            yield site.page(main, item, {"invisible": names[0]}, tail="".join(f'<img src="/i/{name}" width="1">' for name in names))


# --- What cannot be decided -------------------------------------------------------------------------------------------------------

def form(site):
    """A form with one to six fields that are filled in with one to three words each."""
    labels = site.text(site.rng.randint(1, 6))
    main = site.text(site.length())
    for _ in range(site.size):
        values = [" ".join(site.text(site.rng.randint(1, 3))) for _ in labels]
        fields = "".join(f"<p>{label} <textarea>{value}</textarea></p>" for label, value in zip(labels, values))
        yield site.page(main, 0, {"form": tuple(values)}, tail=f"<form>{fields}</form>")


def box(site):
    """Pages fetched several times, with one of five boxes of 10 to 40 words at the side."""
    boxes = [" ".join(site.text(site.rng.randint(10, 40))) for _ in range(5)]
    for item, group in itertools.groupby(site.items()):
        main = site.text(site.length())
        for _ in group:
            chosen = site.rng.randrange(5)
            yield site.page(main, item, {"box": chosen, "visitor count": (line := stamp(site.rng, "visitor count"))},
                            tail=f"<p>{boxes[chosen]}</p><p>{line}</p>")


def refresh(site):
    """Pages that load themselves anew: 2 to 40 consecutive words differ, and what was seen cannot be seen again."""
    for item, group in itertools.groupby(site.items()):
        main = site.text(site.length())
        for number, _ in enumerate(group):
            yield site.page(main, item, {"refresh": number}, tail=f"<p>{' '.join(site.text(site.rng.randint(2, 40)))}</p>")


def edited(site):
    """Versions of a page: 1 to 20 scattered words are others than in the first. The paper has no class for it."""
    for item, group in itertools.groupby(site.items()):
        first = site.text(site.length())
        for number, _ in enumerate(group):
            main = list(first)
            for place in site.rng.sample(range(len(main)), site.rng.randint(1, 20)):
                main[place] = site.text(1)[0]
            yield site.page(main, item, {"edits": number})


FAMILIES = {kind.__name__: kind for kind in (
    articles, database, shop, directory, lists, software, dynamic, session, archive, addresses, parked, mirror, entry, invisible, form,
    box, refresh, edited)}
