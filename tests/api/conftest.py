"""No test of the library touches a person's own data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimtui.cli.app import run

Document = Callable[[str], dict[str, Any]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Document:
    """Run a command, and return its JSON document."""

    def call(words: str) -> dict[str, Any]:
        capsys.readouterr()
        assert run([*words.split(), "--json"]) == 0
        keys: dict[str, Any] = json.loads(capsys.readouterr().out)
        return keys

    return call


TIMED = ("seconds", "games_per_second", "nodes_per_second")


def timeless(keys: dict[str, Any]) -> dict[str, Any]:
    """Return a document without what depends on the machine."""
    return {key: value for key, value in keys.items() if key not in TIMED}
