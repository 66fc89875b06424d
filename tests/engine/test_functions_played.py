"""Self-play of functions at its limits, with rules and functions that answer what a test wants."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from nimtui.engine import function_play, functions
from nimtui.engine.function_play import Evaluation, Pace
from nimtui.engine.network import Network
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.learning.estimator import Estimator
from nimtui.learning.learner import parse_learner


def made(monkeypatch: pytest.MonkeyPatch, module: str, fields: dict[str, Any], **words: Any) -> Any:
    """A state or a function whose module has these words."""
    monkeypatch.setitem(sys.modules, module, SimpleNamespace(**words))  # type: ignore[arg-type]
    kind = type("Made", (NamedTuple("Made", [(name, Any) for name in fields]),), {"__module__": module})
    return kind(*fields.values())


def test_answers_of_own_rules_stay_within_sides_levels_and_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    shifts: list[Any] = []
    function = made(
        monkeypatch, "own_function", {"weights": np.zeros((2, 1))}, shift=lambda own, *rest: shifts.append(rest)
    )
    answer = [0]
    words = {word: lambda state, *rest: answer[min(rest[-1], len(answer) - 1) if rest else 0] for word in ("side",)}
    words |= {"input": lambda state, i: answer[0], "changes": lambda state, move, i: (*answer, -1)[i]}
    state, room = made(monkeypatch, "own_rules", {"board": np.zeros(1, np.int64)}, **words), function_play.room([3, 2])
    assert (room.top.tolist(), room.seen.tolist(), len(room.values)) == ([2, 1], [0, 0], 1)
    for answer[0], side in ((-3, 0), (0, 0), (1, 1), (5, 1)):
        assert function_play.mover_of(function, state) == side
    room.seen[0] = 1
    for answer[0], told in ((-1, (0, 1, 0)), (0, None), (1, (0, 0, 1)), (2, (0, 1, 2)), (7, None)):
        function_play._see(function, state, 0, room)
        assert (shifts.pop() if shifts else None) == told
    assert room.seen.tolist() == [2, 0]
    for answer[:], listed in (([1, 0], [1, 0]), ([0, 2], [0]), ([-1], []), ([1, 1, 1], [1, 1])):
        n = function_play.listed(state, 0, room)
        assert room.changed[:n].tolist() == listed


def test_steps_fall_geometrically_and_means_go_a_part_of_the_way() -> None:
    pace = Pace(0.5, 0.005, 100, 0.0, 1.0, 0.0, False)
    sizes = [function_play.size_of(pace, games) for games in (0, 50, 100, 101)]
    assert sizes == pytest.approx([0.5, 0.05, 0.005, 0.005])
    assert [function_play.size_of(pace._replace(over=over), 1) for over in (0, 1)] == pytest.approx([0.5, 0.005])
    mean = np.array([1.0, -2.0])
    function_play.approach(mean, np.array([3.0, 2.0]), 0.25)
    assert mean.tolist() == [1.5, -1.0]


def test_every_listed_board_is_found_again_and_no_other() -> None:
    game = parse_game("nim:4,5,3")
    boards = np.array([game.new(f"{a},{b},{c}").board for a in range(5) for b in range(6) for c in range(4)])
    state = game.new()
    for many, size in ((0, 1), (1, 8), (2, 16), (3, 16), (4, 32), (60, 256)):
        graph: Any = SimpleNamespace(boards=boards[:many].astype(np.int32), ptr=np.arange(many + 1), move=boards[:, 0])
        visits = function_play.visits_among(graph, np.zeros(many, np.int32))
        assert len(visits.slots) == size and sorted(visits.slots[visits.slots > 0]) == [*range(1, many + 1)]
        for node, board in enumerate(boards):
            base.restore(state, board)
            assert function_play.listed_node(visits, state) == (node if node < many else -1)
    assert function_play.listed_node(function_play.NO_VISITS, state) == -1
    for board in boards[::7].tolist():
        mixed = 0
        for number in board:
            mixed = ((mixed ^ number ^ (number >> 31)) & 0x7FFFFFFF) * 0x45D9F3B
            mixed ^= mixed >> 23
        assert function_play.slot_of(visits.slots, np.array(board)) == mixed % 256


def test_a_game_that_is_longer_than_its_room_ends_with_the_value_of_its_last_position() -> None:
    game = parse_game("nim:2,2,2")
    function = Estimator(game, parse_learner("net:hidden=4"), 1).function
    room, pace = function_play.room([3] * 3, plies=2), Pace(0.5, 0.5, 0, 0.5, 1.0, 1.0, False)
    rest = pace, 1, 0, Stream(1), room, function_play.NO_VISITS
    function_play.self_play.py_func(function, game.new(), game.start.board, *rest)
    value, best = room.values.tolist(), room.best.tolist()
    assert room.done.tolist() == [1, 2] and room.targets[1] == value[1] and room.steps[1] == 0
    assert room.random.all() and room.targets[0] == -best[1] and room.steps[0] == 0.5 * (-best[1] - value[0])
    by = Evaluation(function, room)
    assert function_play.estimate(by, 0, 1_000) == int(1_000 * math.tanh(functions.total(function, 0)))


def test_a_move_that_ends_the_game_is_worth_its_result() -> None:
    for name, before, value in (("nim:1", "1", math.inf), ("nim:1:misere", "1", -math.inf), ("connect:1x3x3", "11", 0)):
        state = parse_game(name).new(before)
        assert function_play.tried(None, state, 0, 0, function_play.room([2])) == value  # type: ignore[arg-type]


@pytest.mark.parametrize("second", [0, 3])
def test_a_network_is_the_sum_of_its_units_and_learns_along_its_gradient(second: int) -> None:
    dice, inputs, levels, hidden = np.random.default_rng(second), 4, 3, 4
    images, shape = np.array([[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0]]), ((second or hidden) + 1,)
    sizes = (inputs * levels + 1, hidden), (hidden + 1, second), shape
    parts, path = [dice.normal(size=(2, *size)) for size in sizes], np.zeros((3, inputs), np.int16)
    sums, scratch = np.zeros((2, 3, hidden)), (np.zeros((3, hidden)), np.zeros((3, second)))
    network = Network(*parts, images, levels, sums, np.zeros(inputs, np.int16), path, *scratch)

    def total(side: int, values: tuple[int, ...]) -> float:
        weights, middle, out = (part[side] for part in parts)
        whole = 0.0
        for image in images:
            rows = [weights[image[i] * levels + value] for i, value in enumerate(values) if value]
            units = np.maximum(0, weights[-1] + sum(rows))
            units = np.maximum(0, units @ middle[:-1] + middle[-1]) if second else units
            whole += units @ out[:-1]
        return float(whole / len(images) + out[-1])

    positions, before = [(0, 0, 0, 0), (2, 0, 1, 0), (2, 1, 0, 1)], (0, 0, 0, 0)
    functions.clear(network)
    for ply, values in enumerate(positions):
        for i, (old, new) in enumerate(zip(before, values, strict=True)):
            functions.shift(network, i, old, new)
        functions.note(network, ply)
        assert [functions.total(network, side) for side in (0, 1)] == pytest.approx(
            [total(0, values), total(1, values)]
        )
        before = values
    for side, ply in ((0, 1), (1, 2), (0, 2)):
        slopes, old = [np.zeros_like(part) for part in parts], [part.copy() for part in parts]
        for part, slope in zip(parts, slopes, strict=True):
            for place in np.ndindex(part.shape):
                ends = []
                for step in (1e-6, -1e-6):
                    part[place] += step
                    ends.append(total(side, positions[ply]))
                    part[place] -= step
                slope[place] = (ends[0] - ends[1]) / 2e-6
        functions.learn(network, side, ply, 0.25)
        for part, was, slope in zip(parts, old, slopes, strict=True):
            np.testing.assert_allclose(part - was, 0.25 * slope, rtol=0, atol=1e-7)
    functions.clear(network)
    assert not network.seen.any() and functions.total(network, 1) == pytest.approx(total(1, positions[0]))
    parts[0][:, -1, 0] = 0.0  # a unit at 0 is off
    functions.learn(network, 0, 0, 0.25)
    assert parts[0][0, -1, 0] == 0.0


@pytest.mark.parametrize("adapt", ["off", "on"])
def test_tuples_look_up_the_values_of_their_inputs_and_each_weight_has_its_rate(adapt: str) -> None:
    dice, learner = np.random.default_rng(1), parse_learner(f"ntuple:tuples=7,length=3,mirror=off,adapt={adapt}")
    function = Estimator(parse_game("noughts:3x3x3"), learner, 1).function
    function.weights[:] = dice.normal(size=function.weights.shape)
    path, places = np.zeros((3, 7), np.int64), [[] for _ in range(7)]  # of each tuple: its inputs, and what they add
    for i in range(9):
        for place in range(function.ptr[i], function.ptr[i + 1]):
            places[function.slot[place]].append((i, function.entry[place]))
    function, now = function._replace(path=np.zeros((3, 7), np.int32)), [0] * 9
    functions.clear(function)
    for ply, i, value in ((0, 4, 2), (1, 0, 1), (2, 4, 1)):
        functions.shift(function, i, now[i], value)
        now[i] = value
        functions.note(function, ply)
        path[ply] = [function.first[slot] + sum(adds[now[i]] for i, adds in places[slot]) for slot in range(7)]
        for side in (0, 1):
            assert functions.total(function, side) == pytest.approx(function.weights[side, path[ply]].sum(), rel=1e-6)
    weights, moved, went = (part.astype(float) for part in (function.weights, function.moved, function.went))
    for side, ply, step in ((0, 1, 0.5), (0, 2, -0.25), (1, 1, 0.5), (0, 1, 0.125), (0, 0, -1.0)):
        functions.learn(function, side, ply, step)
        for entry in path[ply]:
            rate = abs(moved[side, entry]) / went[side, entry] if adapt == "on" and went[side, entry] else 1.0
            weights[side, entry] += step * rate
            if adapt == "on":
                moved[side, entry], went[side, entry] = moved[side, entry] + step, went[side, entry] + abs(step)
        for part, told in ((weights, function.weights), (moved, function.moved), (went, function.went)):
            np.testing.assert_allclose(told, part, rtol=0, atol=1e-5)
