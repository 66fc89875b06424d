"""The start screen, the line at the top, modes, palette, settings, and what is shown where there is too little room."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.events import Key

from nimtui.games.registry import presets
from nimtui.jobs import recording
from nimtui.playing.setup import PlaySetup
from nimtui.progress import Progress, preparation
from nimtui.store import files, paths, run_files, settings
from nimtui.store import settings as store
from nimtui.store.settings import Glyphs, Settings
from nimtui.ui.app import continuing
from nimtui.ui.app.modes import MODES, presets_of
from nimtui.ui.app.settings import PACES, SettingsScreen, all_settings, preview
from nimtui.ui.app.start import StartScreen
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.forms.dialogs import QuitScreen
from nimtui.ui.kit.terminal.glyphs import ASCII, UNICODE
from nimtui.ui.kit.widgets.bars import Header
from nimtui.ui.play.conductor import PlayConductor
from nimtui.ui.play.form import NewGame
from tests.examples import with_slow
from tests.ui.conftest import SIZES, BoardOfWords, screen_text
from tests.ui.playing import until

MakeApp = Callable[..., Any]
pytestmark = pytest.mark.usefixtures("no_board")
TOWER = """\
         ┃
      ┃  ┃  ┃
   ┃  ┃  ┃  ┃  ┃
