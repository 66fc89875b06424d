"""Win-stay, lose-shift: a move is as good as the last game it was in."""

from typing import NamedTuple

from nimtui.engine.lessons import any_edge, best_edge
from nimtui.engine.rng import draw_share
from nimtui.learning.parameter import Parameter

NAME = "last"
ABOUT = "a move is as good as the last game it was in"
PARAMETERS = {"epsilon": Parameter("how often it plays any move, 0 to 1", 0.0, 1.0, real=True)}


class Last(NamedTuple):
    epsilon: float = 0.1


LEARNER = Last


def choose(learner, graph, memory, node, rng):
    if draw_share(rng) < learner.epsilon:
        return any_edge(graph, node, rng)
    return best_edge(graph, memory, node, rng)


def update(learner, graph, memory, seen, made, plies, outcome):
    result = 0 if outcome == 2 else outcome  # 1 or −1 for the player who moved last
    for ply in range(plies - 1, -1, -1):
        memory.scores[made[ply]] = result
        result = -result
