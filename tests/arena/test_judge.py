"""Chances and mistakes of games, against an oracle, by the engine and by formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.arena.play.batch import Batch, Played
from nimtui.arena.play.judge import Judge, has_graph, is_judged, known_truth, most_judged
from nimtui.arena.play.match import play_match
from nimtui.arena.play.plan import parse_openings
from nimtui.arena.review.review import review
from nimtui.games import Game, Record, parse_game
from nimtui.progress import Cancelled
from nimtui.theory import Outcome
from tests.agents.subtraction import lost
from tests.stops import StopAfter


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


@pytest.mark.parametrize(
    "game, most", [("connect4:5x5", None), ("connect4:6x5", 40), ("connect4", 40), ("tower:4", None)]
)
def test_how_many_games_are_judged(game: str, most: int | None) -> None:
    assert most_judged(parse_game(game)) == most


def test_a_game_whose_judging_is_stopped_is_not_finished() -> None:
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
    assert all(
        map(
            is_judged, map(parse_game, ("tower:16", "nim:200,200,200,200", "connect4:4x4", "connect4:5x5", "kayles:12"))
        )
    )


def test_a_match_is_judged_if_asked() -> None:
    game = parse_game("nim:3,4,5")
    agents = (parse_agent("random", game), parse_agent("perfect", game))
    asked, not_asked = (play_match(game, *agents, 5, judging=judging).batch for judging in (True, False))
    assert asked.mistakes[:, 0].sum() > 0 == asked.mistakes[:, 1].sum()
    assert asked.chances.any() and not not_asked.chances.any()
    assert (asked.moves == not_asked.moves).all()
