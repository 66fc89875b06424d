"""Games without a theory of their own."""

from __future__ import annotations

from math import floor, sqrt
from types import ModuleType

import numpy as np
import pytest

from nimtui.games import Game, base
from nimtui.theory import Outcome, Unsolvable, explain, is_instant, solve, unnumbered, why_unsolvable
from nimtui.theory.explanation import Kind, sentences
from tests.games import wythoff
from tests.theory import circling, noughts, pairs


def game_of(module: ModuleType, *fields: str) -> Game:
    return Game(module, module.parse(module.NAMES[0], list(fields)))


GOLDEN = (1 + sqrt(5)) / 2
COLD = {(floor(n * GOLDEN), floor(n * GOLDEN) + n) for n in range(20)}  # source: Wythoff, 1907


@pytest.mark.slow
@pytest.mark.parametrize("numbered", [True, False], ids=["graph", "search"])
def test_wythoffs_lost_positions_are_his(numbered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not numbered:
        monkeypatch.setattr(base, "positions", lambda state: 0)
    game = game_of(wythoff, "8,13")
    for first in range(9):
        for second in range(14):
            state = game.at(np.array([first, second], np.int64))
            verdict = solve(game, state)
            lost = (min(first, second), max(first, second)) in COLD
            assert verdict.outcome is (Outcome.LOSS if lost else Outcome.WIN), (first, second)
            assert (verdict.grundy == 0) == lost
            for move in verdict.best_moves if not lost else ():
                base.play(state, move)
                left = sorted(state.board.tolist())
                assert tuple(left) in COLD
                base.undo(state, move)


def test_grundy_values_of_wythoffs_game() -> None:
    # source: OEIS A004481, the second row of the table of Sprague-Grundy values of Wythoff's game
    game = game_of(wythoff, "1,10")
    values = [solve(game, game.at(np.array([1, second], np.int64))).grundy for second in range(11)]
    assert values == [1, 2, 0, 4, 5, 3, 7, 8, 6, 10, 11]


@pytest.mark.slow
def test_a_game_with_draws_and_no_numbers() -> None:
    game = game_of(noughts)
    start = solve(game, game.new())
    assert (start.outcome, start.grundy) == (Outcome.DRAW, None)
    assert start.best_moves == tuple(range(9)), "any first move holds the draw"
    after_a_corner = game.at(np.array([1, 0, 0, 0, 0, 0, 0, 0, 0], np.int64))
    assert solve(game, after_a_corner).best_moves == (4,), "against a corner only the middle does"
    fork = game.at(np.array([1, 2, 0, 0, 0, 0, 0, 0, 0], np.int64))
    assert solve(game, fork).outcome is Outcome.WIN


def test_finished_positions_of_a_game_with_draws() -> None:
    game = game_of(noughts)
    won = solve(game, game.at(np.array([1, 1, 1, 2, 2, 0, 0, 0, 0], np.int64)))
    full = solve(game, game.at(np.array([1, 2, 1, 1, 2, 2, 2, 1, 1], np.int64)))
    assert (won.outcome, won.best_moves) == (Outcome.LOSS, ())
    assert (full.outcome, full.best_moves) == (Outcome.DRAW, ())


def test_positions_that_come_up_again_are_refused() -> None:
    game = game_of(circling)
    with pytest.raises(Unsolvable, match="can repeat"):
        solve(game, game.new())


def test_too_many_positions_are_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unnumbered, "_recent", None)
    monkeypatch.setattr(unnumbered, "MOST_POSITIONS", 1000)
    game = game_of(noughts)
    assert why_unsolvable(game, game.new()) is None, "that takes the search to find out"
    with pytest.raises(Unsolvable) as refused:
        solve(game, game.new())
    assert "\n" not in str(refused.value) and "1,000 positions" in str(refused.value)


def test_a_graph_too_large_for_memory_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "positions", lambda state: 1 << 50)
    game = game_of(wythoff, "8,13")
    reason = why_unsolvable(game, game.new())
    assert reason is not None and "\n" not in reason
    with pytest.raises(Unsolvable):
        solve(game, game.new())


@pytest.mark.slow
def test_a_position_that_cannot_come_up_from_the_start_is_solved_too() -> None:
    game = game_of(pairs, "12")
    assert solve(game, game.new()).outcome is Outcome.LOSS
    for heap in (2, 3, 4, 5, 7, 9, 10, 11):
        verdict = solve(game, game.at(np.array([heap], np.int64)))
        assert verdict.grundy == heap // 2 % 2
        assert verdict.outcome is (Outcome.WIN if heap // 2 % 2 else Outcome.LOSS)


def test_once_solved_a_game_is_answered_at_once() -> None:
    game = game_of(wythoff, "6,7")
    solve(game, game.new())
    assert is_instant(game, game.at(np.array([2, 2], np.int64)))


def test_the_explanation_of_a_game_without_a_theory() -> None:
    game = game_of(wythoff, "3,4")
    explanation = explain(game, game.new())
    assert (explanation.kind, explanation.outcome, explanation.p_position) == (Kind.EXACT, Outcome.WIN, False)
    assert explanation.best == ("9",), "two from both heaps leave 1 and 2"
    said = sentences(explanation)
    assert said[0] == "N-position: player to move wins."
    assert said[-1] == "Wins: 9."
    assert any(line.startswith("Grundy value: ") for line in said)
