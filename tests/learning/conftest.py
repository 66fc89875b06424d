"""No test of learning touches a person's own tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nimtui.jobs import Jobs


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    started = Jobs()
    yield started
    assert not started.shutdown(10)
