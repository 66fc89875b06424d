"""Keys: help and palette name them, each acts or says why not, Esc leaves every sub-view, `?` opens the help."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace
from typing import Any

import pytest
from textual.binding import Binding

from nimtui.games import base, parse_game
from nimtui.games.rule_text import rules as rules_of
from nimtui.glossary import TERMS
from nimtui.playing.replay import KeptGame
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.ui.app.commands import HelpScreen, key_groups
from nimtui.ui.kit.contract.command import NotNow, Possible
from nimtui.ui.kit.terminal.textual_parts import titles
from nimtui.ui.kit.widgets.panel import KEY_LOOK
from nimtui.ui.play.keys import PLAYING
from nimtui.ui.play.replay_screen import ReplayScreen
from nimtui.ui.search.screen import HELP
from nimtui.ui.search.setup import SearchSetup
from tests.patterns import Patterns, check, same
from tests.theory.force import is_true
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import make_moves, moves, playing, settled, until
from tests.ui.searching import searching
from tests.ui.searching import stage as search_stage

LAST = "Whoever takes the last match"
RULES = {
    "nim:3,4,5": f"{LAST} wins. In turn, take any number of matches from one row.",
    "subtraction:21,3:misere": f"{LAST} loses. In turn, take 1 to 3 matches.",
    "kayles:1,3,5": f"{LAST} wins. In turn, take 1 or 2 adjacent matches from one row.",
    "connect:7x6x4": "Whoever first has 4 discs in a line, in any direction, wins; a full board is a draw. "
    "In turn, drop a disc into a column.",
}


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


@pytest.mark.slow
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


@pytest.mark.slow
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


# Keys that do nothing say why.


NAMED = ("review", "learn", "undo", "redo", "hint", "analyse", "keep", "story", "search", "swap", "step")
SEATS = [("me", "random"), ("random", "me"), ("random", "random"), ("me", "me"), ("me", "reward:games=5")]


def no_person_moved(found: Session) -> None:
    """No move up to here was made by a person, or by the opponent of one."""
    people = [ply for ply in range(found.opening, found.record.ply) if found.players[ply % 2].is_person]
    assert not people


REASONS: Patterns = {
    r"The game is over": lambda found: is_true(found.over),
    r"The game is not over": lambda found: is_true(not found.over),
    r"No move was played": lambda found: same(found.record.ply, 0),
    r"No trained opponent to teach": lambda found: is_true(
        not any("reward" in player.spec for player in found.players)
    ),
    r"No move was taken back": lambda found: same(found.redo_ply, None),
    r"Both players are the same": lambda found: same(found.players[0].spec, found.players[1].spec),
    r"Only while two agents play": lambda found: is_true(any(player.is_person for player in found.players)),
    r"Two agents play": lambda found: is_true(not any(player.is_person for player in found.players)),
    r"Wait: an agent is to move": lambda found: is_true(not found.players[found.record.turn].is_person),
    r"No move of a person to take back": no_person_moved,
}


def possible(action: str, found: Session) -> Possible:
    """Whether a command is possible in this game, while nothing is analysed."""
    [row] = [row for row in PLAYING if row.action == action]
    assert row.when is not None
    return row.when(SimpleNamespace(session=found, conductor=SimpleNamespace(analysis=SimpleNamespace(on=False))))


@pytest.mark.slow
def test_every_reason_why_a_key_of_a_game_does_nothing_is_true() -> None:
    told = set[str]()
    for game in ("nim:2,3", "noughts:2x2x2", "connect:3x2x2"):
        for seats in SEATS:
            chance, found = random.Random(f"{game} {seats}"), Session(PlaySetup(game, None, seats, 1))
            for player in found.players:
                if player.agent is not None:
                    player.agent.prepare()
            for _ in range(30):
                for action in NAMED:
                    if isinstance(answer := possible(action, found), NotNow):
                        told.add(check(answer.why, REASONS, found))
                    assert answer is not False, "no reason"
                step = chance.choice(["play", "play", "undo", "redo", "swap"])
                if step == "play" and not found.over:
                    found.play(chance.choice(base.legal_moves(found.state)))
                elif step == "undo":
                    found.undo()
                elif step == "redo" and found.redo_ply is not None:
                    found.redo()
                elif step == "swap":
                    found.swap()
    assert told == set(REASONS)


def said(pilot: Any) -> list[str]:
    return [notice.message for notice in pilot.app._notifications]


async def test_keys_of_a_game_that_goes_on_say_why_they_wait(make_app: Any) -> None:
    async with playing(make_app, "nim:2,3", second="reward:games=5") as pilot:
        await pilot.press("r", "l", "u")
        assert said(pilot) == [
            "The game is not over",
            "The game is not over",
            "No move of a person to take back",
        ]
        await pilot.press(":", "a", "r")  # typed, it is no key
        assert len(said(pilot)) == 3 and not moves(pilot)


LETTERS = sorted(set(re.findall(r"\b([a-zA-Z]) (?:runs|continues|searches|compares)", HELP)))


@pytest.mark.slow
@pytest.mark.parametrize("search", ["alphabeta:depth=2", "mcts:simulations=30,proven=yes", "mc:playouts=20"])
async def test_every_key_that_the_help_of_search_names_does_something_or_says_why_not(
    make_app: Any, search: str
) -> None:
    assert LETTERS == ["P", "b", "c", "m", "o"]
    async with searching(make_app, SearchSetup("nim:2,2", None, search)) as pilot:
        await until(pilot, lambda: not pilot.app.screen.conductor.working)
        for key in [*LETTERS, "n", "f", "w", "t"]:
            pilot.app.clear_notifications()
            before, mode, pilot.app.screen.conductor.message = screen_text(pilot.app), pilot.app.current_mode, ""
            await pilot.press(key)

            def answered(before: str = before, mode: str = mode) -> bool:
                app = pilot.app
                elsewhere = app.current_mode != mode or app.screen.conductor.message
                return bool(said(pilot) or screen_text(app) != before or elsewhere)

            await until(pilot, answered)
            await until(pilot, lambda: not pilot.app.jobs.running())
            screen = pilot.app.screen
            if pilot.app.current_mode != mode:
                await pilot.press("f4")
            elif search.startswith("alphabeta") and key in "oP":
                assert "Only tree search (mcts)" in screen.query_one("#prompt").text()


# Esc and the palette.


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_escape_closes_the_explanation_and_the_value_history_of_a_game(
    make_app: Any, size: tuple[int, int]
) -> None:
    async with playing(make_app, second="random", size=size) as pilot:
        screen = pilot.app.screen
        await pilot.press("enter")
        await settled(pilot)
        large = size[0] >= 120  # there the value history has a box of its own, which hides nothing
        await pilot.press(*"w" if large else "Vw")
        await settled(pilot)
        assert screen.conductor.explaining.on and screen.has_class("-story")
        for explained, story in ((False, True), (False, large), (False, large)):
            await pilot.press("escape")
            assert (screen.conductor.explaining.on, screen.has_class("-story")) == (explained, story)
        assert pilot.app.screen is screen


@pytest.mark.slow
async def test_escape_shows_all_nodes_of_a_search_again(make_app: Any) -> None:
    async with searching(make_app) as pilot:
        for key in ("p", "f", "w"):
            await pilot.press(key)
            assert search_stage(pilot).walk.filter
            await pilot.press("escape")
            assert not search_stage(pilot).walk.filter


@pytest.mark.slow
async def test_the_palette_offers_first_what_the_screen_can_do(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "key h" in screen_text(pilot.app))
        offered = re.findall(r"\S  +key (\S+)", screen_text(pilot.app))  # on the line of their names
        assert offered[:3] == ["h", "w", "A"]
        names = [command.title for command in pilot.app.get_system_commands(pilot.app.screen_stack[0])]
        places = [names.index(name) for name in ("Compare agents on this position", "Quit nimtui", "Redraw the screen")]
        assert places == sorted(places)
