"""Measure a table: its accuracy, and its exact chances against perfect play."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.graph import Graph
from nimtui.engine.jit import helper, paced_kernel
from nimtui.engine.limits import Pace, in_chunks
from nimtui.engine.policy import best_of

NOTHING, RIGHT, WRONG, UNDECIDED = 0, 1, 2, 3  # verdicts on a position
AT_ONCE = 20_000  # positions per kernel call, at first
Scores = npt.NDArray[Any]  # [edges], whole or real
Odds = npt.NDArray[np.float64]  # [nodes, 2 players to move, win or draw of the table's player]


class Chances(NamedTuple):
    """The probabilities of a game's three results for one player."""

    win: float
    draw: float
    loss: float


@helper
def _highest(graph: Graph, scores: Scores, node: int) -> float:
    most = scores[graph.ptr[node]]
    for edge in range(graph.ptr[node], graph.ptr[node + 1]):
        most = max(most, scores[edge])
    return most


@paced_kernel
def _judge(
    graph: Graph,
    values: npt.NDArray[np.int8],
    keeps: npt.NDArray[np.bool_],
    scores: Scores,
    verdicts: npt.NDArray[np.int8],
    shares: npt.NDArray[np.float64],
    first: int,
    last: int,
) -> None:
    for node in range(first, last):
        verdicts[node] = 0
        shares[node] = 0.0
        if values[node] >= 0:
            most = _highest(graph, scores, node)
            best = 0
            right = 0
            for edge in range(graph.ptr[node], graph.ptr[node + 1]):
                if scores[edge] == most:
                    best += 1
                    right += keeps[edge]
            shares[node] = right / best
            verdicts[node] = 1 if right == best else 2 if right == 0 else 3


@paced_kernel
def _reach(
    graph: Graph, scores: Scores, mine: npt.NDArray[np.bool_], todo: npt.NDArray[np.int32], waiting: int, n: int
) -> int:
    """Mark all positions where the table comes to move, from the first `waiting` nodes of `todo`, marked in `mine`.

    Process at most n nodes; return how many nodes of `todo` still wait.
    """
    for _ in range(n):
        if waiting == 0:
            break
        waiting -= 1
        node = todo[waiting]
        most = _highest(graph, scores, node)
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            other = graph.to[edge]
            if scores[edge] == most and other >= 0:
                for reply in range(graph.ptr[other], graph.ptr[other + 1]):
                    to = graph.to[reply]
                    if to >= 0 and not mine[to]:
                        mine[to] = True
                        todo[waiting] = to
                        waiting += 1
    return waiting


@paced_kernel
def _fill_odds(graph: Graph, may: npt.NDArray[np.bool_], odds: Odds, begin: int, end: int) -> None:
    for node in graph.order[begin:end]:
        for other in range(2):
            moves = 0
            win = 0.0
            draw = 0.0
            for edge in range(graph.ptr[node], graph.ptr[node + 1]):
                if may[other, edge]:
                    to = graph.to[edge]
                    moves += 1
                    if to >= 0:
                        win += odds[to, 1 - other, 0]
                        draw += odds[to, 1 - other, 1]
                    elif to == -3:
                        draw += 1
                    else:
                        win += (to == -1) != other  # the winner's own move, or the other's last move that lost
            odds[node, other, 0] = win / moves
            odds[node, other, 1] = draw / moves


def _odds(graph: Graph, mine: npt.NDArray[np.bool_], theirs: npt.NDArray[np.bool_]) -> Odds:
    """Return the odds of a player who makes any of these moves, [edges], against another, each with equal
    probabilities.
    """
    odds: Odds = np.zeros((len(graph.order), 2, 2))
    in_chunks(_fill_odds, (graph, np.stack((mine, theirs)), odds), len(odds))
    return odds


def judge(
    graph: Graph, values: npt.NDArray[np.int8], keeps: npt.NDArray[np.bool_], scores: Scores
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float64]]:
    """Return [nodes] twice: the verdict on each position's best-scored moves, and the share of them that keeps the
    outcome.

    The verdict is NOTHING (share 0) in a position that is lost for the player to move; else RIGHT if all of them keep
    the outcome, WRONG if none does, UNDECIDED otherwise.
    """
    verdicts, shares = np.empty(len(values), np.int8), np.empty(len(values))
    in_chunks(_judge, (graph, values, keeps, scores, verdicts, shares), len(values))
    return verdicts, shares


def reached(graph: Graph, scores: Scores, seats: tuple[bool, bool]) -> npt.NDArray[np.bool_]:
    """Return [nodes]: the positions where a table that moves first, second, or either comes to move.

    The table makes any of its best-scored moves, and its opponent any move.
    """
    mine, todo = np.zeros(len(graph.order), np.bool_), np.empty(len(graph.order), np.int32)
    first, second = seats
    starts = [graph.start] if first else []
    if second:
        starts += [int(to) for to in graph.to[graph.ptr[graph.start] : graph.ptr[graph.start + 1]] if to >= 0]
    todo[: len(starts)] = starts
    mine[starts] = True
    waiting, pace = len(starts), Pace(_reach, AT_ONCE)
    while waiting:
        waiting = int(_reach(graph, scores, mine, todo, waiting, pace.begin()))
        pace.end(pace.units if waiting else 0)
    return mine


def against_perfect(graph: Graph, keeps: npt.NDArray[np.bool_], scores: Scores, second: bool) -> Chances:
    """Return the chances of a table against a perfect player, computed, not sampled.

    The table makes one of its best-scored moves, with equal probabilities. The perfect player makes one of the moves
    that keep its outcome, with equal probabilities; in a lost position that is every move.
    """
    return chances_of(_odds(graph, best_of(graph, scores), keeps)[graph.start, 1 if second else 0])


def chances_of(win_and_draw: npt.NDArray[np.float64]) -> Chances:
    """Return the chances with these of a win and a draw."""
    win, draw = win_and_draw.tolist()
    return Chances(win, draw, max(0.0, 1.0 - win - draw))


def between(graph: Graph, mine: Scores, theirs: Scores) -> Odds:
    """Return [nodes, first or second table to move, win or draw]: the first table's chances from there.

    Computed, not sampled. Both make each of their best-scored moves with the same probability.
    """
    return _odds(graph, best_of(graph, mine), best_of(graph, theirs))