┃  ┃  ┃  ┃  ┃  ┃  ┃"""
MENU = ("▸ m  Show me", "p  Play now", "n  New game", "w  Watch", "s  Settings", "q  Quit", "F1", "^p Commands")


def head(app: Any) -> str:
    """The line at the top, with what the jobs do now."""
    app.screen.query_one(Header).look()
    return screen_text(app).splitlines()[0]


@pytest.mark.parametrize("size", SIZES)
async def test_it_says_what_can_be_done(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: not app.jobs.running())  # one looks for a training that was cut off
        text = screen_text(app)
        assert all(words in text for words in (*TOWER.split("\n"), *MENU))
        modes = [mode for mode in MODES if mode.key]
        assert [mode.title for mode in modes][:5] == ["Play", "Train", "Search", "Tournament", "Library"]
        keyed = [word for mode in modes for word in (mode.key.upper(), mode.title)]
        in_full = size[0] >= (80 if len(modes) == 5 else 120)
        assert head(app).split() == ["nimtui", *(keyed if in_full else [mode.title for mode in modes])]
        assert max(map(len, text.splitlines())) <= size[0]


@pytest.mark.slow
async def test_in_ascii_there_is_nothing_else(make_app: MakeApp) -> None:
    app = make_app(Settings(glyphs=Glyphs.ASCII), faults=("misère – “damaged” …",))
    async with app.run_test(size=(60, 20)) as pilot:
        for key in ("down", "f1", "escape", "s", "escape", "n", "t", "escape", "ctrl+p"):
            await pilot.press(key)
            assert [line for line in screen_text(app).splitlines() if not line.isascii()] == [], key


async def test_faults_of_the_start_and_files_that_were_set_aside_are_named(make_app: MakeApp) -> None:
    paths.ensure(paths.home())
    (paths.home() / "nimtui.damaged-1.sqlite").write_bytes(b"")
    app = make_app(Settings(theme="no such theme"), faults=("settings.json is damaged",))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.pause()
        assert any("nimtui.damaged-1.sqlite" in notice.message for notice in app._notifications)
        app.clear_notifications()
        await pilot.pause()
        text = screen_text(app)
        assert "! settings.json is damaged\n" in "\n".join(map(str.strip, text.split("\n"))) + "\n"
        assert "! unknown theme 'no such theme': nimtui uses the default" in text
        assert app.theme == "nimtui-dark"
    assert files.unseen_asides() == []


@pytest.mark.slow
async def test_the_mode_key_begins_the_classic_game_once_and_then_comes_back_to_it(pilot: Any) -> None:
    app = pilot.app
    await pilot.press("c")  # there is no game to continue
    assert isinstance(app.screen, StartScreen) and "Continue" not in screen_text(app)
    await pilot.press("f2")
    begun = app.screen
    assert isinstance(begun, BoardOfWords) and "▌Play▐" in screen_text(app)
    for key in ("f2", "c"):
        await pilot.press("f7")
        assert isinstance(app.screen, StartScreen) and "▸ c  Continue" in screen_text(app)
        await pilot.press(key)
        assert app.screen is begun and "tower:16: me against easy" in screen_text(app)
    await pilot.press("f7", "p")
    assert app.screen is begun and app.setup.seats == ("me", "easy")


async def test_a_game_given_is_shown_first(make_app: MakeApp) -> None:
    app = make_app(setup=PlaySetup("nim:3,5", seats=("easy", "me")))
    async with app.run_test(size=(80, 24)):
        assert "nim:3,5: easy against me" in screen_text(app)


async def test_arrows_choose_and_the_mouse_in_the_list_and_in_the_lines_at_top_and_bottom(pilot: Any) -> None:
    app = pilot.app
    await pilot.press("down", "j", "up", "end", "down", "home", "down", "down")
    assert "▸ n  New game" in screen_text(app)
    row = next(y for y, text in enumerate(screen_text(app).splitlines()) if "s  Settings" in text)
    bottom = screen_text(app).splitlines()[-1].index("Settings")
    for place in ({"offset": (screen_text(app).splitlines()[row].index("Settings"), row)}, {"offset": (bottom, 23)}):
        await pilot.click(**place)
        assert isinstance(app.screen, SettingsScreen)
        await pilot.press("escape")
    for x, kind in ((13, BoardOfWords), (3, StartScreen)):
        await pilot.click("Header", offset=(x, 0))
        assert isinstance(app.screen, kind)


@pytest.mark.parametrize("keys", with_slow([["q"], ["n", "ctrl+c"], ["n", "ctrl+q"]], ["n", "ctrl+c"]))
async def test_quitting(pilot: Any, keys: list[str]) -> None:
    await pilot.press(*keys)
    assert not pilot.app.is_running


@pytest.mark.slow
async def test_the_palette_has_every_preset_and_every_key_that_does_something_now(pilot: Any) -> None:
    app = pilot.app
    offered = {command.title for command in app.get_system_commands(app.screen)}
    assert {f"Play {preset.title}" for preset in presets()} <= offered
    others = {f"{mode.title}: {preset.title}" for mode in MODES if mode.name != "play" for preset in presets_of(mode)}
    assert len(others) > 10 and others <= offered
    assert {"New game: choose the game and its players", "Watch two machines play each other"} <= offered
    assert {"Settings", "Play now", "To the shell; fg returns"} <= offered
    assert "Continue the game" not in offered  # there is none yet
    assert not {name for name in offered if "Up and down" in name or "Command" in name}

    async def chosen(typed: str) -> None:
        await pilot.press("ctrl+p")
        assert isinstance(app.screen, CommandPalette)
        await pilot.press(*typed)
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("enter")

    await chosen("its players")
    assert isinstance(app.screen, NewGame)
    offered = {command.title for command in app.get_system_commands(app.screen)}
    assert {"Swap the players", "Quit nimtui"} <= offered
    assert not any("Next" in name or name.startswith("Play ") for name in offered)
    await pilot.press("escape")
    await chosen("kayles")
    await until(pilot, lambda: "kayles:1,3,5,7: me against" in screen_text(app))


@pytest.mark.parametrize("size", with_slow(SIZES, *SIZES[1:]))
async def test_in_a_game_quitting_is_asked_and_twice_is_enough(
    make_app: MakeApp, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlayConductor, "in_progress", True)
    app = make_app(setup=PlaySetup())
    async with app.run_test(size=size) as pilot:
        for key in ("ctrl+c", "ctrl+q"):
            await pilot.press(key)
            text = screen_text(app)
            assert "Your game on the Play screen is not over. Quit?" in text
            assert "⏎ quit    s save and quit    esc stay" in text
            assert "tower:16: me against hard" in text  # still in sight
            await pilot.press("escape")
            assert isinstance(app.screen, BoardOfWords)
        await pilot.press("n", "ctrl+c")
        assert isinstance(app.screen, QuitScreen)
        await pilot.press("escape", "escape")
        for key in ("enter", "n", "escape"):  # in one write: what was typed before is no answer to the question
            for event in (Key(key, None), Key("ctrl+q", None)):
                app.post_message(event)
            await pilot.pause()
            assert isinstance(app.screen, QuitScreen) and app.is_running
            await pilot.press("escape")
            assert isinstance(app.screen, BoardOfWords)
        await pilot.resize_terminal(40, 10)
        await pilot.press("q")
        assert app.too_small and "Quit?" in "\n".join(app.notice)
        await pilot.press("escape")
        assert app.notice[0] == "nimtui needs 60 columns"
        await pilot.press("q")
        await pilot.resize_terminal(*size)
        await pilot.press("escape")
        assert isinstance(app.screen, BoardOfWords)
        await pilot.press(*{80: ("ctrl+c", "ctrl+c"), 200: ("ctrl+q", "ctrl+q")}.get(size[0], ("f7", "q", "enter")))
        assert not app.is_running


async def test_running_jobs_are_named_at_the_top_and_when_quitting(pilot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    app, done = pilot.app, Event()
    reported = [Event(), Event()]

    def work(progress: Progress) -> None:
        progress.report(41, 100)
        reported[0].set()
        done.wait(10)

    def prepare(progress: Progress) -> None:
        with preparation():  # its share is not that of the job
            progress.report(100, 100, "valuing positions")
            reported[1].set()
            done.wait(10)

    job = app.jobs.start("training hard", work)
    assert reported[0].wait(10) and head(app).endswith("▶ train… 41 %")
    job.pause()
    assert head(app).endswith("‖ train… 41 %")
    monkeypatch.setattr(continuing, "WORTH_ASKING", 0.0)
    await pilot.press("q")
    assert "Still running: training hard. Quit?" in screen_text(app)
    await pilot.press("escape")
    done.set()
    job.resume()
    await asyncio.to_thread(job.join)
    assert "training" not in head(app)
    done.clear()
    job = app.jobs.start("tournament", prepare)
    assert reported[1].wait(10) and head(app).endswith("▶ tournament")
    done.set()
    await asyncio.to_thread(job.join)
    await pilot.press("q")
    assert not app.is_running


@pytest.mark.slow
async def test_too_little_room_is_said_and_nothing_is_lost(pilot: Any) -> None:
    app = pilot.app
    await pilot.press("n", "tab", "tab", "down")
    await pilot.resize_terminal(59, 24)
    assert app.too_small and app.notice[:3] == ["nimtui needs 60 columns", "and 20 lines.", "This window: 59 × 24."]
    await pilot.press("f2", "x")
    await pilot.resize_terminal(60, 20)
    assert isinstance(app.screen, NewGame) and "tower:16:misere" in screen_text(app)


async def test_what_is_opened_in_too_little_room_is_covered_and_comes_up_later(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(30, 8)) as pilot:
        await pilot.pause()
        assert app.too_small and app.size == (60, 20)
        app.open_settings()
        await pilot.pause()
        await pilot.resize_terminal(80, 24)
        assert not app.too_small and app.size == (80, 24) and isinstance(app.screen, SettingsScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, StartScreen)


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


@pytest.mark.parametrize(
    ("wanted", "terminal", "theme"),
    [
        ("textual-light", TerminalInfo(no_color=True), "ansi-dark"),
        ("ansi-light", TerminalInfo(no_color=True), "ansi-light"), ("nord", TerminalInfo(colors=16), "terminal"),
        ("ansi-dark", TerminalInfo(colors=16), "ansi-dark"), ("nord", TerminalInfo(colors=256), "nord"),
        ("no such theme", TerminalInfo(), "nimtui-dark"),
    ],
)  # fmt: skip
def test_a_theme_that_the_terminal_cannot_show_gives_way_to_one_of_its_own(
    make_app: MakeApp, wanted: str, terminal: TerminalInfo, theme: str
) -> None:
    app = make_app(Settings(theme=wanted), terminal)
    assert (app.theme, app.settings.theme) == (theme, wanted)


@pytest.mark.slow
async def test_what_a_cut_link_ended_is_offered_and_all_runs_are_listed_by_name(make_app: MakeApp) -> None:
    run_files.lose("search", "minimax", 1382, "nodes")
    for seed in (1, 2):
        name, now = f"quality, seed {seed}", time.time()
        run = run_files.described(id=1 + seed, kind="training", name=name, game="nim:3", state="stopped", started=now)
        run_files.write(run)
    run_files.write(replace(run_files.read(1), pid=1))  # another process had it
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "▸ x  Start again   search minimax was cut off: 1,382 nodes" in screen_text(app))
        await pilot.press("R")
        await until(pilot, lambda: "1  minimax" in screen_text(app) and "3  quality, seed 2" in screen_text(app))
        await pilot.press("slash", *"seed", "space", "1", "enter")
        await until(pilot, lambda: '1 of 3 with "seed 1"' in screen_text(app))
        text = screen_text(app)
        assert "2  quality, seed 1" in text and "seed 2" not in text and "was stopped" in text
        await pilot.press("escape", "end", "enter")
        await until(pilot, lambda: app.current_mode == "search")


async def test_the_list_of_runs_says_what_will_stand_there(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("R")
        await until(pilot, lambda: "No run yet: training, tournaments and sweeps stand here." in screen_text(app))
        assert "open" not in screen_text(app).splitlines()[-1]
        await pilot.press("enter", "escape")
        await until(pilot, lambda: "Show me" in screen_text(app))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/1/stat").exists(), reason="needs a process that lives on")
async def test_a_long_run_that_ends_in_the_background_rings_in_an_open_app(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    settings.save(Settings(notify="bell"))
    paths.ensure(run_files.folder())
    birth = Path("/proc/1/stat").read_text().rpartition(")")[2].split()[19]
    about = {"kind": "training", "name": "reward", "game": "nim:3", "state": "going", "file": __file__, "started": 0.0}
    runs = [run_files.described(id=at, seconds=100.0, background=at < 3, **about) for at in (1, 2, 3)]
    for run in runs:
        run_files.write(replace(run, pid=1, birth=birth))
    app = make_app(Settings())
    async with app.run_test(size=(80, 24)) as pilot:
        monkeypatch.setattr(recording, "send", sent.append)
        await until(pilot, lambda: len(app.others) == 3)
        for run, state in zip(runs, ("finished", "stopped", "finished"), strict=True):
            run_files.write(replace(run, pid=1, birth=birth, state=state))
        await until(pilot, lambda: not app.others and sent)
        assert sent == ["\a"]  # one was stopped, and one has a terminal of its own


# The settings: changed with the keys, held at once, kept for the next start.

SHOWN = ("▸ Theme", "◀ nimtui-dark ▶", "◀ auto ▶", "◀ on ▶", "◀ 2.5 s per move ▶", "Slow line", "okabe-ito suits")


def kept() -> Settings:
    settings, faults = store.load()
    assert faults == []
    return settings


def test_every_setting_has_a_line_with_its_values() -> None:
    lines = all_settings(["dark"])
    assert {line.name: [line.shown(value) for value in line.values][-2:] for line in lines} == {
        "theme": ["dark"], "glyphs": ["sextants", "ascii"], "animation": ["on", "off"],
        "pace": ["3 s per move", "6 s per move"], "level": ["Hard", "Perfect"], "slow": ["off", "on"],
        "background": ["ask", "always"], "background_hours": ["72", "168"], "notify": ["osc9", "osc777"],
        "unchecked": ["off", "on"],
    }  # fmt: skip
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


@pytest.mark.slow
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


async def test_without_colour_the_chosen_theme_is_kept_but_not_used(make_app: MakeApp) -> None:
    app = make_app(Settings(theme="nord"), TerminalInfo(no_color=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("s")
        assert "This terminal uses ansi-dark." in screen_text(app)
        await pilot.press("right")
        assert kept().theme == app.settings.theme not in ("nord", "ansi-dark")
        assert app.theme == "ansi-dark"


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
