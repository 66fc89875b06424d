"""The reward learner: the winner's moves gain a point, the loser's lose one.

Source: the first of the originals. Its table is empty at first. While a position's best score is above 0 it plays the
first of its best moves, else a random one: a random row that is not empty, then a random count. It locks in: a good
move found first is never compared with the others again.

A score is the sum of the rewards a move has had: above 0 it won more than it lost.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from nimtui.engine.lessons import Memory, Numbers, any_edge, best_edge, best_score, casual_edge
from nimtui.engine.pick import Pick
from nimtui.games import base
from nimtui.learning.parameter import Parameter

NAME = "reward"
ABOUT = "every move of the winner gains a point, every move of the loser loses one; it plays the best, and locks in"
PARAMETERS = {
    "win": Parameter("what each move of the winner gains", 1, 1_000),
    "loss": Parameter("what each move of the loser loses", 0, 1_000),
    "pick": Parameter("how a random move is drawn where no score is above 0", choices=Pick),
}

NOTES = 1
DRAW = base.DRAW
ROW_THEN_COUNT = list(Pick).index(Pick.ROW_THEN_COUNT)


class Reward(NamedTuple):
    """Its constants."""

    win: int = 1
    loss: int = 1
    pick: Pick = Pick.ROW_THEN_COUNT


LEARNER = Reward


def largest(learner: Reward, games: int) -> int:
    """The farthest from 0 that a score can be after so many games."""
    return games * max(learner.win, learner.loss)


def recall(learner: Any, graph: Any, memory: Memory, node: int) -> None:
    """A node's note is its first best edge above 0, or −1."""
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
    """Source: original 000, which of several best moves always takes the first."""
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
    """Add to a score, and keep the note as `recall` would make it."""
    scores = memory.scores
    score = scores[edge] + change
    scores[edge] = score
    was = memory.notes[node]
    if change > 0:
        if was != edge and score > 0 and (was < 0 or score > scores[was] or (score == scores[was] and edge < was)):
            memory.notes[node] = edge
    elif edge == was:
        recall(learner, graph, memory, node)
