"""Exact values on a graph, by dynamic programming from the ends of the game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.graph import Graph
from nimtui.engine.jit import helper, kernel
from nimtui.engine.playouts import Tally
from nimtui.engine.rng import GAMMA, Counter, Stream, below, mix
from nimtui.progress import SILENT, Progress

CHUNK = 5_000  # playouts between two reports


@helper
def _worth(to: int, values: npt.NDArray[np.int8]) -> int:
    """What a move is worth to the player who makes it: 1, 0, −1."""
    if to >= 0:
        return -np.int64(values[to])  # type: ignore[return-value]
    if to == -1:
        return 1
    if to == -2:
        return -1
    return 0


@kernel
def _fill_values(graph: Graph, values: npt.NDArray[np.int8]) -> None:
    for node in graph.order:
        best = -1
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            best = max(best, _worth(graph.to[edge], values))
        values[node] = best


@kernel
def _fill_keeps(graph: Graph, values: npt.NDArray[np.int8], keeps: npt.NDArray[np.bool_]) -> None:
    for node in range(values.shape[0]):
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            keeps[edge] = _worth(graph.to[edge], values) == values[node]


@kernel
def _fill_grundy(graph: Graph, grundy: npt.NDArray[np.int32], seen: npt.NDArray[np.int32]) -> None:
    for node in graph.order:
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            to = graph.to[edge]
            seen[grundy[to] if to >= 0 else 0] = node + 1  # marked for this node alone
        least = 0
        while seen[least] == node + 1:
            least += 1
        grundy[node] = least


def values(graph: Graph) -> npt.NDArray[np.int8]:
    """[nodes]: 1 the player to move wins, −1 loses, 0 a draw, under perfect play of both."""
    found = np.zeros(len(graph.order), np.int8)
    _fill_values(graph, found)
    return found


def keeps(graph: Graph, values: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
    """[edges]: does the move keep what its position is worth? (In a lost position every move does.)"""
    kept = np.zeros(len(graph.to), np.bool_)
    _fill_keeps(graph, values, kept)
    return kept


def grundy(graph: Graph) -> npt.NDArray[np.int32]:
    """[nodes]: Grundy values, the least number that no move leads to. For impartial games in normal play alone."""
    found = np.zeros(len(graph.order), np.int32)
    most_moves = int(np.diff(graph.ptr).max())
    _fill_grundy(graph, found, np.zeros(most_moves + 2, np.int32))
    return found


class Perfect(NamedTuple):
    """For each node the edges that keep its value: kept[ptr[n]] … kept[ptr[n + 1] − 1]."""

    ptr: npt.NDArray[np.int64]
    kept: npt.NDArray[np.int64]


def perfect(graph: Graph, values: npt.NDArray[np.int8]) -> Perfect:
    """The moves of a perfect player."""
    kept = np.flatnonzero(keeps(graph, values))
    return Perfect(np.searchsorted(kept, graph.ptr), kept)


@kernel
def playouts_against_perfect(graph: Graph, player: Perfect, start: int, n: int, rng: Counter) -> tuple[int, int]:
    """Of n games from a node whose player to move plays perfectly, the other at random: won by the mover, drawn."""
    x = rng[0]
    wins = 0
    draws = 0
    for _ in range(n):
        node = np.int64(start)
        perfectly = True
        while node >= 0:
            x += GAMMA
            if perfectly:
                first = player.ptr[node]
                edge = player.kept[first + below(mix(x), player.ptr[node + 1] - first)]
            else:
                first = graph.ptr[node]
                edge = first + below(mix(x), graph.ptr[node + 1] - first)
            node = np.int64(graph.to[edge])
            perfectly = not perfectly
        if node == -3:
            draws += 1
        else:
            wins += (node == -1) != perfectly  # the perfect player moved last where it is not to move
    rng[0] = x
    return wins, draws


def against_perfect(
    graph: Graph,
    player: Perfect,
    node: int,
    n: int,
    stream: Stream,
    progress: Progress = SILENT,
) -> list[Tally]:
    """n playouts after each move of a node, in which the opponent plays perfectly and the mover at random.

    A perfect player keeps the value of its position and chooses among such moves uniformly: where it is lost, any.
    """
    tallies = []
    edges = range(int(graph.ptr[node]), int(graph.ptr[node + 1]))
    for i, edge in enumerate(edges):
        to = int(graph.to[edge])
        lost, drawn = (n if to == -2 else 0), (n if to == -3 else 0)
        for done in range(0, n if to >= 0 else 0, CHUNK):
            chunk = min(CHUNK, n - done)
            l_, d_ = playouts_against_perfect(graph, player, to, chunk, stream.counter)
            lost, drawn = lost + int(l_), drawn + int(d_)
            progress.report(i * n + done + chunk, len(edges) * n, "playouts")
        tallies.append(Tally(int(graph.move[edge]), n - lost - drawn, lost, drawn))
    return tallies
