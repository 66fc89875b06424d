"""Play now: an opponent that can be beaten, and the next one after a win, which is said and kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nimtui import theory
from nimtui.agents import parse_agent
from nimtui.games import base, parse_game
from nimtui.playing import levels
from nimtui.playing.session import Player, Session
from nimtui.playing.setup import ME, PlaySetup
from nimtui.store import settings as store
from nimtui.store.settings import LEVELS, Settings
from nimtui.theory import Outcome
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import playing, session, settled, until

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


def test_a_level_has_a_title_of_its_own() -> None:
    titles = {"perfect:lost=longest": "Perfect, level 4 of 4", "random": "Random"}
    assert {spec: levels.title_of(Player(parse_agent(spec, GAME))) for spec in titles} == titles


def won_by_theory(found: Session) -> None:
    """Play the game to its end by theory, for both players."""
    while not found.over:
        best = theory.solve(found.game, found.state).best_moves
        found.play(best[0] if best else base.legal_moves(found.state)[0])


@pytest.mark.parametrize(
    ("game", "seats", "level", "higher", "news"),
    [
        ("tower:16", (ME, "easy"), "easy", "easy", ""),  # the second player wins the tower: a loss
        ("tower:16", ("easy", ME), "easy", "medium", "Next level: Medium."),
        ("tower:16", ("medium", ME), "easy", "hard", "Next level: Hard, which moves first."),
        ("tower:16", ("easy", ME), "perfect", "perfect", "Next level: Medium."),  # it never goes down
        ("tower:16", ("perfect:lost=longest", ME), "perfect", "perfect", levels.DONE),
        ("tower:16", ("random", ME), "easy", "easy", ""),
        ("tower:16", ("easy", "random"), "easy", "easy", ""),
        ("nim:1,2", (ME, "easy"), "easy", "easy", ""),  # a win elsewhere
    ],
)
def test_a_win_at_the_tower_opens_the_next_level(
    game: str, seats: tuple[str, str], level: str, higher: str, news: str
) -> None:
    found = Session(PlaySetup(game, None, seats, 7))
    assert (levels.higher(found, level), levels.news(found)) == (level, "")
    won_by_theory(found)
    assert (levels.higher(found, level), levels.news(found)) == (higher, news)
    setup = levels.again(found, found.setup())
    opened = news.partition(": ")[2].partition(",")[0].strip(".").lower()
    assert setup == (replace(levels.play_now(opened), seed=7) if opened else found.setup())
    placed = Session(PlaySetup(game, "1,0,0,0" if game == "tower:16" else "1,0", seats, 7))
    won_by_theory(placed)
    assert levels.news(placed) == ""  # from another position than the start


async def test_play_now_says_the_level_and_the_next_one_and_keeps_it(make_app: Any) -> None:
    async with playing(make_app, first="me", second="me") as pilot:
        app = pilot.app
        app.action_play_now()
        await settled(pilot)
        assert "Easy, level 1 of 4" in screen_text(app) and session(pilot).players[0].is_person
        session(pilot).players.reverse()  # the second player wins the tower
        won_by_theory(session(pilot))
        app.screen.draw()
        await pilot.pause()
        for size in SIZES:
            await pilot.resize_terminal(*size)
            assert "Next level: Medium." in screen_text(app)
        assert app.settings.level == store.load()[0].level == "medium"
        await pilot.press("n")
        await until(pilot, lambda: "New game" in screen_text(app))
        assert [app.screen.field(name).text for name in ("starts", "opponent")] == ["you", "Medium"]


async def test_the_start_screen_says_whom_one_plays(make_app: Any) -> None:
    for level, said in (("easy", "you move first, Easy second"), ("hard", "Hard moves first, you second")):
        async with make_app(Settings(level=level)).run_test(size=(80, 24)) as pilot:
            assert said in screen_text(pilot.app)
