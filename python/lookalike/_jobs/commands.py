"""Commands with their arguments, run inside this process."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO, cast

from .._lookalike import decide_job, run_job
from .._options.arguments import names, size, threshold_text
from .._options.groups import require_known
from .._options.progress import Progress, watching
from .._types import Fates

Path = str | os.PathLike[str]

# What an argument of the package is called as an option, if it has another name there.
_RENAMED = {"nbytes": "bytes", "inputs": "in", "other": "with", "try_within": "within"}
_SIZES = ("max_document", "memory")
_LISTS = ("text", "within")
_PATHS = ("against", "inputs", "kept", "other")
# Without a value that differs from these, an option counts as not given. Of `stream`, the defaults are others.
_DEFAULTS = {"tokens": "words:5", "case": "fold", "measure": "jaccard", "method": "exact", "max_document": "50MB", "algorithm": "auto"}


def command_line(command: str, inputs: Iterable[str], /, **options: object) -> list[str]:
    """Return the arguments of a command. Options that are None, False or empty are left out."""
    arguments = [*command.split(), "--json"]
    defaults = {} if command == "stream" else _DEFAULTS
    for name, value in options.items():
        if value is None or value is False or value == () or value == [] or defaults.get(name) == value:
            continue
        option = "--" + _RENAMED.get(name, name).replace("_", "-")
        if value is True:
            arguments.append(option)
            continue
        arguments += [f"{option}={_written(one)}" for one in _values(name, value)]
    return [*arguments, "--", *inputs]


def _values(name: str, value: Any) -> list[Any]:
    if name in _SIZES:
        return [size(value, name)]
    if name in _LISTS:
        return names(value)
    return [*value] if isinstance(value, list) else [value]


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, cast("tuple[object, ...]", value)))
    return os.fspath(cast("os.PathLike[str]", value)) if isinstance(value, os.PathLike) else str(value)


def run_files(
    command: str, group: type, given: dict[str, Any], inputs: Sequence[str] = ("inputs",)
) -> dict[str, Any]:
    """Run the command that a function is named after, with all that the function was given, and return its report.

    The arguments of the function are called as the options of the command. ``group`` has those in its ``options``, and
    ``inputs`` names those that are no options.
    """
    options, progress = given.pop("options"), given.pop("progress", None)
    require_known(options, group, f"{command.replace(' ', '_')}_files")
    paths = [path for name in inputs for path in path_list(given.pop(name))]
    given |= {name: path_list(given[name]) for name in _PATHS if name in given}
    if given.get("threshold") is not None:
        given["threshold"] = threshold_text(given["threshold"])
    return run(command_line(command, paths, **given, **options), progress)


def run(arguments: list[str], progress: Progress = None) -> dict[str, Any]:
    """Run a command, and return its report. If that is to be explained, the explanation is in it."""
    with watching(progress) as callback:
        _, printed, messages = run_job(arguments, callback)
    report: dict[str, Any] = json.loads(printed)
    return {**report, "explain": messages.strip()} if "--explain" in arguments else report


def decide(arguments: list[str], progress: Progress = None) -> tuple[dict[str, Any], Fates]:
    """Run ``dedup``, and return its report and what was decided on each document."""
    with watching(progress) as callback:
        printed, fates = decide_job(arguments, callback)
    report: dict[str, Any] = json.loads(printed)
    return report, fates


def path_list(paths: Path | Iterable[Path]) -> list[str]:
    """Return one path or several as a list."""
    return [os.fspath(paths)] if isinstance(paths, (str, os.PathLike)) else [os.fspath(path) for path in paths]


def write_line(file: TextIO, row: Mapping[str, Any], number: int) -> None:
    """Write a row as a line of JSON."""
    # Escaped, half of a surrogate pair would be read as another character.
    line = json.dumps(row, default=str, ensure_ascii=False)
    try:
        file.write(line + "\n")
    except UnicodeEncodeError:
        wrong = next(name for name, value in row.items() if not _is_unicode(str(value)))
        raise ValueError(
            f"row {number} of '{wrong}' is no valid text: it has half of a surrogate pair; repair it with "
            "text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')"
        ) from None


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_table(path: Path) -> list[Mapping[str, Any]]:
    """Return the rows of a table that a command wrote as JSON lines."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
