"""Runs the Python that README.md and the guides show, page by page, and compares what it prints with what the page says.

The blocks of a page that begin with ```python run in order, in one namespace, in a folder of their own. A ```text block right after one is
what it prints; as in a notebook, the value of a last expression is printed too. Blocks of other tools begin with ```py and do not run.
With UPDATE_DOCS=1, the pages get what their blocks print now."""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import os
import re
from pathlib import Path
from typing import Any

import lookalike as la
import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ROOT / "docs" / "python"
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```$(?:\n\n```text\n(?P<shown>.*?)^```$)?", re.MULTILINE | re.DOTALL)


def printed(code: str, name: str, namespace: dict[str, Any]) -> str:
    """Run a block as a cell of a notebook, and return what it prints."""
    tree = ast.parse(code, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(tree, name, "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
            if value is not None:
                print(repr(value))
    return "".join(line.rstrip() + "\n" for line in output.getvalue().splitlines())


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted(GUIDES.glob("*.md"))], ids=lambda page: page.stem)
def test_the_snippets_of_a_guide_do_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text("utf-8")
    namespace: dict[str, Any] = {"__name__": page.stem}

    def run(block: re.Match[str]) -> str:
        line = text.count("\n", 0, block.start()) + 1
        found = printed("\n" * line + block["code"], page.name, namespace)
        if block["shown"] is None:
            return block[0]
        if os.environ.get("UPDATE_DOCS") != "1":
            assert found == block["shown"], f"{page.name}, line {line}"
        return f"```python\n{block['code']}```\n\n```text\n{found}```"

    updated = BLOCK.sub(run, text)
    if os.environ.get("UPDATE_DOCS") == "1":
        page.write_text(updated, "utf-8")


def test_the_reference_has_every_name_of_the_package() -> None:
    named = re.findall(r"^::: lookalike\.(\w+)$", (GUIDES / "api.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(name for name in la.__all__ if not name.startswith("__"))


def test_every_function_that_the_table_of_commands_names_is_there() -> None:
    reference, page = sections(GUIDES.parent / "reference" / "commands.md"), sections(GUIDES / "command.md")
    commands = commands_of(page)
    only_there = {code for row in tables(page[OUTSIDE])[0][1:] for code in codes(row[0])}
    for command, help_text in reference.items():
        has_own_options = options(help_text) - {"--help", "--version"}
        if has_own_options and command not in only_there:
            assert command in commands, f"command.md does not say which function {command} is"
    for kinds in commands.values():
        for name in (name for names in kinds for name in names):
            assert callable(resolved(name)), name
    assert "not there" not in (GUIDES / "command.md").read_text("utf-8")


def test_the_tables_of_options_say_what_the_functions_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every option of every command, in each of its functions, by calling the function with the argument that the page names."""
    monkeypatch.chdir(tmp_path)
    reference, page = sections(GUIDES.parent / "reference" / "commands.md"), sections(GUIDES / "command.md")
    only_there = {code for row in tables(page[OUTSIDE])[0][1:] for code in codes(row[0])}
    wrong: list[str] = []
    for command, kinds in commands_of(page).items():
        own, common = tables(page[command.partition(" ")[0]]), tables(page[COMMON])
        for option in sorted(options(reference[command])):
            if f"{command} {option}" in only_there:
                continue
            for kind, names in enumerate(kinds, 1):
                for name in (name for name in names if "." not in name):
                    cell = cell_of(own, option, kind, name) or cell_of(common, option, kind, name)
                    wrong += [f"{command} {option}, {name}: {why}" for why in failures(cell, option, name)]
    assert not wrong, "command.md is wrong:\n" + "\n".join(wrong)


COMMANDS, COMMON, OUTSIDE = "Which function is which command", "Options of most commands", "What only the command has"
Table = list[list[str]]


def commands_of(page: dict[str, str]) -> dict[str, tuple[list[str], list[str]]]:
    """The functions of each command: in memory, and for files."""
    [table] = tables(page[COMMANDS])
    return {codes(command)[0]: (codes(memory), codes(files)) for command, memory, files in table[1:]}


def cell_of(own: list[Table], option: str, kind: int, function: str) -> str | None:
    """What the tables say of an option, in the column of a function, or of its kind: in memory, or for files."""
    for header, *rows in own:
        named = [at for at, head in enumerate(header) if any(code.partition("(")[0] == function for code in codes(head))]
        for row in rows:
            if option in codes(row[0]):
                return row[named[0] if named else min(kind, len(row) - 1)]
    return None


def failures(cell: str | None, option: str, function: str) -> list[str]:
    """What is wrong with what a table says of an option."""
    if cell is None:
        return ["the page does not say what it is"]
    own = option.removeprefix("--").replace("-", "_")
    arguments = [found[1] for code in codes(cell) if (found := re.fullmatch(r"([a-z][a-z_]*)(=.*)?", code))]
    if "the same name" in cell or own in arguments:
        arguments = [own]
    calls = [(function, argument) for argument in arguments]
    for called, given in re.findall(r"`([A-Za-z][\w.]*)\(([^`]*)\)`", cell):
        if called != "help":
            calls += [(called, "")] + [(called, argument) for argument in re.findall(r"([a-z_]+)=", given)]
    return [why for called, argument in calls if (why := refusal(called, argument))]


def refusal(function: str, argument: str) -> str | None:
    """Why a function does not take an argument. It is called with it, which may fail in any other way."""
    try:
        called = resolved(function)
    except AttributeError:
        return f"there is no {function}"
    if not argument:
        return None
    needed = [one for one in inspect.signature(called).parameters.values() if one.default is one.empty]
    positional = [one for one in needed if one.kind is one.POSITIONAL_OR_KEYWORD and one.name != argument]
    named = {one.name: "no-such-file" for one in needed if one.kind is one.KEYWORD_ONLY}
    try:
        called(*[["no-such-file"]] * len(positional), **{**named, argument: "no-such-value"})
    except TypeError as error:
        return str(error) if "unexpected keyword argument" in str(error) else None
    except Exception:
        return None
    return None


def resolved(name: str) -> Any:
    found: Any = la
    for part in name.split("."):
        found = getattr(found, part)
    return found


def sections(page: Path) -> dict[str, str]:
    parts = re.split(r"^## (.*)\n", page.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def tables(text: str) -> list[Table]:
    """The tables of a section: the cells of each row, without the line under the header."""
    found = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    lines = [table.splitlines() for table in found]
    return [[[cell.strip() for cell in line.strip("|").split("|")] for line in [table[0], *table[2:]]] for table in lines]


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def options(help_text: str) -> set[str]:
    return set(re.findall(r"^ +(?:-\w, )?(--[\w-]+)", help_text, re.MULTILINE))
