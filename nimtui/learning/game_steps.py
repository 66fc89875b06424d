"""What one game of self-play taught a function, move by move: the numbers of the engine's own step.

And how often a function meets positions in games against itself, and in training the entries of its tuples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.engine import functions
from nimtui.engine.ntuple import Tuples
from nimtui.engine.rng import Stream
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.learning.estimator import Estimator
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth

if TYPE_CHECKING:
    from nimtui.engine.function_play import Pace, Room
    from nimtui.engine.ntuple import Tuples
    from nimtui.learning.estimator import Estimator

Rates: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]  # of tuples: `moved` and `went`


class MoveStep(NamedTuple):
    """A move of the game, and what its afterstate learned. All values are for the player who made the move."""

    state: State  # before the move
    move: Move
    by_chance: bool  # was it a random move?
    best: float  # the value of the best move there was
    value: float  # of the afterstate, when the game was played
    later: float  # the same after the game
    target: float  # G, what it should be worth; the true value of a move that ends the game
    step: float  # what is added to the total, times the gradient; 0 for a move that ends the game
    rates: tuple[float, float] | None  # the least and the largest own rate of its weights; None without such rates

    @property
    def error(self) -> float:
        return self.target - self.value


class GameSteps(NamedTuple):
    """A game, first move first. It learned from its end back to its start."""

    number: int  # counted from 1, over all games of the table
    pace: Pace
    size: float  # α, the size of a step in this game
    moves: list[MoveStep]
    outcome: int  # for the player who moved last


def steps_before(function: Any) -> Rates | None:
    """Return copies of what the rates of single weights follow from; None if it has no such rates."""
    if not isinstance(function, Tuples) or function.moved.shape[1] == 1:
        return None
    return function.moved.copy(), function.went.copy()


def steps_of(estimator: Estimator, pace: Pace, number: int, plies: int, before: Rates | None) -> GameSteps:
    """Return what the estimator's last game taught it, which had this many plies and started with such rates."""
    from nimtui.engine import function_play

    room, state = estimator.room, base.copy(estimator.game.start)
    states = list[State]()
    for move in room.moves[:plies].tolist():
        states.append(base.copy(state))
        base.play(state, move)
    later = np.zeros((plies, estimator.game.size))
    rates = _rates(estimator, plies, before)
    with estimator.alone:  # by the weights that learn, whichever play
        boards = np.array([state.board for state in states])
        function_play.board_values(estimator.function, estimator.state, boards, room, later)
    size = function_play.size_of(pace, number - 1)
    columns = (room.random, room.best, room.values, room.targets, room.steps)
    moves = [
        MoveStep(before, move, chance, best, value, float(later[ply, move]), target, step, rates[ply])
        for ply, (before, move, chance, best, value, target, step) in enumerate(
            zip(states, room.moves[:plies].tolist(), *(column[:plies].tolist() for column in columns), strict=True)
        )
    ]
    return GameSteps(number, pace, size, moves, base.outcome(state))


def _rates(estimator: Estimator, plies: int, before: Rates | None) -> list[tuple[float, float] | None]:
    """Return the least and the largest rate of each ply's weights as it learned; the steps are taken again for it."""
    function, room = estimator.function, estimator.room
    ranges: list[tuple[float, float] | None] = [None] * plies
    if before is None:
        return ranges
    again = function._replace(weights=function.weights.copy(), moved=before[0].copy(), went=before[1].copy())
    for ply in range(plies - 2, -1, -1):
        side, entries = room.sides[ply], function.path[ply]
        moved, went = abs(again.moved[side, entries]), again.went[side, entries]
        rates = np.divide(moved, went, out=np.ones_like(moved), where=went > 0)
        ranges[ply] = float(rates.min()), float(rates.max())
        functions.learn(again, side, ply, room.steps[ply])
    return ranges


GAMES, SEED = 1_000, 1
ALONE = 1_000  # the first games of a training, each counted; later one of so many …
RARELY = 10  # … or of so many times as many where positions can be listed: that takes below 1 % of the time


def times_met(
    estimator: Estimator, truth: Truth, games: int = GAMES, progress: Progress = SILENT
) -> npt.NDArray[np.int64]:
    """Return how often each position is met in so many games of the function against itself, [nodes].

    As in training, a share of the moves is random where no move wins at once (`explore`). Mirror images share weights,
    but count apart.
    """
    nodes = {board.tobytes(): node for node, board in enumerate(truth.graph.boards.astype(np.int64))}
    met, stream = np.zeros(len(nodes), np.int64), Stream(SEED)
    states = [estimator.game.new() for _ in range(games)]
    while states:
        progress.report(games - len(states), games, "its own games")
        for state in states:
            if (node := nodes.get(state.board.tobytes())) is not None:
                met[node] += 1
        values = estimator.all_values(np.stack([state.board for state in states]))
        for state, row in zip(states, values, strict=True):
            best = np.flatnonzero(row == row.max()).tolist()
            random = row.max() < 1 and stream.share() < estimator.learner.explore
            base.play(state, base.nth(state, stream.below(base.count(state))) if random else stream.choose(best))
        states = [state for state in states if base.outcome(state) == base.GOING_ON]
    return met


class EntryCounts:
    """How often the games of a training looked up each entry of a function's tuples, from one game on.

    Each of the first games is counted. Later one in so many counts for all of them: counting each would cost pace.
    """

    def __init__(self, function: Tuples, after: int, small: bool) -> None:
        self.after = after  # games of training that are not counted
        self.every = ALONE * RARELY if small else ALONE
        self.times: npt.NDArray[np.float32] = np.zeros(function.weights.shape, np.float32)  # [sides, entries]

    @classmethod
    def of(cls, estimator: Estimator, after: int, small: bool) -> EntryCounts | None:
        """Return counts of the tuples of a function that has learned from so many games; None if it has none."""
        from nimtui.engine.ntuple import Tuples

        return cls(estimator.function, after, small) if isinstance(estimator.function, Tuples) else None

    def next(self, games: int) -> int:
        """Return the number of the next game to count after so many games."""
        return games + 1 if games < ALONE else (games // self.every + 1) * self.every

    def add(self, function: Tuples, room: Room, games: int, plies: int) -> None:
        """Count what the last game looked up: the one of this number, with so many plies. Its end looks up nothing."""
        sides = room.sides[: plies - 1].reshape(-1, 1)
        places = sides * self.times.shape[1] + function.path[: plies - 1]
        np.add.at(self.times.reshape(-1), places.reshape(-1), np.float32(1 if games <= ALONE else self.every))
