"""The generators make the same bytes from the same seed, and their truth says what they did: `python3 -m unittest` from this folder."""

import hashlib
import itertools
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from papers import crawl, news  # noqa: E402


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


if __name__ == "__main__":
    unittest.main()
