"""The keys of the Play screen: typing, what the footer says, undo and redo, going on from a review."""

from __future__ import annotations

from time import sleep
from typing import Any

import pytest

from nimtui import theory
from nimtui.jobs import Snapshot
from nimtui.jobs.clock import Remaining, remaining_text
from nimtui.learning.saved_tables import load
from nimtui.playing import advice
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.ui.play.keys import rows_that_are_keys, typing_starts
from tests.ui.conftest import screen_text
from tests.ui.playing import moves, playing, session, settled, until


def footer(pilot: Any) -> str:
    return str(screen_text(pilot.app).splitlines()[-1])


def prompt(pilot: Any) -> str:
    return str(pilot.app.screen.query_one("#prompt").text())


async def test_while_a_move_is_typed_the_footer_says_what_enter_and_escape_do(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("d")
        assert "⏎ play" in footer(pilot) and "esc cancel" in footer(pilot)
        assert "hint" not in footer(pilot) and "undo" not in footer(pilot) and "take" not in footer(pilot)
        await pilot.press("escape")
        assert "hint" in footer(pilot) and "take" in footer(pilot) and "cancel" not in footer(pilot)


@pytest.mark.slow
async def test_an_arrow_leaves_the_typed_move_and_moves_on_from_it(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("d", "3", "left")
        assert "take 4 from D" in prompt(pilot) and "Move:" not in prompt(pilot) and "hint" in footer(pilot)
        await pilot.press("c", "up", "enter")
        assert moves(pilot) == ["c4"]


async def test_a_capital_always_begins_a_typed_move(make_app: Any) -> None:
    async with playing(make_app, "tower:64", second="me") as pilot:
        assert "Type row H with Shift, as in H1" in prompt(pilot)
        await pilot.press("H", "3", "enter")
        assert moves(pilot) == ["h3"]
        await pilot.press("U")  # there is no row U
        assert moves(pilot) == ["h3"] and "Move:" not in prompt(pilot)


def test_which_rows_are_typed_with_a_capital() -> None:
    session = Session(PlaySetup("nim:" + ",".join("1" * 26), None, ("me", "me"), 0))
    assert rows_that_are_keys(session) == "hlnoqrstuwy"
    assert set("HZaz:7") <= set(typing_starts(session)) and not set("hqA") & set(typing_starts(session))
    assert rows_that_are_keys(Session(PlaySetup("tower:16", None, ("me", "me"), 0))) == ""
    assert rows_that_are_keys(Session(PlaySetup("connect4", None, ("me", "me"), 0))) == ""


@pytest.mark.slow
async def test_who_shall_play_is_chosen_and_the_footer_says_how(make_app: Any) -> None:
    async with playing(make_app, second="random") as pilot:
        await pilot.press("o")
        assert "choose" in footer(pilot) and "⏎ seat" in footer(pilot) and "esc cancel" in footer(pilot)
        await pilot.press(*"perfect", "enter")
        assert session(pilot).players[1].spec == "perfect" and "hint" in footer(pilot)


async def test_redo_is_in_the_footer_while_something_can_be_redone(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        assert "redo" not in footer(pilot)
        await pilot.press("a", "1", "enter", "u")
        assert "y redo" in footer(pilot) and "undo" not in footer(pilot)
        await pilot.press("y")
        assert "redo" not in footer(pilot) and "u undo" in footer(pilot)


@pytest.mark.slow
async def test_undo_leaves_no_mark_of_the_hint_but_shows_the_move_taken_back(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("b", "2", "enter", "h")
        await settled(pilot)
        assert "take" in prompt(pilot) and "take 2 from B" not in prompt(pilot)
        await pilot.press("u")
        assert prompt(pilot).startswith("take 2 from B") and prompt(pilot).count("\n") <= 1
        assert "wins" not in prompt(pilot)


async def test_escape_stops_looking_for_a_hint(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(game: Any, state: Any, progress: Any) -> None:
        while True:
            progress.report(0, 0)
            sleep(0.005)

    monkeypatch.setattr(theory, "is_instant", lambda game, state: False)
    monkeypatch.setattr(advice, "hint", endless)
    async with playing(make_app, second="me") as pilot:
        await pilot.press("h")
        assert "Looking for the best move" in prompt(pilot)
        await pilot.press("escape")
        assert "No hint: stopped" in prompt(pilot) and session(pilot).person_may_move
        await until(pilot, lambda: not pilot.app.jobs.running())


async def test_a_game_is_in_progress_from_its_first_move_to_its_end(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="me") as pilot:
        assert not pilot.app.game_played.in_progress
        await pilot.press("enter")
        assert pilot.app.game_played.in_progress
        await pilot.press("enter")
        assert session(pilot).over and not pilot.app.game_played.in_progress


async def test_a_game_in_which_only_the_agent_has_moved_is_not_in_progress(make_app: Any) -> None:
    async with playing(make_app, first="perfect", second="me") as pilot:
        await settled(pilot)
        assert session(pilot).record.ply == 1 and not pilot.app.game_played.in_progress and not pilot.app.unfinished
        await pilot.press("enter")
        assert pilot.app.game_played.in_progress and pilot.app.unfinished == "Your game on the Play screen is not over."


@pytest.mark.slow
async def test_enter_in_a_review_says_that_the_opponent_moves_and_lets_it(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2", second="perfect") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        await pilot.press("r")
        await until(pilot, lambda: bool(getattr(pilot.app.screen, "_judgements", None)))
        assert "continue from here" in footer(pilot)
        await pilot.press("end")
        assert "let it move again" in footer(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert moves(pilot) == ["a1", "b2"] and session(pilot).over


@pytest.mark.slow
async def test_a_game_is_learned_once_and_a_second_time_is_told(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="easy") as pilot:
        await pilot.press("a", "1", "enter")
        await settled(pilot)
        await pilot.press("l", "enter")
        assert "Save its table as: easy-taught-nim-1-1" in prompt(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "as easy-taught-nim-1-1, version 1. Accuracy" in prompt(pilot))
        await pilot.press("l", "escape")  # it shows the lesson again
        assert "Easy has already learned from this game" in prompt(pilot)
        await pilot.press("u", "enter")
        await settled(pilot)
        await pilot.press("l", "escape")
        assert "Easy has already learned from this game" in prompt(pilot)  # the same moves again teach nothing new
        assert len(load("easy-taught-nim-1-1").taught.lessons) == 1


@pytest.mark.slow
async def test_marks_stay_whose_they_were_when_the_seats_are_swapped(make_app: Any) -> None:
    async with playing(make_app, second="perfect") as pilot:
        await pilot.press("d", "2", "enter")
        await settled(pilot)
        before = screen_text(pilot.app).splitlines()[-2]
        await pilot.press("s")
        await settled(pilot)
        after = screen_text(pilot.app).splitlines()[-2]
        assert after.startswith(before.rstrip()) and "3 perfect" in after
        assert "∘ Perfect" in screen_text(pilot.app) and "∙ You" in screen_text(pilot.app)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, ""),
        (1.0, ""),
        (7.0, "a few seconds left"),
        (42.0, "about 40 s left"),
        (119.0, "about 2 min left"),
        (2.2 * 3600, "about 2 h left"),
    ],
)
def test_the_time_left_in_words(seconds: float | None, said: str) -> None:
    assert remaining_text(seconds) == said


def test_the_time_left_follows_the_pace_since_the_work_began() -> None:
    remaining = Remaining()
    assert remaining.seen(Snapshot(0, 0, "compiling"), 0.0) is None
    assert remaining.seen(Snapshot(100, 1000, "games"), 10.0) is None  # the compilation before does not count
    assert remaining.seen(Snapshot(110, 1000, "games"), 11.0) is None  # too early to say
    assert remaining.seen(Snapshot(300, 1000, "games"), 20.0) == pytest.approx(35.0)
    assert remaining.seen(Snapshot(1000, 1000, "games"), 40.0) == 0.0


@pytest.mark.slow
async def test_q_pressed_twice_saves_the_game_that_is_not_over(make_app: Any) -> None:
    from nimtui.store.game_list import games

    async with playing(make_app) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.unfinished_game)
        await pilot.press("q", "q")
        await until(pilot, lambda: not pilot.app.is_running, 10)
        assert len(games(pilot.app.database())) == 1
