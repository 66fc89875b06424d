"""The reward learner: the winner's moves gain a point, the loser's lose one.

Source: the tower of 16. Its table is empty at first. If a position's best score is above 0, it plays the
first of the best moves, else a random move: a random row that is not empty, then a random count. It locks in: it never
compares a good move that it found first with the others again.

A score is the sum of the rewards of a move: above 0 it won more than it lost.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from nimtui.engine.lessons import Memory, Numbers, any_edge, best_edge, best_score, casual_edge
from nimtui.engine.rng import Pick
from nimtui.games import base
from nimtui.learning.parameter import Parameter

NAME = "reward"
ABOUT = "the winner's moves gain a point, the loser's moves lose one; it plays the best move, and locks in"
PARAMETERS = {
    "win": Parameter("points that each move of the winner gains", 1, 1_000),
    "loss": Parameter("points that each move of the loser loses", 0, 1_000),
    "pick": Parameter("how to draw a move if no score is above 0", choices=Pick),
}

NOTES = 1
DRAW = base.DRAW
ROW_THEN_COUNT = list(Pick).index(Pick.ROW_THEN_COUNT)


class Reward(NamedTuple):
    """The learner's parameters."""

    win: int = 1
    loss: int = 1
    pick: Pick = Pick.ROW_THEN_COUNT


LEARNER = Reward


def largest(learner: Reward, games: int) -> int:
    """Return the largest absolute score possible after this many games."""
    return games * max(learner.win, learner.loss)


def recall(learner: Any, graph: Any, memory: Memory, node: int) -> None:
    """Set a node's note to its first best edge above 0, or −1."""
    best = -1
    most = 0
    for edge in range(graph.ptr[node], graph.ptr[node + 1]):
        if memory.scores[edge] > most:
            most = memory.scores[edge]
            best = edge
    memory.notes[node] = best


def choose(learner: Any, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    edge = memory.notes[node]
    if edge >= 0:
        return edge  # type: ignore[no-any-return]
    if learner.pick == ROW_THEN_COUNT:
        return casual_edge(graph, node, rng)
    return any_edge(graph, node, rng)


def play(learner: Any, graph: Any, memory: Memory, node: int, rng: Any) -> int:
    """Return the first best move if its score is above 0, else a move as while learning. Source: the tower of 16."""
    if best_score(graph, memory, node) > 0:
        return best_edge(graph, memory, node, rng)
    return choose(learner, graph, memory, node, rng)


def update(learner: Any, graph: Any, memory: Memory, seen: Numbers, made: Numbers, plies: int, outcome: int) -> None:
    if outcome == DRAW:
        return
    won = outcome == 1
    for ply in range(plies - 1, -1, -1):
        _settle(learner, graph, memory, seen[ply], made[ply], learner.win if won else -learner.loss)
        won = not won


def _settle(learner: Any, graph: Any, memory: Memory, node: int, edge: int, change: int) -> None:
    """Add to a score, and update the note as `recall` would."""
    scores = memory.scores
    score = scores[edge] + change
    scores[edge] = score
    was = memory.notes[node]
    if change > 0:
        if was != edge and score > 0 and (was < 0 or score > scores[was] or (score == scores[was] and edge < was)):
            memory.notes[node] = edge
    elif edge == was:
        recall(learner, graph, memory, node)
