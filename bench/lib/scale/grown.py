"""The collection that is measured: made once by the example `grow` of lookalike-io, from real text."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import corpus

SEEDS = [corpus.SHARED / name for name in corpus.PARTS] + [corpus.SHARED.parent / "mail" / "enron_spam.jsonl.zst"]
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "kB": 10**3, "MB": 10**6, "GB": 10**9}


def parse(size) -> int:
    """Bytes of a size such as 8GB or 512MiB."""
    for unit, factor in UNITS.items():
        if size.endswith(unit):
            return int(float(size.removesuffix(unit)) * factor)
    return int(size)


def build(no_build, binary) -> Path:
    """The generator, built as lookalike is."""
    if binary is None and not no_build:
        command = ["cargo", "build", "--profile", "dist", "-p", "lookalike-io", "--example", "grow", "--example", "ask_index"]
        print(" ".join(command), file=sys.stderr)
        if subprocess.run(command, cwd=corpus.ROOT).returncode != 0:
            sys.exit("the build of the generator failed")
    binary = binary or corpus.ROOT / "target" / "dist" / "examples" / "grow"
    if not binary.is_file():
        sys.exit("the generator is not built: leave --no-build away, or name it with --grow")
    return binary.resolve()


class Collection:
    """Grown files in a folder. A smaller one is the beginning of a larger one, so one file is enough."""

    def __init__(self, folder, seeds, generator):
        missing = [seed.name for seed in seeds if not seed.is_file()]
        if missing:
            sys.exit(f"No such seed files: {', '.join(missing)}.\n"
                     "Name files of JSON lines with a field text: --seeds FILE...")
        self.folder, self.seeds, self.generator = folder, seeds, generator

    def make(self, name, size, **options) -> tuple[Path, dict]:
        """The file of this name and how many documents of which kind it has; made unless it is there. A file that is
        there may be larger."""
        file, facts = self.folder / f"{name}.jsonl", self.folder / f"{name}.json"
        order = {"seeds": [seed.name for seed in self.seeds], **options}
        if file.is_file() and facts.is_file():
            known = json.loads(facts.read_text())
            whole = known["bytes"] == file.stat().st_size and known.get("size", 0) >= size
            if known.get("order") == order and whole and self.begins(file, options):
                return file, known
        if room(self.folder) < 2 * size:
            sys.exit(f"There are {room(self.folder) / 1e9:.1f} GB of free disk, too few for {size / 1e9:.1f} GB of text and "
                     "all that is made of it. Name another folder with --work.")
        print(f"growing {file.name}", file=sys.stderr, flush=True)
        facts.unlink(missing_ok=True)
        known = self.grow(file, size, options) | {"size": size, "order": order}
        facts.write_text(json.dumps(known) + "\n")
        return file, known

    def begins(self, file, options) -> bool:
        """Whether the file begins as the generator, which may have changed, would begin it now."""
        beginning = self.folder / "beginning.jsonl"
        self.grow(beginning, 1_000_000, options)
        expected = beginning.read_bytes()
        beginning.unlink()
        with open(file, "rb") as rows:
            return rows.read(len(expected)) == expected

    def grow(self, file, size, options) -> dict:
        command = [self.generator, *self.seeds, "-o", file, "--size", size]
        for option, value in options.items():
            command += [f"--{option}", value]
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)

    def text(self, size) -> Path:
        """The first so many bytes of the collection `text`, which was made before. If the file is a copy, part.jsonl, it
        is the caller's to delete."""
        whole = self.folder / "text.jsonl"
        if size >= whole.stat().st_size:
            return whole
        return cut(whole, self.folder / "part.jsonl", size)


def cut(source, target, size) -> Path:
    """The first rows of a file that fit in `size` bytes, copied in large pieces."""
    with open(source, "rb") as rows, open(target, "wb") as out:
        left = size
        while left and (piece := rows.read(min(left, 1 << 24))):
            left -= out.write(piece)
    with open(target, "rb+") as out:
        end = out.seek(0, 2)
        while end:
            begin = max(0, end - (1 << 20))
            out.seek(begin)
            at = out.read(end - begin).rfind(b"\n")
            end = begin + at + 1 if at >= 0 else begin
            if at >= 0:
                break
        out.truncate(end)
    return target


def room(folder) -> int:
    """Free bytes of the file system of a folder."""
    return shutil.disk_usage(folder).free
