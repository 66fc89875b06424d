"""Play whole games between two policies on a game's graph, and judge the moves of any games by theory.

Every game uses the same random numbers as interpreted. Each seat has a generator, from the seed, the pairing, the
game's number and the seat; every move draws one number, even a forced move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels call the generator
from nimtui.engine.graph import Graph
from nimtui.engine.jit import helper, kernel
from nimtui.engine.limits import check_longest
from nimtui.engine.policy import Policy
from nimtui.engine.rng import GAMMA, below, bits60, mix


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
