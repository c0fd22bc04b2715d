"""Two texts beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .. import _lookalike
from .._types import Settings, Signing


class Judgement(NamedTuple):
    """What a method says of two texts."""

    is_pair: bool | None
    """None if the method cannot tell."""
    why: str


class Comparison(NamedTuple):
    """Two texts beside each other."""

    is_pair: bool
    why: str
    identical: bool
    common: int
    size_a: int
    size_b: int
    measures: Mapping[str, float | None]
    words_a: list[str]
    words_b: list[str]
    differences: list[tuple[int, int, int, int]] | None
    """Runs of words in which the two differ: start and end in ``words_a``, start and end in ``words_b``."""
    verdicts: Mapping[str, Judgement]
    """What each method says: ``exact``, ``b``, ``c``, ``combined``, ``by-site``, ``mega-shingles``, ``ddebit``, and with
    the measure jaccard ``spotsigs`` and ``lsh``."""
    shared_features: int
    """Equal features, of those of the filter."""
    found_by_filter: float
    """The probability that the filter finds documents of this resemblance."""
    b_similarity: int
    """Equal super-shingles."""
    c_similarity: int
    """Equal bits of the simhashes."""
    term_difference: int | None
    """Words in which the two differ; None if there are too many to count."""

    def diff(self) -> str:
        """Return the words of both, with ``[-…-]`` around what only the first has, ``{+…+}`` what only the second has."""
        if self.differences is None:
            return "(too many differences to show)"
        parts: list[str] = []
        at = 0
        for start_a, end_a, start_b, end_b in self.differences:
            parts += self.words_a[at:start_a]
            if start_a < end_a:
                parts.append(f"[-{' '.join(self.words_a[start_a:end_a])}-]")
            if start_b < end_b:
                parts.append(f"{{+{' '.join(self.words_b[start_b:end_b])}+}}")
            at = end_a
        return " ".join(parts + self.words_a[at:])

    def __str__(self) -> str:
        return f"{self.why}\n{self.diff()}"


USUAL: Signing = {"features": "6,14,2", "shingle": 8, "weighted": False, "bits": 384, "element": 1}
"""The signatures of the papers."""


def compare_texts(a: str, b: str, threshold: str, settings: Settings, signing: Signing = USUAL) -> Comparison:
    """Compare two texts."""
    counts, words, differences = _lookalike.compare(a, b, threshold, signing, settings)
    return Comparison(
        bool(counts["is_pair"]),
        counts["why"],
        counts["identical"],
        counts["common"],
        counts["size_a"],
        counts["size_b"],
        counts["measures"],
        words[0],
        words[1],
        differences,
        {method: Judgement(*judged) for method, judged in counts["verdicts"].items()},
        counts["shared_features"],
        counts["found_by_filter"],
        counts["b_similarity"],
        counts["c_similarity"],
        counts["term_difference"],
    )
