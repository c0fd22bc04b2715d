"""What a task and the driver hold: how work is divided so that it fits."""

from __future__ import annotations

import struct
import warnings
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lookalike as la
from lookalike import _lookalike as core
from lookalike import spark as las
from lookalike.spark._ask.limits import DOCUMENT_ROW, limits, most_looked_at, usual_at_driver
from lookalike.spark._compare import _placed
from lookalike.spark._join import Join
from lookalike.spark._tasks.batches import DOCUMENT
from lookalike.spark._tasks.heavy import Divide, MeetHeavy
from lookalike.spark._tasks.hits import divide
from lookalike.spark._tasks.meet import Meet
from lookalike.spark._tasks.wanted import Wanted

from .conftest import SCHEMA, answer, expected, texts


@pytest.mark.parametrize(
    ("results", "memory", "most"),
    [
        (None, None, (1 << 30) // 128),
        ("1g", "4g", (1 << 30) // 128),
        ("4g", "2g", (2 << 30) // 128),
        ("0", "2g", (2 << 30) // 128),  # no limit
        ("1073741824", "2048", (1 << 30) // 128),  # bytes, and mebibytes
        ("100g", "100g", 50_000_000),
    ],
)
def test_what_the_driver_takes(results, memory, most):
    """Not more than Spark lets it collect, with the documents of a candidate."""
    assert usual_at_driver(results, memory) == most


def test_limits_are_checked(sail):
    for name in ("max_candidates", "max_pairs", "max_heavy", "max_looked_at", "max_frequent", "longest_list", "first_block", "partitions"):
        for wrong in (0, -1, 1.5, True):
            with pytest.raises(ValueError, match=f"{name} must be a whole number above 0"):
                limits(sail, **{name: wrong})


def test_memory_that_is_too_little():
    """It is refused if it was asked for, and said if it follows from the executors."""

    def session(**given: str) -> Any:
        return SimpleNamespace(conf=SimpleNamespace(get=lambda name, default: given.get(name.rsplit(".", 1)[1], default)))

    with pytest.raises(ValueError, match=r"task_memory is 67,108,863 bytes, and a task needs at least 67,108,864 \(64MiB\)"):
        limits(session(), (64 << 20) - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert limits(session(), 64 << 20).task_memory == 64 << 20
        assert limits(session(memoryOverhead="512m", cores="8")).task_memory == 64 << 20
    with pytest.warns(UserWarning, match=r"62,914,560 bytes beside their heap for each core; a task of lookalike takes 67,108,864"):
        assert limits(session(memoryOverhead="480m", cores="8")).task_memory == 64 << 20


def test_what_may_be_looked_at(sail):
    """It grows with the rows, unless it is given."""
    usual, given_ = limits(sail), limits(sail, max_looked_at=7)
    assert most_looked_at(usual, 1000, 2_000_000_000) == 2_000_000_000
    assert most_looked_at(usual, 1_600_000_000, 2_000_000_000) == 3_200_000_000_000
    assert most_looked_at(given_, 1_600_000_000, 2_000_000_000) == 7


def test_parts_for_many_short_documents(sail):
    """Rows that post next to nothing need tasks too."""
    join: Any = SimpleNamespace(limits=limits(sail, "1GB"), spark=sail)
    Join._divide(join, 1_000_000_000, 15)
    assert join.partitions >= 1_000_000_000 * DOCUMENT_ROW >> 30
    assert join.buckets % join.partitions == 0


numbers = st.integers(0, (1 << 64) - 1)


def leb128(number: int) -> bytes:
    return bytes([number & 127 | 128]) + leb128(number >> 7) if number > 127 else bytes([number])


@given(
    st.lists(st.tuples(st.integers(0, 5) | numbers, st.integers(0, 5) | numbers, st.integers(1, 90) | st.integers(1, 1 << 31)), max_size=60),
    st.integers(1, 7),
)
def test_records_are_divided_by_their_nodes(hits, steps):
    """Records of any length; all of one pair go to one step."""
    records = [struct.pack("<QQ", a, b) + leb128(number) + leb128(1) + b"\1" for a, b, number in hits]
    parts = divide(b"".join(records), steps)
    assert len(parts) == steps
    assert sum(map(len, parts)) == sum(map(len, records))
    where: dict[bytes, int] = {}
    for step, part in enumerate(parts):
        left = [record for record in records if where.get(record[:16], step) == step and record in part]
        while part:
            record = next(one for one in left if part.startswith(one))
            assert where.setdefault(record[:16], step) == step
            left.remove(record)
            part = part[len(record) :]


@given(st.lists(st.tuples(st.integers(0, 9), st.lists(st.integers(0, 9), max_size=4)), max_size=12), st.lists(st.integers(0, 12), max_size=20))
def test_wanted_documents(places_of, asked):
    """As a dictionary has them. Two data frames may have a document of the same key: either goes to the places of both."""
    starts, places = [0], list[int]()
    for _, places_ in places_of:
        places += places_
        starts.append(len(places))
    wanted = Wanted.of(
        struct.pack(f"<{len(places_of)}Q", *[key for key, _ in places_of]),
        struct.pack(f"<{len(starts)}I", *starts),
        struct.pack(f"<{len(places)}I", *places),
    )
    known: dict[int, set[int]] = {}
    for key, some in places_of:
        known.setdefault(key, set()).update(some)
    rows = wanted.rows(struct.pack(f"<{len(asked)}Q", *asked))
    assert ([] if rows is None else rows.to_pylist()) == [at for at, key in enumerate(asked) if key in known]
    found = [key for key in asked if key in known]
    keys, begins, all_places = wanted.some(struct.pack(f"<{len(found)}Q", *found))
    begins = struct.unpack(f"<{len(begins) // 4}I", begins)
    all_places = struct.unpack(f"<{len(all_places) // 4}I", all_places)
    keys = struct.unpack(f"<{len(keys) // 8}Q", keys)
    assert {key: set(all_places[begins[at] : begins[at + 1]]) for at, key in enumerate(keys)} == {key: known[key] for key in found}


@given(st.sets(st.tuples(st.integers(0, 20), st.integers(21, 40)), min_size=1, max_size=60), st.integers(2, 10), st.integers(2, 30), st.integers(1, 9))
def test_candidates_of_few_sets_and_places(pairs, most_sets, most_visits, size):
    """All of them, in parts whose sets and places tasks can know. Sets of 30,000 elements: a place has room for few."""
    nodes = sorted({node for pair in pairs for node in pair})
    candidates = b"".join(struct.pack("<QQ", *pair) for pair in sorted(pairs))
    sizes = pa.array([size * 10_000] * len(nodes), pa.int32())
    known = pa.table({"node": pa.array(nodes, pa.int64()), "key": [struct.pack(">Q", node) for node in nodes], "size": sizes})
    join: Any = SimpleNamespace(limits=SimpleNamespace(task_memory=1 << 20), partitions=3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lookalike.spark._compare.WANTED", (1 << 20) // most_sets)
        patch.setattr("lookalike.spark._compare.VISITS", (1 << 20) // most_visits)
        parts = list(_placed(join, candidates, known))
    assert b"".join(some for some, _ in parts) == candidates
    for some, (hashes, starts, places, groups) in parts:
        assert sorted(b"".join(groups)[at : at + 16] for at in range(0, len(some), 16)) == sorted(
            some[at : at + 16] for at in range(0, len(some), 16)
        )
        assert len(starts) // 4 == len(hashes) // 8 + 1 and struct.unpack("<I", starts[-4:])[0] == len(places) // 4
        assert len(some) == 16 or (len(hashes) // 8 <= most_sets and len(places) // 4 <= most_visits)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=1, unique=True), st.integers(1, 5))
def test_documents_are_not_held(documents, size):
    """The first of each node is known when it arrives, whatever else arrives: even if all are copies of one page."""
    documents.sort()
    schema = pa.schema(
        [("kind", pa.int8()), ("blob", pa.binary()), ("node", pa.int64()), ("key", pa.binary()), ("check", pa.int32()), ("first", pa.bool_())]
    )
    meet = Meet({}, "0.8", None, "all", 1, 1, 1, 1, 1, schema, True)  # type: ignore[typeddict-item]
    arrived = 0

    def batches():
        nonlocal arrived
        for start in range(0, len(documents), size):
            some = documents[start : start + size]
            arrived += len(some)
            nodes, keys = [node for node, _ in some], [bytes([key]) for _, key in some]
            checks = pa.array([7] * len(some), pa.int32())
            yield pa.RecordBatch.from_pydict({"node": pa.array(nodes, pa.int64()), "key": keys, "check": checks})

    found, seen = list[tuple[int, bool]](), set[int]()
    for batch in meet._documents(batches()):
        assert set(batch.column("kind").to_pylist()) == {DOCUMENT}
        found += zip(batch.column("node").to_pylist(), batch.column("first").to_pylist(), strict=True)
        assert len(found) == arrived
    assert found == [(node, not (node in seen or seen.add(node))) for node, _ in documents]


def test_copies_with_little_memory(sail, tmp_path):
    """Far more equal documents than different ones."""
    rows = texts(40)
    rows += [(len(rows) + at, f"copy{at}", rows[3][2]) for at in range(3000)]
    df = sail.createDataFrame(rows, SCHEMA).repartition(4)
    with las.dedup(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(tmp_path), task_memory="64MiB") as result:
        assert answer(result) == expected(rows)
        assert sum(row["identical"] for row in result.removed.collect()) == 3000


@pytest.mark.parametrize("hold", [1 << 20, 10])
def test_what_is_held_of_heavy_lists(sail, tmp_path, monkeypatch, hold):
    """A task gets the sets of a block, and a filter; the driver has the sets of a part, and asks for the documents of a slice."""
    memory, roles, parts, asked = 64 << 20, list[tuple[bytes, bytes, bytes]](), list[tuple[int, int, int]](), list[int]()
    monkeypatch.setattr("lookalike.spark._join.HELD", memory // hold)
    monkeypatch.setattr("lookalike.spark._blocks.IN_BLOCK", memory // 5)
    monkeypatch.setattr("lookalike.spark._blocks.FILTER_SHARE", memory // 600)

    def noted(task):
        def make(*given):
            roles.append(next(one for one in given if isinstance(one, tuple)))
            return task(*given)

        return make

    def settling(*given):
        parts.append((len(given[2]) // 8, given[4], len(given[5]) // 8))
        return settle(*given)

    def candidates(*given):
        asked.append(len(given[0]) // 16)
        return place(*given)

    settle, place = core.CoreSettling, core.place_candidates
    monkeypatch.setattr("lookalike.spark._blocks.MeetHeavy", noted(MeetHeavy))
    monkeypatch.setattr("lookalike.spark._blocks.Divide", noted(Divide))
    monkeypatch.setattr(core, "CoreSettling", settling)
    monkeypatch.setattr(core, "place_candidates", candidates)
    rows = texts(400)
    df = sail.createDataFrame(rows, SCHEMA).repartition(3)
    limits = {"longest_list": 5, "first_block": 100, "max_heavy": 100, "max_candidates": 150, "max_pairs": 200, "task_memory": memory}
    with las.dedup(df, text="text", id="id", order_by=["n"], threshold=0.6, work=str(tmp_path), **limits) as result:
        assert answer(result) == expected(rows)
    assert len(parts) > 2 and all(sets <= 100 and heavy <= sets and not pinned for sets, pinned, heavy in parts)
    assert sum(heavy for *_, heavy in parts) > 100
    assert max(len(opened) for opened, *_ in roles) == 8 * 5
    assert 8 < max(len(kept) for _, kept, _ in roles) <= 8 * 5
    assert all(len(later) <= 600 for *_, later in roles)
    assert max(asked) <= 150


def test_too_many_pairs_of_equal_documents_are_refused(sail, tmp_path):
    """They are counted before they are made."""
    rows = [(at, f"d{at}", "one two three four five six") for at in range(50)]
    rows += [(50 + at, f"e{at}", "one two three four five seven") for at in range(3)]
    given_: dict[str, Any] = {"text": "text", "id": "id", "order_by": ["n"], "tokens": "words", "threshold": 0.6, "work": str(tmp_path)}
    df = sail.createDataFrame(rows, SCHEMA)
    number = 53 * 52 // 2
    with pytest.raises(MemoryError, match=rf"there are {number:,} pairs.* more than max_pairs \(now {number - 1:,}\)"):
        las.pairs(df, max_pairs=number - 1, **given_)
    with las.pairs(df, max_pairs=number, **given_) as result:
        assert result.pairs.count() == number
    halves = [df.where("n < 50"), df.where("n >= 50")]
    with pytest.raises(MemoryError, match="there are 150 pairs"):
        las.pairs(*halves, max_pairs=149, **given_)
    with las.pairs(*halves, max_pairs=150, **given_) as result:
        assert result.pairs.count() == 150


def test_two_frames_with_the_same_ids(sail, tmp_path):
    """A document of one and a document of the other may have the same place in the order, and go to different places."""
    one, two = texts(900, 1), texts(900, 1)
    turned = [(at, id, two[-1 - at][2]) for at, id, _ in two]
    given_: dict[str, Any] = {"text": "text", "id": "id", "tokens": "words"}
    corpora = [la.Corpus({"id": [row[1] for row in rows], "text": [row[2] for row in rows]}, **given_) for rows in (one, turned)]
    wanted = {(pair.a, pair.b, pair.similarity) for pair in corpora[0].pairs("0.9", other=corpora[1])}
    frames = [sail.createDataFrame(rows, SCHEMA) for rows in (one, turned)]
    with las.pairs(*frames, threshold="0.9", work=str(tmp_path), partitions=4, **given_) as result:
        found = {(row["a"], row["b"], row["similarity"]) for row in result.pairs.collect()}
    assert found == wanted and len(found) > 900
