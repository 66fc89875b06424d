"""Q-learning by self-play: a move is worth the negative of the opponent's best reply to it.

Source: Watkins, "Learning from Delayed Rewards", 1989, in the form for two players who share one table (Littman,
"Markov games as a framework for multi-agent reinforcement learning", 1994, in turns). After a game it
learns from the moves in reverse order: the result travels through the whole game at once.

A score is the expected result for the player who makes the move, −1 to 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nimtui.engine.lessons import Memory, Numbers, best_score, last_result
from nimtui.learning.learners.average import choose as choose  # it explores in the same way
from nimtui.learning.parameter import Parameter

NAME = "q"
ABOUT = "Q-learning (a move is worth the negative of the opponent's best reply); it sometimes explores at random"
PARAMETERS = {
    "alpha": Parameter("learning rate, 0 to 1 (how far a score moves towards the new value)", 0.0, 1.0, real=True),
    "epsilon": Parameter("share of random moves instead of best ones, 0 to 1", 0.0, 1.0, real=True),
}
SCORES = np.float64
PAYOFFS = True  # they are learned as parts of the largest one


class Q(NamedTuple):
    """The learner's parameters."""

    alpha: float = 0.5
    epsilon: float = 0.2


LEARNER = Q


def fresh(learner: Q) -> float:
    return 0.0


def update(learner: Any, graph: Any, memory: Memory, seen: Numbers, made: Numbers, plies: int, outcome: int) -> None:
    result = last_result(graph, made[plies - 1], outcome)
    for ply in range(plies - 1, -1, -1):
        worth = result if ply == plies - 1 else -best_score(graph, memory, seen[ply + 1])
        memory.scores[made[ply]] += learner.alpha * (worth - memory.scores[made[ply]])
