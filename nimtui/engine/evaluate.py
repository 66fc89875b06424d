"""How good a table is: its accuracy, and exactly how often it wins against perfect play."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.graph import Graph
from nimtui.engine.jit import helper, kernel

Odds = npt.NDArray[np.float64]  # [nodes, 2 players to move, win or draw of the table's player]


class Chances(NamedTuple):
    """The probabilities of a game's three results for one player."""

    win: float
    draw: float
    loss: float


@helper
def _highest(graph: Graph, scores: npt.NDArray[np.int32], node: int) -> int:
    most = scores[graph.ptr[node]]
    for edge in range(graph.ptr[node], graph.ptr[node + 1]):
        most = max(most, scores[edge])
    return most


@kernel
def _accuracy(
    graph: Graph,
    values: npt.NDArray[np.int8],
    keeps: npt.NDArray[np.bool_],
    scores: npt.NDArray[np.int32],
) -> float:
    total = 0.0
    positions = 0
    for node in range(values.shape[0]):
        if values[node] >= 0:
            most = _highest(graph, scores, node)
            best = 0
            right = 0
            for edge in range(graph.ptr[node], graph.ptr[node + 1]):
                if scores[edge] == most:
                    best += 1
                    right += keeps[edge]
            total += right / best
            positions += 1
    return total / positions if positions else 1.0


@kernel
def _fill_odds(graph: Graph, keeps: npt.NDArray[np.bool_], scores: npt.NDArray[np.int32], odds: Odds) -> None:
    for node in graph.order:
        most = _highest(graph, scores, node)
        for perfect in range(2):
            moves = 0
            win = 0.0
            draw = 0.0
            for edge in range(graph.ptr[node], graph.ptr[node + 1]):
                if keeps[edge] if perfect else scores[edge] == most:
                    to = graph.to[edge]
                    moves += 1
                    if to >= 0:
                        win += odds[to, 1 - perfect, 0]
                        draw += odds[to, 1 - perfect, 1]
                    elif to == -3:
                        draw += 1
                    else:
                        win += (to == -1) != perfect  # the winner's own move, or a perfect loser's
            odds[node, perfect, 0] = win / moves
            odds[node, perfect, 1] = draw / moves


def accuracy(
    graph: Graph,
    values: npt.NDArray[np.int8],
    keeps: npt.NDArray[np.bool_],
    scores: npt.NDArray[np.int32],
) -> float:
    """How much of perfect play a table holds, 0 to 1.

    The mean, over the positions that are not lost for the player to move, of the share of the tied
    best-scored moves that keep the outcome. 1 where there is no such position.
    """
    return float(_accuracy(graph, values, keeps, scores))


def against_perfect(graph: Graph, keeps: npt.NDArray[np.bool_], scores: npt.NDArray[np.int32], second: bool) -> Chances:
    """What becomes of a game between a table and a perfect player, computed, not sampled.

    The table's player makes a best-scored move, each of equals as likely as the others; the perfect
    one likewise one of the moves that keep its outcome, which where it is lost are all.
    """
    odds = np.zeros((len(graph.order), 2, 2))
    _fill_odds(graph, keeps, scores, odds)
    win, draw = (float(chance) for chance in odds[graph.start, 1 if second else 0])
    return Chances(win, draw, max(0.0, 1.0 - win - draw))
