"""Why a function values a move as it does: what each input, and each tuple of them, adds to the total.

What an input adds is the difference to the total with that input at 0. What a tuple adds is its weight here; these
sum up to the total, whose hyperbolic tangent is the value. Everything is computed from the weights that play.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import functions
from nimtui.engine.ntuple import Tuples
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.learning.estimator import Estimator

GAMES = 40  # random ones that find where inputs are on the board

Cell = tuple[int, int]  # row from the top, column


class Pattern(NamedTuple):
    """Some inputs with the values that a tuple sees there."""

    values: dict[int, int]  # input -> value
    weight: float  # what it adds to the total of the player who has just moved


class Reasons(NamedTuple):
    """What leads to the value of a move."""

    total: float  # of the position after it; the value is its hyperbolic tangent
    inputs: npt.NDArray[np.float64]  # [inputs]: what each adds
    patterns: list[Pattern]  # of tuples; none of another function. The heaviest first


def of(estimator: Estimator, state: State, move: Move) -> Reasons | None:
    """Return the reasons of a legal move; None if it ends the game, whose value needs none."""
    after = base.copy(state)
    base.play(after, move)
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
        adds = np.zeros(len(values))
        for i, value in enumerate(values):
            if value:
                functions.shift(function, i, value, 0)
                adds[i] = total - float(functions.total(function, side))
                functions.shift(function, i, 0, value)
        patterns = _patterns(function, values, side) if isinstance(function, Tuples) else []
    return Reasons(total, adds, sorted(patterns, key=lambda pattern: -abs(pattern.weight)))


def _patterns(function: Tuples, values: list[int], side: int) -> list[Pattern]:
    """Return what each slot sees where the function stands now."""
    sees: list[dict[int, int]] = [{} for _ in function.first]
    for i, value in enumerate(values):
        for slot in function.slot[function.ptr[i] : function.ptr[i + 1]].tolist():
            sees[slot][i] = value
    return [Pattern(seen, float(function.weights[side, at])) for seen, at in zip(sees, function.at, strict=True)]


def heaviest(estimator: Estimator, most: int) -> list[Pattern]:
    """Return the patterns with the largest weights of all that were learned, none twice as its mirror image.

    Only for tuples that look at whole inputs, not at their digits; else none.
    """
    function = estimator.played
    if not isinstance(function, Tuples):
        return []
    number = len(function.first) // len(estimator.sight.images)
    steps: list[list[tuple[int, int]]] = [[] for _ in range(number)]  # of each tuple: what a value adds, and the input
    for i in range(estimator.sight.inputs):
        for place in range(function.ptr[i], function.ptr[i + 1]):
            if (slot := int(function.slot[place])) < number:
                steps[slot].append((int(function.entry[place, 1]), i))
    if any(len({i for _, i in own}) < len(own) for own in steps):
        return []
    weights = function.weights
    flat = np.argsort(-np.abs(weights), axis=None, kind="stable")[:most] if weights.size <= most else (
        np.argpartition(-np.abs(weights), most, axis=None)[:most]
    )  # fmt: skip
    flat = flat[np.argsort(-np.abs(weights.reshape(-1)[flat]), kind="stable")]
    patterns = []
    for place in flat.tolist():
        side, entry = divmod(place, weights.shape[1])
        slot = int(np.searchsorted(function.first[:number], entry, side="right")) - 1
        rest, values = entry - int(function.first[slot]), dict[int, int]()
        for worth, i in sorted(steps[slot], reverse=True):
            values[i], rest = divmod(rest, worth)
        patterns.append(Pattern(values, float(weights[side, entry])))
    return patterns


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
