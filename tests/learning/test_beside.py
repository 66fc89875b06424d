"""What a function meets in games against itself, and what only one of two learners plays right."""

from __future__ import annotations

from random import Random

import numpy as np

from nimtui.games import base, parse_game
from nimtui.learning import evaluate
from nimtui.learning.compiled import times_met
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG
from nimtui.learning.training import Training

VERDICTS = (NOTHING, RIGHT, WRONG, UNDECIDED)


def test_games_without_random_moves_meet_what_best_moves_reach() -> None:
    game = parse_game("connect:3x3x3")
    training = Training(game, "ntuple:tuples=5,length=3,explore=0", 2)
    training.run(200)
    assert training.estimator is not None and training.truth is not None
    times = times_met(training.estimator, training.truth, 50)
    reached, todo = set(), [game.new()]
    while todo:
        state = todo.pop()
        if state.board.tobytes() in reached or base.outcome(state) != base.GOING_ON:
            continue
        reached.add(state.board.tobytes())
        values = training.estimator.values(state)
        todo += [game.after(state, move) for move, value in values.items() if value == max(values.values())]
    boards = training.truth.graph.boards.astype(np.int64)
    assert {boards[node].tobytes() for node in np.flatnonzero(times)} <= reached
    assert times[training.truth.graph.start] == 50 and times.max() == 50
    assert np.array_equal(times, times_met(training.estimator, training.truth, 50))


def test_random_moves_lead_elsewhere() -> None:
    game = parse_game("connect:3x3x3")
    trainings = [Training(game, f"linear:explore={share}", 2) for share in (0, 1)]
    numbers = []
    for training in trainings:
        training.run(100)
        assert training.estimator is not None and training.truth is not None
        numbers.append(np.count_nonzero(times_met(training.estimator, training.truth, 50)))
    assert numbers[0] < numbers[1]


def test_what_only_one_plays_right_is_counted() -> None:
    random = Random(1)
    for _ in range(50):
        number = random.randrange(1, 30)
        mine, other = (np.array(random.choices(VERDICTS, k=number), np.int8) for _ in range(2))
        visits, theirs = (np.array([random.randrange(2) for _ in range(number)]) for _ in range(2))
        nodes = [node for node in range(number) if mine[node] == RIGHT and other[node] != RIGHT]
        unmet = [node for node in nodes if not visits[node]]
        assert np.flatnonzero(evaluate.alone(mine, other)).tolist() == nodes
        known = [node for node in nodes if not theirs[node]]
        text = f"Only a is right in {len(nodes)}"
        both = evaluate.sentence(("a", "b"), (mine, other), (visits, theirs))
        assert both == f"{text}: never met by b {len(known)}, by itself {len(unmet)}"
        assert evaluate.sentence(("a", "b"), (mine, other), ()) == text


def test_visits_of_positions_are_those_of_their_moves() -> None:
    training = Training(parse_game("nim:1,2,3"), "quality", 1)
    training.run(40)
    assert training.truth is not None
    visits = evaluate.visits_of(training.truth, training.table.visits)
    assert [int(number) for number in visits] == [
        sum(training.table.visits_of(training.game.at(board.astype(np.int64))).values())
        for board in training.truth.graph.boards
    ]
