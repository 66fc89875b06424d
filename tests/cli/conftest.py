from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nimtui import cli
from nimtui.cli import output
from nimtui.cli.app import run

for _module in pkgutil.walk_packages(cli.__path__, "nimtui.cli."):  # at once: no test takes the time of it
    importlib.import_module(_module.name)


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
        output.drawing_of_app()  # after --ascii
        return Answer(status, said.out, said.err)

    return call
