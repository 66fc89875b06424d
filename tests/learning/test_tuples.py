"""Inputs and tuples on their own: what a game says of its inputs, which tuples are drawn, what they show and need."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from nimtui.games import Game, base, parse_game
from nimtui.learning.sight import Sight
from nimtui.learning.tuples import Draw, drawn, tuples, usual_length
from tests.games import wythoff
from tests.games.refusal import refusal


def test_what_an_own_game_says_of_its_inputs_is_checked_and_what_it_does_not_say_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Game(wythoff, wythoff.parse("wythoff", ["2,3"]))
    monkeypatch.setattr(base, "inputs", lambda state: 3)
    monkeypatch.setattr(base, "input", lambda state, i: [*state.board.tolist(), 5][i])
    wrong_levels = "wythoff:2,3: levels must be 3 whole numbers from 1 to 256, not {}"
    neighbours = "wythoff:2,3: neighbours must be a list of inputs, 0 to 2, for each of 3 inputs"
    symmetries = "wythoff:2,3: symmetries must be permutations of inputs that keep their levels"
    every, apart, same = ((1, 2), (0, 2), (0, 1)), [[2], [], [0, 0]], (0, 1, 2)
    turned = {"levels": [4, 9, 4], "symmetries": [[2, 1, 0]]}
    for own, expected in (
        ({}, Sight((3, 4, 6), every, (same,), 1)),
        ({"levels": [1, 256, 2]}, Sight((1, 256, 2), every, (same,), 1)),
        *(({"levels": levels}, wrong_levels.format(levels)) for levels in ([0, 1, 1], [1, 257, 1], [1, 1], [1] * 4)),
        ({"neighbours": apart}, Sight((3, 4, 6), ((2,), (), (0, 0)), (same,), 1)),
        *(({"neighbours": beside}, neighbours) for beside in ([[3], [], []], [[-1], [], []], [[], []])),
        (turned, Sight((4, 9, 4), every, (same, (2, 1, 0)), 1)),
        *(({"symmetries": [image]}, symmetries) for image in ([2, 1, 0], [0, 1], [0, 0, 2])),
    ):
        with monkeypatch.context() as patch:
            for name, value in own.items():
                patch.setattr(wythoff, name, lambda state, value=value: value, raising=False)
            assert (refusal(Sight.of, game) if isinstance(expected, str) else Sight.of(game)) == expected
            if own is turned:
                assert Sight.of(game, mirror=False) == expected._replace(images=(same,)) and expected.inputs == 3
    monkeypatch.setattr(base, "input", lambda state, i: (1, -2, 0)[i])
    assert refusal(Sight.of, game) == "wythoff:2,3: input 1 is -2: inputs are 0 or more"


def test_a_stack_can_show_what_some_filling_of_it_shows() -> None:
    high, sight = 4, Sight((4,) * 4, ((),) * 4, ((0, 1, 2, 3),), 1, ((0, 1, 2, 3),))
    whole = [[*filled, *[1, 0, 0, 0][: high - len(filled)]] for n in range(5) for filled in product((2, 3), repeat=n)]
    whole.append([0] * high)  # as if the next one to be filled were below
    for part in product((None, 0, 1, 2, 3), repeat=high):
        values = {i: value for i, value in enumerate(part) if value is not None}
        can = any(all(each[i] == value for i, value in values.items()) for each in whole)
        assert sight.possible(values) is can, values


def test_digits_are_the_bits_that_hold_the_values_of_each_input() -> None:
    seen_by, places = Sight((4, 1, 5, 4), ((2,), (0,), (), (1,)), ((0, 1, 2, 3), (3, 1, 2, 0)), 2).digits()
    assert places == [(0, 0), (0, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1)]
    first, third, last = (0, 1), (2, 3, 4), (5, 6)
    beside = (*((0, 1, 2, 3, 4),) * 2, *(third,) * 3, *(last,) * 2)
    assert seen_by == Sight((2,) * 7, beside, (tuple(range(7)), (*last, *third, *first)), 2)


def test_a_tuple_has_the_most_usual_inputs_whose_values_are_65_536_at_most() -> None:
    for levels, length in (
        *(((4,) * 3, 3), ((4,) * 10, 8), ((3,) * 10, 8), ((5,) * 10, 6), ((16,) * 5, 4), ((17,) * 5, 3), ((1,) * 9, 8)),
        *(((256, 2, 256), 2), ((2, 256, 257), 1), ((70_000,), 1), ((2, 2, 2, 2, 2, 2, 2, 2, 256), 8)),
    ):
        assert usual_length(Sight(levels, ((),) * len(levels), (), 1)) == length, levels


def test_a_walk_is_beside_an_earlier_input_half_of_the_time_the_last_and_anywhere_if_none_is_left() -> None:
    sight, asked = Sight((2,) * 5, ((1,), (0, 2), (1,), (4,), (3,)), ((0, 1, 2, 3, 4),), 1), list[object]()

    def drawn_with(draw: Draw, *numbers: int) -> tuple[int, ...]:
        script = iter(numbers)
        below = lambda number: asked.append(number) or next(script)  # noqa: E731
        stream = SimpleNamespace(below=below, choose=lambda some: asked.append([*some]) or some[-1])
        asked.clear()
        [found] = drawn(sight, 1, 4, draw, stream)
        return found

    assert (drawn_with(Draw.WALK, 1, 1), asked) == ((1, 2, 0, 4), [5, 2, [0, 2], [1], [0], [3, 4]])
    assert (drawn_with(Draw.WALK, 0, 1, 0), asked) == ((0, 1, 2, 4), [5, 2, [1], 2, [1], [2], [3, 4]])
    assert (drawn_with(Draw.ANY, 4, 0, 1, 1), asked) == ((4, 0, 2, 3), [5, 4, 3, 2])


def test_all_tuples_are_taken_where_there_are_no_more_and_a_draw_gives_up_at_last() -> None:
    sight = Sight((2,) * 4, ((1, 2, 3),) * 4, ((0, 1, 2, 3), (3, 2, 1, 0)), 1)
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2)]  # the others are their mirror images
    nothing = SimpleNamespace(below=None, choose=None)
    assert drawn(sight, 6, 2, Draw.ANY, nothing) == drawn(sight, 7, 2, Draw.WALK, nothing) == pairs
    draws = list[int]()
    stuck = SimpleNamespace(below=lambda number: draws.append(number) or 0)
    assert drawn(sight, 5, 2, Draw.ANY, stuck) == [(0, 1)] and len(draws) == 2 * 50 * 5
    draws.clear()
    assert drawn(sight, 1, 2, Draw.ANY, stuck) == [(0, 1)] and len(draws) == 2


def test_a_function_that_needs_more_memory_than_allowed_is_refused_and_all_starts_at_0(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nim, connect = Sight.of(parse_game("nim:2,3")), Sight.of(parse_game("connect:3x3x3"))
    for sight, arguments, needed, said in (
        (nim, (1, 2, Draw.ANY, 0, 5), 4 * (3 * 4 + 5), "1 tuples of 2 inputs need 68 bytes"),
        (nim, (1, 9, Draw.ANY, 0, 5, False, True), 4 * (3 * 3 * 4 + 5), "1 tuples of 2 inputs need 164 bytes"),
        (nim, (2, 1, Draw.ANY, 0, 5, True), 4 * (2 * 2 + 5 * 2), "2 tuples of 1 inputs need 56 bytes"),
        (connect, (0, 1), 4 * (6 * 4 * 2 + 6 * 2), "6 tuples of 1 inputs need 240 bytes"),  # two sides and images
    ):
        monkeypatch.setattr("nimtui.learning.tuples.MOST_BYTES", needed - 1)
        assert refusal(tuples, sight, *arguments) == f"{said}: take fewer or shorter ones"
        monkeypatch.setattr("nimtui.learning.tuples.MOST_BYTES", needed)
        assert not any(part.any() for part in tuples(sight, *arguments)[6:])
    usual, same = tuples(nim, 1, 2), tuples(nim, 1, 2, Draw.ANY, 0, 1, False, False)
    assert all(np.array_equal(*both) for both in zip(usual, same, strict=True))
    assert (usual.weights.shape, usual.path.shape, usual.moved.shape) == ((1, 12), (1, 1), (1, 1))
    none = Sight((1, 1), ((1,), (0,)), ((0, 1),), 1)
    assert refusal(tuples, none, 1, 1, digits=True) == "nothing to learn from: no input has two values"
