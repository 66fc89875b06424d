"""The pictures of the documentation show the current app, and one script draws them."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from nimtui.ui.app.modes import HEADER
from tests import pictures


def words(svg: str) -> str:
    """Return the text of a picture, line by line."""
    return unescape(" ".join(re.findall(r"<text [^>]*>([^<]*)</text>", svg)))


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_shows_the_tabs_of_all_modes(name: str) -> None:
    shown = words((pictures.DOCS / f"{name}.svg").read_text("utf-8"))
    assert "nimtui" in shown and all(f"{mode.key.upper()} {mode.title}" in shown for mode in HEADER)


def test_every_picture_can_be_drawn_again() -> None:
    assert {path.stem for path in pictures.DOCS.glob("*.svg")} == set(pictures.PICTURES)


@pytest.mark.slow
def test_a_picture_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures.main(["search", "--to", str(tmp_path)])
    assert capsys.readouterr().out == "search.svg\n"
    shown = words((tmp_path / "search.svg").read_text("utf-8"))
    assert all(f"{mode.key.upper()} {mode.title}" in shown for mode in HEADER)
    assert "nim:1,2,3,4" in shown and " 669 " in shown and "2,978" in shown
