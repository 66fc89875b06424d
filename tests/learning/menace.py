"""Michie's matchboxes, as a person would add them: a move is drawn as often as its box holds beads for it.

Source: Michie, "Experiments on the mechanization of game-learning", 1963.
"""

from typing import NamedTuple

from nimtui.engine.lessons import any_edge
from nimtui.engine.rng import draw_below
from nimtui.learning.parameter import Parameter

NAME = "menace"
ABOUT = "a move is drawn as often as its matchbox holds beads for it; the winner's boxes get beads, the loser's lose"
PARAMETERS = {
    "beads": Parameter("how many each move has at first", 1, 100),
    "win": Parameter("how many the winner's moves get", 0, 100),
    "share": Parameter("how much of its beads a move keeps at most that has lost, 0 to 1", 0.0, 1.0, real=True),
}


class Menace(NamedTuple):
    beads: int = 4
    win: int = 3
    share: float = 1.0


LEARNER = Menace


def fresh(learner):
    return learner.beads


def largest(learner, games):
    return learner.beads + games * learner.win


def held(graph, memory, node):
    beads = 0
    for edge in range(graph.ptr[node], graph.ptr[node + 1]):
        beads += memory.scores[edge]
    return beads


def choose(learner, graph, memory, node, rng):
    beads = held(graph, memory, node)
    if beads == 0:
        return any_edge(graph, node, rng)
    at = draw_below(rng, beads)
    edge = graph.ptr[node]
    while at >= memory.scores[edge]:
        at -= memory.scores[edge]
        edge += 1
    return edge


def update(learner, graph, memory, seen, made, plies, outcome):
    if outcome == 2:
        return
    won = outcome == 1
    for ply in range(plies - 1, -1, -1):
        beads = memory.scores[made[ply]]
        memory.scores[made[ply]] = beads + learner.win if won else min(max(0, beads - 1), int(beads * learner.share))
        won = not won
