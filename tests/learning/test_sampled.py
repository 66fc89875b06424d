"""A sample as a graph: its positions, exact values and moves, and runs that show it where positions are too many."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from nimtui.engine import limits
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.learning import sample
from nimtui.learning.evaluate import RIGHT, UNDECIDED, WRONG
from nimtui.learning.run import Run
from nimtui.learning.sample import ELSEWHERE, SampledTruth, truth_of
from nimtui.learning.training import Training

GAME = "connect:3x3x3"


def worth(state: State) -> int:
    """The value of an unfinished position for the player to move, by plain recursion."""
    return max(result(state, move) for move in base.legal_moves(state))


def result(state: State, move: int) -> int:
    after = base.copy(state)
    base.play(after, move)
    end = base.outcome(after)
    return -worth(after) if end == base.GOING_ON else 0 if end == base.DRAW else end


def test_values_moves_and_links_are_those_of_the_rules() -> None:
    game = parse_game(GAME)
    truth = truth_of(sample.make(game, 60), 40)
    graph = truth.graph
    assert len(truth.values) == 40 and list(truth.plies) == sorted(truth.plies) and truth.of >= 40
    links = 0
    for node, board in enumerate(graph.boards):
        state = base.with_board(game.new(), board.copy())
        edges = range(graph.ptr[node], graph.ptr[node + 1])
        assert [int(graph.move[edge]) for edge in edges] == base.legal_moves(state)
        assert truth.values[node] == worth(state) and truth.node(board) == node
        for edge in edges:
            move = int(graph.move[edge])
            assert truth.keeps[edge] == (result(state, move) == worth(state))
            after = game.after(state, move)
            if base.outcome(after) == base.GOING_ON:
                assert graph.to[edge] in (ELSEWHERE, truth.node(after.board))
                links += graph.to[edge] >= 0
            else:
                assert graph.to[edge] == {base.WON: -1, base.LOST: -2, base.DRAW: -3}[base.outcome(after)]
    assert links and truth.node(graph.boards[0] * 0 - 1) == -1
    for order in truth.orders():
        assert sorted(order.nodes.tolist()) == list(range(40))


def test_a_run_on_a_game_that_is_too_large_shows_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    run = Run(Training(parse_game(GAME), "ntuple:tuples=5,length=3", 3))
    run.training.sample = sample.make(run.training.game, 60)
    run.goal(400)
    run.views.every = 0.0
    run.work()
    training, view = run.training, run.views.newest
    assert training.truth is None and isinstance(training.listed, SampledTruth) and training.estimator is not None
    assert view is not None and view.games == 400 and training.sample is not None
    values = training.estimator.all_values(training.listed.graph.boards)
    nodes = np.repeat(np.arange(len(values)), np.diff(training.listed.graph.ptr))
    assert np.array_equal(view.scores, values[nodes, training.listed.graph.move])
    verdicts, keeps = view.standing.verdicts, training.listed.keeps
    for node, (first, end) in enumerate(zip(training.listed.graph.ptr, training.listed.graph.ptr[1:], strict=False)):
        best = view.scores[first:end] == view.scores[first:end].max()
        right = keeps[first:end][best]
        assert verdicts[node] == (RIGHT if right.all() else UNDECIDED if right.any() else WRONG)
    if len(training.listed.values) == training.listed.of:  # the map is the whole sample: then both shares are one
        assert view.standing.accuracy == pytest.approx(training.estimator.right_moves(training.sample))


def test_one_game_at_a_time_is_followed_by_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BYTES", 100)
    run = Run(Training(parse_game(GAME), "linear", 3))
    run.training.sample = sample.make(run.training.game, 10)
    run.goal(10)
    run.following, run.speed = True, 1_000_000.0
    run.stop_after(3)
    held: list[int] = []
    run.job = SimpleNamespace(pause=lambda: held.append(run.done), paused=False)
    run.work()
    assert held == [3] and run.done == 10
    assert run.followed_game is None  # nobody wants views
    run.views.every = 60.0
    run.goal(2)
    run.stop_after(1)
    run.work()
    game = run.followed_game
    assert game is not None and game.episode is None and game.steps is not None and game.steps.number == 11
    assert game.after.games == game.before.games + 1 == 11 and run.done == 12
