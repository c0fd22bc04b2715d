"""Runs the Python that README.md and the guides show, page by page, and compares what it prints with what the page says.

The blocks of a page that begin with ```python run in order, in one namespace, in a folder of their own. A ```text block right after one is
what it prints; as in a notebook, the value of a last expression is printed too. Blocks of other tools begin with ```py and do not run.
With UPDATE_DOCS=1, the pages get what their blocks print now."""

from __future__ import annotations

import ast
import contextlib
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


def test_the_table_of_options_has_every_option_of_every_command() -> None:
    reference = sections(GUIDES.parent / "reference" / "commands.md")
    table = sections(GUIDES / "command.md")
    common = options(table["Options of most commands"])
    for name, help_text in reference.items():
        if name == "lookalike":
            continue
        said = table.get(name.partition(" ")[0])
        assert said is not None, f"command.md has no section {name}"
        missing = set(re.findall(r"^ +(?:-\w, )?(--[\w-]+)", help_text, re.MULTILINE)) - common - options(said)
        assert not missing, f"command.md does not say what {sorted(missing)} of {name} are in Python"


def sections(page: Path) -> dict[str, str]:
    parts = re.split(r"^## (.*)\n", page.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def options(text: str) -> set[str]:
    return set(re.findall(r"--[a-z][\w-]*", text))
