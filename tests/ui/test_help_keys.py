"""The help by `?`, the rules at its top, the digits of the start screen, and hjkl beside the arrows."""

from __future__ import annotations

from typing import Any

import pytest
from textual.binding import Binding

from nimtui.games import parse_game
from nimtui.games.rule_text import rules as rules_of
from nimtui.playing.replay import KeptGame
from nimtui.ui.app.help import HelpScreen, key_groups
from nimtui.ui.play.review import ReviewScreen
from tests.ui.conftest import screen_text
from tests.ui.playing import playing, until


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("nim:3,4,5", "Whoever takes the last match wins. In turn, take any number of matches from one row."),
        ("subtraction:21,3:misere", "Whoever takes the last match loses. In turn, take 1 to 3 matches."),
        (
            "kayles:1,3,5",
            "Whoever takes the last match wins. In turn, take 1 or 2 adjacent matches from one row.",
        ),
        (
            "connect:7x6x4",
            "Whoever first has 4 discs in a line, in any direction, wins; a full board is a draw. "
            "In turn, drop a disc into a column.",
        ),
    ],
)
def test_the_rules_follow_from_the_game(game: str, rules: str) -> None:
    assert rules_of(parse_game(game)) == rules


async def test_a_question_mark_opens_the_help_with_the_rules_first_and_closes_it(make_app: Any) -> None:
    async with playing(make_app, "nim:3,4,5", second="me") as pilot:
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        lines = screen_text(pilot.app).splitlines()
        assert "Whoever takes the last match wins." in lines[1] + lines[2]
        await pilot.press("question_mark")
        assert not isinstance(pilot.app.screen, HelpScreen)


async def test_a_question_mark_in_a_field_is_text(make_app: Any) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        await until(pilot, lambda: "New game" in screen_text(pilot.app))
        await pilot.press("question_mark")
        assert not isinstance(pilot.app.screen, HelpScreen)


@pytest.mark.parametrize(("key", "mode"), [("2", "train"), ("3", "search"), ("4", "tournament"), ("5", "library")])
async def test_digits_open_the_screens_from_the_start_screen(make_app: Any, key: str, mode: str) -> None:
    async with make_app().run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        await until(pilot, lambda: pilot.app.current_mode == mode)


async def test_hjkl_walk_through_a_replay(make_app: Any) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.show_game(KeptGame("nim:1,2", "me", "me", (2, 0)))
        await until(pilot, lambda: hasattr(app.screen, "replay"))
        await pilot.press("l", "j")
        assert app.screen.replay.record.ply == 2
        await pilot.press("h")
        assert app.screen.replay.record.ply == 1
        await pilot.press("k")
        assert app.screen.replay.record.ply == 0


async def test_f1_names_every_key_of_the_review(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="me") as pilot:
        await pilot.press("enter", "enter", "r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        review = pilot.app.screen
        keys = {said: shown for _, lines in key_groups(review) for shown, said in lines}
        assert keys["Previous move"] == "← h" and keys["Next move"] == "→ l"
        assert keys["back"] == "esc r ⌫" and keys["Previous line"] == "↑ k"
        named = " ".join(keys.values()).split()
        for key, active in review.active_bindings.items():
            if active.binding.id and not active.binding.system:
                assert pilot.app.get_key_display(Binding(key, "", "")) in named, key


async def test_keys_of_a_review_without_a_mistake_say_why_nothing_moves(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="me") as pilot:
        await pilot.press("enter", "enter", "r")
        await until(pilot, lambda: not pilot.app.jobs.running() and isinstance(pilot.app.screen, ReviewScreen))
        await pilot.press("t", "x")
        said = [notice.message for notice in pilot.app._notifications]
        assert said == ["No turning point", "No mistake"]


async def test_keys_of_a_review_say_that_they_lead_to_the_marked_move(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2", second="me") as pilot:
        await pilot.press("colon", "a", "1", "enter", "colon", "b", "2", "enter", "r")
        await until(pilot, lambda: not pilot.app.jobs.running() and isinstance(pilot.app.screen, ReviewScreen))
        await pilot.press("x", "down", "t", "t")
        said = [notice.message for notice in pilot.app._notifications]
        assert said == ["No other mistake", "No other turning point"] and pilot.app.screen._at == 0
