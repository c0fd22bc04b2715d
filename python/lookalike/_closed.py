"""What stands in for the memory of an object that was closed."""

from __future__ import annotations

from typing import Any


class Closed:
    """Refuses every question."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __getattr__(self, name: str) -> Any:
        raise ValueError(f"the {self._what} is closed")

    def __len__(self) -> int:
        raise ValueError(f"the {self._what} is closed")
