"""The settings: changed with the keys, held at once, kept for the next start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimtui.store import settings as store
from nimtui.store.settings import Glyphs, Settings
from nimtui.ui.app.settings import PACES, all_settings, preview
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import until

MakeApp = Callable[..., Any]
pytestmark = pytest.mark.usefixtures("no_board")
SHOWN = ("▸ Theme", "◀ nimtui-dark ▶", "◀ auto ▶", "◀ on ▶", "◀ 2.5 s per move ▶", "Slow line", "okabe-ito suits")


def kept() -> Settings:
    settings, faults = store.load()
    assert faults == []
    return settings


def test_every_setting_has_a_line_with_its_values() -> None:
    lines = all_settings(["dark"])
    assert {line.name: [line.shown(value) for value in line.values][-2:] for line in lines} == {
        "theme": ["dark"],
        "glyphs": ["sextants", "ascii"],
        "animation": ["on", "off"],
        "pace": ["3 s per move", "6 s per move"],
        "level": ["Hard", "Perfect"],
        "slow": ["off", "on"],
        "background": ["ask", "always"],
        "background_hours": ["72", "168"],
        "notify": ["osc9", "osc777"],
        "unchecked": ["off", "on"],
    }
    assert lines[3].shown(PACES[0]) == "at once"


@pytest.mark.slow
async def test_changes_hold_at_once_and_are_kept(make_app: MakeApp, home: Path) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f9", "left")
        theme = app.theme
        assert theme != "nimtui-dark"
        await pilot.press("down", "right", "right", "right")
        assert app.glyphs == ASCII and screen_text(app).isascii() and "Now: ascii." in screen_text(app)
        await pilot.press("down", "enter", "down", "l", "down", "down", "h")
        assert (app.animation_level, app.tick) == ("none", 0.5)
        assert kept() == Settings(theme, Glyphs.ASCII, False, 1.5, True) == app.settings
        app.theme = "gruvbox"  # chosen elsewhere
        await pilot.pause()
        assert kept().theme == "gruvbox"
    assert [path.name for path in home.iterdir()] == ["settings.json"]
    again = make_app(kept())
    async with again.run_test(size=(80, 24)):
        assert again.theme == "gruvbox" and "> m  Show me" in screen_text(again)


async def test_all_are_shown_with_their_values_and_go_back_to_the_default(make_app: MakeApp) -> None:
    app = make_app(Settings(theme="nord", pace=2.5, slow=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("s", "d")
        assert app.theme == "nimtui-dark"
        for size in (*SIZES, SIZES[0]):
            await pilot.resize_terminal(*size)
            assert [words for words in SHOWN if words not in screen_text(app)] == []
        await pilot.press("down", "down", "down", "right")
        assert app.settings.pace == 3.0  # the next of those offered
        await pilot.press("left", "left")
        assert app.settings.pace == 0.8  # 1.5, then this
        await pilot.press("d", "down", "down", "d")
        assert kept() == Settings()


@pytest.mark.slow
async def test_without_colour_the_chosen_theme_is_kept_but_not_used(make_app: MakeApp) -> None:
    app = make_app(Settings(theme="nord"), TerminalInfo(no_color=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("s")
        assert "This terminal uses ansi-dark." in screen_text(app)
        await pilot.press("right")
        assert kept().theme == app.settings.theme not in ("nord", "ansi-dark")
        assert app.theme == "ansi-dark"


@pytest.mark.slow
async def test_a_home_that_cannot_be_written_is_told(make_app: MakeApp, home: Path, monkeypatch: Any) -> None:
    (home / "taken").write_text("")
    monkeypatch.setenv("NIMTUI_HOME", str(home / "taken"))
    app = make_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("s", "down", "right")
        await until(pilot, lambda: "Settings not saved" in screen_text(app))
        assert app.settings.glyphs == "unicode"


def test_all_swatches_start_in_one_column() -> None:
    for signs in (UNICODE, ASCII):
        starts = set()
        for shown in preview(76, 40, signs)[1:]:
            first = next((run for run in shown if run.ground or run.text.strip()), None)
            if first is not None:
                before = sum(len(run.text) for run in shown[: shown.index(first)])
                starts.add(before + (0 if first.ground else len(first.text) - len(first.text.lstrip())))
        assert starts == {1}
