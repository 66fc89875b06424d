"""Games that a function plays against itself as it is now, to count how often it meets positions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.engine.rng import Stream
from nimtui.games import base
from nimtui.learning.estimator import Estimator
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth

GAMES, SEED = 1_000, 1


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
