"""Matches: the figures of the originals, seats and seeds, and how they are stopped."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.agents import Decision, parse_agent
from nimtui.agents.agent import AlwaysReady
from nimtui.arena.play import match as match_module
from nimtui.arena.play.batch import Played
from nimtui.arena.play.match import MatchResult, play_match
from nimtui.arena.play.plan import LOSES_MATCH, parse_openings
from nimtui.arena.rating.ratings import head_to_head
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress
from tests.arena.fields import of_results
from tests.stops import StopAt

MATCHES = "subtraction:21,3:misere"


def match(game: str, first: str, second: str, games: int, **more: object) -> MatchResult:
    chosen = parse_game(game)
    players = parse_agent(first, chosen), parse_agent(second, chosen)
    return play_match(chosen, *players, games=games, **more)  # type: ignore[arg-type]


def games(result: MatchResult) -> list[Played]:
    """Return the games of a match, each with its players and moves."""
    return [result.batch.game(at) for at in range(len(result.batch))]


def outcomes(result: MatchResult) -> list[tuple[int, int | None, bytes]]:
    """Return who moved first in each game, who won, and all moves."""
    return [(game.opener, game.winner, game.moves) for game in games(result)]


@pytest.mark.parametrize(("matches", "wins"), [(21, (0, 20, 0)), (22, (20, 0, 0))])
def test_perfect_agents_win_from_the_seat_that_theory_names(matches: int, wins: tuple[int, int, int]) -> None:
    """tests/arena/test_judge.py has the other agents of this tournament."""
    for first, second in (("perfect", "value"), ("value", "perfect")):
        result = match(f"subtraction:{matches},3:misere", first, second, 20)
        assert (result.first_wins, result.second_wins, result.draws) == wins


def test_wins_are_counted_by_seat_and_by_agent() -> None:
    result = match(MATCHES, "random", "perfect", 10, alternate=True)
    first, second = result.by_agent
    assert (first.agent, second.agent) == ("random", "perfect")
    assert (first.wins, first.losses, first.draws) == (second.losses, second.wins, second.draws)
    assert [game.opener for game in games(result)] == [0, 1] * 5
    by_hand = sum(game.winner == game.opener for game in games(result))
    assert (result.first_wins, result.second_wins) == (by_hand, 10 - by_hand)
    assert all(game.winner == 1 for game in games(result)[::2])  # perfect, moving second
    assert result.plies == sum(len(game.codes()) for game in games(result))
    drawn = match("connect:3x3x3", "perfect", "perfect", 4, alternate=True)
    assert (drawn.first_wins, drawn.second_wins, drawn.draws) == (0, 0, 4)
    assert [score.draws for score in drawn.by_agent] == [4, 4]


@pytest.mark.parametrize(("openings", "alternate"), [("start", True), ("random:2", True), ("start", False)])
def test_two_agents_are_compared_by_the_games_of_their_match(openings: str, alternate: bool) -> None:
    begun = parse_openings(openings)
    result = match("connect:3x3x3", "random", "mc:playouts=3", 21, alternate=alternate, openings=begun)
    rows = result.batch.result.astype(np.int8)
    played = of_results(0, 1, rows, None if openings == "start" else 0, alternate)
    assert result.head_to_head == head_to_head([played._replace(results=None)])


def test_the_same_seed_gives_the_same_games_however_many_and_another_one_others() -> None:
    results = [match(MATCHES, "random", "random", 50, seed=seed) for seed in (1, 1, 2)]
    assert outcomes(results[0]) == outcomes(results[1])
    assert results[0].transcript == results[1].transcript
    assert outcomes(results[0]) != outcomes(results[2])
    few = match(MATCHES, "random", "mc:playouts=10", 5, seed=3)
    many = match(MATCHES, "random", "mc:playouts=10", 9, seed=3)
    assert outcomes(many)[:5] == outcomes(few)


def test_progress_counts_games_and_ends_with_all_of_them() -> None:
    reports = StopAt(31, "games")
    match(MATCHES, "random", "random", 30, progress=reports)
    assert reports.seen[-1] == (30, 30) and len(reports.seen) < 30  # not one for each of so short games


class Slow(AlwaysReady):
    """Reports to its progress as often as asked, as an agent that thinks long does."""

    name = title = "slow"

    def __init__(self, reports: int) -> None:
        self.reports = reports

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        for done in range(self.reports):
            progress.report(done, 0)
        return Decision(base.legal_moves(state)[0], ())


def test_stopped_in_the_middle_or_while_an_agent_thinks_it_keeps_the_finished_games() -> None:
    game = parse_game("nim:1,3,5,7")
    agent = parse_agent("random", game)
    stopped = play_match(game, agent, agent, games=10**9, seed=2, progress=StopAt(1, "games"))
    assert 1 <= stopped.games < 10**9
    whole = play_match(game, agent, agent, games=stopped.games, seed=2)
    assert outcomes(stopped) == outcomes(whole)
    stopped = play_match(game, Slow(10**12), Slow(10**12), games=2, progress=StopAt(0, "games"))
    assert (stopped.games, stopped.transcript) == (0, ())


def test_an_illegal_move_of_an_agent_loses_its_game() -> None:
    game = parse_game("nim:1,3")

    class Cheat(Slow):
        name = "cheat"

        def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
            return Decision(0, ())

    result = play_match(game, Cheat(0), Slow(0), games=2)
    assert [game.winner for game in games(result)] == [1, 1]
    assert result.faults == ("cheat played 0, which is not legal",) * 2
    assert [fault.kind for _, _, fault in result.sums.faults] == ["illegal"] * 2
    lost = play_match(game, Cheat(0), Slow(0), games=5, fault=LOSES_MATCH)
    assert (len(lost.batch), lost.by_agent[1].wins) == (1, 5)
    assert len(play_match(game, Slow(0), Slow(0), games=5, fault=LOSES_MATCH).batch) == 5
    assert result.transcript == ("a1", "b1")


@pytest.mark.parametrize("number", [30, 3000])  # move by move, whole
def test_of_very_many_games_only_the_first_are_held(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = match(MATCHES, "random", "perfect", number, alternate=True)
    monkeypatch.setattr(match_module, "MOST_WITH_MOVES", 10)
    few = match(MATCHES, "random", "perfect", number, alternate=True)
    assert 10 <= len(few.batch) < len(whole.batch) == whole.games == few.games == number
    assert outcomes(few) == outcomes(whole)[: len(few.batch)]
    assert (few.by_agent, few.first_wins, few.plies) == (whole.by_agent, whole.first_wins, whole.plies)
    assert whole.plies == sum(len(game.codes()) for game in games(whole))
    assert whole.first_wins == sum(game.winner == game.opener for game in games(whole))
    assert whole.by_agent[0].wins == sum(game.winner == 0 for game in games(whole))
