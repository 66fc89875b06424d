"""The help by `?`, the rules at its top, the digits of the start screen, and hjkl beside the arrows."""

from __future__ import annotations

from typing import Any

import pytest
from textual.binding import Binding

from nimtui.games import parse_game
from nimtui.games.rule_text import rules as rules_of
from nimtui.glossary import TERMS
from nimtui.playing.replay import KeptGame
from nimtui.ui.app.commands import HelpScreen, key_groups
from nimtui.ui.kit.terminal.textual_parts import titles
from nimtui.ui.kit.widgets.panel import KEY_LOOK
from nimtui.ui.play.replay_screen import ReplayScreen
from tests.ui.conftest import screen_text
from tests.ui.playing import make_moves, playing, until

LAST = "Whoever takes the last match"
RULES = {
    "nim:3,4,5": f"{LAST} wins. In turn, take any number of matches from one row.",
    "subtraction:21,3:misere": f"{LAST} loses. In turn, take 1 to 3 matches.",
    "kayles:1,3,5": f"{LAST} wins. In turn, take 1 or 2 adjacent matches from one row.",
    "connect:7x6x4": "Whoever first has 4 discs in a line, in any direction, wins; a full board is a draw. "
    "In turn, drop a disc into a column.",
}


def said(pilot: Any) -> list[str]:
    return [notice.message for notice in pilot.app._notifications]


async def reviewed(pilot: Any) -> Any:
    await pilot.press("r")
    await until(pilot, lambda: not pilot.app.jobs.running() and isinstance(pilot.app.screen, ReplayScreen))
    return pilot.app.screen


def test_the_rules_follow_from_the_game() -> None:
    assert {game: rules_of(parse_game(game)) for game in RULES} == RULES


async def test_a_question_mark_opens_the_help_with_the_rules_first_and_closes_it(make_app: Any) -> None:
    async with playing(make_app, "nim:3,4,5", second="me") as pilot:
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        lines = screen_text(pilot.app).splitlines()
        assert LAST in lines[1] + lines[2] and "Play" in lines[0]
        await pilot.press("g")
        assert "Glossary" in screen_text(pilot.app) and TERMS[0].heading in screen_text(pilot.app)
        await pilot.press("g", "pagedown")
        page = pilot.app.screen.query_one("#page")
        assert LAST not in screen_text(pilot.app) and page.scroll_y == page.size.height - 1
        await pilot.press("j", "pageup")
        assert page.scroll_y == 1
        await pilot.press("k", "question_mark")
        assert not isinstance(pilot.app.screen, HelpScreen)


@pytest.mark.slow
async def test_the_help_of_the_start_screen_names_its_keys_and_a_question_mark_in_a_field_is_text(
    make_app: Any,
) -> None:
    async with make_app().run_test(size=(80, 56)) as pilot:
        await pilot.press("f1")
        text = screen_text(pilot.app)
        words = ("laboratory", "Choose the game and its players", "F9", "Everywhere", "^z", "^p")
        assert all(word in text for word in words) and "Focus Next" not in text
        await pilot.press("escape", "n")
        await until(pilot, lambda: "New game" in screen_text(pilot.app))
        await pilot.press("question_mark")
        assert not isinstance(pilot.app.screen, HelpScreen)


@pytest.mark.slow
async def test_digits_open_the_screens_from_the_start_screen(pilot: Any) -> None:
    for key, mode in (("2", "train"), ("3", "search"), ("4", "tournament"), ("5", "library")):
        await pilot.press(key)
        await until(pilot, lambda mode=mode: pilot.app.current_mode == mode)
        await pilot.press("f7")


async def test_hjkl_walk_through_a_replay(pilot: Any) -> None:
    app = pilot.app
    app.show_game(KeptGame("nim:1,2", "me", "me", (2, 0)))
    await until(pilot, lambda: hasattr(app.screen, "replay"))
    for keys, ply in (("lj", 2), ("h", 1), ("k", 0)):
        await pilot.press(*keys)
        assert app.screen.replay.record.ply == ply


@pytest.mark.slow
async def test_f1_names_every_key_of_the_review_and_those_without_a_mistake_say_so(make_app: Any) -> None:
    async with playing(make_app, "nim:1,1", second="me") as pilot:
        await pilot.press("enter", "enter")
        review = await reviewed(pilot)
        keys = {said: shown for _, lines in key_groups(review) for shown, said in lines}
        assert keys["Previous move"] == "← h" and keys["Next move"] == "→ l"
        assert keys["back"] == "esc r ⌫" and keys["Previous line"] == "↑ k"
        named = " ".join(keys.values()).split()
        for key, active in review.active_bindings.items():
            if active.binding.id and not active.binding.system:
                assert pilot.app.get_key_display(Binding(key, "", "")) in named, key
        await pilot.press("t", "x")
        assert said(pilot) == ["No turning point", "No mistake"]


@pytest.mark.slow
async def test_keys_of_a_review_say_that_they_lead_to_the_marked_move(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2", second="me") as pilot:
        await pilot.press("colon", "a", "1", "enter", "colon", "b", "2", "enter")
        review = await reviewed(pilot)
        await pilot.press("x", "down", "t", "t")
        assert said(pilot) == ["No other mistake", "No other turning point"] and review._at == 0


async def test_keys_in_frames_have_one_look_and_a_review_marks_one_move_everywhere(make_app: Any) -> None:
    async with playing(make_app, "nim:2,2", second="me", size=(200, 60)) as pilot:
        await make_moves(pilot, "a1 b1 a1 b1")
        screen = pilot.app.screen
        labels = [label for box in screen.query(".box") for label in titles(box) if label is not None]
        keyed = {str(label): span for label in labels for span in label.spans if span.style == KEY_LOOK}
        assert any("review" in text for text in keyed), keyed
        assert all(text[span.start : span.end] in "rwAP" for text, span in keyed.items())
        review = await reviewed(pilot)
        await until(pilot, lambda: "Positions" in screen_text(pilot.app))
        for at in ("1", "2"):
            await pilot.press("down" if at == "2" else "home")
            marked = [
                review.query_one(f"#{name}").text().partition("▸")[2].split()[0] for name in ("judged", "diagrams")
            ]
            assert marked == [at, at]
