"""Self-play of a function on any game's rules: temporal differences between afterstates, and the values of moves.

After each game the afterstates learn from the last one back: G(t) = −γ ((1 − λ) v(t + 1) + λ G(t + 1)) is the return of
the afterstate of ply t, for the player who made it; v(t + 1) is the value of the best reply when the game was played
(R. Sutton and A. Barto, "Reinforcement Learning", 2018, chapters 6.8 and 12). Behind a random reply the return is its
best reply's value alone, so no mistake that was made on purpose is learned as a value. A move that ends the game has
its true value and learns nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan, tanh
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the words of games and functions
from nimtui.engine.functions import Function, clear, learn, note, shift, total
from nimtui.engine.graph import Graph
from nimtui.engine.jit import helper, kernel
from nimtui.engine.rng import draw_below, draw_share
from nimtui.games.base import (
    Board,
    Move,
    State,
    changes,
    count,
    following,
    index,
    input,
    nth,
    outcome,
    play,
    restore,
    side,
    undo,
)

NOT_LEGAL = -2.0  # instead of a value


class Pace(NamedTuple):
    """How a function learns."""

    first: float  # the step of the first game …
    last: float  # … and of game `over` and all later ones; between them it falls geometrically
    over: int
    decay: float  # λ
    discount: float  # γ
    explore: float  # the share of random moves
    squares: bool  # steps have the factor 1 − v², the gradient of squared errors; otherwise that of the cross-entropy


class Room(NamedTuple):
    """Room for one game."""

    top: npt.NDArray[np.int64]  # [inputs]: the largest value of each
    seen: npt.NDArray[np.int64]  # [inputs]: the inputs' values as the function has them
    changed: npt.NDArray[np.int64]  # [inputs]: those that a move may change
    sides: npt.NDArray[np.int64]  # [plies]: who made the move
    values: npt.NDArray[np.float64]  # [plies]: the value of its afterstate, for the mover
    best: npt.NDArray[np.float64]  # [plies]: the value of the best move there was, for the mover
    random: npt.NDArray[np.bool_]  # [plies]: was the move random?
    moves: npt.NDArray[np.int64]  # [plies]: the moves of the last game …
    targets: npt.NDArray[np.float64]  # … the return that each afterstate learned …
    steps: npt.NDArray[np.float64]  # … and its step; 0 for the move that ended the game
    done: npt.NDArray[np.int64]  # [2]: total finished games and their plies; correct even if a run is interrupted


class Evaluation(NamedTuple):
    """A function that values positions of a search, and where it stands."""

    function: Function
    room: Room


class Visits(NamedTuple):
    """How often each move was played, of all positions of a graph, or of some that are listed; all empty for none."""

    node_of: npt.NDArray[np.int32]  # [positions]; empty where some are listed
    boards: Board  # [nodes, board]: those that are listed
    slots: npt.NDArray[np.int32]  # a power of two of them, at least one 0: node + 1, in the next free slot from its own
    ptr: npt.NDArray[np.int64]  # [nodes + 1]
    move: npt.NDArray[np.int32]  # [edges]
    counts: npt.NDArray[np.int32]  # [edges]
    nodes: npt.NDArray[np.int32]  # [plies]: the nodes of the current game, or of the last one; empty without a graph
    edges: npt.NDArray[np.int32]  # [plies]


NONE: npt.NDArray[np.int32] = np.zeros(0, np.int32)
NO_VISITS = Visits(NONE, np.zeros((0, 1), np.int64), NONE, np.zeros(0, np.int64), NONE, NONE, NONE, NONE)


def visits_of(graph: Graph, counts: npt.NDArray[np.int32]) -> Visits:
    """Return what counts the moves of all positions of a graph, [edges]."""
    nodes, edges = np.zeros((2, graph.longest), np.int32)
    return NO_VISITS._replace(
        node_of=graph.node_of, ptr=graph.ptr, move=graph.move, counts=counts, nodes=nodes, edges=edges
    )


def visits_among(graph: Graph, counts: npt.NDArray[np.int32]) -> Visits:
    """Return what counts the moves of the listed positions alone, [edges]."""
    boards = graph.boards.astype(np.int64)
    slots = np.zeros(1 << (4 * len(boards)).bit_length(), np.int32)
    for node, board in enumerate(boards):
        at = slot_of(slots, board)
        while slots[at]:
            at = (at + 1) & (len(slots) - 1)
        slots[at] = node + 1
    return NO_VISITS._replace(boards=boards, slots=slots, ptr=graph.ptr, move=graph.move, counts=counts)


def room(levels: Sequence[int], plies: int = 1) -> Room:
    """Return room for games of at most so many plies, with inputs of so many values each."""
    seen, changed = np.zeros((2, len(levels)), np.int64)
    values, best, targets, steps = np.zeros((4, plies))
    sides, moves = np.zeros((2, plies), np.int64)
    random, done, top = np.zeros(plies, np.bool_), np.zeros(2, np.int64), np.array(levels, np.int64) - 1
    return Room(top, seen, changed, sides, values, best, random, moves, targets, steps, done)


@helper
def mover_of(function: Function, state: State) -> int:
    """Return the side to move, one of those with weights whatever a person's own rules answer."""
    return min(max(np.int64(side(state)), 0), function.weights.shape[0] - 1)


