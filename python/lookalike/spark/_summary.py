"""What a run did, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Stage:
    """A stage of the plan."""

    name: str
    seconds: float


@dataclass(frozen=True)
class Recall:
    """The measured recall of a method that compares signatures, as the command reports it."""

    measured: float | None
    """The share of pairs found; None if there was no pair to find."""
    low: float
    """The lower end of the 95 % confidence interval."""
    high: float
    """The upper end."""
    sampled_sets: int
    """The number of sets in the sample."""
    sets: int
    """The number of distinct sets."""
    sampled_pairs: int
    """Pairs of a sampled set and a different set, each counted once."""
    found_pairs: int
    """Of these, the pairs found."""


@dataclass(frozen=True)
class Signatures:
    """What is known of a method that compares signatures."""

    filter: str
    """The method in words."""
    signature_bytes: int
    """Bytes of a signature."""
    designed_recall: float | None
    """The share of the pairs at the threshold that the filter is designed to find."""
    recall: Recall | None
    """The measured recall. None if pairs need not reach a threshold."""


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
    hit_bytes: int = 0
    """Bytes of hits: pairs of sets that met in a bucket, about 19 each."""
    heavy_postings: int = 0
    """Postings in lists that were compared block by block."""
    candidates: int = 0
    """Pairs of distinct sets that were compared."""
    pairs: int = 0
    """Those that reach the threshold."""
    moved_bytes: int = 0
    """Bytes that tasks sent to each other, as they count them: elements of the sample, postings, keys, hits, candidates and texts. Not the
    rows of documents and the joins of the answer, and before Spark compresses them; Spark's own page has what it shuffled."""
    rounds: int = 0
    """Blocks that were needed for lists in which very many documents meet."""
    signatures: Signatures | None = None
    """The method, if it compares signatures."""
    stages: list[Stage] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [
            f"{self.rows:,} rows, {self.text_bytes:,} bytes of text",
            f"{self.postings:,} postings, {self.candidates:,} candidates, {self.pairs:,} pairs of distinct sets",
            f"{self.moved_bytes:,} bytes moved",
        ]
        if self.signatures is not None:
            lines += _lines(self.signatures)
        if self.rounds:
            lines.append(f"{self.rounds:,} blocks for lists that many documents share")
        lines += [f"{stage.seconds:9.1f} s  {stage.name}" for stage in self.stages]
        return "\n".join(lines)


def _lines(signatures: Signatures) -> list[str]:
    lines = [f"{signatures.filter}: {signatures.signature_bytes} bytes per document; each candidate compared exactly"]
    parts = []
    if signatures.designed_recall is not None:
        parts.append(f"designed for {signatures.designed_recall:.4f} at the threshold")
    if (recall := signatures.recall) is not None:
        sampled = f"{recall.sampled_sets:,} of {recall.sets:,} sets sampled"
        if recall.measured is None:
            parts.append(f"not measured: no pairs of different sets, {sampled}")
        else:
            interval = f"({recall.low:.4f} to {recall.high:.4f}, 95 %)"
            parts.append(
                f"measured {recall.measured:.4f} {interval} on {recall.sampled_pairs:,} pairs of different sets, {sampled}"
            )
    return lines + ([f"recall {', '.join(parts)}"] if parts else [])
