"""Keys that come together, screens that close late or twice, function keys in dialogs, terminals of any size."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from collections import Counter
from collections.abc import Callable
from itertools import count, pairwise, product
from typing import Any, ClassVar

import pytest
from rich.style import Style
from textual import events
from textual._xterm_parser import XTermParser
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import CommandList
from textual.geometry import Size
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Input

from nimtui.playing.setup import PlaySetup
from nimtui.store.database import Database
from nimtui.store.game_list import games
from nimtui.store.settings import Settings
from nimtui.ui.app.commands import HelpScreen
from nimtui.ui.app.painting import ROOM, Notice
from nimtui.ui.app.settings import SettingsScreen
from nimtui.ui.app.start import StartScreen
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.board.board import Board
from nimtui.ui.kit.contract import stack
from nimtui.ui.kit.contract.stack import Answering
from nimtui.ui.kit.forms.dialogs import Confirm, QuitScreen
from nimtui.ui.play.replay_screen import ReplayScreen
from tests.ui.conftest import screen_text
from tests.ui.playing import moves, playing, settled, until

MakeApp = Callable[..., Any]
F = {"f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~", "f6": "\x1b[17~"}
DOWN, PALETTE, QUIT = "\x1b[B", "\x10", "\x11"


async def write(pilot: Pilot[Any], text: str) -> None:
    """Let the app read all of this at once, as a terminal's driver does."""
    parser = XTermParser()
    for event in [*parser.feed(text), *parser.feed("")]:
        event.set_sender(pilot.app)
        pilot.app.post_message(event)
    await calm(pilot)


async def calm(pilot: Pilot[Any]) -> None:
    """Wait until every key has had its effect."""
    await pilot.pause()
    await until(pilot, lambda: pilot.app._exit or (not pilot.app._typed and pilot.app._settling is None))


async def ended(pilot: Pilot[Any]) -> None:
    while pilot.app.is_running:
        await asyncio.sleep(0.005)


async def at_start(pilot: Pilot[Any]) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, StartScreen))


@pytest.mark.slow
async def test_keys_typed_ahead_go_to_the_screen_that_the_first_one_opens(pilot: Any) -> None:
    app = pilot.app
    await write(pilot, f"n{DOWN}{DOWN}\r")
    await until(pilot, lambda: bool(app.screen.query(Board)))
    assert app.setup.game == "adjacent:1,3,5,7"  # the third of the games that are offered
    await write(pilot, F["f6"] + F["f2"] + F["f1"])
    assert app.current_mode == "play" and isinstance(app.screen, HelpScreen)


@pytest.mark.slow
async def test_clicks_take_one_choice_and_those_outside_of_a_window_that_has_shrunk_are_none(pilot: Any) -> None:
    app, focused = pilot.app, pilot.app.focused
    await write(pilot, "\x1b[<2;81;25M\x1b[<2;81;25m\x1b[<64;501;501M")
    assert app.focused is focused is not None
    y = next(y for y, text in enumerate(screen_text(app).splitlines(), 1) if "Settings" in text and "colours" in text)
    await write(pilot, f"\x1b[<0;12;{y}M\x1b[<0;12;{y}m" * 2)
    assert isinstance(app.screen, SettingsScreen) and len(app.screen_stack) == 2


@pytest.mark.slow
async def test_settings_changed_twice_at_once_come_to_rest_and_by_a_held_key_change_the_colours_once(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, applied = make_app(Settings(theme="dracula")), list[str]()
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, "s\r\r\r")
        await pilot.pause(0.1)
        now = app.settings.theme
        assert now == app.theme != "dracula"
        await pilot.pause(0.1)
        assert app.settings.theme == now
        apply = app._apply_settings
        monkeypatch.setattr(app, "_apply_settings", lambda: (applied.append(app.settings.theme), apply()))
        await write(pilot, "\x1b[C" * 40)
        assert applied[-1] == app.settings.theme == app.theme != now and len(applied) < 10
        await write(pilot, "\x1b")
        await at_start(pilot)


async def test_a_dialog_answers_once_and_two_questions_of_a_kind_are_both_asked(pilot: Any) -> None:
    app, answers = pilot.app, list[Any]()
    asked = QuitScreen("Something would be lost.")
    app.push_screen(asked, answers.append)
    await pilot.pause()
    app.open_help()
    await pilot.pause()
    asked.dismiss("quit")
    asked.dismiss("save")
    await asked.action_dismiss(None)
    await pilot.pause()
    assert answers == ["quit"] and app.screen_stack == [app.screen]
    for why in ("One thing ends.", "One thing ends.", "Another thing ends."):
        app.push_screen(Confirm(why, "Do it?"), answers.append)
    await pilot.pause()
    await write(pilot, "y")
    await write(pilot, "n")
    assert answers == ["quit", True, False] and isinstance(app.screen, StartScreen)


