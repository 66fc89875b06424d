"""One pairing of a tournament, and looking on at games: what is shown, what keys do."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pytest

from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import plan
from nimtui.arena.rating.meetings import Meeting
from nimtui.arena.rating.ratings import head_to_head
from nimtui.arena.standings import statements
from nimtui.arena.standings.standings import PairingScore
from nimtui.arena.standings.statements import advantage
from nimtui.games import base
from nimtui.jobs.live_games import LiveGame
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.play.replay_screen import ReplayScreen
from nimtui.ui.tournament import view as tournament_words
from nimtui.ui.tournament.looking_on import LookingOn
from nimtui.ui.tournament.pairing import PairingScreen
from nimtui.ui.tournament.pairing_view import Listing, apart_in, course, names, results
from nimtui.ui.tournament.screen import TournamentScreen
from nimtui.ui.tournament.setup import TournamentSetup
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import click_head, until
from tests.ui.tournaments import GAME, SMALL, finished, lines, panel, standings, tournament

WITH_OPENINGS = replace(SMALL, openings="random:2")


async def opened(pilot: Any) -> None:
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, PairingScreen) and len(lines(pilot, "games")) > 2)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_a_pairing_has_its_results_and_its_games(make_app: Any, size: Any) -> None:
    async with tournament(make_app, WITH_OPENINGS, size=size) as pilot:
        conductor = await finished(pilot)
        await pilot.press("down", "down", "left", "left", "right", "right", "left", "left")  # random against perfect
        await opened(pilot)
        text = screen_text(pilot.app)
        assert "random against perfect" in text and max(map(len, text.splitlines())) <= size[0]
        [score] = [score for score in conductor.view.scores if score.pairing[1:] == (0, 1)]
        shown = lines(pilot, "results")
        at = next(at for at, text in enumerate(shown) if text.split()[:1] == ["won"])  # a frame has its title above
        first, second, whole = shown[at + 1 : at + 4]
        assert first.split()[2:5] == [str(score.losses[1]), "0", str(score.wins[1])]
        assert second.split()[2:5] == [str(score.losses[0]), "0", str(score.wins[0])]
        assert whole.split()[2:5] == [str(sum(score.losses)), "0", str(sum(score.wins))]
        assert "Mistakes: random" in panel(pilot, "results") and "Pairs with" in panel(pilot, "results")
        shown = lines(pilot, "games")
        at = next(at for at, text in enumerate(shown) if "moves first" in text)  # what is listed stands above or beside
        head, *games = shown[at:]
        assert ("opening" in head) is (size[0] >= 80) and head.rstrip().endswith(("mistakes", "newest first"))
        assert "All games, newest first" in panel(pilot, "games")
        assert games[0].startswith("▸     20  random")
        assert all("won" in line for line in games)


@pytest.mark.slow
async def test_games_are_filtered_sorted_and_gone_through(make_app: Any) -> None:
    async with tournament(make_app) as pilot:
        conductor = await finished(pilot)
        await pilot.press("right", "right")  # perfect against random
        await opened(pilot)
        [score] = [score for score in conductor.view.scores if score.pairing[1:] == (0, 1)]
        assert len(pilot.app.screen._listed) == 20
        await pilot.press("s")
        wrong = [info.row.mistakes for info in pilot.app.screen._listed]
        assert wrong == sorted(wrong, key=lambda two: (-two[0], -two[1]))
        newest = sorted((info.id for info in pilot.app.screen._listed), reverse=True)
        for head, listed in (("game", newest), ("plies", newest), ("mistakes", None)):
            await click_head(pilot, head, "games")
            assert ([info.id for info in pilot.app.screen._listed] == newest) is (listed is newest), head
        assert [info.row.mistakes for info in pilot.app.screen._listed] == wrong
        await pilot.press("f")
        await until(pilot, lambda: pilot.app.screen._found is not None)
        assert len(pilot.app.screen._listed) == sum(score.losses)
        await pilot.press("f")
        await until(pilot, lambda: len(pilot.app.screen._listed) == sum(score.wins))
        assert all("perfect won" in line for line in lines(pilot, "games") if line.split()[:1][0].isdigit())
        assert "perfect won" in panel(pilot, "games")
        await pilot.press("f", "f")
        await until(pilot, lambda: "No such games" in panel(pilot, "games"))
        await pilot.press("f")
        await until(pilot, lambda: len(pilot.app.screen._listed) == 20)
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        assert "perfect" in screen_text(pilot.app) and "of 20" in screen_text(pilot.app)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(pilot.app.screen, PairingScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TournamentScreen))


@pytest.mark.slow
async def test_the_two_orders_of_two_agents_are_two_pairings(make_app: Any) -> None:
    setup = TournamentSetup((GAME,), ("perfect", "random"), "ordered", 10)
    async with tournament(make_app, setup) as pilot:
        await finished(pilot)
        await opened(pilot)
        assert "perfect (first) against random (second)" in screen_text(pilot.app)
        assert "moving second" not in panel(pilot, "results")
        await pilot.press("tab")
        await until(pilot, lambda: "perfect (second) against random (first)" in screen_text(pilot.app))
        await until(pilot, lambda: len(lines(pilot, "games")) > 5)
        await pilot.press("escape")
        await pilot.press("left")
        await opened(pilot)
        assert "perfect (first) against perfect (second)" in screen_text(pilot.app)


@pytest.mark.slow
async def test_a_cell_of_two_who_never_meet_opens_nothing(make_app: Any) -> None:
    setup = TournamentSetup((GAME,), ("random", "perfect", "value"), "gauntlet", 10)
    async with tournament(make_app, setup) as pilot:
        await finished(pilot)
        await pilot.press(*("up",) * 3, *("left",) * 3)
        await pilot.press("s", "s", "s", "s")  # by name: perfect, random, value
        cursor = pilot.app.screen._place.cursor
        order = [1, 0, 2]
        await pilot.press(*("up",) * order.index(cursor[0]), *("left",) * 3, "right", "right")
        assert "no games: in a gauntlet only random plays the others" in panel(pilot, "words")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, TournamentScreen)


@pytest.mark.slow
async def test_looking_on_follows_a_game_and_then_the_next(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    going: list[LiveGame] = []
    async with tournament(make_app) as pilot:
        conductor = await finished(pilot)
        monkeypatch.setattr(LookingOn, "_going", property(lambda self: tuple(going)))
        monkeypatch.setattr("nimtui.ui.tournament.looking_on.LINGER", 0.0)
        pilot.app.push_screen(LookingOn(conductor))
        await until(pilot, lambda: "No game is being played" in screen_text(pilot.app))
        going[:] = [LiveGame(0, 0, (0, 1)), LiveGame(1, 5, (2,))]
        await until(pilot, lambda: "perfect – random  game 1" in screen_text(pilot.app))
        game = pilot.app.screen.query_one("Board")
        assert game.position.board.tolist() != game.game.start.board.tolist()
        going[0] = LiveGame(0, 0, (0, 1, 2))
        await until(pilot, lambda: "3 plies" in screen_text(pilot.app))
        await pilot.press("right")
        await until(pilot, lambda: "mc 20 – perfect  game 6" in screen_text(pilot.app))
        monkeypatch.setattr("nimtui.ui.tournament.looking_on.LINGER", inf)  # until it has been seen
        monkeypatch.setattr("nimtui.ui.tournament.looking_on.PATIENCE", inf)
        going.pop()
        won = "perfect" if conductor.task.results(1)[5] > 0 else "mc 20"
        await until(pilot, lambda: f"over: {won} won" in screen_text(pilot.app))
        board = pilot.app.screen.query_one("Board")
        assert base.outcome(board.position) != base.GOING_ON  # never an end beside a board that is not at its end
        monkeypatch.setattr("nimtui.ui.tournament.looking_on.LINGER", 0.0)
        await until(pilot, lambda: "perfect – random  game 1" in screen_text(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TournamentScreen))


def test_the_course_of_a_pairing_is_points_by_number() -> None:
    results = np.array([1, -1, 0, 1, 1, 1, -2, 1], np.int8)
    made = plan((GAME,), ("perfect", "random"), number=8)
    found = course(made, (results, 0))
    assert found.shares[-1] == (7, 5.5 / 7) and found.shares[0] == (1, 1.0)
    all_of_them = head_to_head([Meeting(0, 1, (2, 3), (1, 0), (0, 1))]).score
    assert (found.lows[-1][1], found.highs[-1][1]) == pytest.approx((all_of_them.low, all_of_them.high))
    assert course(made, (results, 1)).shares[-1] == (7, 1.5 / 7)
    assert course(made, (np.full(4, -2, np.int8), 0)).shares == ()


def test_the_course_of_two_is_that_of_all_their_games() -> None:
    """With ordered pairs the second seat's games are another pairing: the curve ends at the share of the cell."""
    made = plan((GAME,), ("perfect", "random"), "ordered", 100)
    lost, won = np.full(100, -1, np.int8), np.full(100, -1, np.int8)  # the first mover lost all of both pairings
    found = course(made, (lost, 0), (won, 1))
    assert found.shares[-1] == (200, 0.5) and course(made, (lost, 0)).shares[-1] == (100, 0.0)
    assert all(0.4 < share < 0.6 for games, share in found.shares if games > 10)
    assert found.lows[-1][1] < 0.5 < found.highs[-1][1]


