"""What a function sees of a game and the tuples drawn of it; and why it values a move so, against its own weights."""

from __future__ import annotations

import json
import math
import string
from collections import Counter, defaultdict
from itertools import pairwise, product
from math import atanh
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui import theory
from nimtui.engine import functions
from nimtui.engine.ntuple import Tuples
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game
from nimtui.games.registry import presets
from nimtui.learning import compiled, reasons
from nimtui.learning.estimator import Estimator
from nimtui.learning.learner import parse_learner
from nimtui.learning.sight import Sight
from nimtui.learning.training import Training
from nimtui.learning.tuples import Draw, drawn, layout, shown
from tests.examples import few, with_slow
from tests.games import wythoff
from tests.learning.functions import save, seen, walk

GAMES = sorted({preset.game for preset in presets()} | {"connect:4x5x3", "noughts:4x3x3", "kayles:3,4", "chomp:3x2"})


@pytest.mark.parametrize("name", GAMES)
def test_a_move_changes_the_inputs_that_it_says_and_neighbours_are_mutual(name: str) -> None:
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
            changed = [i for i, (old, new) in enumerate(zip(before, now, strict=True)) if old != new]
            assert sorted(said) == (changed if hasattr(game.module, "changes") else [*range(sight.inputs)])
            assert all(0 <= v < top for v, top in zip(now, sight.levels, strict=True))


