"""The gallery draws what it can, and names what it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import gallery, pictures


def test_a_broken_scene_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shown(name: str, *given: Any) -> str:
        assert name != "play", "broken"
        return "<svg/>"

    monkeypatch.setattr(pictures, "shown", shown)
    sizes = ["--to", str(tmp_path), "--sizes", "80x24", "--themes", pictures.DARK]
    assert gallery.main(["start", "play", "search", *sizes]) == 1
    assert {path.name for path in tmp_path.glob("*.svg")} == {
        f"{name}-80x24-nimtui-dark.svg" for name in ("start", "search")
    }
    assert capsys.readouterr().err.endswith("not drawn: play-80x24-nimtui-dark\n")
    assert gallery.main(["start", *sizes]) == 0