@pytest.mark.slow
async def test_a_function_key_leaves_a_dialog(pilot: Any) -> None:
    app = pilot.app
    for opens in ("s", "n", PALETTE, F["f1"]):
        await write(pilot, opens)
        assert isinstance(app.screen, ModalScreen)
        await write(pilot, F["f6"])
        assert app.current_mode == "library" and len(app.screen_stack) == 1
        await write(pilot, "\x1b[18~")
        assert app.current_mode == "start" and len(app.screen_stack) == 1


@pytest.mark.slow
@pytest.mark.parametrize("surroundings", [TerminalInfo(colors=16), TerminalInfo(no_color=True)])
async def test_the_palette_shows_its_mark_without_colours_and_takes_no_line_that_it_has_not(
    make_app: MakeApp, surroundings: TerminalInfo
) -> None:
    app = make_app(surroundings=surroundings)
    async with app.run_test(size=(80, 24)) as pilot:
        await write(pilot, PALETTE)
        commands = app.screen.query_one(CommandList)
        await until(pilot, lambda: commands.option_count > 3)
        for mark in (0, 1):
            reversed_lines = [
                y for y in range(commands.size.height) if all(run.style.reverse for run in commands.render_line(y))
            ]
            assert reversed_lines == [mark]  # the name, with its key at the right
            await write(pilot, DOWN)
        style = Style.from_meta({"option": commands.option_count})
        commands.post_message(events.Click(commands, 1, 1, 0, 0, 1, False, False, False, style=style))
        await write(pilot, "\x1b[6~\x1b[6~\x1b[5~zzzzqq\x1b[6~\x1b[B\r")
        assert app.failure is None
        await write(pilot, "\x1b")
        await at_start(pilot)


@pytest.mark.slow
async def test_no_size_is_too_small_to_be_survived(make_app: MakeApp) -> None:
    async with playing(make_app, "kayles:1,3,5,7", "me", "me") as pilot:
        app = pilot.app
        for columns, lines in product((1, 3, 59), (1, 19, 60)):
            await pilot.resize_terminal(columns, lines)
            assert app.size == (ROOM.width, max(lines, ROOM.height)) and app.too_small
            await pilot.press("down", "enter", "n", "ctrl+p")
            assert len(app.screen_stack) == 1 and moves(pilot) == []  # what nobody sees does nothing
        await pilot.resize_terminal(80, 24)
        await pilot.press("enter")
        await settled(pilot)
        assert moves(pilot) == ["a1"]


@pytest.mark.slow
async def test_an_unfinished_game_can_be_saved_or_left_on_the_way_out(make_app: MakeApp) -> None:
    async with playing(make_app, "nim:2,2", "me", "me") as pilot:
        await pilot.press("enter")
        pilot.app.switch_mode("library")
        await pilot.press("q", "s")
        await ended(pilot)
    with Database() as db:
        assert [(game.game, bool(game.row.moves)) for game in games(db)] == [("nim:2,2", True)]
    async with playing(make_app, "nim:2,2", "me", "me") as pilot:
        await pilot.press("enter", "q", "y")
        await ended(pilot)


@pytest.mark.slow
async def test_a_closed_dialog_leaves_nothing_in_memory(pilot: Any) -> None:
    app, seen = pilot.app, list[weakref.ref[Any]]()
    for keys in ("n", F["f1"], PALETTE):
        await write(pilot, keys)
        widgets = [app.screen, *app.screen.query("*")]
        seen += [weakref.ref(each) for widget in widgets for each in (widget, widget._styles_cache)]
        del widgets
        screen = weakref.ref(app.screen)
        await write(pilot, "\x1b" + F["f6"] + "\x1b[18~")
        await until(pilot, lambda ref=screen: ref() is None or not ref().is_running)
    assert len(seen) > 50
    await until(pilot, lambda: app._tidy() or all(ref() is None for ref in seen))  # some leave a moment later
    assert not app._remains


async def test_the_engine_is_not_taken_out_of_sight_with_a_part_of_a_closed_dialog(
    pilot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, frozen = pilot.app, list[bool]()
    monkeypatch.setitem(sys.modules, "numba", sys)
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(True))
    await write(pilot, "n")
    screen, parts = weakref.ref(app.screen), [app.screen.query_one("#fields")]
    await write(pilot, "\x1b")
    await until(pilot, lambda: app._tidy() or screen() is None)
    assert not frozen and app._remains
    parts.clear()
    await until(pilot, lambda: app._tidy() or not app._remains)
    assert frozen


