"""Chances and mistakes of games, against an oracle, by the engine and by formula; and who wins how often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.agents.learned import OfTable
from nimtui.arena.play import trials
from nimtui.arena.play.batch import Batch, Played
from nimtui.arena.play.judge import Judge, has_graph, is_judged, known_truth, most_judged
from nimtui.arena.play.match import play_match
from nimtui.arena.play.pieces import Piece, play
from nimtui.arena.play.plan import parse_openings, plan
from nimtui.arena.review.review import review
from nimtui.errors import InputError
from nimtui.games import Game, Record, parse_game
from nimtui.learning.sample import NOT_LEGAL
from nimtui.learning.training import Training
from nimtui.progress import Cancelled
from nimtui.theory import Outcome
from tests.agents.chance import RARE, plausible
from tests.agents.subtraction import lost, perfect_wins, random_wins
from tests.stops import StopAfter
from tests.theory.force import Force


def games(game: str, agents: tuple[str, str], number: int, openings: str = "start") -> tuple[Game, Batch]:
    """Some games, not judged."""
    board = parse_game(game)
    players = [parse_agent(name, board) for name in agents]
    found = play_match(board, *players, number, 3, alternate=True, openings=parse_openings(openings)).batch
    nothing = np.zeros_like(found.chances)
    return board, replace(found, chances=nothing, mistakes=nothing)


def judged(judge: Judge, played: Batch) -> Batch:
    """The same games, judged as they are in a match."""
    return judge.batch(Batch.of([judge.one(each) for each in played.rows()]))


Counts = tuple[tuple[int, int], tuple[int, int]]


def counted(game: Game, played: Played, bad: Callable[[Record], bool]) -> Counts:
    """Chances and mistakes of a game in which every position is won or lost; `bad`: is it lost for who is to move?"""
    chances, mistakes, record = [0, 0], [0, 0], Record(game)
    for ply, move in enumerate(played.codes()):
        before = bad(record)
        record.push(move)
        if ply >= played.opening:
            player = (ply - played.opening) % 2 ^ played.opener
            chances[player] += not before
            mistakes[player] += not before and not bad(record)
    return (chances[0], chances[1]), (mistakes[0], mistakes[1])


@pytest.mark.parametrize("openings", ["start", "random:3"])
def test_in_the_row_of_21_a_mistake_leaves_other_than_1_of_4(openings: str) -> None:
    game, played = games("subtraction:21,3:misere", ("random", "mc:playouts=20"), 40, openings)
    wanted = [counted(game, each, lambda record: lost(int(record.state.board[0]))) for each in played.rows()]
    for truth in (known_truth(game), None):  # by the engine, by formula
        judge = Judge(game, truth)
        assert [(each.chances, each.mistakes) for each in judged(judge, played).rows()] == wanted
    assert sum(mistakes[0] for _, mistakes in wanted) > sum(mistakes[1] for _, mistakes in wanted) > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", ["nim:3,4,5", "nim:2,2,3:misere", "kayles:9", "connect:3x3x3", "connect:3x3x2"])
def test_they_are_those_of_a_review(game: str) -> None:
    board, played = games(game, ("random", "easy"), 30, "random:1")
    same_as_a_review(board, judged(Judge(board, known_truth(board)), played), opening=1)


@pytest.mark.slow
def test_a_connect_board_without_a_graph_is_solved() -> None:
    board, played = games("connect:5x4x4", ("random", "mcts:simulations=50"), 6)
    assert is_judged(board) and known_truth(board) is None
    found = judged(Judge(board, None), played)
    same_as_a_review(board, found, opening=0)
    assert found.mistakes.any() and (found.chances < found.own).any()
    small, played = games("connect:3x3x3", ("random", "random"), 60)  # the solver and the graph agree
    assert timeless(judged(Judge(small, None), played)) == timeless(judged(Judge(small, known_truth(small)), played))


@pytest.mark.slow
def test_of_a_large_board_the_first_games_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.arena.play.judge.FIRST_GAMES", 2)
    board, played = games("connect4:6x5", ("random", "mcts:simulations=100"), 4)
    assert is_judged(board) and most_judged(board) == 2
    found = judged(Judge(board, None), played)
    first, second, *others = found.rows()
    same_as_a_review(board, Batch.of([first, second]), opening=0)
    assert first.mistakes != (0, 0) != second.mistakes
    assert all(each.chances == each.mistakes == (0, 0) for each in others)
    agents = [parse_agent(name, board) for name in ("random", "mcts:simulations=100")]
    match = play_match(board, *agents, 4, 3, alternate=True, judging=True).batch
    assert timeless(match) == timeless(found)


def test_how_many_games_are_judged_and_a_game_whose_judging_is_stopped_is_not_finished() -> None:
    for game, most in (("connect4:5x5", None), ("connect4:6x5", 40), ("connect4", 40), ("tower:4", None)):
        assert most_judged(parse_game(game)) == most
    board, played = games("connect4:6x5", ("random", "random"), 1)
    with pytest.raises(Cancelled):
        Judge(board, None).one(played.game(0), StopAfter(0))


def timeless(batch: Batch) -> list[Played]:
    return [game._replace(seconds=0.0) for game in batch.rows()]


def same_as_a_review(board: Game, played: Batch, opening: int) -> None:
    for each in played.rows():
        record = Record(board)
        for move in each.codes():
            record.push(move)
        chances, mistakes = [0, 0], [0, 0]
        for judgement in review(record)[opening:]:
            player = (judgement.ply - opening) % 2 ^ each.opener
            chances[player] += judgement.before in (Outcome.WIN, Outcome.DRAW)
            mistakes[player] += judgement.mistake
        assert (each.chances, each.mistakes) == ((chances[0], chances[1]), (mistakes[0], mistakes[1]))


def test_what_is_not_known_is_not_counted() -> None:
    game, played = games("connect:8x6x4", ("random", "random"), 2)
    assert not is_judged(game) and not has_graph(game) and known_truth(game) is None
    found = judged(Judge(game, None), played)
    assert not found.chances.any() and not found.mistakes.any()
    large = ("tower:16", "nim:200,200,200,200", "connect4:4x4", "connect4:5x5", "kayles:12")
    assert all(map(is_judged, map(parse_game, large)))


def test_a_match_is_judged_if_asked() -> None:
    game = parse_game("nim:3,4,5")
    agents = (parse_agent("random", game), parse_agent("perfect", game))
    asked, not_asked = (play_match(game, *agents, 5, judging=judging).batch for judging in (True, False))
    assert asked.mistakes[:, 0].sum() > 0 == asked.mistakes[:, 1].sum()
    assert asked.chances.any() and not not_asked.chances.any()
    assert (asked.moves == not_asked.moves).all()


# The positions of a learner's games against a shallow search, against the rules and the judge of matches.


GAMES = 12


@pytest.mark.parametrize(
    ("name", "learner"), [("connect:3x3x3", "linear"), ("nim:1,2,3", "quality"), ("connect:3x3x3", "q")]
)
def test_mistakes_and_values_are_those_of_the_rules_and_of_the_judge(name: str, learner: str) -> None:
    game = parse_game(name)
    force, training = Force(game), Training(game, learner, 1)
    training.run(30)
    met = trials.met(training.table, GAMES)
    for board, results in zip(met.sample.boards, met.sample.results, strict=True):
        state = game.at(board.copy())
        legal = {move: sign for move, (sign, _) in force.worth(state).items()}
        assert {move: int(results[move]) for move in np.flatnonzero(results != NOT_LEGAL).tolist()} == legal
        assert len(set(legal.values())) > 1
    agents = OfTable(training.table, "learner", ""), parse_agent("alphabeta:depth=2", game)
    judged = play_match(game, *agents, GAMES, 1, True, openings=trials.OPENINGS, judging=True)
    mistakes = sum(row.mistakes[0] for row in judged.batch.rows())
    assert met.wrong.sum() == mistakes and (met.wrong <= met.times).all() and met.games == GAMES
    score = judged.by_agent[0]
    assert met.points == (score.wins + score.draws / 2) / GAMES
    assert (
        met.errors == np.count_nonzero(met.wrong)
        and f"it erred in {met.errors} of {len(met.times)} positions" in met.text
    )
    assert met.unmet(np.zeros(len(met.times), np.int64)) == met.errors and met.unmet(met.times) == 0


def test_a_game_without_exact_values_is_refused() -> None:
    with pytest.raises(InputError, match="have no exact values"):
        trials.met(Training(parse_game("connect4:8x6"), "linear", 1).table)


# The subtraction tournament: 21 matches, take 1 to 3, whoever takes the last one loses: who begins is lost. Every
# ordered pair of six agents; the exact values are recursions.
RANDOM, PERFECT, MC, MCPO, MCTS, VALUE = AGENTS = (
    "random",
    "perfect",
    "mc:playouts=1000",
    "mc:playouts=1000,policy=perfect-opponent",
    "mcts:simulations=500",
    "value",
)
NUMBER = 100

# source: the subtraction tournament, re-run with 100 games each: how many the one moving first won
RE_RUN = {
    (RANDOM, RANDOM): 43, (PERFECT, RANDOM): 98, (RANDOM, MC): 15, (MC, RANDOM): 92, (PERFECT, MC): 99,
    (RANDOM, MCPO): 0, (MCPO, RANDOM): 100, (RANDOM, MCTS): 3, (MCTS, RANDOM): 98, (PERFECT, MCTS): 88, (MC, MCTS): 7,
    (MCTS, MC): 96, (MCPO, MCTS): 95, (MCTS, MCPO): 0, (MC, MC): 53, (MCTS, MCTS): 53, (VALUE, RANDOM): 99,
    (VALUE, MC): 100, (VALUE, MCTS): 96, (PERFECT, MCPO): 0, (VALUE, MCPO): 0,
}  # fmt: skip
# not run again: with 1000 playouts against a perfect opponent it plays as good as perfectly
RE_RUN |= {(MC, MCPO): 0, (MCPO, MC): 99, (MCPO, MCPO): 0}


def same_odds(won: int, of: int, other: int) -> bool:
    """Could so many wins of `of` games, and `other` of 100, come from one probability? Fisher's exact test."""
    both = won + other
    ways = [comb(of, k) * comb(NUMBER, both - k) if both >= k else 0 for k in range(of + 1)]
    return min(sum(ways[: won + 1]), sum(ways[won:])) / sum(ways) > RARE / 2


