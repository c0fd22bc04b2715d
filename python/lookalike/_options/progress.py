"""Progress as a bar, or by a callback."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

Callback = Callable[[str, int, int], object]
"""Called with the name of the stage, what is done, and the total (0 if it is unknown)."""

Progress = bool | Callback | None


@contextmanager
def watching(progress: Progress) -> Generator[Callback | None, None, None]:
    """Give the callback for an argument ``progress``: your own, one that draws a bar, or none."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        bar = _Bar()
        try:
            yield bar
        finally:
            bar.close()
    elif callable(progress):
        yield progress
    else:
        raise TypeError(f"progress must be True, False or a function, not {type(progress).__name__}")


class _Bar:
    """One bar of tqdm for each stage, in a terminal or a notebook."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise ImportError(
                "progress=True draws a bar with tqdm, which is not installed; run `pip install tqdm`, or give a function"
            ) from None
        self._make: Any = tqdm
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._bar is None or stage != self._stage or done < self._bar.n:
            self.close()
            self._stage = stage
            self._bar = self._make(total=total or None, desc=stage, leave=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