def test_words_of_a_cell() -> None:
    found = standings()
    names = tuple("ABCDEF")
    # It opened 50 games and won 37; of the 50 that the other one opened it won 38.
    assert tournament_words.of_cell(found, names, 1, 2) == [
        "B against C",
        "won 75 of 100",
        "37 of 50 moving first, 38 of 50 moving second",
        "LOS >99.9 % by these games",
    ]
    assert tournament_words.of_cell(found, names, 2, 1)[-1] == "LOS <0.1 % by these games"
    [seat] = tournament_words.of_standings(found, names, running=True)
    assert seat == f"{advantage(found.seat)}."


def test_mistakes_of_the_two_of_a_cell_are_told_in_words() -> None:
    found = standings(12)  # too many for a column of mistakes at 80 columns
    called = labels(found.plan.agents)
    rates = [row.mistake_rate for row in found.rows]
    assert (rates[0], rates[1]) == (0.0, 0.05)
    assert tournament_words.of_mistakes(found, called, (1, 0)) == f"mistakes: {called[1]} 5.0 %, perfect 0 %"
    assert tournament_words.of_mistakes(standings(2, judged=False), called, (1, 0)) == ""


def test_words_of_a_sequential_test() -> None:
    found = plan(("subtraction:21,3:misere",), ("perfect", "random"), number=1000, sprt="elo0=0,elo1=50")
    score = PairingScore(found.pairings[0], (60, 60), (0, 0), (7, 7), *((0, 0),) * 4, (7, 0, 0, 0, 60), 134, 2.97, "H1")
    said = statements.sentence(found, score)
    assert said == "H1 accepted after 67 pairs: perfect is stronger than random (α 5 %). LLR 2.97 of −2.94 … 2.94."
    said = statements.sentence(found, replace(score, verdict="H0", llr=-2.95))
    assert "perfect is not 50 Elo stronger than random (β 5 %)" in said
    going = statements.sentence(found, replace(score, verdict="", llr=-1.2))
    assert going == "perfect against random: undecided after 67 pairs, LLR −1.20 of −2.94 … 2.94."
    assert statements.sentence(plan(found.games, found.agents), score) == ""
    early = statements.sentence(found, replace(score, verdict="", wins=(4, 4), losses=(0, 0)))
    assert early.startswith("perfect against random: undecided after 4 pairs,")
    assert early.endswith("; a verdict needs 10 pairs.")