def wins(games: Batch) -> int:
    return int((games.result == 1).sum())


@pytest.mark.slow
def test_the_tournament_comes_to_what_it_came_to() -> None:
    """Each ordered pair plays 40 games. Where the second mover is perfect it wins all of them without a mistake."""
    asked = plan(["subtraction:21,3:misere"], AGENTS, "ordered", 40)
    assert len(asked.pairings) == 36
    for number, pairing in enumerate(asked.pairings):
        first, second = AGENTS[pairing.first], AGENTS[pairing.second]
        games = play(Piece(asked, number, 0, 40))
        assert len(games) == 40 and not games.opener.any() and games.result.all() and not games.faults
        if second in (PERFECT, VALUE):
            assert wins(games) == 0 and not games.mistakes[:, 1].any(), first
        elif (first, second) in ((PERFECT, RANDOM), (VALUE, RANDOM)):
            assert plausible(wins(games), 40, perfect_wins(21, True))  # 0.9952
        assert (first, second) in RE_RUN or second in (PERFECT, VALUE)
        assert same_odds(wins(games), 40, RE_RUN.get((first, second), 0)), (first, second)


@pytest.mark.slow
def test_a_million_games_show_the_exact_values() -> None:
    asked = plan(["subtraction:21,3:misere"], [RANDOM, PERFECT], "ordered", 1_000_000)
    for pairing, exact in ((0, random_wins(21)), (2, perfect_wins(21, True))):
        share = wins(play(Piece(asked, pairing, 0, 1_000_000))) / 1_000_000
        assert abs(share - exact) < 5 * (exact * (1 - exact) / 1_000_000) ** 0.5
