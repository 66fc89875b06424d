"""The start screen, the line at the top, modes, palette, help, and what is shown where there is too little room."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from textual.command import CommandPalette

from nimtui.playing.setup import PlaySetup
from nimtui.progress import Progress, preparation
from nimtui.store import files, paths
from nimtui.store.settings import Glyphs, Settings
from nimtui.ui.app import conductors
from nimtui.ui.app.help import HelpScreen
from nimtui.ui.app.modes import MODES
from nimtui.ui.app.settings import SettingsScreen
from nimtui.ui.app.start import StartScreen
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.forms.dialogs import QuitScreen
from nimtui.ui.kit.widgets.bars import Header
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.form import NewGame
from tests.ui.conftest import SIZES, BoardOfWords, screen_text
from tests.ui.playing import until

MakeApp = Callable[..., Any]
pytestmark = pytest.mark.usefixtures("no_board")


@pytest.mark.parametrize("size", SIZES)
async def test_it_says_what_can_be_done(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: not app.jobs.running())  # one looks for a training that was cut off
        text = screen_text(app)
        for words in (
            "┃  ┃  ┃  ┃  ┃  ┃  ┃",
            "▸ m  Show me",
            "p  Play now",
            "New game",
            "Watch",
            "Settings",
            "q  Quit",
            "F1",
            "^p Commands",
        ):
            assert words in text
        modes = [mode for mode in MODES if mode.key]
        assert [mode.title for mode in modes][:5] == ["Play", "Train", "Search", "Tournament", "Library"]
        keyed = [word for mode in modes for word in (mode.key.upper(), mode.title)]
        in_full = size[0] >= (80 if len(modes) == 5 else 120)
        assert text.splitlines()[0].split() == ["nimtui", *(keyed if in_full else [mode.title for mode in modes])]
        assert max(map(len, text.splitlines())) <= size[0]


@pytest.mark.slow
async def test_in_ascii_there_is_nothing_else(make_app: MakeApp) -> None:
    app = make_app(Settings(glyphs=Glyphs.ASCII), faults=("misère – “damaged” …",))
    async with app.run_test(size=(60, 20)) as pilot:
        for key in ("", "f1", "escape", "s", "escape", "n", "t", "escape", "ctrl+p"):
            await pilot.press(*([key] if key else []))
            await pilot.pause()
            text = screen_text(app)
            # The palette's scroll bar is the one thing Textual draws itself: hidden here.
            assert text.isascii(), [line for line in text.splitlines() if not line.isascii()]


async def test_faults_of_the_start_are_told(make_app: MakeApp) -> None:
    app = make_app(Settings(theme="no such theme"), faults=("settings.json is damaged",))
    async with app.run_test(size=(80, 24)):
        text = screen_text(app)
        assert "! settings.json is damaged" in text
        assert "! unknown theme 'no such theme': nimtui uses the default" in text
        assert app.theme == "nimtui-dark"


async def test_play_now_begins_the_classic_game(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        assert isinstance(app.screen, BoardOfWords)
        assert "tower:16: me against easy" in screen_text(app)
        assert "▌Play▐" in screen_text(app)


async def test_the_mode_key_begins_a_game_once_and_then_comes_back_to_it(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2")
        begun = app.screen
        assert isinstance(begun, BoardOfWords)
        app.action_mode("start")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        assert "▸ c  Continue" in screen_text(app)
        await pilot.press("f2")
        assert app.screen is begun
        app.action_mode("start")
        await pilot.press("c")
        assert app.screen is begun


async def test_no_game_to_go_back_to_at_the_start(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Continue" not in screen_text(app)
        await pilot.press("c")
        assert isinstance(app.screen, StartScreen)


async def test_a_game_given_is_shown_first(make_app: MakeApp) -> None:
    app = make_app(setup=PlaySetup("nim:3,5", seats=("easy", "me")))
    async with app.run_test(size=(80, 24)):
        assert "nim:3,5: easy against me" in screen_text(app)


@pytest.mark.slow
@pytest.mark.parametrize(("letter", "screen"), [("n", NewGame), ("s", SettingsScreen), ("f1", HelpScreen)])
async def test_letters_and_the_way_back(make_app: MakeApp, letter: str, screen: type) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(letter)
        assert isinstance(app.screen, screen)
        await pilot.press("escape")
        assert isinstance(app.screen, StartScreen)


@pytest.mark.slow
async def test_arrows_choose_and_the_mouse_too(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "j", "up", "end", "down", "home", "down", "down")
        assert "▸ n  New game" in screen_text(app)
        row = next(y for y, text in enumerate(screen_text(app).splitlines()) if "s  Settings" in text)
        await pilot.click(offset=(screen_text(app).splitlines()[row].index("Settings"), row))
        assert isinstance(app.screen, SettingsScreen)


@pytest.mark.slow
async def test_the_lines_at_top_and_bottom_take_the_mouse(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        bottom = screen_text(app).splitlines()[-1]
        await pilot.click("Footer", offset=(bottom.index("Settings") + 1, 0))
        await pilot.pause()
        assert isinstance(app.screen, SettingsScreen)
        await pilot.press("escape")
        await pilot.click("Header", offset=(13, 0))
        await pilot.pause()
        assert isinstance(app.screen, BoardOfWords)
        await pilot.click("Header", offset=(3, 0))
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
async def test_quitting(make_app: MakeApp, key: str) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        if key != "q":
            await pilot.press("n")  # from within a dialog too
        await pilot.press(key)
        await pilot.pause()
        assert not app.is_running


@pytest.mark.slow
async def test_help_names_the_keys_of_the_screen(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 56)) as pilot:
        await pilot.press("f1")
        text = screen_text(app)
        for words in ("laboratory", "Choose the game and its players", "F9", "Everywhere", "^z", "^p"):
            assert words in text
        assert "Focus Next" not in text


@pytest.mark.slow
async def test_the_palette_has_every_preset(make_app: MakeApp) -> None:
    from nimtui.games.registry import presets

    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        offered = {command.title for command in app.get_system_commands(app.screen)}
        assert {f"Play {preset.title}" for preset in presets()} <= offered
        await pilot.press("ctrl+p")
        assert isinstance(app.screen, CommandPalette)
        await pilot.press(*"kayles")
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert "kayles:1,3,5,7: me against" in screen_text(app)


@pytest.mark.slow
async def test_the_palette_has_every_key_that_does_something_now(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        offered = {command.title for command in app.get_system_commands(app.screen)}
        assert {"New game: choose the game and its players", "Watch two machines play each other"} <= offered
        assert {"Settings", "Play now", "To the shell; fg returns"} <= offered
        assert "Continue the game" not in offered  # there is none yet
        assert not {name for name in offered if "Up and down" in name or "Command" in name}
        await pilot.press("ctrl+p", *"its players")
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, NewGame)
        offered = {command.title for command in app.get_system_commands(app.screen)}
        assert {"Swap the players", "Quit nimtui"} <= offered
        assert not any("Next" in name or name.startswith("Play ") for name in offered)


class BusyBoard(BoardOfWords):
    """Says that its game is not over."""


class TestQuitting:
    @pytest.fixture(autouse=True)
    def a_game(self, no_board: None, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys.modules["nimtui.ui.play.screen"], "PlayScreen", BusyBoard)
        monkeypatch.setattr(PlayConductor, "in_progress", True)

    @pytest.mark.slow
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
    async def test_in_a_game_it_is_asked_and_twice_is_enough(
        self, make_app: MakeApp, key: str, size: tuple[int, int]
    ) -> None:
        app = make_app(setup=PlaySetup())
        async with app.run_test(size=size) as pilot:
            await pilot.press(key)
            await pilot.pause()
            text = screen_text(app)
            assert "Your game on the Play screen is not over. Quit?" in text
            assert "⏎ quit    s save and quit    esc stay" in text
            assert "tower:16: me against hard" in text  # still in sight
            await pilot.press("escape")
            assert isinstance(app.screen, BusyBoard)
            await pilot.press(key, key)
            await pilot.pause()
            assert not app.is_running

    @pytest.mark.slow
    async def test_from_a_dialog_and_from_the_start_screen_too(self, make_app: MakeApp) -> None:
        app = make_app(setup=PlaySetup())
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n", "ctrl+c")
            await pilot.pause()
            assert isinstance(app.screen, QuitScreen)
            await pilot.press("escape", "escape", "f7", "q", "enter")
            await pilot.pause()
            assert not app.is_running

    async def test_where_there_is_too_little_room(self, make_app: MakeApp) -> None:
        app = make_app(setup=PlaySetup())
        async with app.run_test(size=(40, 10)) as pilot:
            await pilot.press("q")
            await pilot.pause()
            assert app.too_small and "Quit?" in "\n".join(app.notice)
            await pilot.press("escape")
            await pilot.pause()
            assert app.notice[0] == "nimtui needs 60 columns"
            await pilot.press("q")
            await pilot.resize_terminal(80, 24)
            await pilot.press("escape")
            await pilot.pause()
            assert isinstance(app.screen, BusyBoard)

    async def test_while_something_is_worked_out(self, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:
            done = Event()
            job = app.jobs.start("hard", lambda _: done.wait(10))
            monkeypatch.setattr(conductors, "WORTH_ASKING", 0.0)
            await pilot.press("q")
            assert "Still running: hard. Quit?" in screen_text(app)
            await pilot.press("escape")
            done.set()
            await job.wait()
            await pilot.press("q")
            await pilot.pause()
            assert not app.is_running


async def test_running_jobs_are_named_at_the_top(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        done, reported = Event(), Event()

        def work(progress: Progress) -> None:
            progress.report(41, 100)
            reported.set()
            done.wait(10)

        job = app.jobs.start("training hard", work)
        assert reported.wait(10)
        app.screen.query_one(Header).look()
        await pilot.pause()
        assert screen_text(app).splitlines()[0].endswith("▶ train… 41 %")
        job.pause()
        app.screen.query_one(Header).look()
        await pilot.pause()
        assert screen_text(app).splitlines()[0].endswith("‖ train… 41 %")
        done.set()
        await job.wait()
        app.screen.query_one(Header).look()
        await pilot.pause()
        assert "training" not in screen_text(app)


async def test_the_share_of_a_preparation_is_not_told_as_that_of_the_job(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        done, reported = Event(), Event()

        def work(progress: Progress) -> None:
            with preparation():
                progress.report(100, 100, "valuing positions")
                reported.set()
                done.wait(10)

        job = app.jobs.start("tournament", work)
        assert reported.wait(10)
        app.screen.query_one(Header).look()
        await pilot.pause()
        assert screen_text(app).splitlines()[0].endswith("▶ tournament")
        done.set()
        await job.wait()


@pytest.mark.slow
async def test_too_little_room_is_said_and_nothing_is_lost(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "tab", "tab", "down")
        await pilot.resize_terminal(59, 24)
        await pilot.pause()
        assert app.too_small and app.notice[:2] == ["nimtui needs 60 columns", "and 20 lines."]
        await pilot.press("f2", "x")
        await pilot.resize_terminal(40, 10)
        await pilot.pause()
        assert "This window: 40 × 10." in app.notice
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert isinstance(app.screen, NewGame)
        assert "tower:16:misere" in screen_text(app)


async def test_too_little_room_from_the_beginning(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(30, 8)) as pilot:
        await pilot.pause()
        assert app.too_small and app.size == (60, 20)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not app.too_small and app.size == (80, 24)


async def test_what_is_opened_in_too_little_room_is_covered_and_comes_up_later(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(50, 15)) as pilot:
        app.open_settings()
        await pilot.pause()
        assert app.too_small
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert isinstance(app.screen, SettingsScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


@pytest.mark.parametrize("theme", ["textual-light", "ansi-light"])
async def test_without_colour_a_theme_of_the_terminals_own_is_used(make_app: MakeApp, theme: str) -> None:
    app = make_app(Settings(theme=theme), TerminalInfo(no_color=True))
    async with app.run_test(size=(80, 24)):
        assert app.theme == ("ansi-light" if theme == "ansi-light" else "ansi-dark")
        assert app.settings.theme == theme


@pytest.mark.slow
def test_the_start_screen_loads_neither_engine_nor_games() -> None:
    code = (
        "import asyncio, sys\n"
        "from nimtui.ui.app.app import NimtuiApp\n"
        "from nimtui.ui.app.terminal import TerminalInfo\n"
        "from nimtui.store.settings import Settings\n"
        "async def look():\n"
        "    async with NimtuiApp(Settings(), TerminalInfo()).run_test(size=(80, 24)):\n"
        "        pass\n"
        "asyncio.run(look())\n"
        "assert not {'numba', 'numpy', 'nimtui.games', 'nimtui.agents'} & set(sys.modules), sorted(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


async def test_what_was_set_aside_is_named_once_seen_no_more(make_app: MakeApp) -> None:
    paths.ensure(paths.home())
    (paths.home() / "nimtui.damaged-1.sqlite").write_bytes(b"")
    app = make_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.pause()
        assert any("nimtui.damaged-1.sqlite" in notice.message for notice in app._notifications)
    assert files.unseen_asides() == []
