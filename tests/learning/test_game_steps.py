"""What one game taught a function: its numbers, recomputed from the weights before and after it."""

from __future__ import annotations

from copy import deepcopy
from math import tanh
from typing import Any

import numpy as np
import pytest

from nimtui.engine import functions, limits
from nimtui.games import base, parse_game
from nimtui.learning import sample
from nimtui.learning.compiled import GameSteps
from nimtui.learning.run import Run
from nimtui.learning.training import Training

GAME = "connect:3x3x3"


def run_of(learner: str, games: int, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    run = Run(Training(parse_game(GAME), learner, 3))
    run.training.sample = sample.make(run.training.game, 60, 1)
    run.training.prepare()
    if games:
        run.training.run(games)
    return run


def value(function: Any, board: Any, side: int) -> float:
    """The value of an afterstate by the function's words, for the side that has just moved."""
    functions.clear(function)
    state = base.with_board(parse_game(GAME).new(), board.copy())
    for i in range(base.inputs(state)):
        if number := int(base.input(state, i)):
            functions.shift(function, i, 0, number)
    return tanh(float(functions.total(function, side)))


def one_game(run: Run) -> tuple[Any, GameSteps, Any]:
    """Play one game; return copies of the function before and after it, and the steps."""
    training = run.training
    assert training.estimator is not None
    before = deepcopy(training.estimator.function)
    training.watch(1)
    steps = training.game_steps()
    assert steps is not None
    return before, steps, training.estimator.function


@pytest.mark.parametrize(
    "learner",
    ["ntuple:tuples=4,length=3", "ntuple:tuples=4,length=3,adapt=on", "ntuple:tuples=4,length=3,trace=0", "linear"],
)
def test_the_steps_are_those_that_change_the_weights(learner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(learner, 300, monkeypatch)
    for _ in range(6):
        before, steps, after = one_game(run)
        game, pace, moves = run.training.game, steps.pace, steps.moves
        end = base.copy(moves[-1].state)
        base.play(end, moves[-1].move)
        assert base.outcome(end) == steps.outcome and steps.number == run.training.games
        target = float({base.WON: 1, base.LOST: -1}.get(steps.outcome, 0))
        assert moves[-1].target == target and moves[-1].step == 0 and moves[-1].error == 0
        again = deepcopy(before)._replace(path=after.path)
        for ply in range(len(moves) - 2, -1, -1):
            move, reply = moves[ply], moves[ply + 1]
            board, side = game.after(move.state, move.move).board, int(base.side(move.state))
            assert move.value == pytest.approx(value(deepcopy(before), board, side), abs=1e-6)
            assert move.later == pytest.approx(value(deepcopy(after), board, side), abs=1e-6)
            later = 0.0 if reply.by_chance else pace.decay
            target = -pace.discount * ((1 - later) * reply.best + later * target)
            assert move.target == pytest.approx(target) and move.error == pytest.approx(target - move.value)
            factor = 1 - move.value**2 if pace.squares else 1.0
            assert move.step == pytest.approx(steps.size * move.error * factor)
            assert (move.rates is not None) == ("adapt" in learner)
            functions.learn(again, side, ply, move.step)
        for name in functions.known_of(after):  # in the same order the same bits
            assert np.array_equal(getattr(again, name), getattr(after, name)), name


def test_the_met_positions_are_those_of_its_own_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    run = run_of("ntuple:tuples=4,length=3", 0, monkeypatch)
    truth, plays = run.training.listed, dict[tuple[bytes, int], int]()
    assert truth is not None
    for _ in range(30):
        for move in one_game(run)[1].moves:
            key = move.state.board.tobytes(), move.move
            plays[key] = plays.get(key, 0) + 1
    nodes = np.repeat(np.arange(len(truth.values)), np.diff(truth.graph.ptr))
    expected = [
        plays.get((truth.graph.boards[node].tobytes(), int(move)), 0)
        for node, move in zip(nodes, truth.graph.move, strict=True)
    ]
    assert sum(expected) > 30 and run.training.listed_scores()[1].tolist() == expected
    run.training.save(tmp_path / "run.npz")
    again = Training.load(tmp_path / "run.npz")
    again.sample = run.training.sample
    again.prepare()
    assert again.listed_scores()[1].tolist() == expected
