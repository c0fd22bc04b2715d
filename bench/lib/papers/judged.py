"""Runs `lookalike pairs`, and judges what it found by `lookalike evaluate`."""

import csv
import json
import subprocess
import sys
from pathlib import Path

DONE = (0, 3)  # 3: done, but some rows could not be read


class Judge:
    def __init__(self, binary, work):
        self.binary, self.work = binary, Path(work)

    def run(self, *command) -> str:
        done = subprocess.run([str(part) for part in (self.binary, *command)], capture_output=True, text=True)
        if done.returncode not in DONE:
            sys.exit(f"lookalike {' '.join(map(str, command))}\n{done.stderr}")
        return done.stdout

    def pairs(self, file, *options) -> list[dict]:
        """The rows that a method finds, as written."""
        target = self.work / "found.csv"
        self.run("pairs", file, *options, "-o", target, "--force", "-q")
        with open(target, encoding="utf-8") as rows:
            return list(csv.DictReader(rows))

    def evaluate(self, found, labels, *options) -> dict:
        """Precision, recall and F1 of rows with a and b (and perhaps similarity), as `evaluate --json` says them."""
        target = self.work / "judged.csv"
        heads = ["a", "b", *(["similarity"] if found and "similarity" in found[0] else [])]
        table(target, heads, ([row[head] for head in heads] for row in found))
        return json.loads(self.run("evaluate", target, "--labels", labels, *options, "--json", "-q"))


def table(path, heads, rows) -> Path:
    """Writes a table of comma-separated values."""
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(heads)
        writer.writerows(rows)
    return path


def jsonl(path, rows) -> Path:
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return path


def two(value) -> str:
    """Two places, but never rounded up to a whole that it is not."""
    if value is None:
        return "–"
    return f"{value:.2f}" if value < 0.995 or value >= 1 else f"{value:.3f}" if value < 0.9995 else "> 0.999"