def test_what_is_said_counts_and_calls_things_as_people_do() -> None:
    one = plan((GAME, "tower:16"), ("perfect", "random"), number=1)
    assert tournament_words.played(one) == "1 pair × 1 game"
    assert tournament_words.games(one) == "2 games: 21 matches, take 1 to 3; Tower of 16"
    assert tournament_words.played(plan((GAME,), ("perfect", "random"), number=2000)) == (
        "1 pair × 2,000 games, seats swapped"
    )
    told = tournament_words.on_screen("The start of nim:21:max=3:misere is lost.", one)
    assert told == "The start of subtraction:21,3:misere is lost."


def test_two_long_names_differ_in_a_list() -> None:
    two = ("mcts 500 prior=heuristic,c=1.0", "mcts 500 prior=heuristic,c=2.0")
    one, other = apart_in(13, two, UNICODE)
    assert one != other and len(one) == len(other) == 13 and one.endswith("c=1.0")
    assert apart_in(13, ("perfect", "random"), UNICODE) == ("perfect", "random")


def test_one_who_plays_itself_is_named_by_its_place() -> None:
    made = plan((GAME,), ("random", "random"), number=2, twins=True)
    assert names(made, Listing(0, 0)) == ("random (1)", "random (2)")
    assert names(made, Listing(0, 1)) == ("random (2)", "random (1)")


def test_mistakes_are_a_share_of_the_moves_that_could_be_ones() -> None:
    made = plan((GAME,), ("perfect", "random"), number=4)
    score = PairingScore(
        made.pairings[0], (2, 1), (0, 0), (0, 1), (20, 20), (0, 8), (0, 2), (0, 0), (0, 0, 1, 0, 1), 4, None, ""
    )
    text = " ".join("".join(run.text for run in line) for line in results(made, Listing(0, 0), score)(60, 9, UNICODE))
    assert "Mistakes: random 25.0 %." in text  # the other one was always lost
