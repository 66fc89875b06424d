"""The average learner (Monte-Carlo control): a move is worth the mean result of the games in which it was made.

Source: Sutton and Barto, "Reinforcement Learning", 2nd edition, 2018, section 5.4, without discounting: on-policy, one
table for both players, each seeing a game's result with its own sign.

A score is a mean result for the player who makes the move, −1 to 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nimtui.engine.lessons import Memory, Numbers, any_edge, best_edge, last_result
from nimtui.engine.rng import draw_share
from nimtui.learning.parameter import Parameter

NAME = "average"
ABOUT = "Monte-Carlo control (a move is worth the mean result of its games); it sometimes explores at random"
PARAMETERS = {"epsilon": Parameter("share of random moves instead of best ones, 0 to 1", 0.0, 1.0, real=True)}
SCORES = np.float64
PAYOFFS = True  # they are learned as parts of the largest one


class Average(NamedTuple):
    """The learner's parameters."""

    epsilon: float = 0.2


LEARNER = Average


def fresh(learner: Average) -> float:
    return 0.0


def choose(learner: Any, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    if draw_share(rng) < learner.epsilon:
        return any_edge(graph, node, rng)
    return best_edge(graph, memory, node, rng)


def update(learner: Any, graph: Any, memory: Memory, seen: Numbers, made: Numbers, plies: int, outcome: int) -> None:
    result = last_result(graph, made[plies - 1], outcome)
    for ply in range(plies - 1, -1, -1):
        edge = made[ply]
        memory.scores[edge] += (result - memory.scores[edge]) / memory.visits[edge]
        result = -result
