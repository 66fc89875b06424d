"""The quality learner: every move has a quality, the winner's moves rise and the loser's fall within bounds.

Source: a sheet of this name. All qualities start in the middle. While it learns, it plays any move whose
quality is within a margin of the best, each equally likely. So it continues to compare moves. A wide margin compares
longer, a narrow one is quick and gets stuck. The last move of the winner surely wins and the last move of the loser
surely loses: both get a quality far outside the bounds. In misère play this can be wrong, because the loser may have
had a better last move. A sure win that loses later falls like any other move until it is no longer the best.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from nimtui.engine.lessons import Memory, Numbers, best_score, edge_above
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.learning.parameter import Parameter

NAME = "quality"
ABOUT = "wins raise a move's quality, losses lower it; it plays any move within a margin of the best"
PARAMETERS = {
    "start": Parameter("the quality of an untried move", -100_000, 100_000),
    "win": Parameter("gain of each move of the winner", 0, 100_000),
    "loss": Parameter("loss of each move of the loser", 0, 100_000),
    "low": Parameter("the lowest quality", -100_000, 100_000),
    "high": Parameter("the highest quality", -100_000, 100_000),
    "sure": Parameter("the quality of the winner's last move; the loser's last gets the negative", 0, 1_000_000),
    "margin": Parameter("plays any move closer to the best than this", 1, 2_000_000),
}

DRAW = base.DRAW


class Quality(NamedTuple):
    """The learner's parameters."""

    start: int = 50
    win: int = 29
    loss: int = 11
    low: int = 0
    high: int = 100
    sure: int = 1000
    margin: int = 90


LEARNER = Quality


def check(learner: Quality) -> None:
    """Raise InputError if the bounds contradict each other."""
    if not learner.low <= learner.start <= learner.high:
        raise InputError(f"start must be from low to high, {learner.low:,} to {learner.high:,}, not {learner.start:,}")
    if not -learner.sure < learner.low <= learner.high < learner.sure:
        raise InputError(f"sure must be beyond low and high, more than {max(-learner.low, learner.high):,}")


def fresh(learner: Quality) -> int:
    return learner.start


def choose(learner: Any, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    return edge_above(graph, memory, node, best_score(graph, memory, node) - learner.margin + 1, rng)


def update(learner: Any, graph: Any, memory: Memory, seen: Numbers, made: Numbers, plies: int, outcome: int) -> None:
    if outcome == DRAW:
        return
    scores = memory.scores
    won = outcome == 1
    for ply in range(plies - 1, -1, -1):
        edge = made[ply]
        if ply >= plies - 2:
            scores[edge] = learner.sure if won else -learner.sure
        elif won and scores[edge] < learner.high:
            scores[edge] = min(learner.high, scores[edge] + learner.win)
        elif not won and scores[edge] > learner.low:
            scores[edge] = max(learner.low, scores[edge] - learner.loss)
        won = not won
