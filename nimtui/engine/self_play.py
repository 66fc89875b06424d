"""Self-play of any learner on any game's graph: one kernel, which finds the learner's functions by its class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the learners' words
from nimtui.engine.graph import Graph
from nimtui.engine.jit import helper, kernel, paced_kernel
from nimtui.engine.lessons import Learner, Memory, choose, recall, update
from nimtui.engine.limits import check_longest
from nimtui.engine.pace import in_chunks
from nimtui.engine.rng import Counter
from nimtui.progress import SILENT, Progress

WON, LOST, DRAW = 1, -1, 2


class Scratch(NamedTuple):
    """Room for one game of the greatest length; holds the current game, or the last one."""

    nodes: npt.NDArray[np.int32]  # [longest]: its nodes
    edges: npt.NDArray[np.int32]  # [longest]: its edges
    before: npt.NDArray[
        np.float64
    ]  # [longest]: the scores of these edges before the game; filled only by `watched_play`
    done: npt.NDArray[np.int64]  # [2]: total finished games and their plies; correct even if a run is interrupted


class Watched(NamedTuple):
    """The nodes at which `watched_play` looks for changed best moves, and its room. No nodes: it stops at no change."""

    nodes: npt.NDArray[np.int64]
    greedy: npt.NDArray[np.int64]  # [nodes]: which of a node's moves are best-scored
    scores: npt.NDArray[Any]  # [edges]: all scores before the last game; [0] without nodes


def scratch(graph: Graph) -> Scratch:
    """Return room for the games of this graph. Raise InputError if they are too long to be played."""
    check_longest(graph.longest)
    nodes, edges = np.empty(graph.longest, np.int32), np.empty(graph.longest, np.int32)
    return Scratch(nodes, edges, np.empty(graph.longest), np.zeros(2, np.int64))


@helper
def _moves(learner: Learner, graph: Graph, memory: Memory, rng: Counter, room: Scratch) -> tuple[int, int]:
    """Play the moves of one game; return how many there are, and the outcome for the player of the last move."""
    node: Any = np.int64(graph.start)
    plies = 0
    while node >= 0:
        edge = np.int64(choose(learner, graph, memory, node, rng))
        memory.visits[edge] += 1
        room.nodes[plies] = node
        room.edges[plies] = edge
        plies += 1
        node = np.int64(graph.to[edge])
    if node == -3:
        return plies, DRAW
    return plies, WON if node == -1 else LOST


@helper
def _finish(room: Scratch, plies: int) -> None:
    room.done[0] += 1
    room.done[1] += plies


@paced_kernel
def fill_notes(learner: Learner, graph: Graph, memory: Memory, first: int, last: int) -> None:
    """Remake the notes of a stretch of `graph.order`; a node's note comes after those of all nodes that it leads to."""
    for node in graph.order[first:last]:
        recall(learner, graph, memory, node)


def make_notes(learner: Learner, graph: Graph, memory: Memory, progress: Progress = SILENT) -> None:
    """Remake all notes."""
    in_chunks(
        (fill_notes, type(learner)),
        lambda first, last: fill_notes(learner, graph, memory, first, last),
        len(graph.order),
        progress,
        "reading the table",
    )


@kernel
def self_play(learner: Learner, graph: Graph, memory: Memory, games: int, rng: Counter, room: Scratch) -> None:
    """Play so many games of a learner against itself, counted in `room.done`."""
    for _ in range(games):
        plies, outcome = _moves(learner, graph, memory, rng, room)
        update(learner, graph, memory, room.nodes, room.edges, plies, outcome)
        _finish(room, plies)


@helper
def _signature(graph: Graph, memory: Memory, node: int) -> int:
    """Return a number that identifies, almost surely, which of the node's moves are best-scored."""
    first = graph.ptr[node]
    best = memory.scores[first]
    number: Any = np.int64(1)
    for edge in range(first + 1, graph.ptr[node + 1]):
        score = memory.scores[edge]
        if score > best:
            best = score
            number = np.int64(edge - first + 1)
        elif score == best:
            number = number * 1_000_003 + (edge - first + 1)
    return number


@kernel
def watched_play(
    learner: Learner,
    graph: Graph,
    memory: Memory,
    games: int,
    rng: Counter,
    room: Scratch,
    watched: Watched,
) -> tuple[int, bool]:
    """Play as `self_play` does, store the scores before the last game, and stop when greedy moves of some nodes change.

    A greedy move is a best-scored move of its position. Return how many plies the last game had, and whether it changed
    a greedy move of the watched nodes.
    """
    nodes, greedy = watched.nodes, watched.greedy
    until_change = nodes.shape[0] > 0
    for place in range(nodes.shape[0]):
        greedy[place] = _signature(graph, memory, nodes[place])
    plies = 0
    for _ in range(games):
        plies, outcome = _moves(learner, graph, memory, rng, room)
        for q in range(plies):
            room.before[q] = memory.scores[room.edges[q]]
        if until_change:
            for edge in range(watched.scores.shape[0]):
                watched.scores[edge] = memory.scores[edge]
        update(learner, graph, memory, room.nodes, room.edges, plies, outcome)
        _finish(room, plies)
        if until_change:
            for place in range(nodes.shape[0]):
                if greedy[place] != _signature(graph, memory, nodes[place]):
                    return plies, True
    return plies, False
