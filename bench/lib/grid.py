"""Made-up collections of sets, for trying how a join chooses its plan: by size, vocabulary, skew, length and share of duplicates."""

import random
from dataclasses import dataclass
from itertools import accumulate, product


@dataclass(frozen=True)
class Made:
    sets: int
    vocabulary: int  # elements that there may be
    skew: float  # the n-th most frequent element occurs n ** -skew times as often as the first; 0: all alike
    length: int  # elements of a set, on average
    duplicates: float  # share of the sets that are made of an earlier one, with a few elements exchanged

    @property
    def name(self) -> str:
        kind = f"skew {self.skew:g}" if self.skew else "even"
        return f"{self.sets:,} sets of {self.length}, {self.vocabulary:,} elements, {kind}, {self.duplicates:.0%} duplicates"

    def sets_of_numbers(self):
        """The sets, each a list of different numbers below the vocabulary; always the same."""
        chance = random.Random(repr(self))
        draw = self._drawer(chance)
        made = []
        for _ in range(self.sets):
            if made and chance.random() < self.duplicates:
                # Mostly of a recent one: clusters of all sizes, as on real sites.
                base = made[-1 - int(len(made) * chance.random() ** 4)]
                changed = chance.choice((1, 1, 2, 4, 8)) * len(base) // 40 + 1
                kept = chance.sample(base, max(0, len(base) - changed))
                made.append(list(dict.fromkeys(kept + draw(changed))))
            else:
                length = max(1, min(8 * self.length, int(self.length * chance.lognormvariate(-0.18, 0.6))))
                made.append(list(dict.fromkeys(draw(length))))
        return made

    def _drawer(self, chance):
        if not self.skew:
            return lambda count: [chance.randrange(self.vocabulary) for _ in range(count)]
        weights = list(accumulate((number + 1) ** -self.skew for number in range(self.vocabulary)))
        elements = range(self.vocabulary)
        return lambda count: chance.choices(elements, cum_weights=weights, k=count)


def grid():
    """Collections from a few thousand short sets to tens of thousands of long ones."""
    return [Made(*values) for values in product((5_000, 40_000), (1_000, 50_000, 3_000_000), (0, 1.0), (10, 100), (0, 0.5))]


def write(sets, vocabulary, label, target):
    """One set a line, its elements under names that differ from label to label."""
    chance = random.Random(f"names {label}")
    names = [f"{chance.getrandbits(40):x}.{number:x}" for number in range(vocabulary)] if vocabulary <= 100_000 else None
    prefix = f"{chance.getrandbits(40):x}."
    name = names.__getitem__ if names else lambda number: prefix + str(number)
    with open(target, "w", encoding="ascii") as out:
        out.writelines(" ".join(map(name, one)) + "\n" for one in sets)
