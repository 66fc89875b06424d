"""Why a function values a move so: parts that sum up to the value, the heaviest patterns, places on the board."""

from __future__ import annotations

from itertools import product
from math import atanh
from pathlib import Path

import pytest

from nimtui.engine.ntuple import Tuples
from nimtui.games import base, parse_game
from nimtui.learning import reasons
from tests.learning.functions import save


@pytest.mark.parametrize(
    ("name", "learner", "line"),
    [
        ("connect:4x4x3", "ntuple:tuples=6,length=3", "12"),
        ("connect:4x4x3", "linear", ""),
        ("noughts:3x3x3", "net:hidden=3", "b2"),
        ("nim:2,3,4", "ntuple:tuples=3,length=2,digits=on", "b1"),
    ],
)
def test_parts_sum_up_to_the_value_and_each_input_adds_what_is_missing_without_it(
    name: str, learner: str, line: str, tmp_path: Path
) -> None:
    estimator, game = save(tmp_path / "f.npz", name, learner), parse_game(name)
    state = game.new()
    for move in [line] if name[0] == "n" and line else line:
        base.play(state, game.parse_move(move, state))
    values = estimator.values(state)
    for move in base.legal_moves(state):
        why = reasons.of(estimator, state, move)
        assert why is not None and why.total == pytest.approx(atanh(values[move]), abs=1e-6)
        if isinstance(estimator.function, Tuples):
            assert sum(pattern.weight for pattern in why.patterns) == pytest.approx(why.total, abs=1e-6)
            weights = [abs(pattern.weight) for pattern in why.patterns]
            assert weights == sorted(weights, reverse=True)
            after = game.after(state, move)
            assert all(base.input(after, i) == value for pattern in why.patterns for i, value in pattern.values.items())
        if learner == "linear":  # one weight for each value of each input; that of 0 takes its place
            alone = {i: pattern.weight for pattern in why.patterns for i in pattern.values}
            assert all(add == 0 or abs(add - alone[i]) <= 0.8 for i, add in enumerate(why.inputs) if i in alone)
        assert why.inputs.any() and [
            add for add, at in zip(why.inputs, _inputs(game, state, move), strict=True) if not at
        ] == [0.0] * _inputs(game, state, move).count(0)


def _inputs(game: object, state: base.State, move: int) -> list[int]:
    after = base.copy(state)
    base.play(after, move)
    return [int(base.input(after, i)) for i in range(int(base.inputs(after)))]


def test_a_move_that_ends_the_game_needs_no_reasons(tmp_path: Path) -> None:
    estimator, game = save(tmp_path / "f.npz", "nim:1,1", "linear"), parse_game("nim:1,1")
    state = game.new()
    base.play(state, base.legal_moves(state)[0])
    assert reasons.of(estimator, state, base.legal_moves(state)[0]) is None


def test_the_heaviest_patterns_are_those_of_the_largest_weights_and_are_met_so(tmp_path: Path) -> None:
    estimator = save(tmp_path / "f.npz", "connect:3x3x3", "ntuple:tuples=4,length=2")
    function = estimator.function
    assert isinstance(function, Tuples)
    heaviest = reasons.heaviest(estimator, 10)
    sizes = sorted((abs(float(weight)) for weight in function.weights.flat), reverse=True)
    assert [abs(pattern.weight) for pattern in heaviest] == sizes[:10]
    for pattern in heaviest:  # by brute force: some tuple stands there if the inputs have these values
        assert any(
            float(function.weights[side, at]) == pattern.weight
            for side, at in product(range(len(function.weights)), _entries(function, pattern.values))
        )
    assert reasons.heaviest(save(tmp_path / "n.npz", "nim:2,3", "net:hidden=2"), 5) == []
    assert reasons.heaviest(save(tmp_path / "d.npz", "nim:5,3", "ntuple:tuples=2,length=2,digits=on"), 5) == []


def _entries(function: Tuples, values: dict[int, int]) -> list[int]:
    at = function.first.copy()
    for i, value in values.items():
        for place in range(function.ptr[i], function.ptr[i + 1]):
            at[function.slot[place]] += function.entry[place, value]
    return [int(entry) for entry in at]


def test_an_input_is_found_on_the_board_by_what_follows_from_it() -> None:
    connect = reasons.places(parse_game("connect:4x3x3"), 12)
    assert [place.cells for place in connect] == [((2 - i % 3, i // 3),) for i in range(12)]
    assert connect[0].contents == {0: 0, 1: 0, 2: 1, 3: 2} or connect[0].contents == {1: 0, 2: 1, 3: 2}
    noughts = reasons.places(parse_game("noughts:3x3x3"), 9)
    assert [place.cells for place in noughts] == [((i // 3, i % 3),) for i in range(9)]
    rows = reasons.places(parse_game("nim:2,3"), 2)
    assert [place.cells for place in rows] == [((0, 0), (0, 1)), ((1, 0), (1, 1), (1, 2))]
