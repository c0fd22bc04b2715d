"""What all tests share: the command to compare with, and collections at random."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

settings.register_profile(
    "lookalike",
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("lookalike")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So it is in the background of a shell, and Ctrl-C is a part of what is tested.
    signal.signal(signal.SIGINT, signal.default_int_handler)

Rows = list[dict[str, Any]]
Callback = Callable[[str, int, int], object]
WORDS = ["ant", "bee", "cat", "Dog", "eel", "fox"]


def documents(most: int = 14) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Rows with texts of a few words, often the same, some empty or null."""
    text = st.one_of(
        st.none(),
        st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join),
        st.sampled_from(["", "…", "日本語 の 文", "naïve café", "ﬁne ſtraße"]),
    )
    row = st.fixed_dictionaries(
        {
            "text": text,
            "kind": st.sampled_from(["x", "y", None]),
            "stars": st.one_of(st.none(), st.integers(-3, 3)),
        }
    )
    rows = st.lists(row, max_size=most)
    return rows.map(lambda rows: [{"id": f"d{at}", **row} for at, row in enumerate(rows)])


def columns(rows: Rows) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in ("id", "text", "kind", "stars")}


def polars_frame(rows: Rows) -> Any:
    # There is no polars for an interpreter without the global lock.
    import polars as pl

    schema = {"id": pl.String, "text": pl.String, "kind": pl.String, "stars": pl.Int64}
    return pl.DataFrame(columns(rows), schema=schema)


def listed(table: Any) -> Rows:
    if isinstance(table, list):
        return [row._asdict() for row in table]
    if isinstance(table, pa.Table):
        return table.to_pylist()
    if type(table).__module__.startswith("polars"):
        return table.to_dicts()
    if type(table).__module__.startswith("datasets"):
        return table.to_list()
    return table.to_dict("records")


def without(rows: Rows, *names: str) -> Rows:
    return [{name: value for name, value in row.items() if name not in names} for row in rows]


@pytest.fixture(scope="session")
def command() -> str:
    """The command that Rust builds, or the one of the package."""
    own = os.environ.get("LOOKALIKE_COMMAND")
    if own:
        return own
    found = shutil.which("lookalike", path=sysconfig.get_path("scripts"))
    assert found is not None
    return found


class Command:
    """Runs the command on rows."""

    def __init__(self, command: str, folder: Path) -> None:
        self.command = command
        self.folder = folder

    def write(self, rows: list[dict[str, Any]], name: str = "rows.jsonl") -> Path:
        path = self.folder / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return path

    def run(self, *arguments: object) -> str:
        done = subprocess.run(
            [self.command, *map(str, arguments)], capture_output=True, text=True, encoding="utf-8", check=False
        )
        assert done.returncode in (0, 3), done.stderr
        return done.stdout

    def read(self, name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / name).read_text("utf-8").splitlines()]

    def dedup(self, rows: list[dict[str, Any]], *options: object) -> dict[str, list[dict[str, Any]]]:
        """Write rows as JSON lines and deduplicate them."""
        return self.dedup_file(self.write(rows), *options)

    def dedup_file(self, path: Path, *options: object) -> dict[str, list[dict[str, Any]]]:
        """Deduplicate a file. The kept rows are there if it has JSON lines."""
        names = ["kept", "removed", "pairs", "clusters"]
        outputs: list[object] = ["-o", self.folder / "kept.jsonl"]
        if path.suffix != ".jsonl":
            names, outputs = names[1:], []
        for name in names[-3:]:
            outputs += [f"--{name}", self.folder / f"{name}.jsonl"]
        self.run("dedup", path, "--force", "--quiet", *outputs, *options)
        return {name: self.read(f"{name}.jsonl") for name in names}


@pytest.fixture
def runner(command: str, tmp_path: Path) -> Command:
    return Command(command, tmp_path)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where nothing may be skipped, a skipped test is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("LOOKALIKE_NO_SKIP") == "1" and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = 1


def interrupted(question: Callable[[], object], delay: float) -> bool:
    """Ask, interrupt after a while, and return whether that ended the call, and not what came after it."""
    has_returned = False
    # The system sends the signal, as it does for Ctrl-C: a thread of Python might not run before the call ends.
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    begun = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, delay)
    try:
        question()
        has_returned = True
        # It was faster: the signal is still to come.
        time.sleep(delay + 0.1)
    except KeyboardInterrupt:
        # It must not go on for ever.
        assert has_returned or time.monotonic() - begun < delay + 60, question
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return not has_returned


def stops(question: Callable[[], object], *moments: float, after: Callable[[bool], None] = lambda stopped: None) -> bool:
    """Interrupt a call at several moments, and return whether one ended it: on a fast machine it may have ended before the others."""
    ended = []
    for moment in (*moments, 0.02, 0.005):
        ended.append(interrupted(question, moment))
        after(ended[-1])
    return any(ended)


class Stop(Exception):
    """What a callback raises."""


def stop_in(stages: Iterable[str], question: Callable[[Callback], object], after: Callable[[], None] = lambda: None) -> None:
    """Interrupt a call in each of these stages, and raise an exception of the callback there: both end it, and are passed on."""
    for stage in stages:
        for expected in (Stop, KeyboardInterrupt):
            seen: set[str] = set()

            def stop(reached: str, done: int, total: int, stage: str = stage, expected: type = expected, seen: set[str] = seen) -> None:
                assert 0 <= done and (total == 0 or done <= total), (reached, done, total)
                seen.add(reached)
                if reached == stage:
                    if expected is Stop:
                        raise Stop(stage)
                    signal.raise_signal(signal.SIGINT)

            with pytest.raises(expected):
                question(stop)
                pytest.fail(f"the stage {stage!r} was not seen, but {seen}")
            after()


needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
