"""The tools that are measured beside lookalike: what they are, how they are run, how their answer is scored."""

import json
import subprocess
import sys
from dataclasses import dataclass

import truth as exact
from corpus import ROOT
from measure import run

BENCH = ROOT / "bench"
PYTHON = BENCH / ".venv" / "bin" / "python"
THREADS = ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
FALLBACK = 5000  # documents, when a tool does not manage all of them


@dataclass
class Peer:
    name: str
    package: str
    program: str
    answer: str  # what it reports: "pairs", "removed" documents, or "flagged" ones
    tokens: str  # a key of shingles.TOKENS
    method: str


PEERS = {peer.name: peer for peer in (
    Peer("rensa", "rensa", "rensa_lsh.py", "pairs", "plain",
         "RMinHash (128 permutations), RMinHashLSH (16 bands), candidates kept by their estimated similarity"),
    Peer("rensa-dedup", "rensa", "rensa_dedup.py", "removed", "plain",
         "RMinHashDeduplicator (128 permutations, LSH): names the documents to remove, not their twins"),
    Peer("rensa-rho", "rensa", "rensa_rho.py", "flagged", "plain",
         "rho pipeline (128 permutations, 8 bands): flags the documents that resemble another, not the pairs"),
    Peer("gaoya", "gaoya", "gaoya_index.py", "pairs", "gaoya",
         "MinHashStringIndex with its own analyzer (128 hashes, its own choice of bands), parallel insert and query"),
    Peer("datasketch", "datasketch", "datasketch_lsh.py", "pairs", "plain",
         "MinHash (128 permutations), MinHashLSH(threshold=0.8), pairs as the index returns them"),
    Peer("SetSimilaritySearch", "SetSimilaritySearch", "setsimilaritysearch_pairs.py", "pairs", "plain",
         "all_pairs (jaccard, 0.8), exact"),
)}


def choose(names) -> list[Peer]:
    """The peers of a list such as "rensa,gaoya"; "all" and "none" are lists too."""
    if names == "none":
        return []
    if names == "all":
        return list(PEERS.values())
    known = {name.lower(): peer for name, peer in PEERS.items()}
    unknown = [name for name in names.split(",") if name.lower() not in known]
    if unknown:
        sys.exit(f"no such peer: {', '.join(unknown)}; there are {', '.join(PEERS)}")
    return [known[name.lower()] for name in names.split(",")]


def versions() -> dict:
    """The installed version of each package of the peers' environment, None where there is none."""
    if not PYTHON.exists():
        sys.exit("The peers' environment is missing: run bench/setup-peers, or pass --peers none.")
    program = ("import importlib.metadata as m, json, sys\n"
               "def version(name):\n"
               "    try: return m.version(name)\n"
               "    except m.PackageNotFoundError: return None\n"
               "print(json.dumps({name: version(name) for name in sys.argv[1:]}))")
    packages = [*{peer.package for peer in PEERS.values()}, "numpy", "scipy"]
    done = subprocess.run([PYTHON, "-c", program, *packages], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def measure(peer, file, documents, work, *, runs, threads, timeout, memory) -> dict:
    """Run a peer on the first so many documents; the row of the table, not yet scored."""
    row = {"tool": peer.name, "documents": documents, "method": peer.method, "seconds": []}
    output = work / f"{peer.name}.out"
    for _ in range(runs):
        command = [PYTHON, BENCH / "peers" / peer.program, file, output, "--documents", documents]
        done = run(command, work, env={name: str(threads) for name in THREADS}, timeout=timeout, memory=memory)
        if not done.ok:
            row["status"] = {"timeout": f"> {timeout:g} s", "failed": f"failed: {done.complaint}"}.get(
                done.status, done.status)
            row["peak_bytes"] = done.peak_bytes
            return row
        row["seconds"].append(done.seconds)
        row["peak_bytes"] = max(row.get("peak_bytes", 0), done.peak_bytes)
        row["report"] = json.loads(done.stdout)
    stages = row["report"]["seconds"]
    row["text_seconds"] = stages["read"] + stages.get("tokens", 0)
    row["status"] = "ok"
    row["output"] = output
    return row


def score(peer, row, truth, file):
    """Adds recall and precision to a row, by the exact answer on the peer's own token sets."""
    with open(row.pop("output")) as lines:
        found = {tuple(map(int, line.split("\t"))) for line in lines}

    if peer.answer == "pairs":
        # Two texts without a shingle have no similarity: they are neither right nor wrong.
        void = {pair for pair in found if truth.empty.issuperset(pair)}
        found -= void
        row["pairs"], row["void_pairs"] = len(found), len(void)
        if void:
            truth.checks.append(f"{peer.name}: {len(void):,} pairs of texts without a shingle left out")
        exact.check_extra(truth, file, peer.name, found)
        expected = truth.within(row["documents"])
    else:
        found = {number for number, in found}
        row[peer.answer] = len(found)
        pairs = truth.within(row["documents"])
        expected = removed(pairs) if peer.answer == "removed" else {number for pair in pairs for number in pair}
    right = len(found & expected)
    row["answer"], row["expected"] = peer.answer, len(expected)
    row["recall"] = right / len(expected) if expected else None
    row["precision"] = right / len(found) if found else None


def removed(pairs) -> set:
    """The documents that go if each, in order, is removed when it resembles one that was kept before it."""
    gone, earlier = set(), {}
    for a, b in pairs:
        earlier.setdefault(b, []).append(a)
    for number in sorted(earlier):
        if any(other not in gone for other in earlier[number]):
            gone.add(number)
    return gone
