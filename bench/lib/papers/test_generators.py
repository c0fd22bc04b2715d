"""The generators make the same bytes from the same seed, and their truth says what they did: `python3 -m unittest` from this folder."""

import hashlib
import itertools
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from papers import crawl  # noqa: E402


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


if __name__ == "__main__":
    unittest.main()
