"""Whole games in the engine are the games that the agents play move by move."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nimtui.agents import Agent, parse_agent
from nimtui.arena.play.batch import Batch
from nimtui.arena.play.pairings import CompiledPairing, Terms, memoryless, policies_of
from nimtui.arena.play.plan import Openings, parse_openings
from nimtui.engine.rng import Stream
from nimtui.engine.self_play import judge_games
from nimtui.games import base, parse_game
from nimtui.learning import learner, opponents
from nimtui.theory.truth import truth
from tests.learning import last as last_learner
from tests.theory.force import Force

GAMES = ("nim:1,3,5", "connect:3x3x3", "kayles:1,3,4")
AGENTS = ("random", "perfect", "value", "reward:games=100,seed=1", "quality:games=200", "proof:games=50")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))


def asked(terms: Terms, players: tuple[Agent, Agent], number: int) -> tuple[list[int], int]:
    """One game by the agents' own decisions: all its moves, and its result for the first player."""
    alternate, plies = terms.alternate, list(terms.openings.opening(terms.game, terms.seed, number // 2))
    if not alternate:
        plies = list(terms.openings.opening(terms.game, terms.seed, number))
    opener = number % 2 if alternate else 0
    streams = [Stream(terms.seed, 2 * (terms.pairing * 2**32 + number) + seat) for seat in (0, 1)]
    state, moves, seat = terms.game.new(), [], 1
    for move in plies:
        base.play(state, move)
        moves.append(move)
    while (ended := base.outcome(state)) == base.GOING_ON:
        seat = 1 - seat
        moves.append(players[seat ^ opener].decide(state, streams[seat]).move)
        base.play(state, moves[-1])
    won = {base.WON: 1, base.LOST: -1, base.DRAW: 0}[int(ended)]
    return moves, won if seat ^ opener == 0 else -won


def played(terms: Terms, players: tuple[Agent, Agent], first: int, last: int) -> Batch:
    """The same by the engine."""
    known = truth(terms.game)
    policies = policies_of(players, known)
    assert policies is not None
    parts: list[Batch] = []
    CompiledPairing(terms, known, policies).play(first, last, parts.append)
    return Batch.joined(parts)


def alike(terms: Terms, players: tuple[Agent, Agent], first: int, last: int) -> None:
    for game in played(terms, players, first, last).rows():
        moves, result = asked(terms, players, game.number)
        assert (game.codes(), game.result, game.opener) == (moves, result, terms.opener(game.number))
        own = len(moves) - game.opening
        assert game.own == ((own + 1) // 2, own // 2) if game.opener == 0 else (own // 2, (own + 1) // 2)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_the_one_that_the_agents_would_play(game: str) -> None:
    board = parse_game(game)
    agents = [parse_agent(name, board) for name in AGENTS]
    for i, agent in enumerate(agents):
        alternate = i % 2 == 0
        terms = Terms(board, seed=7 + i, pairing=i, alternate=alternate, openings=parse_openings("random:1"))
        alike(terms, (agent, agents[0]), 0, 4)
        alike(replace(terms, openings=Openings()), (agents[i - 1], agent), 10, 13)


def test_a_table_from_a_file_with_few_positions_plays_alike(tmp_path: Path) -> None:
    board = parse_game("nim:1,3,5,7")
    opponents.train_interpreted(board, "reward", 3, seed=2).save(tmp_path / "few.npz")  # most positions have no row
    few, easy = parse_agent(f"table:{tmp_path / 'few.npz'}", board), parse_agent("easy", board)
    alike(Terms(board, seed=3), (few, easy), 0, 40)


@pytest.mark.slow
def test_chunks_and_numbers_far_out_change_nothing() -> None:
    board = parse_game("nim:1,3,5,7")
    agents = (parse_agent("random", board), parse_agent("easy", board))
    terms = Terms(board, seed=-5, pairing=4949, openings=parse_openings("balanced:2"))
    alike(terms, agents, 9_999_995, 9_999_999)
    whole, parts = played(terms, agents, 0, 3000), [played(terms, agents, *cut) for cut in ((0, 7), (7, 8), (8, 3000))]
    assert [game._replace(seconds=0) for game in whole.rows()] == [
        game._replace(seconds=0) for game in Batch.joined(parts).rows()
    ]


def test_games_are_judged_as_they_are_played_and_only_after_their_openings() -> None:
    board = parse_game("subtraction:9,3:misere")
    known = truth(board)
    terms = Terms(board, alternate=True, openings=parse_openings("random:1"))
    players = parse_agent("random", board), parse_agent("perfect", board)
    force, games = Force("subtraction:9,3:misere"), played(terms, players, 0, 12)
    for game in games.rows():
        chances, mistakes, player, state = [0, 0], [0, 0], game.opener, board.new()
        for ply, move in enumerate(game.codes()):
            if ply >= game.opening:
                value = force.value(state)[0]
                chances[player] += value >= 0
                mistakes[player] += force.worth(state)[move][0] < value
                player = 1 - player
            base.play(state, move)
        assert (list(game.chances), list(game.mistakes)) == (chances, mistakes) and mistakes[1] == 0
    counts = np.zeros((2, 12, 2), np.int32)
    judge_games(known.graph, known.values, known.keeps, games.ptr, games.moves, games.opening, games.opener, *counts)
    assert (counts[0].tolist(), counts[1].tolist()) == (games.chances.tolist(), games.mistakes.tolist())


@pytest.mark.slow
def test_random_games_from_the_start_are_won_by_halves() -> None:
    board = parse_game("subtraction:21,3:misere")
    random = parse_agent("random", board)
    games = played(Terms(board, alternate=False), (random, random), 0, 100_000)
    # source: the subtraction tournament, exact value 0.5 but for 1e-5
    assert abs(np.mean(games.result == 1) - 0.5) < 5 * 0.5 / 100_000**0.5


def test_who_plays_by_words_of_its_own_is_not_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "_added", [])
    board = parse_game("nim:1,2")
    learner.add(last_learner)
    name = f"{last_learner.NAME}:games=5"
    assert memoryless((parse_agent(name, board), parse_agent("random", board)))
    monkeypatch.setattr(last_learner, "play", lambda learner, graph, memory, node, rng: graph.ptr[node], raising=False)
    agents = (parse_agent(name, board), parse_agent("random", board))
    assert not memoryless(agents)
    assert policies_of(agents, truth(board)) is None
    assert policies_of((agents[1], parse_agent("mc", board)), truth(board)) is None


def test_scores_that_are_no_numbers_are_left_to_the_interpreter(tmp_path: Path) -> None:
    board = parse_game("nim:1,2")
    table = opponents.train_interpreted(board, "q", 5)
    table.save(tmp_path / "odd.npz")
    odd = parse_agent(f"table:{tmp_path / 'odd.npz'}", board)
    odd.saved.table.cells[0] = np.nan  # a file with it is refused
    assert memoryless((odd, odd)) and policies_of((odd, odd), truth(board)) is None
