"""Functions by their words: totals and steps against dense sums and measured slopes; what self-play does at limits."""

from __future__ import annotations

import itertools
import math
import sys
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from nimtui.engine import function_play, network, ntuple
from nimtui.engine.function_play import Evaluation, Pace
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game

VALUES, LEVELS = (1, 0, 2), 3  # of three inputs
IMAGES = np.array([[0, 1, 2], [2, 1, 0]])


def networked(images: int, second: int) -> network.Network:
    draw = np.random.default_rng(second)
    weights, out = draw.normal(size=(2, 3 * LEVELS + 1, 4)), draw.normal(size=(2, (second or 4) + 1))
    middle, room = draw.normal(size=(2, 5, second)), (np.zeros((images, 4)), np.zeros((images, second)))
    sums, seen, path = np.zeros((2, images, 4)), np.ones(3, np.int16), np.zeros((2, 3), np.int16)
    return network.Network(weights, middle, out, IMAGES[:images], LEVELS, sums, seen, path, *room)


def dense(function: Any, side: int) -> float:
    """The total at `VALUES`, with every layer as a product of matrices."""
    totals = []
    for image in function.image:
        rows = [LEVELS * int(image[i]) + value for i, value in enumerate(VALUES) if value]
        hidden = np.maximum(0, function.weights[side, rows].sum(axis=0) + function.weights[side, -1])
        if function.middle.shape[2]:
            hidden = np.maximum(0, hidden @ function.middle[side, :-1] + function.middle[side, -1])
        totals.append(hidden @ function.out[side, :-1])
    return float(np.mean(totals) + function.out[side, -1])


@pytest.mark.parametrize(("images", "second"), [(1, 0), (2, 0), (1, 3), (2, 3)])
def test_a_network_learns_along_the_slope_of_its_total(images: int, second: int) -> None:
    function, step, small = networked(images, second), 0.125, 1e-6
    network.clear(function)
    for i, old, new in ((2, 0, 1), (0, 0, 2), (1, 0, 1), (2, 1, 2), (0, 2, 1), (1, 1, 0)):
        network.shift(function, i, old, new)
    assert function.seen.tolist() == [*VALUES]
    for side in (0, 1):
        assert network.total(function, side) == pytest.approx(dense(function, side))
    network.note(function, 1)
    slopes = []
    for name in network.WEIGHTS:
        part = getattr(function, name)
        for place in np.ndindex(part.shape):
            value, ends = part[place], []
            for by in (small, -small):
                part[place] = value + by
                ends.append(dense(function, 1))
            part[place] = value
            slopes.append((ends[0] - ends[1]) / (2 * small))
    before = np.concatenate([getattr(function, name).ravel() for name in network.WEIGHTS])
    network.learn(function, 1, 1, step)
    after = np.concatenate([getattr(function, name).ravel() for name in network.WEIGHTS])
    np.testing.assert_allclose(after - before, step * np.array(slopes), rtol=0, atol=1e-8)
    assert np.count_nonzero(slopes) > 10
    network.clear(function)
    assert not function.seen.any() and (function.sums == function.weights[:, np.newaxis, -1]).all()


def tuples(slots: int, rates: bool) -> ntuple.Tuples:
    """Slot s looks at the inputs s and s + 1, in a circle."""
    draw, places = np.random.default_rng(slots), [[(s, f) for s in range(slots) for f in (0, 1)] for _ in range(3)]
    places = [[(s, f) for s, f in places[i] if (s + f) % 3 == i] for i in range(3)]
    every = list(itertools.chain(*places))
    ptr = np.cumsum([0, *map(len, places)])
    entry = np.array([[0, 3, 6] if f == 0 else [0, 1, 2] for _, f in every], np.int32)
    size, own = (2, 9 * slots), (2, 9 * slots) if rates else (1, 1)
    weights, first = draw.normal(size=size).astype(np.float32), np.arange(0, 9 * slots, 9, dtype=np.int32)
    slot, rest = np.array([s for s, _ in every], np.int32), (np.zeros(own, np.float32), np.zeros(own, np.float32))
    room = np.zeros(slots, np.int32), np.zeros((2, slots), np.int32)
    return ntuple.Tuples(weights, first, ptr, slot, entry, *room, *rest)


@pytest.mark.parametrize("rates", [False, True])
@pytest.mark.parametrize("slots", [1, 3, 4, 5, 8, 11])
def test_tuples_look_up_their_entries_and_each_weight_goes_by_its_rate(slots: int, rates: bool) -> None:
    function = tuples(slots, rates)
    ntuple.clear(function)
    for i, old, new in ((2, 0, 1), (0, 0, 1), (1, 0, 1), (2, 1, 2), (1, 1, 0)):
        ntuple.shift(function, i, old, new)
    at = [9 * s + 3 * VALUES[s % 3] + VALUES[(s + 1) % 3] for s in range(slots)]
    assert function.at.tolist() == at
    for side in (0, 1):
        assert ntuple.total(function, side) == pytest.approx(function.weights[side, at].sum(), abs=1e-5)
    ntuple.note(function, 1)
    wanted, moved, went = function.weights.copy(), 0.0, 0.0
    for step in (0.5, -0.25, -0.25, 0.125):
        rate = abs(moved) / went if rates and went else 1.0
        wanted[1, at] += np.float32(step * rate)
        moved, went = moved + step, went + abs(step)
        ntuple.learn(function, 1, 1, step)
        np.testing.assert_allclose(function.weights, wanted, rtol=0, atol=1e-6)
    if rates:
        assert {*function.moved[1, at]} == {moved} and {*function.went[1, at]} == {went}
        assert not function.moved[0].any() and np.count_nonzero(function.went) == slots
    ntuple.clear(function)
    assert function.at.tolist() == function.first.tolist()


# What self-play does of its own, with rules and functions that answer what a test wants.


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
    game, function = parse_game("nim:2,2,2"), tuples(3, False)
    room, pace, start = function_play.room([3] * 3, plies=2), Pace(0.5, 0.5, 0, 0.5, 1.0, 1.0, False), game.start.board
    none = function_play.NO_VISITS
    function_play.self_play.py_func(function, game.new(), start, pace, 1, 0, Stream(1), room, none)
    value, best = room.values.tolist(), room.best.tolist()
    assert room.done.tolist() == [1, 2] and room.targets[1] == value[1] and room.steps[1] == 0
    assert room.random.all() and room.targets[0] == -best[1] and room.steps[0] == 0.5 * (-best[1] - value[0])
    by = Evaluation(function, room)
    ntuple.clear(function)
    total = float(ntuple.total(function, 0))
    assert function_play.estimate(by, 0, 1_000) == int(1_000 * math.tanh(total))
