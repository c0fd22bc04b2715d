"""Documents for a stream: words drawn by Zipf's law, some of them near-duplicates of earlier ones."""

import random
from itertools import accumulate

# About as often as in English. So two documents of 5 kB share a fifth of their four-letter grams, as real ones do.
LETTERS = ("e" * 12 + "t" * 9 + "a" * 8 + "o" * 8 + "i" * 7 + "n" * 7 + "s" * 6 + "h" * 6 + "r" * 6 + "d" * 4 + "l" * 4
           + "uuucccmmmwwffggyyppbbvk")
VOCABULARY = 10_000


class Feed:
    """The same documents for the same seed. Every tenth repeats a recent one with a few words changed, or none."""

    def __init__(self, seed, size):
        self.random = random.Random(seed)
        self.size = size  # bytes, about
        # The vocabulary is the same for all seeds: feeds side by side speak one language.
        words = random.Random(0)
        self.words = ["".join(words.choices(LETTERS, k=words.randint(2, 9))) for _ in range(VOCABULARY)]
        self.weights = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
        self.recent = []

    def text(self):
        if self.recent and self.random.random() < 0.1:
            words = list(self.random.choice(self.recent))
            for _ in range(self.random.randrange(4)):
                words[self.random.randrange(len(words))] = self.random.choice(self.words)
        else:
            # A word and its space have 6.7 bytes on the average of this vocabulary.
            words = self.random.choices(self.words, cum_weights=self.weights, k=max(1, round(self.size / 6.7)))
            self.recent.append(words)
            del self.recent[:-500]
        return " ".join(words)
