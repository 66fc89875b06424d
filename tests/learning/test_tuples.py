"""What learners with a function see of a game, and the tuples that are drawn of it."""

from __future__ import annotations

import math
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui import theory
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game
from nimtui.games.registry import presets
from nimtui.learning.estimator import Estimator
from nimtui.learning.learner import parse_learner
from nimtui.learning.sight import Sight
from nimtui.learning.tuples import Draw, drawn, layout, shown
from tests.examples import few
from tests.games import wythoff
from tests.learning.functions import seen, walk

GAMES = sorted({preset.game for preset in presets()} | {"connect:4x5x3", "noughts:4x3x3", "kayles:3,4", "chomp:3x2"})


@pytest.mark.parametrize("name", GAMES)
def test_a_move_changes_no_other_inputs_than_it_says_and_neighbours_are_mutual(name: str) -> None:
    game = parse_game(name)
    sight = Sight.of(game)
    beside = sight.neighbours
    assert all(i in beside[other] and other != i for i, others in enumerate(beside) for other in others)
    for seed in range(4):
        for (state, move), (after, _) in pairwise(walk(game, seed)):
            said, at = [], 0
            while (i := base.changes(state, move, at)) >= 0:
                said.append(i)
                at += 1
            before, now = seen(state), seen(after)
            assert {i for i, (old, new) in enumerate(zip(before, now, strict=True)) if old != new} <= set(said)
            assert len(set(said)) == len(said) and all(0 <= v < top for v, top in zip(now, sight.levels, strict=True))


@pytest.mark.parametrize(
    "name", ["connect:4x3x3", "noughts:3x3x3", "noughts:3x2x2", "nim:2,3", "chomp:3x2", "kayles:4"]
)
def test_positions_with_equal_inputs_and_their_images_have_one_value(name: str) -> None:
    """So a function can say the value of every position. Images: of both values and ends."""
    game = parse_game(name)
    sight = Sight.of(game)
    values: dict[tuple[int, ...], tuple[int, int]] = {}
    for seed in range(few(50, 150)):
        for state, move in walk(game, seed):
            value = theory.solve(game, state).outcome.worth if move >= 0 else 0
            side = base.side(state) if sight.sides == 2 else 0
            for image in sight.images:
                there = [0] * sight.inputs
                for i, to in enumerate(image):
                    there[to] = seen(state)[i]
                key = (side, *there)
                assert values.setdefault(key, (base.outcome(state), value)) == (base.outcome(state), value)


@settings(deadline=None)  # a busy machine takes long for 60 tuples
@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 8), st.sampled_from(list(Draw)))
def test_tuples_differ_and_a_walk_never_leaves_its_neighbours(seed: int, number: int, length: int, draw: Draw) -> None:
    sight = Sight.of(parse_game("connect:4x4x4"))
    chosen = drawn(sight, number, length, draw, Stream(seed))
    images = [frozenset(frozenset(image[i] for i in one) for image in sight.images) for one in chosen]
    assert len(set(images)) == len(chosen) <= number and all(len(set(one)) == length for one in chosen)
    if draw is Draw.WALK and len(chosen) < math.comb(16, length) // 8:
        for one in chosen:
            for at in range(1, length):
                assert any(one[at] in sight.neighbours[before] for before in one[:at])


@pytest.mark.parametrize(
    ("name", "length"), [("connect:3x4x3", 6), ("connect:7x6x4", few(6, 8)), ("noughts:3x3x3", 4), ("nim:2,3", 2)]
)
def test_a_tuple_has_one_entry_for_all_that_it_can_show_and_none_for_what_it_cannot(name: str, length: int) -> None:
    game = parse_game(name)
    sight = Sight.of(game)
    met: list[dict[tuple[int, ...], int]] = [{} for _ in range(12)]
    chosen = drawn(sight, len(met), length, Draw.WALK, Stream(1))
    layouts = [layout(sight, inputs) for inputs in chosen]
    for seed in range(few(50, 150)):
        for state, _ in walk(game, seed):
            values = seen(state)
            assert sight.possible(dict(enumerate(values)))
            for inputs, stacks, entries in zip(chosen, layouts, met, strict=False):
                entry = sum(s.worth * sum(link.entry(values[link.input]) for link in s.links) for s in stacks)
                assert entries.setdefault(tuple(values[i] for i in inputs), entry) == entry
    for inputs, stacks, entries in zip(chosen, layouts, met, strict=False):
        size = math.prod(stack.size for stack in stacks)
        assert len(set(entries.values())) == len(entries) and all(0 <= entry < size for entry in entries.values())
        every = [dict(zip(inputs, at, strict=True)) for at in product(*(range(sight.levels[i]) for i in inputs))]
        assert size == sum(map(sight.possible, every))
        shows = shown(stacks)
        assert all(tuple(int(shows[i][entry]) for i in inputs) == values for values, entry in entries.items())


def test_stacks_save_most_weights_and_those_of_own_games_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    estimator = Estimator(parse_game("connect4"), parse_learner("ntuple"), 0)
    assert estimator.patterns == 2 * 200 * 4**8 and estimator.weights < estimator.patterns / 12
    sight = estimator.sight
    assert sight.neighbours[0] == (1, 6, 7)  # a1: a2, b1, b2; a column has six cells
    assert len(sight.stacks) == 7
    assert {tuple(image[i] for i in stack) for image in sight.images for stack in sight.stacks} == set(sight.stacks)
    monkeypatch.setattr(wythoff, "stacks", lambda state: [[0, 1]], raising=False)
    assert Sight.of(Game(wythoff, wythoff.parse("wythoff", ["2,3"]))).stacks == ()
