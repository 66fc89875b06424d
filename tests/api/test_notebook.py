"""The notebook runs from its first cell to its last, and is saved without output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import nimtui

NOTEBOOK = Path(__file__).parents[2] / "docs" / "nimtui.ipynb"


def cells() -> list[dict[str, Any]]:
    """Return the cells that hold code."""
    keys = json.loads(NOTEBOOK.read_text("utf-8"))
    assert keys["nbformat"] == 4
    return [cell for cell in keys["cells"] if cell["cell_type"] == "code"]


@pytest.mark.slow
def test_every_cell_runs_after_those_before_it(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for number, cell in enumerate(cells(), 1):
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    printed = capsys.readouterr().out
    assert "0 . 1 1 1 1" in printed and "1 1 . 1 1 1" in printed  # two equal heaps are lost, else one move wins
    assert names["standings"].standings[0]["agent"].startswith(("perfect", "proof"))
    assert names["runs"]["proof"].perfect and not names["runs"]["reward"].perfect and names["wrong"]
    found = nimtui.review(names["game"], names["moves"])
    assert all(row["ply"] % 2 for row in found.mistakes)  # none by the learner, who moves second


def test_it_is_saved_without_output() -> None:
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells())
