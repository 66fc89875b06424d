"""Whole games on a game's graph: self-play of any learner, and games between two policies, judged by theory.

One kernel plays for all learners: it finds the learner's functions by its class. Every game between policies uses the
same random numbers as interpreted. Each seat has a generator, from the seed, the pairing, the game's number and the
seat; every move draws one number, even a forced move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the learners' words
from nimtui.engine.graph import Graph
from nimtui.engine.jit import helper, kernel, paced_kernel
from nimtui.engine.lessons import Learner, Memory, choose, recall, update
from nimtui.engine.limits import check_longest, in_chunks
from nimtui.engine.policy import Policy
from nimtui.engine.rng import GAMMA, Counter, below, bits60, mix
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
    in_chunks(fill_notes, (learner, graph, memory), len(graph.order), progress, "reading the table")


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
    learner: Learner, graph: Graph, memory: Memory, games: int, rng: Counter, room: Scratch, watched: Watched
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


class GamesToPlay(NamedTuple):
    """The games to play, and their openings.

    The opening of game g is the row (g, or g // 2 with alternating seats) − `row`; without plies there is none.
    """

    ground: np.uint64  # of the seed
    pairing: int
    number: int  # the first game's
    alternate: bool  # the second player starts every other game
    openings: npt.NDArray[np.int16]  # [openings, plies]
    row: int


class Buffers(NamedTuple):
    """Room for the games of one call."""

    ptr: npt.NDArray[np.int64]  # [games + 1]: where each game's moves are; ptr[0] is 0
    moves: npt.NDArray[np.int16]  # [games × the longest game]
    opener: npt.NDArray[np.int8]  # [games]
    result: npt.NDArray[np.int8]  # [games]: for the first player, 1 won, −1 lost, 0 drawn
    own: npt.NDArray[np.int32]  # [games, 2]: moves of each player
    chances: npt.NDArray[np.int32]  # [games, 2]: of these moves, those in positions that are not lost
    mistakes: npt.NDArray[np.int32]  # [games, 2]: of these moves, those that made the outcome worse


def buffers(games: int, longest: int) -> Buffers:
    """Return room for so many games of at most so many moves, with openings. Raise InputError if they are too many."""
    check_longest(longest)
    return Buffers(
        np.zeros(games + 1, np.int64),
        np.empty(games * longest, np.int16),
        np.empty(games, np.int8),
        np.empty(games, np.int8),
        *(np.empty((games, 2), np.int32) for _ in range(3)),
    )


@helper
def _edge(graph: Graph, policy: Policy, node: int, bits: np.uint64) -> int:
    """Return the edge that is played from a node, chosen by 64 random bits."""
    if policy.casual[node]:
        casual = bits60(bits)
        rows = graph.group_ptr[node + 1] - graph.group_ptr[node]
        row = graph.group_ptr[node] + (((casual & 0x3FFFFFFF) * rows) >> 30)
        first = graph.group[row]
        return first + (((casual >> 30) * (graph.group[row + 1] - first)) >> 30)
    first = policy.ptr[node]
    return policy.edges[first + below(bits, policy.ptr[node + 1] - first)]


@helper
def _after(graph: Graph, node: int, move: int) -> int:
    """Return where a legal move leads from a node; the move must not end the game."""
    edge = graph.ptr[node]
    while graph.move[edge] != move:
        edge += 1
    return np.int64(graph.to[edge])  # type: ignore[return-value]


@kernel
def play_games(
    graph: Graph,
    values: npt.NDArray[np.int8],
    keeps: npt.NDArray[np.bool_],
    first: Policy,
    second: Policy,
    begin: GamesToPlay,
    games: int,
    room: Buffers,
) -> None:
    """Play so many games of a pairing between two players."""
    at: Any = np.int64(0)
    plies = begin.openings.shape[1]
    for game in range(games):
        number = begin.number + game
        row: Any = np.int64(number)
        player: Any = np.int64(0)
        if begin.alternate:
            row = np.int64(number >> 1)
            player = np.int64(number & 1)
        row -= begin.row
        room.opener[game] = player
        node: Any = np.int64(graph.start)
        for ply in range(plies):
            move = begin.openings[row, ply]
            node = _after(graph, node, move)
            room.moves[at] = move
            at += 1
        stream = np.uint64(2) * ((np.uint64(begin.pairing) << np.uint64(32)) | np.uint64(number))
        x = mix(begin.ground + stream * GAMMA)  # of the player to move
        y = mix(begin.ground + (stream + np.uint64(1)) * GAMMA)
        room.own[game, 0] = room.own[game, 1] = 0
        room.chances[game, 0] = room.chances[game, 1] = 0
        room.mistakes[game, 0] = room.mistakes[game, 1] = 0
        while node >= 0:
            x += GAMMA
            edge = _edge(graph, second, node, mix(x)) if player else _edge(graph, first, node, mix(x))
            room.own[game, player] += 1
            room.chances[game, player] += values[node] >= 0
            room.mistakes[game, player] += not keeps[edge]
            room.moves[at] = graph.move[edge]
            at += 1
            node = np.int64(graph.to[edge])
            x, y = y, x
            player = 1 - player
        room.ptr[game + 1] = at
        if node == -3:
            room.result[game] = 0
        else:
            room.result[game] = 1 if (node == -1) == (player == 1) else -1  # `player` did not make the last move


@kernel
def judge_games(
    graph: Graph,
    values: npt.NDArray[np.int8],
    keeps: npt.NDArray[np.bool_],
    ptr: npt.NDArray[np.int64],
    moves: npt.NDArray[np.int16],
    opening: npt.NDArray[np.int16],
    opener: npt.NDArray[np.int8],
    chances: npt.NDArray[np.int32],
    mistakes: npt.NDArray[np.int32],
) -> None:
    """Count the chances and mistakes [games, 2], all 0 before, in games from the graph's start, not in openings."""
    for game in range(opener.shape[0]):
        node: Any = np.int64(graph.start)
        player: Any = np.int64(opener[game])
        for at in range(ptr[game], ptr[game + 1]):
            edge = graph.ptr[node]
            while graph.move[edge] != moves[at]:
                edge += 1
            if at >= ptr[game] + opening[game]:
                chances[game, player] += values[node] >= 0
                mistakes[game, player] += not keeps[edge]
                player = 1 - player
            node = np.int64(graph.to[edge])
