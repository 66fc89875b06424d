"""A game with position numbers as a graph of positions and moves, built once from the rules.

Nodes are the unfinished positions reachable from the start, in ascending order of `index`. Edges are their moves, in
the order of `following`; each leads to a node or ends the game. Table learners, exact values and perfect opponents run
on the graph, so that their kernels are compiled once for all games.

A person's own rules are checked on every edge, before any result is shown, so that a wrong `undo` or `index` stops with
an error: `nimtui check` tests only small games. The tests of built-in rules do that for them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.jit import paced_kernel
from nimtui.engine.lessons import DRAWN_EDGE, LOST_EDGE, WON_EDGE
from nimtui.engine.limits import MOST_BYTES, Pace, in_chunks, room_from, why_no_graph
from nimtui.engine.own_rules import board_text, own
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import State, following, index, largest_payoff, outcome, payoff, play, restore, row, undo
from nimtui.progress import SILENT, Progress

CHUNK = 20_000  # positions per kernel call, at first
STEPS = 500_000  # edges per call, at first
STRETCH = 500_000  # nodes that NumPy sorts at once
ORDERING = "putting positions in order"

ENDLESS, STRAY = -1, -1  # faults of a person's own rules: see `arrange`, `discover`
FULL = -2  # more positions than there is room for


class TooMany(InputError):
    """More positions follow than there is room for."""


class Graph(NamedTuple):
    """Positions and moves. The position of node n has the edges ptr[n] … ptr[n + 1] − 1."""

    node_of: npt.NDArray[np.int32]  # [positions]: a position's number -> its node, or −1
    boards: npt.NDArray[np.int64]  # [nodes, board]
    ptr: npt.NDArray[np.int64]  # [nodes + 1]
    to: npt.NDArray[np.int32]  # [edges]: the node a move leads to, or WON_EDGE, LOST_EDGE, DRAWN_EDGE
    move: npt.NDArray[np.int32]  # [edges]
    group_ptr: npt.NDArray[np.int64]  # [nodes + 1]: the groups (rows that have a move) of each node
    group: npt.NDArray[np.int64]  # [groups + 1]: the first edge of each group
    order: npt.NDArray[np.int32]  # [nodes]: every node after the nodes that its moves lead to
    start: int  # the node it was built from
    longest: int  # plies of the longest game
    payoff: npt.NDArray[np.int32]  # [edges]: of a move that ends the game, for the player who makes it; [0] without
    largest: int  # no payoff exceeds it; 0 if the game has none


@paced_kernel
def discover(
    state: State,
    boards: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    node_of: npt.NDArray[np.int32],
    at: npt.NDArray[np.int64],
    n: int,
) -> bool:
    """Expand n more positions breadth first; `at` [2] is how many are done and how many found. Return True at the end.

    The number found becomes STRAY if `index` returns a number out of range, FULL if `boards` has no more room.
    """
    done, total = at[0], at[1]
    while done < min(at[0] + n, total):
        restore(state, boards[done])
        moves = 0
        move = following(state, -1)
        while move >= 0:
            play(state, move)
            if outcome(state) == 0:
                number = index(state)
                if not 0 <= number < node_of.shape[0]:
                    at[1] = STRAY
                    return True
                if node_of[number] < 0:
                    if total == boards.shape[0]:
                        at[1] = FULL
                        return True
                    node_of[number] = total
                    numbers[total] = number
                    for i in range(state.board.shape[0]):
                        boards[total, i] = state.board[i]
                    total += 1
            undo(state, move)
            moves += 1
            move = following(state, move)
        counts[done] = moves
        done += 1
    at[0], at[1] = done, total
    return done == total


@paced_kernel
def join(
    state: State,
    boards: npt.NDArray[np.int64],
    node_of: npt.NDArray[np.int32],
    ptr: npt.NDArray[np.int64],
    to: npt.NDArray[np.int32],
    moves: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int32],
    payoffs: npt.NDArray[np.int32],
    first: int,
    last: int,
) -> None:
    """Fill in the edges of the nodes first … last − 1."""
    for node in range(first, last):
        restore(state, boards[node])
        edge = ptr[node]
        move = following(state, -1)
        while move >= 0:
            moves[edge] = move
            rows[edge] = row(state, move)
            play(state, move)
            result = outcome(state)
            if result == 0:
                to[edge] = node_of[index(state)]
            elif result == 1:
                to[edge] = WON_EDGE
            elif result == -1:
                to[edge] = LOST_EDGE
            else:
                to[edge] = DRAWN_EDGE
            if result != 0 and largest_payoff(state) > 0:
                payoffs[edge] = payoff(state)
            undo(state, move)
            edge += 1
            move = following(state, move)


@paced_kernel
def arrange(
    ptr: npt.NDArray[np.int64],
    to: npt.NDArray[np.int32],
    order: npt.NDArray[np.int32],
    cursor: npt.NDArray[np.int64],
    path: npt.NDArray[np.int32],
    height: npt.NDArray[np.int32],
    at: npt.NDArray[np.int64],
    steps: int,
) -> bool:
    """Walk so many steps depth first from the node path[0]: fill `order`, each node after all nodes that it leads to.

    Return True at the end: then a node's `height` is the longest game from it. `cursor` holds each node's next edge,
    past its last one when the node is done, and starts as a copy of `ptr`; `height` starts as 0. `at` [2] is the number
    of nodes in order and the depth. That number is ENDLESS if a game can return to a position or stop at one without a
    move.
    """
    n, depth = at[0], at[1]
    for _ in range(steps):
        node = path[depth]
        if cursor[node] < ptr[node + 1]:
            child = to[cursor[node]]
            cursor[node] += 1
            if child < 0:
                height[node] = max(height[node], 1)
            elif cursor[child] > ptr[child + 1]:
                height[node] = max(height[node], height[child] + 1)
            elif cursor[child] > ptr[child]:
                n, depth = ENDLESS, ENDLESS
            else:
                depth += 1
                path[depth] = child
        elif ptr[node] == ptr[node + 1]:
            n, depth = ENDLESS, ENDLESS
        else:
            cursor[node] += 1
            order[n] = node
            n += 1
            depth -= 1
            if depth >= 0:
                above = path[depth]
                height[above] = max(height[above], height[node] + 1)
        if depth < 0:
            break
    at[0], at[1] = n, depth
    return depth < 0


def build(state: State, progress: Progress = SILENT, most_bytes: int = MOST_BYTES, following: bool = False) -> Graph:
    """Return the graph of all positions reachable from this one.

    Raise InputError before allocating if the graph would be too large, and later if a game need not end or its numbers
    are wrong. With `following` only the positions that follow count, as they are found: raise TooMany if there are more
    than `room_from` says.
    """
    positions = int(base.positions(state))
    room = min(positions, room_from(state, most_bytes)) if following else positions
    if not following and (fault := why_no_graph(state, most_bytes)) is not None:
        raise InputError(f"no table for this game: {fault}")
    if not room:
        raise TooMany("no room for the numbers of its positions")
    if outcome(state) != base.GOING_ON:
        raise InputError("no table for a finished position")
    scratch = base.copy(state)
    node_of = np.full(positions, -1, np.int32)
    boards = np.empty((room, len(state.board)), np.int64)
    numbers, counts = np.empty(room, np.int64), np.empty(room, np.int64)
    number = int(index(state))
    if not 0 <= number < positions:
        raise _stray(positions)
    boards[0], numbers[0] = state.board, number
    node_of[number] = 0
    at = np.array([0, 1], np.int64)
    pace = Pace((discover, type(state)), CHUNK)
    while not discover(scratch, boards, counts, numbers, node_of, at, pace.begin()):
        pace.end(pace.units)
        progress.report(int(at[0]), room, "finding positions")
    nodes = int(at[1])
    if nodes == STRAY:
        raise _stray(positions)
    if nodes == FULL:
        raise TooMany(f"more than {room:,} positions follow")
    ascending = _ascending(node_of, nodes, progress)
    boards = _taken(boards, ascending, progress)
    if own(state):
        recheck(scratch, boards, node_of, progress, "trying the rules")
    ptr = np.concatenate([[0], np.cumsum(counts[ascending])])
    to, moves, rows = (np.empty(ptr[-1], np.int32) for _ in range(3))
    largest = int(base.largest_payoff(state))
    payoffs = np.zeros(ptr[-1] if largest else 0, np.int32)
    edges = (scratch, boards, node_of, ptr, to, moves, rows, payoffs)
    in_chunks(join, edges, nodes, progress, "finding moves", CHUNK)
    group_ptr, group = _groups(ptr, rows, progress)
    order, path, height = np.empty(nodes, np.int32), np.empty(nodes, np.int32), np.zeros(nodes, np.int32)
    cursor, at = ptr[:-1].copy(), np.array([0, 0], np.int64)
    path[0] = start = int(node_of[index(state)])
    pace = Pace(arrange, STEPS)
    while not arrange(ptr, to, order, cursor, path, height, at, pace.begin()):
        pace.end(pace.units)
        progress.report(int(at[0]), nodes, ORDERING)
    if at[0] == ENDLESS:
        raise InputError("no table for this game: by its rules a game need not end")
    progress.report(nodes, nodes, ORDERING)
    longest = int(height[start])
    return Graph(node_of, boards, ptr, to, moves, group_ptr, group, order, start, longest, payoffs, largest)


def _stray(positions: int) -> InputError:
    return InputError(f"no table for this game: index returns a number outside 0 … {positions - 1:,}")


def _ascending(node_of: npt.NDArray[np.int32], nodes: int, progress: Progress) -> npt.NDArray[np.int32]:
    """Return [nodes]: the old nodes by ascending position number; renumber the nodes in `node_of` in this order."""
    ascending, done = np.empty(nodes, np.int32), 0
    for first in range(0, len(node_of), STRETCH):
        stretch = node_of[first : first + STRETCH]
        there = np.flatnonzero(stretch >= 0)
        ascending[done : done + len(there)] = stretch[there]
        stretch[there] = np.arange(done, done + len(there), dtype=np.int32)
        done += len(there)
        progress.report(first, len(node_of), ORDERING)
    return ascending


def _taken(boards: npt.NDArray[np.int64], which: npt.NDArray[np.int32], progress: Progress) -> npt.NDArray[np.int64]:
    """Return these boards, in this order."""
    taken = np.empty((len(which), boards.shape[1]), np.int64)
    for first in range(0, len(which), STRETCH):
        last = first + STRETCH
        taken[first:last] = boards[which[first:last]]
        progress.report(first, len(which), ORDERING)
    return taken


def _groups(
    ptr: npt.NDArray[np.int64], rows: npt.NDArray[np.int32], progress: Progress
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return `group_ptr` and `group` of a graph from the row of every edge."""
    first_of_row = np.ones(len(rows), np.bool_)
    first_of_row[1:] = rows[1:] != rows[:-1]
    first_of_row[ptr[:-1]] = True
    progress.report(0, 1, ORDERING)
    group = np.append(np.flatnonzero(first_of_row), len(rows))
    group_ptr = np.empty(len(ptr), np.int64)
    for first in range(0, len(ptr), STRETCH):
        group_ptr[first : first + STRETCH] = np.searchsorted(group, ptr[first : first + STRETCH])
        progress.report(first, len(ptr), ORDERING)
    return group_ptr, group


