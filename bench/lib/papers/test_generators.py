"""The generators make the same bytes from the same seed, and their truth says what they did.

`python3 -m unittest` from this folder; scripts/test runs it.
"""

import hashlib
import itertools
import random
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from papers import candidates, crawl, henzinger, news, table2  # noqa: E402


def digest(pages) -> str:
    return hashlib.sha256("\n".join(f"{page.url}\t{page.item}\t{sorted(page.marks.items())}\t{page.html}" for page in pages).encode()).hexdigest()


class Crawl(unittest.TestCase):
    def test_the_same_seed_gives_the_same_pages(self):
        self.assertEqual(digest(crawl.pages(1, 40)), digest(crawl.pages(1, 40)))
        self.assertNotEqual(digest(crawl.pages(1, 40)), digest(crawl.pages(2, 40)))

    def test_a_smaller_crawl_is_the_beginning_of_a_larger_one(self):
        small = list(crawl.pages(3, 6))
        self.assertEqual(digest(small), digest(itertools.islice(crawl.pages(3, 12), len(small))))

    def test_every_family_is_there(self):
        self.assertEqual({page.family for page in crawl.pages(1, 2 * len(crawl.FAMILIES))}, set(crawl.FAMILIES))

    def test_sites_have_sizes_within_their_bounds(self):
        for site, pages in itertools.groupby(crawl.pages(1, 40), lambda page: page.item.rsplit("/", 1)[0]):
            self.assertLessEqual(len(list(pages)), crawl.LARGEST, site)

    def test_what_a_pair_is(self):
        page = lambda item, **marks: crawl.Page("", "", "", item, {key.replace("_", " "): value for key, value in marks.items()})  # noqa: E731
        judged = lambda a, b: crawl.judge(a, b)  # noqa: E731
        self.assertEqual(judged(page("a"), page("b")), ("incorrect", ""))
        self.assertEqual(judged(page("a", url=1), page("a", url=2)), ("correct", "url"))
        self.assertEqual(judged(page("a", url=1, time_stamp=1), page("a", url=2, time_stamp=2)), ("correct", "combination"))
        self.assertEqual(judged(page("a", url=1, time_stamp=1), page("a", url=2, time_stamp=1)), ("correct", "url"))
        self.assertEqual(judged(page("a", url=1, form=1), page("a", url=2, form=2)), ("undecided", "form"))
        self.assertEqual(judged(page("a"), page("a")), ("correct", "equal"))


class News(unittest.TestCase):
    STORY = news.Story("1", "", "A HEADLINE", "One 12 mln dlrs.\n    Two is here.\n    Three said so.\n    Four words are these, nearly.")
    DONOR = news.Story("2", "", "ANOTHER", "Lead.\n    Alpha.\n    Beta.\n    Gamma.")

    def test_the_same_edit_gives_the_same_copy(self):
        for kind in news.KINDS:
            self.assertEqual(news.edited(self.STORY, kind, self.DONOR), news.edited(self.STORY, kind, self.DONOR))

    def test_what_the_edits_do(self):
        def parts(kind):
            return news.edited(self.STORY, kind, self.DONOR).paragraphs

        one, two, three, four = self.STORY.paragraphs
        self.assertEqual(news.edited(self.STORY, "headline", None).title, "ONE 12 MLN DLRS. TWO IS HERE. THREE")
        self.assertIn(parts("added")[2], self.DONOR.paragraphs[1:])
        self.assertEqual(parts("background"), [one, two, three, four, "Alpha.", "Beta.", "Gamma."])
        self.assertEqual(sorted(parts("reordered")), sorted([one, two, three, four]))
        self.assertEqual((parts("cut"), parts("halved")), ([one, two, three], [one, two]))
        self.assertNotEqual(parts("corrected")[0], one)
        self.assertEqual(parts("reworded")[0], "One 12 million dollars.")
        self.assertEqual(parts("framed")[1:-1], [one, two, three, four])

    def test_verdicts_and_edits_are_whole(self):
        verdicts = news.verdicts()
        self.assertEqual(set(verdicts.values()), {"copy", "rewritten", "different"})
        self.assertTrue(all(int(a) < int(b) for a, b in verdicts))


class Candidates(unittest.TestCase):
    def test_pairs_with_rare_features_in_common_are_those_of_brute_force(self):
        rng = random.Random(5)
        stories = [news.Story(str(number), rng.choice("AB"), " ".join(rng.choices("abcdefgh", k=4)), "") for number in range(60)]
        features = lambda story: set(story.title.split())  # noqa: E731
        for most, least in itertools.product((3, 8, 15, 60), (1, 2, 3)):
            expected = set()
            for a, b in itertools.combinations(stories, 2):
                rare = [it for it in features(a) & features(b) if sum(it in features(s) and s.day == a.day for s in stories) <= most]
                if a.day == b.day and len(rare) >= least:
                    expected.add((a.id, b.id))
            self.assertEqual(candidates.in_common(stories, features, most, least), expected, (most, least))

    def test_edits_are_drawn_from_stories_that_are_fit(self):
        long = "\n    ".join(["word " * 30] * 4)
        stories = [news.Story(str(number), "", "", long if number % 2 else "too short") for number in range(1000)]
        drawn = candidates.drawn(stories, {("1", "3"): "copy", ("5", "7"): "rewritten", ("9", "11"): "different"})
        self.assertEqual(drawn, candidates.drawn(stories, {("1", "3"): "copy", ("5", "7"): "rewritten"}))
        chosen = {story for story, _, _ in drawn}
        self.assertEqual((len(drawn), len(chosen)), (300, 300))
        self.assertFalse(chosen & {"1", "3", "5", "7"})
        self.assertTrue(all(int(story) % 2 for story in chosen))
        self.assertTrue(all((donor != "") == (kind in ("added", "background")) and donor != story for story, kind, donor in drawn))

    def test_edits_of_the_repository_have_thirty_of_each_kind(self):
        kinds = [kind for _, kind, _ in news.edits()]
        self.assertEqual({kind: kinds.count(kind) for kind in news.KINDS}, dict.fromkeys(news.KINDS, 30))

    def test_types_of_hard_negatives(self):
        kind = lambda a, b, verdict="different": candidates.kind_of(*(news.Story("", "", title, "") for title in (a, b)), verdict)  # noqa: E731
        self.assertEqual(kind("ACME <A> 3RD QTR NET", "OTHER CO <B> 4TH QTR LOSS"), "results and dividends")
        self.assertEqual(kind("ACME <A> 3RD QTR NET", "ACME <A> BUYS A SHIP"), "another story of the same company")
        self.assertEqual(kind("GRAIN BELT WEATHER REPORT", "WEATHER HURTS ORANGES"), "weather and earthquakes")
        self.assertEqual(kind("ACME <A> 3RD QTR NET", "ACME <A> 3RD QTR NET", "rewritten"), "the same event, written twice")
        self.assertEqual(kind("A SHIP", "A HOUSE"), "other")


class Tables(unittest.TestCase):
    def test_the_line_through_a_power_law_has_its_exponent(self):
        counts = {degree: round(1e9 / degree ** 1.5) for degree in range(1, 1024)}
        self.assertAlmostEqual(henzinger.fitted(counts).slope, -1.5, delta=0.05)
        self.assertIsNone(henzinger.fitted({1: 90, 2: 4}))

    def test_grams_of_a_record(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "records.jsonl"
            file.write_text('{"text": " ABABab\\n"}\n{"text": "ab"}\n', encoding="utf-8")
            self.assertEqual(table2.grams(file), {"records": 2, "distinct": 1.5, "all": 2})


if __name__ == "__main__":
    unittest.main()
