from __future__ import annotations

import importlib
import json
import os
import pkgutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nimtui import cli
from nimtui.cli import output
from nimtui.cli.app import run
from tests import forks

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

SIGNALLED = """
import signal, sys
from {module} import {owner}

done = {owner}.{method}

def interrupted(*given):
    result = done(*given)
    if {when} and interrupted.sent < {times}:
        interrupted.sent += 1
        signal.raise_signal({stop})
    return result

interrupted.sent = 0
{owner}.{method} = interrupted
signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a shell, whoever runs this test
from nimtui.cli.app import run

sys.exit(run(sys.argv[1:]))
"""


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


Signalled = Callable[..., Answer]


@pytest.fixture
def signalled(tmp_path: Path) -> Signalled:
    """Run a command in a process of its own, to which a signal comes each time this method has done its work.

    At most `times`, and only `when` this holds of what the method was `given`.
    """

    def call(words: str, method: str, stop: signal.Signals, when: str = "True", times: int = 1) -> Answer:
        module, owner, name = method.rsplit(".", 2)
        script = SIGNALLED.format(module=module, owner=owner, method=name, stop=int(stop), when=when, times=times)
        environment = {**os.environ, "NIMTUI_HOME": str(tmp_path / "home")}
        command = [sys.executable, "-c", script, *words.split()]
        done = forks.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
        return Answer(done.returncode, done.stdout, done.stderr)

    return call
