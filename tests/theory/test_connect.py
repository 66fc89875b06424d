from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random

import pytest

from nimtui.engine.connect import Solver
from nimtui.games import Game, base, parse_game
from nimtui.games.connect import Connect
from nimtui.theory import Outcome, Unsolvable, connect, is_instant, solve, why_unsolvable
from tests.theory import oracles


def board(game: Game, moves: str) -> Connect:
    state = game.new(moves)
    assert isinstance(state, Connect)
    return state


@cache
def columns(width: int, height: int, k: int) -> oracles.Columns:
    return oracles.Columns(width, height, k)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        # source: the game values published for small boards (J. Tromp); 4 × 4, 5 × 4, 4 × 5 and 5 × 5 are draws
        ("connect4:4x4", Outcome.DRAW),
        ("connect4:5x4", Outcome.DRAW),
        ("connect4:4x5", Outcome.DRAW),
        ("connect4:5x5", Outcome.DRAW),
        ("connect4:6x4", Outcome.LOSS),
        ("connect4:5x6", Outcome.DRAW),
    ],
)
def test_known_values_of_empty_boards(name: str, outcome: Outcome) -> None:
    game = parse_game(name)
    verdict = solve(game, game.new())
    assert verdict.outcome is outcome
    assert verdict.grundy is None and verdict.scores is not None
    assert verdict.score == max(verdict.scores.values())


def test_best_moves_keep_the_outcome_not_only_the_best_score() -> None:
    game = parse_game("connect4:4x4")
    verdict = solve(game, game.new("112"))
    oracle = columns(4, 4, 4).moves(("xo", "x", "", ""))
    assert verdict.scores == oracle
    best = [move for move, score in oracle.items() if score > 0] or [
        move for move, score in oracle.items() if score == 0
    ]
    assert list(verdict.best_moves) == best


def test_best_moves_lead_to_the_same_outcome_for_the_other() -> None:
    game = parse_game("connect4:5x4")
    state = game.new("3344")
    verdict = solve(game, state)
    for move in base.legal_moves(state):
        base.play(state, move)
        kept = solve(game, state).outcome.reply is verdict.outcome
        base.undo(state, move)
        assert kept == (move in verdict.best_moves)


@pytest.mark.slow
def test_a_finished_board_has_the_score_of_who_lost_or_0() -> None:
    game = parse_game("connect4:4x4")
    lost = solve(game, game.new("1212121"))
    # the winner's fourth of eight discs: 5 for them
    assert (lost.outcome, lost.score, lost.scores, lost.best_moves) == (Outcome.LOSS, -5, {}, ())
    full = solve(game, game.new(_a_drawn_game()))
    assert (full.outcome, full.score, full.scores, full.best_moves) == (Outcome.DRAW, 0, {}, ())


def _a_drawn_game() -> str:
    """Moves of a full board without a line, found by the oracle alone."""
    board = columns(4, 4, 4)
    at, moves = board.empty(), ""
    while board.open(at):
        column = next(column for column, score in board.moves(at).items() if score == 0)
        at, moves = board.drop(at, column), f"{moves}{column + 1}"
    return moves


@pytest.mark.parametrize("name", ["connect4:8x6", "connect4:9x4", "connect:7x6x5", "connect:20x2x4"])
def test_boards_that_are_too_large_yet_are_refused_in_one_line(name: str) -> None:
    game = parse_game(name)
    state = game.new()
    reason = why_unsolvable(game, state)
    assert reason is not None and "\n" not in reason and "too large to solve exactly" in reason
    assert not is_instant(game, state)
    with pytest.raises(Unsolvable):
        solve(game, state)


def test_a_patient_caller_may_ask_for_the_whole_board() -> None:
    game = parse_game("connect4:8x5")
    assert "nimtui solve" in (why_unsolvable(game, game.new()) or "")
    assert why_unsolvable(game, game.new(), patient=True) is None
    assert why_unsolvable(game, game.new("123456")) is None
    assert why_unsolvable(parse_game("connect4"), parse_game("connect4").new()) is None, "it is in the book"
    large = parse_game("connect4:9x4")
    assert why_unsolvable(large, large.new(), patient=True) is not None


def test_a_late_position_of_the_large_board_is_solved() -> None:
    game = parse_game("connect4")
    state = game.new("111222334455")
    assert why_unsolvable(game, state) is None
    verdict = solve(game, state)
    assert verdict.scores is not None and set(verdict.scores) == set(base.legal_moves(state))
    assert is_instant(game, state), "what was solved is kept"


def test_a_later_position_of_a_game_profits_from_what_was_solved_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_last", None)
    game = parse_game("connect4")
    before, after = (board(game, moves) for moves in ("5226457544672", "52264575446722"))
    connect._verdicts.clear()
    solve(game, before)
    assert connect._last is not None
    known = connect._last.nodes
    verdict = solve(game, after)
    fresh = Solver(after)
    assert verdict.scores == fresh.scores(after)
    assert connect._last.nodes - known < fresh.nodes


@pytest.mark.parametrize(("name", "plies"), [("connect4:4x4", 4), ("connect4:5x4", 9), ("connect:5x5x5", 14)])
def test_without_the_scores_of_moves_the_best_moves_are_the_same(name: str, plies: int) -> None:
    game, random = parse_game(name), Random(plies)
    connect._verdicts.clear()
    outcomes = set()
    for _ in range(40):
        state = base.copy(game.start)
        for _ in range(plies):
            if base.outcome(state) == base.GOING_ON:
                base.play(state, random.choice(base.legal_moves(state)))
        brief = solve(game, state, scores=False)
        assert solve(game, state, scores=False) == brief
        full = solve(game, state)
        assert (brief.outcome, brief.score, brief.best_moves) == (full.outcome, full.score, full.best_moves)
        outcomes.add(full.outcome)
    assert len(outcomes) >= 2


def test_threads_that_ask_at_once_all_get_the_right_answer() -> None:
    game = parse_game("connect4:6x5")
    openings = [f"{first}{second}{third}" for first in "123" for second in "456" for third in "146"]
    expected = {moves: Solver(board(game, moves)).scores(board(game, moves)) for moves in openings}
    connect._verdicts.clear()
    with ThreadPoolExecutor(4) as pool:
        found = dict(zip(openings, pool.map(lambda moves: solve(game, game.new(moves)).scores, openings), strict=True))
    assert found == expected
