"""Compute exact values on a graph by dynamic programming from the ends of the game, and how long a game can last."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.engine.graph import Graph
from nimtui.engine.jit import helper, paced_kernel
from nimtui.engine.limits import Pace, check_longest, in_chunks
from nimtui.engine.playouts import DONE, DRAWS, NUMBERS, PLY, WINS, Tally, in_rounds, tallies_of
from nimtui.engine.rng import GAMMA, Counter, Stream, below, mix
from nimtui.progress import SILENT, Aloud, Progress

FIRST_CHUNK = 20_000  # plies before the first report
VALUING = "valuing positions"
Values: TypeAlias = npt.NDArray[np.int8 | np.int32]  # [nodes]: 1, −1, 0, or payoffs, for the player to move
NODE = NUMBERS  # in the numbers of some playouts, the last: the node of the current one


@helper
def _worth(graph: Graph, edge: int, values: Values) -> int:
    """Return the value of a move for the player who makes it: 1, 0, −1, or its payoff."""
    to = np.int64(graph.to[edge])
    if to >= 0:
        return -np.int64(values[to])  # type: ignore[return-value]
    if graph.largest:
        return np.int64(graph.payoff[edge])  # type: ignore[return-value]
    if to == -1:
        return 1
    if to == -2:
        return -1
    return 0


@paced_kernel
def _fill_values(graph: Graph, values: Values, first: int, last: int) -> None:
    for node in graph.order[first:last]:
        best = _worth(graph, graph.ptr[node], values)
        for edge in range(graph.ptr[node] + 1, graph.ptr[node + 1]):
            best = max(best, _worth(graph, edge, values))
        values[node] = best


@paced_kernel
def _fill_keeps(graph: Graph, values: Values, keeps: npt.NDArray[np.bool_], first: int, last: int) -> None:
    for node in range(first, last):
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            keeps[edge] = _worth(graph, edge, values) == values[node]


@paced_kernel
def _fill_distances(graph: Graph, values: Values, distances: npt.NDArray[np.int32], first: int, last: int) -> None:
    for node in graph.order[first:last]:
        value = np.int64(values[node])
        best = -np.int64(graph.longest)  # plies to the end, below 0 for the winner, who wants few
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            to = np.int64(graph.to[edge])
            if _worth(graph, edge, values) == value:
                plies = np.int64(1)
                if to >= 0:
                    plies += distances[to]
                best = max(best, -value * plies)
        distances[node] = abs(best) if value != 0 else -1


@paced_kernel
def _fill_timely(
    graph: Graph,
    values: Values,
    distances: npt.NDArray[np.int32],
    sign: int,
    may: npt.NDArray[np.bool_],
    first: int,
    last: int,
) -> None:
    for node in range(first, last):
        if values[node] != sign:
            continue
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            to = np.int64(graph.to[edge])
            plies = np.int64(1)
            if to >= 0:
                plies += distances[to]
            may[edge] = may[edge] and plies == distances[node]


@paced_kernel
def _fill_grundy(
    graph: Graph, grundy: npt.NDArray[np.int32], seen: npt.NDArray[np.int32], begin: int, end: int
) -> None:
    for node in graph.order[begin:end]:
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            to = graph.to[edge]
            seen[grundy[to] if to >= 0 else 0] = node + 1  # marked for this node alone
        least = 0
        while seen[least] == node + 1:
            least += 1
        grundy[node] = least


def values(graph: Graph, progress: Progress = SILENT) -> Values:
    """Return [nodes]: 1 if the player to move wins under perfect play of both, −1 for a loss, 0 for a draw.

    Of a game with payoffs: the payoff of the player to move.
    """
    values: Values = np.zeros(len(graph.order), np.int32 if graph.largest else np.int8)
    in_chunks(_fill_values, (graph, values), len(values), progress, VALUING)
    return values


def keeps(graph: Graph, values: Values, progress: Progress = SILENT) -> npt.NDArray[np.bool_]:
    """Return [edges]: whether the move keeps the value of its position. (In a lost position every move does.)"""
    keeps = np.zeros(len(graph.to), np.bool_)
    in_chunks(_fill_keeps, (graph, values, keeps), len(values), progress, VALUING)
    return keeps


def distances(graph: Graph, values: Values, progress: Progress = SILENT) -> npt.NDArray[np.int32]:
    """Return [nodes]: the plies to the end if the winner hurries and the loser holds out; −1 in a draw.

    −1 everywhere in a game with payoffs: nobody hurries.
    """
    if graph.largest:
        return np.full(len(graph.order), -1, np.int32)
    distances = np.zeros(len(graph.order), np.int32)
    in_chunks(_fill_distances, (graph, values, distances), len(distances), progress, VALUING)
    return distances


def timed(graph: Graph, values: Values, may: npt.NDArray[np.bool_], outcome: int) -> npt.NDArray[np.bool_]:
    """Return [edges]: `may`, but in positions of this outcome (1 or −1) only moves to an end in best time.

    A won game ends as soon as possible, a lost one as late as possible. With payoffs: all of `may`.
    """
    if graph.largest:
        return may
    timely = may.copy()
    in_chunks(_fill_timely, (graph, values, distances(graph, values), outcome, timely), len(values))
    return timely


def grundy(graph: Graph, progress: Progress = SILENT) -> npt.NDArray[np.int32]:
    """Return [nodes]: Grundy values, the least number that no move leads to. For impartial games in normal play."""
    grundy = np.zeros(len(graph.order), np.int32)
    seen = np.zeros(len(graph.ptr), np.int32)  # no value exceeds the number of nodes
    in_chunks(_fill_grundy, (graph, grundy, seen), len(grundy), progress, VALUING)
    return grundy


class Perfect(NamedTuple):
    """The edges that keep each node's value: kept[ptr[n]] … kept[ptr[n + 1] − 1]."""

    ptr: npt.NDArray[np.int64]
    best: npt.NDArray[np.int64]


