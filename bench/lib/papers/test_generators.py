"""The generators make the same bytes from the same seed, and their truth says what they did.

`python3 -m unittest` from this folder; scripts/test runs it.
"""

import hashlib
import itertools
import math
import random
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from papers import angles, candidates, crawl, degrees, henzinger, news, rereading, table2  # noqa: E402


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


class Rereading(unittest.TestCase):
    def test_weather_stories_are_those_with_such_a_headline_and_no_company(self):
        titles = ["CROP WEATHER SUMMARY", "ACID RAIN BILL", "HEAVY RAIN IN IRAN", "FROST AND SULLIVAN <FRSL> PAYOUT", "TRAIN LATE"]
        stories = [news.Story(str(number), "", title, "") for number, title in enumerate(titles)]
        self.assertEqual([story.id for story in rereading.weather(stories)], ["0", "2"])

    def test_pairs_to_read_again_are_drawn_from_where_they_should_be(self):
        stories = [news.Story(str(number), news.DAYS[number % 2], "", "") for number in range(60)]
        pairs = [(str(a), str(b)) for a, b in itertools.combinations(range(0, 60, 2), 2)]
        read = {pair: "headline" if number < 150 else "text" for number, pair in enumerate(pairs)}
        drawn = rereading.second(stories, dict.fromkeys(pairs, "different"), read)
        self.assertEqual([len(set(some)) for some in drawn.values()], [100, 100])
        self.assertTrue(set(drawn["by headlines alone"]) <= set(pairs[:150]))
        self.assertTrue(all(int(a) % 2 == 1 and int(b) % 2 == 1 and int(a) < int(b) for a, b in drawn["nobody"]))

    def test_the_interval_is_where_what_was_seen_becomes_rare(self):
        self.assertAlmostEqual(rereading.interval(0, 100)[1], 1 - 0.025 ** 0.01, places=9)
        self.assertEqual((rereading.interval(0, 100)[0], rereading.interval(7, 7)[1]), (0, 1))
        low, high = rereading.interval(3, 100)
        self.assertAlmostEqual(sum(math.comb(100, k) * high ** k * (1 - high) ** (100 - k) for k in range(4)), 0.025, places=9)
        self.assertAlmostEqual(sum(math.comb(100, k) * low ** k * (1 - low) ** (100 - k) for k in range(3, 101)), 0.025, places=9)


class Tables(unittest.TestCase):
    def test_the_line_through_a_power_law_has_its_exponent(self):
        counts = {degree: round(1e9 / degree ** 1.5) for degree in range(1, 1024)}
        self.assertAlmostEqual(degrees.fitted(counts).slope, -1.5, delta=0.05)
        self.assertIsNone(degrees.fitted({1: 90, 2: 4}))

    def test_the_scatter_is_the_distance_from_the_line(self):
        line = degrees.Fit(-1, 0, math.log(1e6))
        exact = {degree: 1e6 / degree for degree in range(1, 1001)}
        self.assertAlmostEqual(degrees.scatter(exact, line, 1000), 0, places=9)
        tenfold = {degree: count * (10 if degree % 2 else 0.1) for degree, count in exact.items()}
        self.assertAlmostEqual(degrees.scatter(tenfold, line, 1000), 1, places=9)
        self.assertAlmostEqual(degrees.jumps(tenfold, 1000), math.sqrt(2), delta=0.01)
        self.assertEqual(degrees.reach([line, degrees.Fit(-1, 0, math.log(500.5))]), 100)

    def test_the_scatter_by_chance_is_that_of_drawn_numbers(self):
        line, rng = degrees.Fit(-1, 0, math.log(300)), random.Random(3)
        drawn = []
        for _ in range(200):
            counts = {degree: sum(rng.random() < line.at(degree) / 3000 for _ in range(3000)) for degree in (1, 2, 3, 4)}
            drawn.append(degrees.scatter(counts, line, 4) ** 2)
        self.assertAlmostEqual(math.sqrt(sum(drawn) / len(drawn)), degrees.by_chance(line, 4), delta=0.004)

    def test_term_differences_are_of_pairs_of_the_whole_pool(self):
        pairs = list(range(100_000))
        drawn = henzinger.sample(pairs, "B")
        self.assertEqual((len(drawn), len(set(drawn))), (henzinger.SAMPLE, henzinger.SAMPLE))
        # A part of the pool has its share of the sample, however the pool came together.
        self.assertTrue(50 < sum(it < 10_000 for it in drawn) < 150)
        self.assertEqual(sorted(henzinger.sample([1, 2, 3], "C")), [1, 2, 3])

    def test_what_the_angle_between_pages_says(self):
        a, b = Counter("abcd"), Counter("abce")
        self.assertAlmostEqual(angles.by_angle(a, b), angles.by_words(a, b))
        self.assertAlmostEqual(angles.by_angle(a, b), 384 * (1 - math.acos(0.75) / math.pi))
        self.assertEqual((angles.by_angle(a, a), angles.by_angle(a, Counter("xyz"))), (384, 192))
        # A frequent word that both have drowns the word that differs; counted once each, it does not.
        a["a"] = b["a"] = 30
        self.assertGreater(angles.by_angle(a, b), 375)
        self.assertLess(angles.by_words(a, b), angles.by_angle(a, b))
        self.assertEqual(angles.bag('<ul><li>One</li></ul><p>see http://x.y/one</p><img src="/i/s1.gif" width="1">'),
                         Counter({"one": 2, "see": 1, "http": 1, "x": 1, "y": 1, "s1.gif": 1}))

    def test_grams_of_a_record(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "records.jsonl"
            file.write_text('{"text": " ABABab\\n"}\n{"text": "ab"}\n', encoding="utf-8")
            self.assertEqual(table2.grams(file), {"records": 2, "distinct": 1.5, "all": 2})


if __name__ == "__main__":
    unittest.main()