@helper
def _see(function: Function, state: State, i: int, room: Room) -> None:
    """Let the function follow input i if it has changed, within its levels whatever a person's own rules answer."""
    value = min(max(np.int64(input(state, i)), 0), room.top[i])
    if value != room.seen[i]:
        shift(function, i, room.seen[i], value)
        room.seen[i] = value


@helper
def enter(function: Function, state: State, board: Board, room: Room) -> int:
    """Stand before this position; return the side to move."""
    restore(state, board)
    clear(function)
    room.seen[:] = 0
    for i in range(room.seen.shape[0]):
        _see(function, state, i, room)
    return mover_of(function, state)


@helper
def listed(state: State, move: Move, room: Room) -> int:
    """Store the inputs that a move may change; return how many."""
    n: Any = np.int64(0)
    i = changes(state, move, n)
    while 0 <= i < room.seen.shape[0] and n < room.changed.shape[0]:
        room.changed[n] = i
        n += 1
        i = changes(state, move, n)
    return n


@helper
def follow(function: Function, state: State, room: Room, n: int) -> None:
    """Let the function follow the move that was just made, of which n inputs are listed."""
    for at in range(n):
        _see(function, state, room.changed[at], room)


@helper
def tried(function: Function, state: State, move: Move, mover: int, room: Room) -> float:
    """Return the total after a move; ∞, −∞ or 0 where the move wins, loses or draws."""
    n = listed(state, move, room)
    play(state, move)
    result = outcome(state)
    value = 0.0
    if result == 0:
        follow(function, state, room, n)
        value = float(total(function, mover))
        undo(state, move)
        follow(function, state, room, n)
        return value
    undo(state, move)
    if result == 1:
        value = inf
    elif result == -1:
        value = -inf
    return value


@helper
def reach(by: Evaluation, state: State) -> None:
    """Stand before this position, from wherever it stands."""
    for i in range(by.room.seen.shape[0]):
        _see(by.function, state, i, by.room)


@helper
def advance(by: Evaluation, state: State, move: Move) -> int:
    """Play a move, which it follows; return the side that made it."""
    mover, n = mover_of(by.function, state), listed(state, move, by.room)
    play(state, move)
    follow(by.function, state, by.room, n)
    return mover


@helper
def retreat(by: Evaluation, state: State, move: Move) -> None:
    """Take back a move, which it follows."""
    undo(state, move)
    follow(by.function, state, by.room, listed(state, move, by.room))


@helper
def estimate(by: Evaluation, mover: int, parts: int) -> int:
    """Return the expected result for this side, which has just moved, in so many parts of a win."""
    return int(parts * tanh(np.float64(total(by.function, mover))))  # float() of 32 bits has 32 bits to Numba


@helper
def _choice(function: Function, state: State, mover: int, rng: Any, room: Room) -> tuple[int, float]:
    """Return one of the moves of the highest total, with equal probabilities, and that total."""
    best, chosen, equal = -inf, -1, 0
    move = following(state, -1)
    while move >= 0:
        value = tried(function, state, move, mover, room)
        if value > best or chosen < 0:
            best, chosen, equal = value, move, 1
        elif value == best:
            equal += 1
            if draw_below(rng, equal) == 0:
                chosen = move
        move = following(state, move)
    return chosen, best


@helper
def _made(function: Function, state: State, move: Move, mover: int, ply: int, room: Room) -> int:
    """Make a move, and note who made it and its value for the mover; return how the game ended, 0 if it did not."""
    n = listed(state, move, room)
    play(state, move)
    result = outcome(state)
    room.sides[ply], room.moves[ply] = mover, move
    if result == 0:
        follow(function, state, room, n)
        room.values[ply] = tanh(float(total(function, mover)))
        note(function, ply)
    elif result == 1:
        room.values[ply] = 1.0
    elif result == -1:
        room.values[ply] = -1.0
    else:
        room.values[ply] = 0.0
    return result


@helper
def size_of(pace: Pace, games: int) -> float:
    """Return the size of a step after so many games."""
    share = min(1.0, games / pace.over) if pace.over > 0 else 0.0
    return pace.first * (pace.last / pace.first) ** share


@helper
def _learn(function: Function, pace: Pace, plies: int, step: float, room: Room) -> None:
    """Learn from a game; a move that ended it has its true value."""
    after = room.values[plies - 1]
    room.targets[plies - 1], room.steps[plies - 1] = after, 0.0
    for ply in range(plies - 2, -1, -1):
        reply = ply + 1
        if room.random[reply]:
            after = -pace.discount * room.best[reply]
        else:
            after = -pace.discount * ((1.0 - pace.decay) * room.best[reply] + pace.decay * after)
        value = room.values[ply]
        by = step * (after - value)
        if pace.squares:
            by *= 1.0 - value * value
        room.targets[ply], room.steps[ply] = after, by
        learn(function, room.sides[ply], ply, by)