async def test_a_timer_fires_also_if_its_time_passes_while_it_starts(
    pilot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fired = list[str]()
    monkeypatch.setattr("textual.timer._time.get_time", count().__next__)  # a second goes by at each look
    pilot.app.set_timer(0.01, lambda: fired.append("app"))
    pilot.app.screen.set_timer(0.01, lambda: fired.append("screen"))
    await until(pilot, lambda: sorted(fired) == ["app", "screen"])


@pytest.mark.slow
async def test_changes_of_the_screen_leave_no_objects_behind(pilot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # the collector is off, as what it finds only after hours: what remains is what the app itself does not free
    app, changes = pilot.app, 10
    monkeypatch.setattr(stack, "TIDY", 0.01)
    monkeypatch.setattr(stack, "MOST_CHANGES", changes)

    async def alive_after_changes() -> Counter[str]:
        for key in ("f2", "f3", "f4", "f5", "f6") * (changes // 5):
            await pilot.press(key)
        await until(pilot, lambda: app._tidying is None)
        await pilot.pause()
        return Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())

    await alive_after_changes()
    gc.disable()
    try:
        rounds = [await alive_after_changes() for _ in range(3)]
    finally:
        gc.enable()
    bounded = ("asyncio.", "_contextvars.", "functools.partial")  # a cancelled timer waits in the loop until it is due
    bounded += ("fractions.", "textual.box_model.")  # a widget keeps its last 16 sizes
    more = {
        name  # in every round: a screen that was slow to be laid out is complete in the next one
        for name in rounds[0]
        if all(after[name] - before[name] >= changes for before, after in pairwise(rounds))
    }
    assert {name for name in more if not name.startswith(bounded)} == set() and rounds[0]["textual.dom.DOMNode"] > 0


@pytest.mark.slow
async def test_what_a_job_brings_closes_nothing_that_was_opened_since(pilot: Any) -> None:
    app = pilot.app
    show = app.screen.while_shown(app.show_game)
    app.open_settings()
    await pilot.pause()
    show("nim:1,2")
    assert isinstance(app.screen, SettingsScreen)
    await write(pilot, "\x1b" + F["f6"])
    show("nim:1,2")
    assert app.current_mode == "library"


async def test_who_leaves_waits_for_nothing_that_was_typed_before(pilot: Any) -> None:
    await write(pilot, "n" + DOWN * 200 + QUIT)
    await ended(pilot)
    assert pilot.app.return_code == 0


async def test_a_fault_while_settling_locks_no_key_out(pilot: Any) -> None:
    app, whole = pilot.app, pilot.app._round

    async def once() -> None:
        app._round = whole
        raise TimeoutError

    app._round = once
    await write(pilot, "s")
    await write(pilot, "\x1b")
    await at_start(pilot)


def test_the_notice_fits_any_terminal_and_keeps_its_answers() -> None:
    texts = ["The game is not over. Quit?", "", "⏎ quit    s save and quit    esc stay"]
    for width in range(1, 60):
        for height in range(1, 20):
            notice = Notice(texts, Size(width, height))
            assert len(notice.lines) <= height and all(len(line) <= width for line in notice.lines)
            assert "stay".endswith(notice.lines[-1][-1:]) or notice.lines[-1].endswith("stay")
    assert Notice(texts, Size(40, 3)).lines == texts and Notice(texts, Size(40, 2)).lines == texts[::2]
    drawn = Notice(["ab", "宽"], Size(7, 5)).render_segments(None)  # type: ignore[arg-type]
    assert drawn == "\x1b[H\x1b[2J\x1b[2;3Hab\x1b[3;3H宽" or drawn == "\x1b[2J\x1b[2;3Hab\x1b[3;3H宽"


@pytest.mark.slow
async def test_a_review_goes_with_the_game_it_is_of(make_app: MakeApp) -> None:
    async with playing(make_app, "nim:1,1", second="me") as pilot:
        app = pilot.app
        await pilot.press("a", "1", "enter", "b", "1", "enter")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        review = app.screen
        app.play(PlaySetup("nim:2,2", None, ("me", "me"), 1))  # as Train's p does, while F2 shows the review
        await calm(pilot)
        assert [type(screen).__name__ for screen in app.screen_stack] == ["PlayScreen"]
        review.dismiss(2)
        await calm(pilot)
        assert moves(pilot) == [] and app.failure is None


@pytest.mark.parametrize("key", [F["f1"], QUIT])
async def test_a_widget_that_is_gone_keeps_no_key_from_the_app(pilot: Any, key: str) -> None:
    app, gone = pilot.app, Input()
    await app.screen.mount(gone)
    await gone.remove()
    app.screen.set_focus(gone)  # as a click does that was on its way
    assert app.focused is gone
    await write(pilot, key)
    assert app._exit if key == QUIT else isinstance(app.screen, HelpScreen)


async def test_an_action_waits_for_its_screen_and_ends_with_it(pilot: Any) -> None:
    app, done = pilot.app, list[str]()

    class Late(Answering[None]):
        BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "mark", "mark")]

        def compose(self) -> ComposeResult:
            yield Input(id="mark")

        def action_mark(self) -> None:
            done.append(str(self.query_one("#mark").id))

    screen, late = Late(), Input()
    opening = app.push_screen(screen)
    assert not await app.run_action("mark", screen) and not done  # it is not there yet
    await opening
    assert await app.run_action("mark", screen) and done == ["mark"]
    empty = Answering[None]()
    await app.push_screen(empty)
    assert app.focused is None
    await empty.mount(late)
    await until(pilot, lambda: app.focused is late)  # what comes late gets the focus that nothing has
    await empty.dismiss()
    await screen.dismiss()
    assert not await app.run_action("mark", screen) and done == ["mark"]
    await calm(pilot)
