"""How often a function meets positions in games against itself, and in training the entries of its tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nimtui.engine.rng import Stream
from nimtui.games import base
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth

if TYPE_CHECKING:
    from nimtui.engine.function_play import Room
    from nimtui.engine.ntuple import Tuples
    from nimtui.learning.estimator import Estimator

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
