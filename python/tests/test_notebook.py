"""Runs the notebook of the documentation, and compares what it shows with what is stored in it.

Plots may differ in their bytes. With UPDATE_DOCS=1, the notebook gets what its cells show now."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "python" / "tour.ipynb"


def shown(cell: Any) -> list[Any]:
    """What a cell shows, but for pictures and the addresses in their descriptions."""
    outputs = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        outputs.append("a picture" if "image/png" in data else [output.get("text"), data.get("text/plain"), data.get("text/html")])
    return outputs


def test_a_bar_is_drawn_in_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    texts = "[' '.join(str(at * 7 + word) for word in range(60)) for at in range(20_000)]"
    code = f"import lookalike as la\nlen(la.Corpus({texts}, tokens='chars:4', threads=1, progress=True))"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()
    drawn = json.dumps(notebook.cells[0].outputs)
    assert "reading" in drawn and "/20000" in drawn and '"20000"' in drawn


def test_the_notebook_shows_what_is_stored_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    stored = nbformat.read(NOTEBOOK, as_version=4)
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    client = nbclient.NotebookClient(fresh, timeout=60, resources={"metadata": {"path": str(tmp_path)}}, record_timing=False)
    client.execute()
    if os.environ.get("UPDATE_DOCS") == "1":
        fresh.metadata = stored.metadata
        nbformat.write(fresh, NOTEBOOK)
    else:
        assert [shown(cell) for cell in fresh.cells] == [shown(cell) for cell in stored.cells]
