"""A key that a screen names does something, or says in one line why it does nothing, and the reason is true."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace
from typing import Any

import pytest

from nimtui.games import base
from nimtui.playing.session import Session
from nimtui.playing.setup import PlaySetup
from nimtui.ui.kit.contract.command import NotNow, Possible
from nimtui.ui.play import keys
from nimtui.ui.search.screen import HELP
from nimtui.ui.search.setup import SearchSetup
from tests.patterns import Patterns, check, same
from tests.theory.force import is_true
from tests.ui.conftest import screen_text
from tests.ui.playing import moves, playing, until
from tests.ui.searching import searching

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
    [row] = [row for row in keys.PLAYING if row.action == action]
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
