"""What a run did, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Stage:
    """A stage of the plan."""

    name: str
    seconds: float


@dataclass
class Summary:
    """What a run did."""

    rows: int = 0
    """Rows that were read."""
    text_bytes: int = 0
    """Bytes of their texts."""
    postings: int = 0
    """Elements that were posted."""
    looked_at: int = 0
    """Pairs of postings that were looked at."""
    candidates: int = 0
    """Pairs of distinct sets that were compared."""
    pairs: int = 0
    """Those that reach the threshold."""
    moved_bytes: int = 0
    """Bytes that tasks sent to each other: elements of the sample, postings, keys, and texts."""
    rounds: int = 0
    """Blocks that were needed for lists in which very many documents meet."""
    stages: list[Stage] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [
            f"{self.rows:,} rows, {self.text_bytes:,} bytes of text",
            f"{self.postings:,} postings, {self.candidates:,} candidates, {self.pairs:,} pairs of distinct sets",
            f"{self.moved_bytes:,} bytes moved",
        ]
        if self.rounds:
            lines.append(f"{self.rounds:,} blocks for lists that many documents share")
        lines += [f"{stage.seconds:9.1f} s  {stage.name}" for stage in self.stages]
        return "\n".join(lines)
