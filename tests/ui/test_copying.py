"""Ctrl+Y: what each screen copies, what the terminal gets, and what a person is told."""

from __future__ import annotations

import re
import shlex
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from nimtui.cli.app import app as program
from nimtui.cli.app import command_of
from nimtui.games import base, parse_game
from nimtui.playing.setup import PlaySetup
from nimtui.report.copies import LARGEST, Copy, command
from nimtui.ui.app.inputs import NO_CLIPBOARD, sequences
from nimtui.ui.compare.screen import CompareForm
from nimtui.ui.play.compare_setup import CompareSetup
from nimtui.ui.play.form import NewGame
from nimtui.ui.search.screen import SearchForm
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.sweep.screen import SweepForm
from nimtui.ui.sweep.setup import SweepSetup
from nimtui.ui.tournament.form import TournamentForm
from nimtui.ui.tournament.setup import PRESETS as TOURNAMENTS
from nimtui.ui.train.form import TrainForm
from nimtui.ui.train.setup import TrainSetup
from tests.ui.conftest import screen_text
from tests.ui.playing import playing, until

PLAIN = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")


def decoded(written: str) -> str:
    """The text that a terminal would put on its clipboard."""
    found = PLAIN.search(written)
    assert found is not None, repr(written[:80])
    return b64decode(found[1]).decode()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the driver was given to write, the newest last."""
    written: list[str] = []
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("textual.drivers.headless_driver.HeadlessDriver.write", lambda self, data: written.append(data))
    return written


async def copied(pilot: Pilot[Any], sent: list[str], *keys: str) -> str:
    """Press Ctrl+Y and these keys; return what is on the clipboard then."""
    before = len(sent)
    await pilot.press("ctrl+y", *keys)
    await until(pilot, lambda: any(PLAIN.search(each) for each in sent[before:]))
    return decoded(next(each for each in reversed(sent) if PLAIN.search(each)))


def notices(app: Any) -> list[str]:
    return [notice.message for notice in app._notifications]


def runs(line: str) -> None:
    """Check that the command line names a command and its options."""
    word, *rest = shlex.split(line)
    assert word == "nimtui"
    group, *words = rest
    found = command_of(program).commands[group]  # type: ignore[attr-defined]
    if hasattr(found, "commands"):
        found, words = found.commands[words[0]], words[1:]
    found.make_context(group, words)


def test_a_terminal_gets_osc_52_tmux_also_another_with_doubled_escapes_and_a_console_nothing() -> None:
    plain = "\x1b]52;c;Myw0LDU=\x07"
    assert sequences("3,4,5", {"TERM": "xterm"}) == sequences("3,4,5", {}) == plain
    tmux = f"{plain}\x1bPtmux;\x1b{plain}\x1b\\"
    assert sequences("3,4,5", {"TERM": "linux", "TMUX": "socket,1,0"}) == tmux
    assert [sequences("3,4,5", {"TERM": term}) for term in NO_CLIPBOARD] == [""] * 5


def test_control_characters_are_never_copied() -> None:
    copied = Copy("name", "a\x1b]0;bad\x07\nb\x9b2J\r")
    text, notice = copied.read()
    assert copied.detail == "a‹1B›]0;bad‹07›"
    assert text == "a‹1B›]0;bad‹07›\nb‹9B›2J‹0D›" and notice == "copied: name, 2 lines"
    line = command("play", "tower:16", second="table:my tables/\x1b[31m\n.npz").text
    assert line == "nimtui play tower:16 --second 'table:my tables/‹1B›[31m‹0A›.npz'"


def test_what_is_too_large_ends_at_a_whole_line_and_the_notice_says_so() -> None:
    lines = [f"{number:099d}" for number in range(1000)]
    text, notice = Copy("table", lines=lambda: lines, count=1000).read()
    assert text.splitlines() == lines[: (LARGEST + 1) // 100] and len(text.encode()) <= LARGEST
    assert notice == "copied: table, 749 of 1,000 lines: a terminal takes 74 kB"
    assert Copy("table", lines=lambda: lines).read()[1].startswith("copied: table, the first 749 lines")
    assert [len(Copy("x", "a" * length).read()[0]) for length in (LARGEST, LARGEST + 1)] == [LARGEST, 0]


FORMS: tuple[Callable[[], Any], ...] = (
    lambda: NewGame(PlaySetup()), lambda: SearchForm(SearchSetup(search="mc")), lambda: SearchForm(SearchSetup()),
    lambda: TrainForm(TrainSetup()), lambda: CompareForm(CompareSetup()), lambda: SweepForm(SweepSetup()),
    lambda: TournamentForm(TOURNAMENTS[3].setup),
)  # fmt: skip


@pytest.mark.slow
async def test_a_form_shows_and_copies_the_command_that_does_the_same(make_app: Any, sent: list[str]) -> None:
    async with make_app().run_test(size=(200, 60)) as pilot:
        for make in FORMS:
            form: Any = make()
            await pilot.app.push_screen(form)
            await until(pilot, lambda form=form: pilot.app.screen is form and "nimtui " in screen_text(pilot.app))
            line = await copied(pilot, sent)
            runs(line)
            assert line[:60] in screen_text(pilot.app)
            if form.query("#seed"):
                form.field("seed").input.focus()
                await pilot.press("ctrl+u", "7", "7")
                assert "--seed 77" in await copied(pilot, sent)
                await pilot.press("x")
                assert form.copies() == []
            await pilot.app.pop_screen()


@pytest.mark.slow
async def test_play_offers_the_position_first_then_the_moves_and_the_command_of_the_game(
    make_app: Any, sent: list[str]
) -> None:
    async with playing(make_app, "nim:3,4,5", second="me", position="1,4,5", size=(60, 20)) as pilot:
        assert await copied(pilot, sent, "enter") == "1,4,5" and notices(pilot.app) == ["copied: 1,4,5"]
        line = await copied(pilot, sent, "end", "enter")
        assert line == "nimtui play nim:3,4,5 --position 1,4,5 --first me --second me --seed 1"
        runs(line)
        await pilot.press("c", "2", "enter", "b", "1", "enter")
        assert await copied(pilot, sent, "down", "enter") == "c2 b1"


async def test_the_start_screen_copies_its_command_at_once_unless_there_is_no_clipboard(
    pilot: Any, sent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await copied(pilot, sent) == "nimtui"
    del sent[:]
    pilot.app.clear_notifications()
    monkeypatch.setenv("TERM", "linux")
    await pilot.press("ctrl+y")
    assert notices(pilot.app) == ["Not copied: a console with TERM=linux has no clipboard"]
    assert not any(PLAIN.search(each) for each in sent)


@pytest.mark.slow
async def test_train_copies_the_table_as_csv_in_the_order_of_the_list(make_app: Any, sent: list[str]) -> None:
    app = make_app(setup=TrainSetup("nim:1,2", "reward", "", 3, "200"), mode="train")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.screen_stack[0].stage.seen and not app.screen_stack[0].conductor.going)
        table = (await copied(pilot, sent, "down", "enter")).splitlines()
        assert table[0] == "position,verdict,best_move,score,played" and len(table) == 6
        assert {line.split(",")[-4] for line in table[1:]} <= {"lost", "right", "wrong", "undecided"}
        assert await copied(pilot, sent, "enter") == "1,2"
        line = await copied(pilot, sent, "end", "enter")
        assert line == "nimtui train nim:1,2 --learner reward --games 200 --seed 3"
        runs(line)


@pytest.mark.slow
async def test_search_copies_the_path_of_the_marked_node(make_app: Any, sent: list[str]) -> None:
    app = make_app(setup=SearchSetup("nim:1,2,3", None, "alphabeta:depth=3"), mode="search")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen_stack[0]
        await until(pilot, lambda: screen.conductor.found is not None and screen.stage.walking)
        await pilot.press("2", "down", "down")
        await until(pilot, lambda: len(screen.copies()) == 3)
        path = await copied(pilot, sent, "down", "enter")
        game = parse_game("nim:1,2,3")
        state = game.new(None)
        for word in path.split():
            base.play(state, game.parse_move(word, state))
        assert await copied(pilot, sent, "enter") == game.position_name(state) != "1,2,3"
        line = await copied(pilot, sent, "end", "enter")
        assert line.startswith("nimtui search nim:1,2,3 --algorithm alphabeta:depth=3")
        runs(line)
