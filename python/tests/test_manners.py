"""Interrupts, callbacks, threads, forks, pickles, memory: a good guest in any process."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import Stop, interrupted, needs_signals, stop_in

import lookalike as la

WORDS = [f"w{number}" for number in range(5000)]


def texts(count: int, length: int = 60, seed: int = 7) -> list[str]:
    """Texts of which most resemble some others."""
    made = []
    for number in range(count):
        start = (number * 7919 + seed) % 4001
        made.append(" ".join(WORDS[start + at] for at in range(length)) + (f" x{number % 17}" * (number % 5)))
    return made


@needs_signals
def test_interrupts_and_exceptions_in_every_stage() -> None:
    data = pa.table({"text": texts(30_000)})
    corpus = la.Corpus(data, threads=2)
    stop_in(["reading"], lambda progress: la.Corpus(data, tokens="chars:4", threads=1, progress=progress))
    stop_in(["comparing"], lambda progress: corpus.dedup(0.3, progress=progress))
    stop_in(["joining"], lambda progress: corpus.pairs(0.3, progress=progress))
    stop_in(["indexing"], lambda progress: corpus.top(100_000, distinct=True, progress=progress))
    stop_in(["joining"], lambda progress: corpus.dedup(to=10, lowest=0.3, progress=progress))
    stop_in(["joining"], lambda progress: corpus.check(0.3, progress=progress))
    assert len(corpus.dedup(0.9)) == 30_000


@needs_signals
@pytest.mark.parametrize("ending", ["", " x{}"])
def test_a_huge_cluster_stops_at_once_and_stays_in_memory(ending: str) -> None:
    # Every two of them are a pair: 1,799,970,000.
    data = pa.table({"text": [" ".join(WORDS[:30]) + ending.format(number) for number in range(60_000)]})
    corpus = la.Corpus(data, threads=2, memory="50MB")
    with pytest.raises(MemoryError, match="more than 390625 pairs"):
        corpus.pairs(0.3)
    assert corpus.pairs(0.3, distinct=True, other=data.slice(0, 6)).num_rows <= 360_000
    corpus = la.Corpus(data, threads=2)
    assert interrupted(lambda: corpus.pairs(0.3), 0.3)


def test_progress_by_a_callback_and_by_a_bar() -> None:
    seen: list[tuple[str, int, int]] = []
    la.Corpus(texts(40_000), tokens="chars:4", threads=1, progress=lambda *reached: seen.append(reached))
    assert seen and all(stage == "reading" and 0 <= done <= total == 40_000 for stage, done, total in seen)
    assert la.dedup(["a", "a"], progress=True).kept == ["a"]
    with pytest.raises(TypeError, match="progress must be"):
        la.dedup(["a"], progress=3)  # type: ignore[arg-type]


def test_a_bar_is_drawn(capfd: pytest.CaptureFixture[str]) -> None:
    data = texts(40_000)
    la.Corpus(data, tokens="chars:4", threads=1, progress=True)
    drawn = capfd.readouterr().err
    assert "reading" in drawn and "/40000" in drawn and "%|" in drawn
    # Nothing is left of it.
    assert drawn.rstrip(" ").endswith("\r")


def test_other_threads_run_meanwhile() -> None:
    corpus = la.Corpus(texts(30_000), threads=1)
    ticks, seen = 0, [0]
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    def look(stage: str, done: int, total: int) -> None:
        # While this runs, the other thread may have a turn, but not several.
        if ticks > seen[-1] + 3:
            raise Stop
        seen.append(ticks)

    thread.start()
    try:
        with pytest.raises(Stop):
            corpus.pairs(0.2, progress=look)
            pytest.fail(f"no other thread ran between {seen}")
    finally:
        done.set()
        thread.join()


def test_eight_threads_ask_one_corpus() -> None:
    data = texts(3_000)
    corpus = la.Corpus(data)
    expected = corpus.dedup(0.5)
    window, index = la.Window(tokens="words"), la.Index(tokens="words")

    def ask(number: int) -> bool:
        same = la.Corpus(data, threads=1 + number % 3).dedup(0.5) == expected
        for at in range(50):
            window.add(data[at], time=at, id=f"{number}:{at}")
            index.add({f"{number}:{at}": data[at]})
        return same and corpus.dedup(0.5) == expected and len(index.query(data[0])) > 0

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))
    assert len(window) == 400


def deduplicated(seed: int) -> tuple[int, bytes]:
    result = la.dedup(texts(500, seed=seed), 0.5)
    return len(result.kept), pickle.dumps(result)


@pytest.mark.parametrize("how", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_pools_of_processes(how: str) -> None:
    expected = [deduplicated(seed) for seed in range(4)]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(how)) as pool:
        assert [count for count, _ in pool.map(deduplicated, range(4))] == [count for count, _ in expected]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_corpus_works_after_a_fork() -> None:
    corpus = la.Corpus(texts(500))
    expected = corpus.dedup(0.5)
    child = os.fork()
    if child == 0:
        os._exit(0 if corpus.dedup(0.5) == expected else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_an_index_works_after_a_fork() -> None:
    made = texts(600)
    index, same = la.Index(threads=2), la.Index(threads=2)
    for one in (index, same):
        one.add(enumerated(made[:400]))
    expected = [same.add(enumerated(made[400:], 400)), same.query_all(made)]
    child = os.fork()
    if child == 0:
        os._exit(0 if [index.add(enumerated(made[400:], 400)), index.query_all(made)] == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert [index.add(enumerated(made[400:], 400)), index.query_all(made)] == expected


def enumerated(made: list[str], first: int = 0) -> list[tuple[str, str]]:
    return [(f"d{number}", text) for number, text in enumerate(made, first)]


@needs_signals
def test_an_interrupted_index_is_as_before() -> None:
    made = enumerated(texts(60_000))
    index = la.Index(threshold=0.3, threads=2)
    index.add(made[:2000])
    held, asked = len(index), [text for _, text in made[:20_000]]
    # The second replaces documents that are there.
    for ask in (lambda: index.add(made[2000:]), lambda: index.add(made), lambda: index.query_all(asked)):
        for delay in (0.005, 0.02):
            assert interrupted(ask, delay)
            assert len(index) == held
    assert [match.id for match in index.query(made[0][1])][:1] == ["d0"]


def test_results_pickle() -> None:
    table = pa.table({"id": ["a", "b", "c"], "text": ["x y", "z", "y x"]})
    result = la.dedup(table, tokens="words")
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result
    assert copy.kept == result.kept and copy.removed == result.removed and copy.clusters == result.clusters
    assert repr(copy) == repr(result) and copy._repr_html_() == result._repr_html_()
    assert copy.duplicates_of("a") == ["c"]
    with pytest.raises(ValueError, match="pickled"):
        copy.check()


def test_a_closed_corpus() -> None:
    with la.Corpus(texts(100)) as corpus:
        assert corpus.nbytes > 0 and "100 documents" in repr(corpus)
        result = corpus.dedup(0.5)
    assert repr(corpus) == "Corpus (closed)"
    with pytest.raises(ValueError, match="closed"):
        corpus.dedup()
    assert len(result) == 100


def resident() -> int:
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_closed_window_and_a_closed_index(tmp_path: Path) -> None:
    with la.Window() as window:
        assert window.nbytes == 0
        window.add("the ferry to the island leaves at nine", time=0)
        one = window.nbytes
        window.add("rain in the north and sun in the south", time=1)
        assert 0 < one < window.nbytes
    assert repr(window) == "Window (closed)"
    for ask in (lambda: window.add("a", time=2), lambda: window.query("a"), lambda: len(window), lambda: window.nbytes):
        with pytest.raises(ValueError, match="the window is closed"):
            ask()
    for folder in (None, tmp_path / "index"):
        with la.Index(folder) as index:
            index.add({"a": "the ferry to the island leaves at nine"})
            assert (index.nbytes > 0) == (folder is None)
        assert repr(index) == "Index (closed)"
        for ask in (lambda: index.add({"b": "a"}), lambda: index.query("a"), lambda: len(index), index.info, index.check):
            with pytest.raises(ValueError, match="the index is closed"):
                ask()
    assert len(la.Index(tmp_path / "index")) == 1


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system does not say how much memory is used")
def test_ten_thousand_results_do_not_grow() -> None:
    data = texts(30, 12)
    table = pa.table({"text": data})
    window = la.Window(hours=1)

    def loop(times: int) -> None:
        for at in range(times):
            result = la.dedup(table if at % 2 else data, 0.5, threads=1)
            result.removed, result.clusters
            if at % 10 == 0:
                result.kept, result.pairs, result.explain(*result.kept_rows[:2])
                with pytest.raises(KeyError):
                    la.dedup(table, text="body")
                la.sketch(data), la.sketch(table["text"].combine_chunks(), "simhash", threads=2)
            if at % 40 == 0:
                # Jobs of the command, in this process.
                la.pairs(data[:5], threshold=2, measure="edit")
                la.evaluate([("a", "b")], [("a", "b", 1)])
            window.add(data[at % 30], time=at * 60)

    loop(1_000)
    before = resident()
    loop(10_000)
    assert resident() - before < 8 << 20


def test_an_import_loads_little() -> None:
    script = "import sys; before = set(sys.modules); import lookalike; print(*sorted({*sys.modules} - before))"
    modules = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True).stdout.split()
    loaded = {name.partition(".")[0] for name in modules}
    assert "lookalike" in loaded and not any(name.startswith("lookalike.spark") for name in modules)
    # No other library, and of the standard one nothing that takes long.
    assert loaded - {"lookalike"} <= sys.stdlib_module_names
    assert not loaded & {"asyncio", "concurrent", "ctypes", "email", "http", "inspect", "logging", "multiprocessing", "ssl", "subprocess", "unittest"}


def test_the_command(command: str) -> None:
    import sysconfig

    own = os.path.join(sysconfig.get_path("scripts"), "lookalike")
    outputs = [
        subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        for program in (own, command)
        for arguments in (["--version"], ["tokens", "--help"], ["dedup", "/no/such/file"])
    ]
    for ours, theirs in zip(outputs[:3], outputs[3:], strict=True):
        assert (ours.returncode, ours.stdout, ours.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr)
