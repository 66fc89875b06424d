"""Learners that play against themselves on a game's graph. A table has one score an edge."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nimtui.engine.graph import Graph
from nimtui.engine.jit import helper, kernel
from nimtui.engine.rng import GAMMA, Counter, below, bits60, mix


@helper
def _first_best(graph: Graph, scores: npt.NDArray[np.int32], node: int) -> int:
    """The first of a node's highest scores above 0, or −1."""
    best = -1
    most = 0
    for edge in range(graph.ptr[node], graph.ptr[node + 1]):
        if scores[edge] > most:
            most = scores[edge]
            best = edge
    return best


@helper
def _settle(
    graph: Graph,
    scores: npt.NDArray[np.int32],
    best: npt.NDArray[np.int32],
    node: int,
    edge: int,
    change: int,
) -> None:
    """Add to a score and keep `best` as `_first_best` would find it."""
    score = scores[edge] + change
    scores[edge] = score
    was = best[node]
    if change > 0:
        if was != edge and score > 0 and (was < 0 or score > scores[was] or (score == scores[was] and edge < was)):
            best[node] = edge
    elif edge == was:
        best[node] = _first_best(graph, scores, node)


@kernel
def _fill_first_best(graph: Graph, scores: npt.NDArray[np.int32], best: npt.NDArray[np.int32]) -> None:
    for node in range(best.shape[0]):
        best[node] = _first_best(graph, scores, node)


def first_best_edges(graph: Graph, scores: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """[nodes]: the first of each node's highest scores above 0, or −1: the `best` of `reward`."""
    best = np.full(len(graph.order), -1, np.int32)
    _fill_first_best(graph, scores, best)
    return best


@kernel
def reward(
    graph: Graph,
    scores: npt.NDArray[np.int32],
    best: npt.NDArray[np.int32],
    games: int,
    win: int,
    loss: int,
    casually: bool,
    rng: Counter,
    seen: npt.NDArray[np.int32],
    made: npt.NDArray[np.int32],
) -> int:
    """Games of the reward learner against itself; returns how many plies they had.

    While a position's best score is above 0 the first of its best moves is played, else a random one: a random row
    and then a random count (`casually`), or any move. After the game the winner's moves gain `win`, the loser's lose
    `loss`; a draw changes nothing. Source: the original of the reward learner (win and loss 1, row then count).
    `best` [nodes] is the first of the best edges above 0, −1 for none; `seen` and `made` are scratch [longest].
    """
    x = rng[0]
    plies = 0
    for _ in range(games):
        node = np.int64(graph.start)
        ply = 0
        while node >= 0:
            edge = np.int64(best[node])
            if edge < 0:
                x += GAMMA
                if casually:
                    bits = bits60(mix(x))
                    rows = graph.group_ptr[node + 1] - graph.group_ptr[node]
                    row = graph.group_ptr[node] + (((bits & 0x3FFFFFFF) * rows) >> 30)
                    first = graph.group[row]
                    edge = first + (((bits >> 30) * (graph.group[row + 1] - first)) >> 30)
                else:
                    first = graph.ptr[node]
                    edge = first + below(mix(x), graph.ptr[node + 1] - first)
            seen[ply] = node
            made[ply] = edge
            ply += 1
            node = np.int64(graph.to[edge])
        plies += ply
        if node != -3:
            won = node == -1  # did the player who made the move at hand win?
            for q in range(ply - 1, -1, -1):
                _settle(graph, scores, best, seen[q], made[q], win if won else -loss)
                won = not won
    rng[0] = x
    return plies
