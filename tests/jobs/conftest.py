"""What tests of work in other processes share: a home and a database of their own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from nimtui.agents import registry
from nimtui.store.database import Database
from tests.jobs import awkward


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for all that is kept, with an agent in it that a person has added; here it takes part too."""
    folder = tmp_path / "home"
    (folder / "agents").mkdir(parents=True)
    shutil.copy(awkward.__file__, folder / "agents")
    monkeypatch.setenv("NIMTUI_HOME", str(folder))
    monkeypatch.setattr(registry, "_added", [])
    registry.add(awkward)  # type: ignore[arg-type]
    return folder


@pytest.fixture
def db(home: Path) -> Iterator[Database]:
    opened = Database()
    yield opened
    opened.close()
