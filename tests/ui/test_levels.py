"""Play now: an opponent that can be beaten, and the next one after a win, which is said and kept."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui import theory
from nimtui.games import base, parse_game
from nimtui.playing import levels
from nimtui.playing.setup import ME
from nimtui.store import settings as store
from nimtui.store.settings import LEVELS, Settings
from nimtui.theory import Outcome
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import CALM, playing, session, settled, until

GAME = parse_game("tower:16")


def test_the_levels_are_agents_and_the_person_can_win_against_each() -> None:
    for level in LEVELS:
        setup = levels.play_now(level).validate()
        assert levels.level_of(setup.seats[1 - setup.seats.index(ME)]) == level
    assert theory.solve(GAME, GAME.start).outcome is Outcome.LOSS  # so the levels that make no mistakes move first
    assert [levels.play_now(level).seats.index(ME) for level in LEVELS] == [0, 0, 1, 1]


def test_a_win_leads_one_level_up_and_never_down() -> None:
    assert [levels.after(level) for level in LEVELS] == [*LEVELS[1:], LEVELS[-1]]


@pytest.mark.parametrize("spec", ["perfect:won=fastest", "random", "mc", "reward:games=10", ME])
def test_other_agents_are_no_levels(spec: str) -> None:
    assert levels.level_of(spec) == ""


async def win(pilot: Any) -> None:
    """Play the game to its end by theory, for both players."""
    found = session(pilot)
    while not found.over:
        move = theory.solve(found.game, found.state).best_moves
        found.play(move[0] if move else base.legal_moves(found.state)[0])
    pilot.app.screen.draw()
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES)
async def test_a_win_opens_the_next_level_says_so_and_keeps_it(make_app: Any, size: tuple[int, int]) -> None:
    async with playing(make_app, position=None, first="me", second="me", size=size) as pilot:
        app = pilot.app
        app.action_play_now()
        await settled(pilot)
        assert "Easy, level 1 of 4" in screen_text(app) or size == (60, 20)
        assert session(pilot).players[0].is_person
        session(pilot).players.reverse()  # the second player wins the tower
        await win(pilot)
        assert "Next level: Medium." in screen_text(app)
        assert app.settings.level == store.load()[0].level == "medium"
        await pilot.press("n")
        await until(pilot, lambda: "New game" in screen_text(app))
        assert [app.screen.field(name).text for name in ("starts", "opponent")] == ["you", "Medium"]


async def test_a_loss_and_a_win_elsewhere_change_no_level(make_app: Any) -> None:
    async with playing(make_app, first="me", second="easy") as pilot:
        await win(pilot)
        assert session(pilot).record.winner == 1
        assert pilot.app.settings.level == "easy" and "level:" not in screen_text(pilot.app)
    async with playing(make_app, "nim:1,2", first="me", second="easy") as pilot:
        await win(pilot)
        assert session(pilot).record.winner == 0
        assert pilot.app.settings.level == "easy" and "level:" not in screen_text(pilot.app)


async def test_who_beats_an_easier_opponent_keeps_the_level(make_app: Any) -> None:
    async with playing(make_app, first="easy", second="me", settings=CALM.changed(level="perfect")) as pilot:
        await settled(pilot)
        await win(pilot)
        assert pilot.app.settings.level == "perfect"


async def test_the_strongest_moves_first_and_there_is_none_above_it(make_app: Any) -> None:
    async with playing(make_app, settings=CALM.changed(level="perfect")) as pilot:
        pilot.app.action_play_now()
        await settled(pilot)
        assert "Perfect, level 4 of 4" in screen_text(pilot.app)
        await win(pilot)
        assert levels.DONE in screen_text(pilot.app)
        assert pilot.app.screen.conductor.next_setup().seats == ("perfect:lost=longest", ME)


async def test_the_start_screen_says_whom_one_plays(make_app: Any) -> None:
    for level, said in (("easy", "you move first, Easy second"), ("hard", "Hard moves first, you second")):
        async with make_app(Settings(level=level)).run_test(size=(80, 24)) as pilot:
            assert said in screen_text(pilot.app)