def perfect(graph: Graph, values: Values) -> Perfect:
    """Return the moves of a perfect player. Raise InputError if games are too long to be played."""
    check_longest(graph.longest)
    best = np.flatnonzero(keeps(graph, values))
    return Perfect(np.searchsorted(best, graph.ptr), best)


@paced_kernel
def playouts_against_perfect(
    graph: Graph, player: Perfect, start: int, n: int, rng: Counter, at: npt.NDArray[np.int64], plies: int, both: bool
) -> None:
    """Play until there are n games from a node; its player to move plays perfectly, the other at random.

    With `both`, the other plays perfectly too.

    Play at most so many plies. `at` [NUMBERS + 1] is as for `playouts`, all 0 at first, then the node of the current
    game.
    """
    x = rng[0]
    done, wins, draws, ply, node = at[DONE], at[WINS], at[DRAWS], at[PLY], at[NODE]
    budget = plies
    while done < n:
        if ply == 0:
            node = np.int64(start)
        until = ply + budget
        budget += ply
        while node >= 0 and ply < until:
            x += GAMMA
            if both or ply & 1 == 0:
                first = player.ptr[node]
                edge = player.best[first + below(mix(x), player.ptr[node + 1] - first)]
            else:
                first = graph.ptr[node]
                edge = first + below(mix(x), graph.ptr[node + 1] - first)
            node = np.int64(graph.to[edge])
            ply += 1
        budget -= ply
        if node >= 0:
            break
        if node == -3:
            draws += 1
        else:
            wins += (node == -1) == (ply & 1 == 1)  # the perfect player moved last after an odd number of plies
        done += 1
        ply = np.int64(0)
    at[DONE], at[WINS], at[DRAWS], at[PLY], at[NODE] = done, wins, draws, ply, node
    rng[0] = x


def against_perfect(
    graph: Graph, player: Perfect, node: int, n: int, stream: Stream, progress: Progress = SILENT, both: bool = False
) -> list[Tally]:
    """Play n playouts after each move of a node: the opponent plays perfectly, and the mover at random.

    With `both`, the mover plays perfectly too: every playout then ends with the exact value. A perfect player chooses
    uniformly among the moves that keep the value; in a lost position among all moves. If the time runs out, return the
    playouts done so far. Offer the tallies so far by `Progress.think`.
    """
    edges = range(int(graph.ptr[node]), int(graph.ptr[node + 1]))
    counts = np.zeros((len(edges), NUMBERS + 1), np.int64)
    moves = [int(graph.move[edge]) for edge in edges]

    def play_after(i: int, until: int, part: Progress) -> None:
        _play_on(graph, player, int(graph.to[edges[i]]), until, stream, counts[i], part, both)

    in_rounds(n, counts, play_after, stream, Aloud(progress, lambda: tallies_of(moves, counts)))
    return tallies_of(moves, counts)


def _play_on(
    graph: Graph,
    player: Perfect,
    node: int,
    n: int,
    stream: Stream,
    counts: npt.NDArray[np.int64],
    progress: Progress,
    both: bool,
) -> None:
    """Play against a perfect player until `counts`, which is updated, holds n games."""
    if node < 0:
        counts[[DONE, WINS, DRAWS]] = n, n * (node == -2), n * (node == -3)
        return
    pace = Pace((playouts_against_perfect, graph.longest), FIRST_CHUNK)
    while counts[DONE] < n:
        plies = pace.begin(progress.seconds_left())
        playouts_against_perfect(graph, player, node, n, stream.counter, counts, plies, both)
        pace.end(plies if counts[DONE] < n else 0)
        progress.report(int(counts[DONE]), n, "playouts")


@paced_kernel
def _fill_heights(graph: Graph, heights: npt.NDArray[np.int32], first: int, last: int) -> None:
    for node in graph.order[first:last]:
        most = 0
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            to = graph.to[edge]
            if to >= 0:
                most = max(most, heights[to])
        heights[node] = most + 1


def heights(graph: Graph) -> npt.NDArray[np.int32]:
    """Return [nodes]: the plies of the longest game from each position; in games with matches, the matches left."""
    heights = np.zeros(len(graph.order), np.int32)
    in_chunks(_fill_heights, (graph, heights), len(heights))
    return heights
