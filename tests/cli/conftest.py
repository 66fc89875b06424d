from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nimtui.cli.app import run


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document that is all of stdout."""
        keys: dict[str, Any] = json.loads(self.out)
        return keys


Nimtui = Callable[..., Answer]


@pytest.fixture
def nimtui(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Nimtui:
    """Run a command in this process: `nimtui("solve", "tower:16")`, words split where only one is given."""
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path / "home"))

    def call(*words: str) -> Answer:
        status = run(words if len(words) > 1 else words[0].split())
        said = capsys.readouterr()
        return Answer(status, said.out, said.err)

    return call
