"""A fault of the program's own in a command: two lines, a report, status 70."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimtui.cli.app import run
from nimtui.store import crashes


def test_it_is_told_in_two_lines_and_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("nobody\nexpects this")

    monkeypatch.setattr("nimtui.games.parse_game", broken)
    assert run(["solve", "nim:1,2"]) == crashes.STATUS
    out, err = capsys.readouterr()
    what, where = err.splitlines()
    assert not out and what.endswith("failed in the command solve: RuntimeError: nobody expects this")
    [report] = (tmp_path / "reports").iterdir()
    assert where.endswith(f"Report: {report}") and "arguments  ['solve', 'nim:1,2']" in report.read_text()
