"""The file that is measured: JSON lines of {"id", "text"}."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data" / "text"
PARTS = ("mdn_content.jsonl.zst", "k8s_website.jsonl.zst")


def prepare(given, work) -> tuple[Path, str]:
    """The given file, or the two shared ones joined in `work`; and what to call it in a report."""
    if given is not None:
        if not given.is_file():
            sys.exit(f"{given}: no such file")
        return given, given.name

    parts = [SHARED / name for name in PARTS]
    missing = [part.name for part in parts if not part.is_file()]
    if missing:
        sys.exit(f"The default text is not here: ../shared/data/text/ has no {' and no '.join(missing)}.\n"
                 "Name a file of JSON lines with the fields id and text instead: bench/... FILE.jsonl")
    if shutil.which("zstd") is None:
        sys.exit("The default text is compressed, and the command zstd is not installed.")
    joined = work / "text.jsonl"
    with open(joined, "wb") as out:
        subprocess.run(["zstd", "--decompress", "--stdout", "--quiet", *parts], stdout=out, check=True)
    return joined, " + ".join(part.name.removesuffix(".zst") for part in parts)


def head(source, target, *, documents=None, size=None) -> Path:
    """The first rows of a file: so many documents, or as many as fit in `size` bytes."""
    with open(source, "rb") as rows, open(target, "wb") as out:
        written = 0
        for number, row in enumerate(rows):
            if number == documents or (size is not None and written + len(row) > size):
                break
            written += out.write(row)
    return target


def measure(path) -> tuple[int, int]:
    """Documents and bytes. Reads all of it, which also brings it into the page cache."""
    documents = size = 0
    with open(path, "rb") as rows:
        for row in rows:
            documents += 1
            size += len(row)
    return documents, size
