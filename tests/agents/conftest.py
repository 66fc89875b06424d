"""What tests of a person's own agents share: a folder of them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nimtui.agents import registry
from tests.agents import stifle, wayward


@pytest.fixture
def own_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of agents that take part as a person's own do; where `wayward` leaves its mark."""
    folder = tmp_path / "agents"
    folder.mkdir()
    for module in (stifle, wayward):
        shutil.copy(str(module.__file__), folder)
    monkeypatch.setattr(registry, "_added", [])
    monkeypatch.setattr(registry, "_own", set())
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(wayward.MARK, str(folder / "mark"))
    assert registry.add_folder(folder) == []
    yield folder / "mark"
    for module in (stifle, wayward):
        sys.modules.pop(f"nimtui_agents_{Path(str(module.__file__)).stem}", None)