def node_at(graph: Graph, state: State) -> int:
    """Return the node of a position, or −1 if the position is over or unreachable from the start."""
    return int(graph.node_of[index(state)])


SAME_NUMBER, NOT_UNDONE = 1, 2  # kinds of faults


@paced_kernel
def differ(
    state: State,
    boards: npt.NDArray[np.int64],
    node_of: npt.NDArray[np.int32],
    wrong: npt.NDArray[np.int64],
    first: int,
    last: int,
) -> None:
    """Check the moves of the nodes first … last − 1, unless a fault was found already.

    `wrong` [3] is the kind of the first fault, its node and its move, or 0. The state stays where the fault was found.
    """
    if wrong[0] != 0:
        return
    width = boards.shape[1]
    for node in range(first, last):
        restore(state, boards[node])
        move = following(state, -1)
        while move >= 0:
            play(state, move)
            if outcome(state) == 0:
                other = node_of[index(state)]
                for i in range(width):
                    if boards[other, i] != state.board[i]:
                        wrong[0], wrong[1], wrong[2] = SAME_NUMBER, node, move
                        return
            undo(state, move)
            for i in range(width):
                if boards[node, i] != state.board[i]:
                    wrong[0], wrong[1], wrong[2] = NOT_UNDONE, node, move
                    return
            move = following(state, move)


def recheck(
    state: State, boards: npt.NDArray[np.int64], node_of: npt.NDArray[np.int32], progress: Progress, what: str
) -> None:
    """Raise InputError if `undo` does not undo a move, or two positions share an index. Changes the state."""
    wrong = np.zeros(3, np.int64)
    in_chunks(differ, (state, boards, node_of, wrong), len(boards), progress, what, CHUNK)
    kind, node, move = wrong.tolist()
    if kind == SAME_NUMBER:
        number = int(index(state))
        one, other = board_text(boards[node_of[number]]), board_text(state.board)
        raise InputError(f"no table for this game: the boards {one} and {other} have the same index, {number:,}")
    if kind == NOT_UNDONE:
        before, after = board_text(boards[node]), board_text(state.board)
        raise InputError(f"no table for this game: undo after the move {move} from the board {before} gives {after}")