@helper
def slot_of(slots: npt.NDArray[np.int32], board: Board) -> int:
    """Return the slot of a board: neighbouring ones are spread; nothing exceeds 63 bits."""
    mixed = np.int64(0)
    for number in board:
        mixed = ((mixed ^ number ^ (number >> 31)) & 0x7FFFFFFF) * 0x45D9F3B
        mixed ^= mixed >> 23
    return mixed & (slots.shape[0] - 1)


@helper
def listed_node(visits: Visits, state: State) -> int:
    """Return the node of a position, −1 if it is not listed."""
    if visits.node_of.shape[0]:
        return visits.node_of[index(state)]
    if visits.slots.shape[0] == 0:
        return -1
    at = slot_of(visits.slots, state.board)
    while visits.slots[at]:
        node = visits.slots[at] - 1
        same = True
        for i in range(state.board.shape[0]):
            if visits.boards[node, i] != state.board[i]:
                same = False
        if same:
            return node
        at = (at + 1) & (visits.slots.shape[0] - 1)
    return -1


@helper
def _count(visits: Visits, state: State, move: Move, ply: int) -> None:
    """Count the move that is about to be made, where its position is listed."""
    node = listed_node(visits, state)
    if node < 0:
        return
    edge = visits.ptr[node]
    while visits.move[edge] != move:
        edge += 1
    visits.counts[edge] += 1
    if visits.nodes.shape[0]:
        visits.nodes[ply], visits.edges[ply] = node, edge


@kernel
def self_play(
    function: Function,
    state: State,
    start: Board,
    pace: Pace,
    games: int,
    before: int,
    rng: Any,
    room: Room,
    visits: Visits,
) -> None:
    """Play so many games of a function against itself from this board, after `before` earlier ones.

    A game for which the room is too short ends there: its last position counts as worth what the function says.
    """
    for game in range(games):
        enter(function, state, start, room)
        step = size_of(pace, before + game)
        plies = 0
        result = 0
        while result == 0 and plies < room.values.shape[0]:
            mover = mover_of(function, state)
            move, best = _choice(function, state, mover, rng, room)
            room.best[plies] = tanh(best)
            room.random[plies] = best < inf and draw_share(rng) < pace.explore
            if room.random[plies]:
                move = nth(state, draw_below(rng, count(state)))
            _count(visits, state, move, plies)
            result = _made(function, state, move, mover, plies, room)
            plies += 1
        _learn(function, pace, plies, step, room)
        room.done[0] += 1
        room.done[1] += plies


@kernel
def learn_game(
    function: Function, state: State, start: Board, moves: npt.NDArray[np.int64], pace: Pace, times: int, room: Room
) -> None:
    """Learn so many times from these moves, from this board on, each reply counting as the best: with the last step."""
    for _ in range(times):
        enter(function, state, start, room)
        for ply in range(moves.shape[0]):
            room.random[ply] = False
            _made(function, state, moves[ply], mover_of(function, state), ply, room)
            room.best[ply] = room.values[ply]
        _learn(function, pace, moves.shape[0], pace.last, room)


@kernel
def approach(mean: npt.NDArray[Any], numbers: npt.NDArray[Any], rate: float) -> None:
    """Let each mean go this part of the way to its number."""
    for i in range(mean.shape[0]):
        mean[i] += (numbers[i] - mean[i]) * rate


@kernel
def board_values(
    function: Function, state: State, boards: npt.NDArray[np.int64], room: Room, values: npt.NDArray[np.float64]
) -> None:
    """Fill in [boards, move codes] the value of each legal move for the player to move; −2 for those not legal."""
    values[:] = NOT_LEGAL
    for at in range(boards.shape[0]):
        mover = enter(function, state, boards[at], room)
        move = following(state, -1)
        while move >= 0:
            values[at, move] = tanh(tried(function, state, move, mover, room))
            move = following(state, move)


@kernel
def edge_values(
    function: Function,
    state: State,
    graph: Graph,
    room: Room,
    values: npt.NDArray[np.float64],
    totals: npt.NDArray[np.float64],
    first: int,
    last: int,
) -> None:
    """Fill in [edges] the value of each move of the nodes first … last − 1.

    `totals`, [nodes, sides], holds those after moves to nodes, NaN where there is none yet. Without any, [0, sides],
    the function looks again at a position for each move to it.
    """
    for node in range(first, last):
        restore(state, graph.boards[node])
        mover, stands = mover_of(function, state), False
        for edge in range(graph.ptr[node], graph.ptr[node + 1]):
            to = graph.to[edge]
            again = to >= 0 and to < totals.shape[0]
            if again and not isnan(totals[to, mover]):
                values[edge] = tanh(totals[to, mover])
                continue
            if not stands:
                enter(function, state, graph.boards[node], room)
                stands = True
            value = tried(function, state, graph.move[edge], mover, room)
            values[edge] = tanh(value)
            if again:
                totals[to, mover] = value