@pytest.mark.parametrize(
    "name",
    with_slow(["connect:4x3x3", "noughts:3x3x3", "noughts:3x2x2", "nim:2,3", "chomp:3x2", "kayles:4"], "noughts:3x3x3"),
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
    ("name", "length"),
    [
        *(("connect:3x4x3", 6), ("noughts:3x3x3", 4), ("nim:2,3", 2)),
        pytest.param("connect:7x6x4", few(6, 8), marks=pytest.mark.slow),
    ],
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


# Why it values a move so: parts that sum up to the value, the heaviest patterns, places on the board.

SMALL = parse_game("connect:3x3x3"), "ntuple:tuples=4,length=3"


@pytest.mark.parametrize(
    ("name", "learner", "line"),
    [
        ("connect:4x4x3", "ntuple:tuples=6,length=3", "12"), ("connect:4x4x3", "linear", ""),
        ("connect:4x4x3", "net:hidden=3", "12"), ("nim:2,3,4", "ntuple:tuples=3,length=2,digits=on", "b1"),
    ],
)  # fmt: skip
def test_parts_sum_up_to_the_value(name: str, learner: str, line: str, tmp_path: Path) -> None:
    estimator, game = save(tmp_path / "f.npz", name, learner), parse_game(name)
    state = game.new()
    for move in [line] if name[0] == "n" and line else line:
        base.play(state, game.parse_move(move, state))
    values = estimator.values(state)
    for move in base.legal_moves(state):
        why = reasons.of(estimator, state, move)
        assert why.total == pytest.approx(atanh(values[move]), abs=1e-6)
        if isinstance(estimator.function, Tuples):
            assert sum(pattern.weight for pattern in why.patterns) == pytest.approx(why.total, abs=1e-6)
            weights = [abs(pattern.weight) for pattern in why.patterns]
            assert weights == sorted(weights, reverse=True)
            after = game.after(state, move)
            assert all(base.input(after, i) == value for pattern in why.patterns for i, value in pattern.values.items())
        if learner == "linear":  # one weight for each value of each input; that of 0 takes its place
            alone = {i: pattern.weight for pattern in why.patterns for i in pattern.values}
            assert all(add == 0 or abs(add - alone[i]) <= 0.8 for i, add in enumerate(why.inputs) if i in alone)
        unseen = [add for add, at in zip(why.inputs, _inputs(game, state, move), strict=True) if not at]
        assert why.inputs.any() and not any(unseen)


@pytest.mark.parametrize(
    ("name", "learner"), [("connect:4x4x3", "ntuple:tuples=9,length=5"), ("connect:3x3x3", "linear")]
)
def test_an_input_adds_what_tuples_see_with_it_less_what_they_could_see_without_it(
    name: str, learner: str, tmp_path: Path
) -> None:
    estimator, game = save(tmp_path / "f.npz", name, learner), parse_game(name)
    function, sight, state = estimator.function, estimator.sight, game.new()
    for move in "3211":
        base.play(state, game.parse_move(move, state))
    why, values = reasons.of(estimator, state, 2), _inputs(game, state, 2)
    for i, value in enumerate(values):
        adds = 0.0
        for slot in range(len(function.first)):
            sees = {at: values[at] for at in _inputs_of(function, slot)}
            for times, view in ((1, sees), (-1, {**sees, i: 0})):
                if i in sees and value and sight.possible(view):
                    adds += times * float(function.weights[0, _entries(function, view)[slot]])
        assert why.inputs[i] == pytest.approx(adds, abs=1e-6)
    assert why.inputs.any()
    number, alike = len(function.first) // len(sight.images), defaultdict[object, float](float)
    for slot, entry in enumerate(_entries(function, dict(enumerate(values)))):  # of a tuple, and of equal inputs
        alike[slot % number, tuple(_inputs_of(function, slot))] += float(function.weights[0, entry])
    patterns = [(tuple(each.values.items()), round(each.weight, 5)) for each in why.patterns]
    seen_ = [(tuple((i, values[i]) for i in inputs), round(adds, 5)) for (_, inputs), adds in alike.items()]
    assert sorted(patterns) == sorted(seen_) and {(each.side, each.met) for each in why.patterns} == {(0, None)}


@pytest.mark.parametrize("learner", ["ntuple:tuples=6,length=3", "net:hidden=3", "net:hidden=31", "linear"])
def test_an_account_is_of_a_move_or_of_the_whole_function_and_comes_back_from_its_text(
    learner: str, tmp_path: Path
) -> None:
    estimator, game = save(tmp_path / "f.npz", "connect:3x3x3", learner), parse_game("connect:3x3x3")
    counts = compiled.EntryCounts.of(estimator, 5, True)
    training = SimpleNamespace(estimator=estimator, counts=counts)
    after, units = 0 if counts is None else 5, reasons.units(estimator)[:60]
    heaviest = [] if units else reasons.heaviest(estimator, 60, counts)
    whole = reasons.Account(9, after, None, heaviest, units)
    of_move = reasons.Account(9, after, reasons.of(estimator, game.start, 1, counts))
    asked = ((game.start, 1, of_move), (None, None, whole), (game.start, None, whole), (None, 1, whole))
    for state, move, expected in asked:
        account = reasons.Account.of(training, 9, state, move)
        back = reasons.Account.read(json.loads(account.text))
        assert account.text == expected.text == back.text and back.heaviest == [*account.heaviest]
        for each in (account, back):
            assert (each.reasons is None) is (move is None or state is None)
            assert all(isinstance(unit.weights, np.ndarray) for unit in each.units)
            if each.reasons is not None:
                assert isinstance(each.reasons.inputs, np.ndarray) and each.reasons.patterns == of_move.reasons.patterns
    assert len(whole.units) == {"net:hidden=3": 6, "net:hidden=31": 60, "linear": 2}.get(learner, 0)
    assert len(heaviest) == (60 if counts is not None and not units else 0)


def test_inputs_are_named_by_their_rows_and_patterns_are_pictures_where_each_tells_one_cell() -> None:
    rows = [reasons.Place(((row, 0),), {}) for row in range(27)]
    assert reasons.names([*rows, reasons.Place((), {})]) == [*string.ascii_uppercase, "A", "28"]
    for name, places, are in (
        *(("connect:3x3x3", rows, True), ("noughts:3x3x3", rows, True), ("nim:2,3", rows, False)),
        *(("connect:3x3x3", [*rows, reasons.Place(cells, {})], False) for cells in ((), ((0, 0), (0, 1)))),
    ):
        assert reasons.has_pictures(parse_game(name), places) is are
    counts = SimpleNamespace(times=np.array([[0, 0, 0], [0, 0, 6]]))  # as often, if two images see it at once
    assert (reasons._met(counts, 1, 2, 2), reasons._met(counts, 1, 2, 1), reasons._met(None, 1, 2, 2)) == (3, 6, None)


def _inputs(game: Game, state: base.State, move: int) -> list[int]:
    return seen(game.after(state, move))


def test_a_move_that_ends_the_game_needs_no_reasons_and_no_other_function_has_heaviest_patterns(tmp_path: Path) -> None:
    estimator, game = save(tmp_path / "f.npz", "nim:1,1", "linear"), parse_game("nim:1,1")
    state = game.after(game.start, base.legal_moves(game.start)[0])
    assert reasons.of(estimator, state, base.legal_moves(state)[0]) is None
    for name, learner in (
        ("nim:2,3", "net:hidden=2"), ("nim:5,3", "ntuple:tuples=2,length=2,digits=on"), ("nim:5,3", "linear:digits=on"),
    ):  # fmt: skip
        assert reasons.heaviest(save(tmp_path / "f.npz", name, learner), 5) == []


@pytest.mark.parametrize(
    ("name", "learner"),
    [
        ("connect:3x3x3", "ntuple:tuples=4,length=2"), ("connect:3x4x3", "ntuple:tuples=5,length=4"),
        ("connect:3x3x3", "linear"), ("noughts:3x3x3", "ntuple:tuples=4,length=3"),
        ("nim:2,3,4", "ntuple:tuples=2,length=2"),
    ],
)  # fmt: skip
def test_the_heaviest_patterns_are_those_that_add_most(name: str, learner: str, tmp_path: Path) -> None:
    estimator = save(tmp_path / "f.npz", name, learner)
    function, sight = estimator.function, estimator.sight
    number = len(function.first) // len(sight.images)
    every: dict[tuple[object, ...], float] = {}  # what all slots of a tuple say that see the same inputs
    for tuple_, side in product(range(number), range(len(function.weights))):
        inputs = _inputs_of(function, tuple_)
        for values in product(*(range(sight.levels[i]) for i in inputs)):
            view = dict(zip(inputs, values, strict=True))
            if not sight.possible(view):
                continue
            at = _entries(function, view)
            slots = [slot for slot in range(tuple_, len(at), number) if _inputs_of(function, slot) == inputs]
            adds = sum(float(function.weights[side, at[slot]]) for slot in slots)
            every[side, image_of(sight, view)] = adds
    heaviest = reasons.heaviest(estimator, 10)
    assert [abs(each.weight) for each in heaviest] == pytest.approx(sorted(map(abs, every.values()))[:-11:-1])
    assert len(heaviest) == min(10, len(every))
    for each in heaviest:
        assert every[each.side, image_of(sight, each.values)] == pytest.approx(each.weight, abs=1e-6)
    assert [abs(each.weight) for each in reasons.heaviest(estimator, 1)] == [abs(heaviest[0].weight)]


def image_of(sight: Sight, values: dict[int, int]) -> tuple[tuple[int, int], ...]:
    """The first of all mirror images of what is seen."""
    return min(tuple(sorted((image[i], value) for i, value in values.items())) for image in sight.images)


def test_patterns_say_how_often_they_were_met(monkeypatch: pytest.MonkeyPatch) -> None:
    training = counted(monkeypatch)
    estimator, met = training.estimator, Counter[tuple[object, ...]]()
    function = estimator.function
    images, number = estimator.sight.images, len(function.first) // len(estimator.sight.images)
    state = training.game.new()
    for game in range(1, 61):
        before = training.plies
        training.advance(1)
        if game > 30 and game % 30:
            continue
        state = training.game.new()
        for move in estimator.room.moves[: training.plies - before - 1].tolist():
            mover = min(int(base.side(state)), len(function.weights) - 1)
            base.play(state, move)
            look = [min(int(base.input(state, i)), top) for i, top in enumerate(estimator.room.top.tolist())]
            for tuple_ in range(number):  # wherever an image of it looks: at the same inputs it sees it once
                inputs = _inputs_of(function, tuple_)
                looks = [[image[i] for i in inputs] for image in images]
                views = {(frozenset(at), tuple(zip(inputs, [look[i] for i in at], strict=True))) for at in looks}
                for _, view in views:
                    met[mover, tuple_, view] += 1 if game <= 30 else 30
    counts = training.counts
    assert counts.after == 0
    tuples = {tuple(_inputs_of(function, tuple_)): tuple_ for tuple_ in range(number)}

    def number_of(pattern: reasons.Pattern) -> int:
        views = {tuple(sorted((image[i], value) for i, value in pattern.values.items())) for image in images}
        own = [view for view in views if tuple(i for i, _ in view) in tuples]
        return max(met[pattern.side, tuples[tuple(i for i, _ in view)], view] for view in own)

    heaviest = reasons.heaviest(estimator, 20, counts)
    assert len(heaviest) == 20 and [pattern.met for pattern in heaviest] == [number_of(each) for each in heaviest]
    assert {each.met for each in heaviest} != {0}
    why = reasons.of(estimator, training.game.start, base.legal_moves(training.game.start)[1], counts)
    assert all(each.met == number_of(each) for each in why.patterns)
    assert any(each.met for each in why.patterns)


def counted(monkeypatch: pytest.MonkeyPatch) -> Training:
    """Return a training that counts each of its first 30 games, later each thirtieth."""
    monkeypatch.setattr(compiled, "ALONE", 30)
    monkeypatch.setattr(compiled, "RARELY", 1)
    training = Training(*SMALL)
    training.counting = True
    training.prepare()
    return training


def test_counting_changes_nothing_and_is_the_same_however_games_are_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, parts, plain = counted(monkeypatch), counted(monkeypatch), Training(*SMALL)
    parts.plan(60)
    whole.run(60)
    for games in (7, 23, 4, 1, 25):
        parts.run(games)
    plain.run(60)
    assert whole.counts is not None and parts.counts is not None and plain.counts is None
    assert whole.counts.times.any() and (whole.counts.times == parts.counts.times).all()
    weights = [
        training.estimator.function.weights.tobytes() for training in (whole, parts, plain) if training.estimator
    ]
    assert len(weights) == 3 and len(set(weights)) == 1


def test_each_of_the_first_thousand_games_counts_and_then_one_for_all_since_the_last(tmp_path: Path) -> None:
    tuples_of = SimpleNamespace(function=save(tmp_path / "f.npz", "nim:2,3", "linear").function._replace(
        weights=np.zeros((2, 4), np.float32)
    ))  # fmt: skip
    room, seen_ = SimpleNamespace(sides=np.array([0, 1, 0])), SimpleNamespace(path=np.array([[1, 2], [3, 3], [0, 0]]))
    for small, every in ((False, 1_000), (True, 10_000)):
        counts = compiled.EntryCounts.of(tuples_of, 7, small)
        told = [counts.next(games) for games in (0, 998, 999, every - 1, every, every + 1)]
        assert told == [1, 999, 1_000, every, 2 * every, 2 * every] and counts.after == 7
        for games, times in ((1_000, 1), (every + 1_000, every + 1)):  # its end looks up nothing
            counts.add(seen_, room, games, 3)
            assert counts.times.tolist() == [[0, times, times, 0], [0, 0, 0, 2 * times]]
    assert compiled.EntryCounts.of(save(tmp_path / "f.npz", "nim:2,3", "net:hidden=2"), 0, False) is None


def _inputs_of(function: Tuples, slot: int) -> list[int]:
    ptr = function.ptr
    return [i for i in range(len(ptr) - 1) if slot in function.slot[ptr[i] : ptr[i + 1]]]


def _entries(function: Tuples, values: dict[int, int]) -> list[int]:
    at = function.first.copy()
    for i, value in values.items():
        for place in range(function.ptr[i], function.ptr[i + 1]):
            at[function.slot[place]] += function.entry[place, value]
    return [int(entry) for entry in at]


@pytest.mark.parametrize("learner", ["net:hidden=5", "net:hidden=5,second=3", "net:hidden=5,second=8"])
def test_a_unit_adds_what_is_missing_without_it(learner: str, tmp_path: Path) -> None:
    estimator, game = save(tmp_path / "f.npz", "connect:4x4x3", learner), parse_game("connect:4x4x3")
    function, state = estimator.function, game.after(game.start, 1)
    move = base.legal_moves(state)[2]
    why = reasons.of(estimator, state, move)
    assert sorted(unit.number for unit in why.units) == list(range(5))
    sizes = [abs(unit.size) for unit in why.units]
    assert sizes == sorted(sizes, reverse=True) and why.patterns == []
    for unit in why.units:
        weights, middle, out = function.weights.copy(), function.middle.copy(), function.out.copy()
        weights[:, :, unit.number] = 0  # never active: by brute force without it
        other = function._replace(weights=weights, middle=middle, out=out)
        functions.clear(other)
        for i, value in enumerate(_inputs(game, state, move)):
            functions.shift(other, i, 0, value)
        assert unit.side == 1 and why.total - functions.total(other, 1) == pytest.approx(unit.size, abs=1e-9)
        for i, value in product(range(16), range(4)):
            weight = function.weights[1, i * function.levels + value, unit.number] if value else 0
            assert unit.weights[i, value] == weight


def test_units_are_as_large_as_no_scale_can_change(tmp_path: Path) -> None:
    for learner in ("net:hidden=4", "net:hidden=4,second=3"):
        estimator = save(tmp_path / "f.npz", "connect:3x3x3", learner)
        before = {(unit.side, unit.number): unit.size for unit in reasons.units(estimator)}
        assert list(before.values()) == sorted(before.values(), reverse=True) and len(before) == 8
        function = estimator.function
        function.weights[:, :, 2] *= 8
        (function.middle[:, 2] if function.middle.size else function.out[:, 2])[:] /= 8
        after = {(unit.side, unit.number): unit.size for unit in reasons.units(estimator)}
        assert after == pytest.approx(before)


@pytest.mark.parametrize(
    ("name", "learner"), [("connect:3x3x3", "linear"), ("nim:5,3", "linear:digits=on"), ("nim:2,3", "linear")]
)
def test_the_weights_of_single_inputs_are_what_the_total_changes_by(name: str, learner: str, tmp_path: Path) -> None:
    estimator = save(tmp_path / "f.npz", name, learner)
    function, units = estimator.function, reasons.units(estimator)
    assert [(unit.side, unit.number) for unit in units] == [(side, -1) for side in range(estimator.sight.sides)]
    for unit in units:
        assert unit.size == pytest.approx(np.sqrt((unit.weights**2).sum()))
        for i, value in ((i, value) for i, levels in enumerate(estimator.sight.levels) for value in range(levels)):
            functions.clear(function)
            before = functions.total(function, unit.side)
            functions.shift(function, i, 0, value)
            assert unit.weights[i, value] == pytest.approx(functions.total(function, unit.side) - before, abs=1e-5)
    assert reasons.units(save(tmp_path / "t.npz", "connect:3x3x3", "ntuple:tuples=2,length=2")) == []


def test_an_input_is_found_on_the_board_by_what_follows_from_it() -> None:
    without = Game(wythoff, wythoff.parse("wythoff", ["2,3"]))
    for game, expected in (
        (
            parse_game("connect:4x3x3"),
            [(((2 - i % 3, i // 3),), {1: 0, 2: 1, 3: 2} | ({0: 0} if i % 3 else {})) for i in range(12)],
        ),
        (parse_game("noughts:3x3x3"), [((cell,), {0: 0, 1: 1, 2: 2}) for cell in product(range(3), repeat=2)]),
        (
            parse_game("nim:2,3"),
            [(((0, 0), (0, 1)), {0: 0, 1: 1, 2: 1}), (((1, 0), (1, 1), (1, 2)), {0: 0, 1: 1, 2: 1, 3: 1})],
        ),
        (without, [((), {})] * 2),
    ):
        assert reasons.places(game, len(expected)) == [reasons.Place(*each) for each in expected]
