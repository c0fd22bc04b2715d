"""What the peers' programs share: arguments, a clock by stage, and the form of the answer.

A peer's program reads JSON lines, finds what its tool finds, writes it to a file (pairs of row numbers, `a TAB b`, or
one row number a line), and prints one JSON object: what it did and the seconds of each stage.
"""

import argparse
import json
import sys
import time
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "lib"))
import shingles  # noqa: E402

THRESHOLD = 0.8
PERMUTATIONS = 128
CHUNK = 1000  # documents whose shingles are held at once, by the tools that need them only for a sketch


class Peer:
    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("file", type=Path)
        parser.add_argument("output", type=Path)
        parser.add_argument("--documents", type=int)
        arguments = parser.parse_args()
        self.file, self.output, self.documents = arguments.file, arguments.output, arguments.documents
        self.seconds = {}

    @contextmanager
    def stage(self, name):
        """Adds the time inside to a stage."""
        begin = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0) + time.perf_counter() - begin

    def texts(self) -> list[str]:
        with self.stage("read"):
            return list(shingles.texts(self.file, self.documents))

    def chunks(self):
        """(rows, lists of shingles) of the documents that have any, CHUNK documents at a time."""
        numbered = enumerate(self.texts())
        while True:
            with self.stage("tokens"):
                chunk = [(row, shingles.plain(text)) for row, text in islice(numbered, CHUNK)]
                if not chunk:
                    return
                chunk = [(row, tokens) for row, tokens in chunk if tokens]
            yield [row for row, _ in chunk], [tokens for _, tokens in chunk]

    def finish(self, found, **facts):
        """Writes what was found, tuples or single rows, and prints the report."""
        with self.stage("write"):
            found = sorted(found)
            with open(self.output, "w") as out:
                for item in found:
                    out.write("\t".join(map(str, item)) + "\n" if isinstance(item, tuple) else f"{item}\n")
        print(json.dumps({"found": len(found), "seconds": self.seconds, **facts}))
