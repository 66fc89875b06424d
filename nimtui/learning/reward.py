"""The reward learner: the winner's moves gain a point, the loser's lose one.

Source: the first of the originals. Its table is empty at first. While a position's best score is
above 0 it plays the first of its best moves, else a random one: a random row that is not empty,
then a random count. It locks in: a good move found first is never compared with the others again.

A score is the sum of the rewards a move has had: above 0 it won more than it lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nimtui.engine.pick import Pick
from nimtui.engine.rng import Counter, Stream
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.learning.learner import Cells, Episode, Parameter, Scores, SelfPlay

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph

NAME = "reward"
PARAMETERS = {
    "win": Parameter("what each move of the winner gains", 1, 1_000),
    "loss": Parameter("what each move of the loser loses", 0, 1_000),
    "pick": Parameter("how a random move is drawn where no score is above 0", choices=Pick),
}


class Reward(NamedTuple):
    """The constants, and what is done with them."""

    win: int = 1
    loss: int = 1
    pick: Pick = Pick.ROW_THEN_COUNT

    def choose(self, state: State, cells: Cells, stream: Stream) -> Move:
        best = max(cells.values())
        if best > 0:
            return next(move for move, score in cells.items() if score == best)
        if self.pick is Pick.ROW_THEN_COUNT:
            return int(base.casual(state, stream.bits60()))
        return int(base.nth(state, stream.below(len(cells))))

    def update(self, episode: Episode, outcome: int) -> None:
        if outcome == base.DRAW:
            return
        won = outcome == base.WON
        for cells, move in reversed(episode):
            cells[move] += self.win if won else -self.loss
            won = not won

    def compiled(self, graph: Graph, scores: Scores, counter: Counter) -> SelfPlay:
        from nimtui.engine import self_play

        best = self_play.first_best_edges(graph, scores)
        seen, made = np.empty(graph.longest, np.int32), np.empty(graph.longest, np.int32)
        casually = self.pick is Pick.ROW_THEN_COUNT

        def play(games: int) -> int:
            plies = self_play.reward(graph, scores, best, games, self.win, self.loss, casually, counter, seen, made)
            return int(plies)

        return play

    def most_after(self, games: int) -> int:
        return games * max(self.win, self.loss)


LEARNER = Reward
