"""What is chosen gives what the command gives with the same choice; and the threshold for a target size is the highest there is."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from conftest import Command, Rows, listed, without
from hypothesis import given, settings
from hypothesis import strategies as st
from test_parity import FEW

import lookalike as la

WORDS = ["ant", "Ant", "bee", "BEE", "cat"]
TEXT = st.one_of(st.none(), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))
# `kind` is one more column of text.
ROWS = st.lists(
    st.fixed_dictionaries({"text": TEXT, "kind": TEXT, "stars": st.integers(0, 3)}), min_size=1, max_size=12
).map(lambda rows: [{"id": f"d{at}", **row} for at, row in enumerate(rows)])

MEASURES = {
    "jaccard": ["0.5", "2/3"],
    "cosine": ["0.5", "0.7"],
    "dice": ["0.5", "0.8"],
    "max": ["0.5", "1"],
    "containment": ["0.5", "0.9"],
    "overlap": ["1", "2"],
    "hamming": ["2", "4"],
}


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=25)
@given(
    rows=ROWS,
    place=st.integers(0, 1),
    kind=st.sampled_from(sorted(FEW)),
    tokens=st.sampled_from(["words", "words:2", "chars:3", "letters:2", "raw"]),
    case=st.sampled_from(["fold", "keep"]),
    text=st.sampled_from([("text",), ("text", "kind"), ("kind", "text")]),
    components=st.booleans(),
)
def test_measures_cases_and_several_columns(
    runner: Command,
    measure: str,
    rows: Rows,
    place: int,
    kind: str,
    tokens: str,
    case: str,
    text: tuple[str, ...],
    components: bool,
) -> None:
    threshold = MEASURES[measure][place]
    options: list[object] = ["--measure", measure, "-t", threshold, "--tokens", tokens, "--case", case, "--text", ",".join(text)]
    expected = runner.dedup(rows, *options, *(["--components"] if components else []))
    corpus = la.Corpus(FEW[kind](rows), text, measure=measure, tokens=tokens, case=case)
    result = corpus.dedup(threshold, components=components)
    assert [rows[at] for at in result.kept_rows] == expected["kept"]
    assert without(listed(result.removed), "identical") == expected["removed"]
    name = {"similarity": "distance"} if measure == "hamming" else {}
    pairs = without(listed(result.pairs), "common", "size_a", "size_b")
    assert [{name.get(key, key): value for key, value in row.items()} for row in pairs] == expected["pairs"]
    assert listed(result.clusters) == expected["clusters"]
    assert components or result.check() == []


def test_the_choices_matter(runner: Command) -> None:
    """Without this, the test above could pass although all of them were ignored."""
    rows = [{"id": f"d{at}", "text": text, "kind": kind} for at, (text, kind) in enumerate([("ant", "bee"), ("Ant", "bee"), ("ant", "cat")])]

    def kept(**options: Any) -> list[int]:
        return la.Corpus(rows, tokens="words", **options).dedup(1).kept_rows

    assert kept() == [0] and kept(case="keep") == [0, 1]
    assert kept(text=["text", "kind"]) == [0, 2] and kept(text=["text", "kind"], case="keep") == [0, 1, 2]


Set = frozenset[int]
SIMILARITIES: dict[str, Callable[[int, int, int], Fraction]] = {
    "jaccard": lambda common, a, b: Fraction(common, a + b - common),
    "dice": lambda common, a, b: Fraction(2 * common, a + b),
    "max": lambda common, a, b: Fraction(common, max(a, b)),
    "containment": lambda common, a, b: Fraction(common, min(a, b)),
}


def similarity(measure: str, one: Set, two: Set) -> Fraction:
    return SIMILARITIES[measure](len(one & two), len(one), len(two)) if one and two else Fraction(0)


def survivors(measure: str, sets: list[Set], threshold: Fraction) -> list[int]:
    """In order, each is kept unless one that is already kept reaches the threshold with it."""
    kept: list[int] = []
    for at, one in enumerate(sets):
        if all(similarity(measure, one, sets[other]) < threshold for other in kept):
            kept.append(at)
    return kept


def highest(measure: str, sets: list[Set], most: int, lowest: Fraction) -> tuple[Fraction, list[int]] | None:
    """Try every similarity that occurs, from the top: between two of them nothing changes."""
    found = {similarity(measure, one, two) for one, two in combinations(sets, 2)}
    for threshold in sorted({value for value in found if value >= lowest} | {Fraction(1), lowest}, reverse=True):
        kept = survivors(measure, sets, threshold)
        if len(kept) <= most:
            return threshold, kept
    return None


@pytest.mark.parametrize("measure", SIMILARITIES)
@settings(max_examples=150)
@given(
    sets=st.lists(st.frozensets(st.integers(0, 7), max_size=6), min_size=1, max_size=12),
    most=st.integers(0, 12),
    lowest=st.sampled_from(["0.1", "1/3", "0.5", "0.7"]),
)
def test_a_target_size_is_reached_at_the_highest_threshold(measure: str, sets: list[Set], most: int, lowest: str) -> None:
    corpus, expected = la.Corpus(sets, measure=measure), highest(measure, sets, most, Fraction(lowest))
    if expected is None:
        with pytest.raises(ValueError, match=f"more than {most}"):
            corpus.dedup(to=most, lowest=lowest)
        return
    result = corpus.dedup(to=most, lowest=lowest)
    assert (Fraction(str(result.threshold)), result.kept_rows) == expected


def test_a_lower_threshold_may_keep_more() -> None:
    # The second removes the third and the fourth, until the first removes the second.
    sets = [frozenset([*range(1, 7), *range(15, 21)]), frozenset(range(1, 21)), frozenset(range(1, 16)), frozenset(range(6, 21))]
    kept = {threshold: len(survivors("jaccard", sets, Fraction(threshold))) for threshold in ("0.75", "0.6", "0.55")}
    assert kept == {"0.75": 2, "0.6": 3, "0.55": 3}
    corpus = la.Corpus(sets)
    assert [len(corpus.dedup(threshold).kept) for threshold in kept] == list(kept.values())
    # Halving the range of thresholds would end at 0.55, where three are left.
    assert corpus.dedup(to=2, lowest="0.55").threshold == "0.75"
