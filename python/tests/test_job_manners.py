"""Questions that jobs of the command answer: interrupts, callbacks, threads, forks, temporary files."""

from __future__ import annotations

import multiprocessing
import pickle
import tempfile
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import needs_signals, stop_in

import lookalike as la

TEXTS = [f"{at % 700} " * 12 + f"some words that all of them have {at % 11}" for at in range(20_000)]


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@needs_signals
def test_interrupts_and_exceptions_leave_nothing(space: Path) -> None:
    def nothing_left() -> None:
        assert list(space.iterdir()) == []

    stop_in(["joining"], lambda progress: la.pairs(TEXTS, threshold=12, measure="edit", progress=progress), nothing_left)
    stop_in(["comparing"], lambda progress: la.dedup(TEXTS, 12, measure="edit", progress=progress), nothing_left)
    signed = {"method": "minhash", "tokens": "words"}
    stop_in(["joining"], lambda progress: la.pairs(TEXTS, threshold=0.5, progress=progress, **signed), nothing_left)  # type: ignore[arg-type]


def test_many_at_a_time(space: Path) -> None:
    texts = TEXTS[:200]
    expected = [la.pairs(texts, threshold=3, measure="edit"), la.pairs(texts, threshold=0.5, method="minhash", tokens="words")]

    def ask(at: int) -> bool:
        options = {"threshold": 3, "measure": "edit"} if at % 2 == 0 else {"threshold": 0.5, "method": "minhash", "tokens": "words"}
        return bool(la.pairs(texts, **options) == expected[at % 2])  # type: ignore[arg-type]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(48)))
    assert list(space.iterdir()) == []


def near(texts: list[str]) -> int:
    return len(la.pairs(texts, threshold=3, measure="edit"))


@needs_signals
def test_after_a_fork() -> None:
    texts = TEXTS[:100]
    expected = near(texts)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        assert list(pool.map(near, [texts] * 4)) == [expected] * 4


def test_results_pickle() -> None:
    result = la.dedup(TEXTS[:50], 0.5, method="minhash", tokens="words")
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result and copy.removed == result.removed and repr(copy) == repr(result)
    assert pickle.loads(pickle.dumps(result.pairs)) == result.pairs
    with la.Corpus(TEXTS[:50], measure="edit") as corpus:
        assert corpus.nbytes > 0 and corpus.dedup(2).kept
    with pytest.raises(ValueError, match="closed"):
        corpus.pairs(2)
