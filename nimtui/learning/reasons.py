"""Why a function values a move as it does: what each input, each tuple of them and each hidden unit adds to the total.

What an input adds is the difference to the total with that input at 0. What a tuple adds is its weight here; these
sum up to the total, whose hyperbolic tangent is the value. What a unit adds is the difference to the total without it.
Everything is computed from the weights that play.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import functions
from nimtui.engine.network import Network
from nimtui.engine.ntuple import Tuples
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.notation import row_letter
from nimtui.learning.compiled import EntryCounts
from nimtui.learning.estimator import Estimator
from nimtui.learning.sight import Sight
from nimtui.learning.tuples import Stack, layout, shown

if TYPE_CHECKING:
    from nimtui.learning.training import Training

GAMES = 40  # random ones that find where inputs are on the board
MOST = 60  # patterns or units of a whole function that are shown

Cell = tuple[int, int]  # row from the top, column


class Pattern(NamedTuple):
    """Some inputs with the values that a tuple sees there."""

    values: dict[int, int]  # input -> value
    weight: float  # what it adds to the total of who has just moved, by all images that see just these inputs
    side: int = 0  # who has just moved, where each side has weights of its own
    met: int | None = None  # how often it was met in training, it or its mirror image; None: not counted


class Unit(NamedTuple):
    """A hidden unit, or a sum of inputs alone."""

    side: int  # whose weights they are: this side has just moved
    number: int  # among the units of its side, from 0; −1 of a sum
    weights: npt.NDArray[np.float64]  # [inputs, levels]: of each value of each input, beside 0 for the value 0
    size: float  # what it adds to the total of a position; of the whole net how large it is


class Reasons(NamedTuple):
    """What leads to the value of a move."""

    total: float  # of the position after it; the value is its hyperbolic tangent
    inputs: npt.NDArray[np.float64]  # [inputs]: what each adds
    patterns: list[Pattern]  # of tuples; none of another function. The heaviest first
    units: Sequence[Unit] = ()  # of a network; none of another function. What adds most comes first


class Account(NamedTuple):
    """The reasons of a move, or what a whole function has learned, at one moment."""

    games: int  # that the weights have learned from
    uncounted: int = 0  # the first of these, whose patterns are not counted
    reasons: Reasons | None = None
    heaviest: Sequence[Pattern] = ()
    units: Sequence[Unit] = ()  # of the whole function

    @classmethod
    def of(cls, training: Training, games: int, state: State | None, move: Move | None) -> Account:
        """Return the account of a function that does not learn meanwhile: of a move in a position, or of the whole."""
        estimator, counts = training.estimator, training.counts
        assert estimator is not None
        after = counts.after if counts is not None else 0
        if state is not None and move is not None:
            return cls(games, after, of(estimator, state, move, counts))
        largest = units(estimator)[:MOST]
        return cls(games, after, None, [] if largest else heaviest(estimator, MOST, counts), largest)

    @property
    def text(self) -> str:
        """The account as JSON, which `read` reads."""
        return json.dumps(self, default=np.ndarray.tolist)

    @classmethod
    def read(cls, values: Sequence[Any]) -> Account:
        """Return an account from its JSON. Raises TypeError or ValueError if it is none."""

        def patterns(every: Sequence[Any]) -> list[Pattern]:
            return [Pattern({int(i): value for i, value in seen.items()}, *more) for seen, *more in every]

        def drawn(every: Sequence[Any]) -> list[Unit]:
            return [Unit(side, number, np.array(weights), size) for side, number, weights, size in every]

        games, uncounted, why, most, largest = values
        if why is not None:
            total, inputs, own, hidden = why
            why = Reasons(total, np.array(inputs), patterns(own), drawn(hidden))
        return cls(games, uncounted, why, patterns(most), drawn(largest))


def of(estimator: Estimator, state: State, move: Move, counts: EntryCounts | None = None) -> Reasons | None:
    """Return the reasons of a legal move; None if it ends the game, whose value needs none.

    With counts patterns say how often they were met.
    """
    after = estimator.game.after(state, move)
    if base.outcome(after) != base.GOING_ON:
        return None
    function, sight = estimator.played, estimator.sight
    values = [min(int(base.input(after, i)), levels - 1) for i, levels in enumerate(sight.levels)]
    side = min(max(int(base.side(state)), 0), function.weights.shape[0] - 1)
    with estimator.alone:
        functions.clear(function)
        for i, value in enumerate(values):
            functions.shift(function, i, 0, value)
        total = float(functions.total(function, side))
        patterns = _patterns(estimator, function, values, side, counts) if isinstance(function, Tuples) else []
        units = _units(function, side, _without(function, side)) if isinstance(function, Network) else []
        if isinstance(function, Tuples):
            adds = _adds(estimator, function, values, side)
        else:
            adds = np.zeros(len(values))
            for i, value in enumerate(values):
                functions.shift(function, i, value, 0)
                adds[i] = total - float(functions.total(function, side))
                functions.shift(function, i, 0, value)
    return Reasons(total, adds, sorted(patterns, key=lambda pattern: -abs(pattern.weight)), units)


# Tuples.


def _patterns(
    estimator: Estimator, function: Tuples, values: list[int], side: int, counts: EntryCounts | None
) -> list[Pattern]:
    """Return what the tuples see where the function stands now; images that see the same inputs are one pattern."""
    sees = _seen(function, values)
    number = len(function.first) // len(estimator.sight.images)
    alike: dict[tuple[int, frozenset[int]], list[int]] = defaultdict(list)
    for slot, at in enumerate(function.at.tolist()):
        alike[slot % number, frozenset(sees[slot])].append(at)
    return [
        Pattern(
            {i: values[i] for i in inputs},
            float(function.weights[side, entries].sum(dtype=np.float64)),
            side,
            _met(counts, side, entries[0], entries.count(entries[0])),
        )
        for (_, inputs), entries in alike.items()
    ]


def _seen(function: Tuples, values: Sequence[int]) -> list[dict[int, int]]:
    """Return what each slot sees of these values."""
    sees: list[dict[int, int]] = [{} for _ in function.first]
    for i, value in enumerate(values):
        for slot in function.slot[function.ptr[i] : function.ptr[i + 1]].tolist():
            sees[slot][i] = value
    return sees


def _adds(estimator: Estimator, function: Tuples, values: list[int], side: int) -> npt.NDArray[np.float64]:
    """Return what each input adds where the function stands now; what cannot occur without it adds nothing."""
    adds, weights, sees = np.zeros(len(values)), function.weights[side].astype(np.float64), _seen(function, values)
    for i, value in enumerate(values):
        without = dict[int, int]()
        for place in range(function.ptr[i], function.ptr[i + 1]) if value else ():
            slot = int(function.slot[place])
            by = function.entry[place, 0] - function.entry[place, value]
            without[slot] = without.get(slot, function.at[slot]) + by
        for slot, entry in without.items():
            adds[i] += weights[function.at[slot]]
            if estimator.sight.possible({**sees[slot], i: 0}):
                adds[i] -= weights[entry]
    return adds


def _met(counts: EntryCounts | None, side: int, entry: int, images: int) -> int | None:
    """Return how often a pattern was met; so many images see it by this entry at once."""
    return None if counts is None else round(float(counts.times[side, entry]) / images)


def heaviest(estimator: Estimator, most: int, counts: EntryCounts | None = None) -> list[Pattern]:
    """Return the patterns that add most of all that were learned, none twice as its mirror image.

    Only for tuples that look at whole inputs, not at their digits; else none.
    """
    function, images = estimator.played, estimator.sight.images
    if not isinstance(function, Tuples):
        return []
    candidates, looks = list[tuple[float, int, int, int]](), _looks(estimator, function)
    ends = [*function.first[1 : len(looks)].tolist(), function.weights.shape[1]]
    values = list[dict[int, npt.NDArray[np.int64]]]()  # of each tuple
    for slot, inputs in enumerate(looks):
        stacks = layout(estimator.sight, inputs)
        values.append(shown(stacks))
        first, alike = int(function.first[slot]), _alike(estimator.sight, stacks, values[slot])
        if len(alike[0]) != ends[slot] - first:  # it looks at digits
            return []
        for side, weights in enumerate(function.weights):
            adds = sum(weights[first + entries] for entries in alike[1:]) + weights[first : ends[slot]]
            places = _largest(adds, most if most == 1 else most * len(images))  # no image is larger than the largest
            candidates += [(float(adds[place]), side, slot, place) for place in places]
    chosen: dict[object, Pattern] = {}
    for weight, side, slot, place in sorted(candidates, key=lambda each: -abs(each[0])):
        if len(chosen) == most:
            break
        sees = {i: int(own[place]) for i, own in values[slot].items()}
        views = [sorted((image[i], value) for i, value in sees.items()) for image in images]
        met = _met(counts, side, int(function.first[slot]) + place, views.count(views[0]))
        chosen.setdefault((side, *min(views)), Pattern(sees, weight, side, met))
    return list(chosen.values())


def _looks(estimator: Estimator, function: Tuples) -> list[list[int]]:
    """Return the inputs of each tuple, those of the smallest steps first."""
    steps: list[list[tuple[int, int]]] = [[] for _ in range(len(function.first) // len(estimator.sight.images))]
    for i in range(estimator.sight.inputs):
        for place in range(function.ptr[i], function.ptr[i + 1]):
            if (slot := int(function.slot[place])) < len(steps):
                steps[slot].append((int(function.entry[place, 1]), i))
    return [list(dict.fromkeys(i for _, i in sorted(own))) for own in steps]


def _alike(
    sight: Sight, stacks: Sequence[Stack], values: Mapping[int, npt.NDArray[np.int64]]
) -> list[npt.NDArray[np.int64]]:
    """Return the entries of a tuple as each image sees them that looks at the same inputs, [entries]."""
    alike = []
    for image in sight.images:
        if all(image[i] in values for i in values):
            entries = np.zeros_like(values[image[stacks[0].links[0].input]])
            for stack in stacks:
                for link in stack.links:
                    each = np.array([link.entry(value) for value in range(sight.levels[link.input])])
                    entries += stack.worth * each[values[image[link.input]]]
            alike.append(entries)
    return alike


def _largest(numbers: npt.NDArray[np.float32], most: int) -> list[int]:
    """Return the places of the numbers that are farthest from 0."""
    if len(numbers) <= most:
        return list(range(len(numbers)))
    if most == 1:
        return [int(np.abs(numbers).argmax())]
    places: list[int] = np.argpartition(-np.abs(numbers), most)[:most].tolist()
    return places


# Hidden units.


def units(estimator: Estimator) -> list[Unit]:
    """Return all hidden units of a network, the largest first; of single inputs their sum for each side; else none.

    A unit is as large as the length of its weights times that of the weights behind it: no scale changes this product.
    """
    function, sight = estimator.played, estimator.sight
    if isinstance(function, Network):
        behind = function.middle[:, :-1] if function.middle.size else function.out[:, :-1, None]
        sizes = np.linalg.norm(function.weights, axis=1) * np.linalg.norm(behind, axis=2)
        every = [unit for side, own in enumerate(sizes) for unit in _units(function, side, own)]
        return sorted(every, key=lambda unit: -unit.size)
    if not isinstance(function, Tuples) or any(len(own) > 1 for own in _looks(estimator, function)):
        return []
    weights = np.zeros((len(function.weights), sight.inputs, max(sight.levels)))
    for i, levels in enumerate(sight.levels):
        for place in range(function.ptr[i], function.ptr[i + 1]):
            at = function.first[function.slot[place]] + function.entry[place, :levels]
            weights[:, i, :levels] += function.weights[:, at] - function.weights[:, at[:1]]
    return [Unit(side, -1, own, float(np.linalg.norm(own))) for side, own in enumerate(weights)]


def _units(function: Network, side: int, sizes: npt.NDArray[np.float64]) -> list[Unit]:
    """Return the units of a side, with these sizes, the largest first."""
    weights = function.weights[side, :-1].reshape(-1, function.levels, function.weights.shape[2]).copy()
    weights[:, 0] = 0.0  # these rows are never added
    order = np.argsort(-np.abs(sizes), kind="stable").tolist()
    return [Unit(side, unit, weights[:, :, unit], float(sizes[unit])) for unit in order]


def _without(function: Network, side: int) -> npt.NDArray[np.float64]:
    """Return by how much the total of the position is larger than without each unit of the first layer, [units]."""
    raised, out = np.maximum(function.sums[side], 0.0), function.out[side, :-1]  # [images, units], [last layer]
    if not function.middle.size:
        return np.asarray(raised.mean(axis=0) * out)
    middle = function.middle[side]
    upper = middle[-1] + raised @ middle[:-1]  # [images, second]
    without = np.maximum(upper[:, None] - raised[:, :, None] * middle[:-1], 0.0)  # [images, units, second]
    return np.asarray(((np.maximum(upper, 0.0)[:, None] - without) @ out).mean(axis=0))


# The board.


class Place(NamedTuple):
    """What an input tells of the board."""

    cells: tuple[Cell, ...]  # those whose content follows from its value
    contents: dict[int, int]  # value -> content of the first of them


def places(game: Game, inputs: int) -> list[Place]:
    """Return what each input tells of the board, as random games show it; no cells where the game has no board."""
    random, seen, drawn = Random(0), list[list[int]](), list[list[int]]()
    for _ in range(GAMES):
        state = game.new()
        while True:
            cells = game.cells(state) or []
            seen.append([int(base.input(state, i)) for i in range(inputs)])
            drawn.append([content for row in cells for content in row])
            if not (moves := base.legal_moves(state)):
                break
            base.play(state, random.choice(moves))
    if not drawn[0]:
        return [Place((), {})] * inputs
    values, contents = np.array(seen), np.array(drawn)
    varies = contents.max(axis=0) != contents.min(axis=0)
    at = [(row, column) for row, cells in enumerate(game.cells(game.start) or []) for column, _ in enumerate(cells)]
    told_by = list[Place]()
    for i in range(inputs):
        follows = varies.copy()
        boards = {int(value): contents[values[:, i] == value] for value in np.unique(values[:, i])}
        for board in boards.values():
            follows &= board.max(axis=0) == board.min(axis=0)
        places: list[int] = np.flatnonzero(follows).tolist()
        own = {value: int(board[0, places[0]]) for value, board in boards.items()} if places else {}
        told_by.append(Place(tuple(at[place] for place in places), own))
    return told_by


def has_pictures(game: Game, places: Sequence[Place]) -> bool:
    """Return whether patterns are pictures of the board: each input tells of one of its cells."""
    return game.board_kind in ("columns", "grid") and all(len(place.cells) == 1 for place in places)


def names(places: Sequence[Place]) -> list[str]:
    """Return a name for each input: the row that it tells, else its number."""
    each = enumerate(places, 1)
    return [row_letter(place.cells[0][0] % 26).upper() if place.cells else str(number) for number, place in each]
