"""Minimax and alpha-beta for every game: depth first, with an explicit stack, so that a search can pause anywhere.

Values are for the player to move. A position is searched with a window (α, β). Values up to α do not matter, because
the player to move has a better line elsewhere. From β on the opponent avoids the position, and the remaining moves are
pruned. The returned value may lie outside the window (fail-soft) and is then a bound. Minimax is the same search with
every window (−∞, ∞). Source: Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975.

Every option is an argument that may be None: Numba then removes the code that only serves it.
One of them orders the moves that the search tries at a position; without it they have their natural order.

The transposition table holds results of a search about positions, for reuse when the positions come up again. A slot
holds one entry; the newer one replaces the older. It stores how many plies were searched below its position, the exact
value or a bound, and the best move. An entry answers only for exactly the requested depth, or for less if all games
below ended sooner. So a table saves nodes and never changes a value. Values of decided games count the plies from the
position itself, not from the root, so that they hold wherever the position comes up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.function_play import Evaluation, advance, estimate, reach, retreat
from nimtui.engine.jit import helper, kernel, paced_kernel
from nimtui.engine.windows import (
    CUT,
    DECIDED,
    EXACT,
    EXPANDED,
    EXPECTED,
    INFINITY,
    LEAF,
    LOWER,
    MOST_NODES,
    NARROW,
    OPEN,
    TABLE,
    TERMINAL,
    UPPER,
    slots,
)
from nimtui.games.base import DRAW, State, count, evaluate, following, key, largest_payoff, outcome, payoff, play, undo

TO_THE_END = 0x7FFF  # the depth of entries that searched every game to its end
NOTHING = -(1 << 31)  # no answer
BLOCK = 1 << 20  # slots counted at once
VAGUE = 4  # added to the bound of a value that rests on a heuristic


class Table(NamedTuple):
    """Slots; their number is a power of two."""

    key: npt.NDArray[np.int64]  # −1: empty
    value: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int16]  # plies searched below, or TO_THE_END
    move: npt.NDArray[np.int32]  # the best move
    bound: npt.NDArray[np.int8]  # EXACT, LOWER or UPPER, optionally plus VAGUE


def table(entries: int) -> Table:
    """Return an empty table of `slots(entries)` slots."""
    n = slots(entries)
    value, depth, move, bound = (
        np.zeros(n, np.int32),
        np.zeros(n, np.int16),
        np.zeros(n, np.int32),
        np.zeros(n, np.int8),
    )
    return Table(np.full(n, -1, np.int64), value, depth, move, bound)


def used(table: Table) -> int:
    """Return how many slots hold an entry."""
    return sum(int(np.count_nonzero(table.key[at : at + BLOCK] >= 0)) for at in range(0, len(table.key), BLOCK))


@helper
def slot_of(table: Table, key: int) -> int:
    """Return the slot of a position. Neighbouring keys are spread; nothing exceeds 63 bits."""
    mixed = ((key ^ (key >> 32)) & 0x7FFFFFFF) * 0x45D9F3B
    mixed ^= (mixed >> 23) ^ (key >> 31)
    return mixed & (table.key.shape[0] - 1)


@helper
def remembered(table: Table, key: int) -> int:
    """Return the best move known for a position, at any depth, or −1."""
    slot = slot_of(table, key)
    if key >= 0 and table.key[slot] == key:
        return np.int64(table.move[slot])  # type: ignore[return-value]
    return -1


@helper
def answer(table: Table, key: int, depth: int, alpha: int, beta: int, plies: int) -> tuple[int, bool]:
    """Return a position's value, or a bound outside the window, and whether it is guessed; NOTHING if none is known.

    `plies` is how much closer to zero a decided value is at this node.
    """
    slot = slot_of(table, key)
    if key < 0 or table.key[slot] != key:
        return NOTHING, False
    bound = np.int64(table.bound[slot])
    guessed = bound >= VAGUE
    if table.depth[slot] != depth and (guessed or table.depth[slot] > depth):
        return NOTHING, False
    bound &= VAGUE - 1
    value = np.int64(table.value[slot])
    if value > DECIDED:
        value -= plies
    elif value < -DECIDED:
        value += plies
    if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
        return value, guessed  # type: ignore[return-value]
    return NOTHING, False


@helper
def keep(
    table: Table, key: int, depth: int, alpha: int, beta: int, plies: int, value: int, guessed: bool, move: int
) -> None:
    """Store what a search of a position with this window returned."""
    if key < 0:
        return
    slot = slot_of(table, key)
    bound = EXACT
    if value >= beta:
        bound = LOWER
    elif value <= alpha:
        bound = UPPER
    if value > DECIDED:
        value += plies
    elif value < -DECIDED:
        value -= plies
    table.key[slot] = key
    table.value[slot] = value
    table.depth[slot] = depth
    table.move[slot] = move
    table.bound[slot] = bound + VAGUE * guessed


PLY, NODES, MOVE, LEAVES, GUESSED, CUTOFFS, SKIPPING, SKIPPED, HITS, DEEPEST, LISTED, NUMBERS = range(12)
"""The places in `Stack.at`: the ply; nodes; the last move taken back; leaves; nodes evaluated at the depth limit,
or answered from such a node; cutoffs; cutoffs with moves left; the moves that these skipped; answers from the table;
the deepest ply with a frame on the stack; the most moves in the lists of the move order at one time."""


class Options(NamedTuple):
    """The options of a search."""

    depth: int  # limit in plies
    endless: bool  # no limit: search every game to its end
    windows: bool  # True: alpha-beta; False: minimax
    win: int  # the value of a decided game at the root; 0: the heuristic values it too (minimax and alpha-beta)
    step: int  # how much the value drops per ply
    killers: bool  # needs an Order: try killer moves first
    best_first: bool  # needs an Order and a Table: try the best known move first
    answers: bool  # needs a Table: it may answer


class Stack(NamedTuple):
    """The state of a search."""

    at: npt.NDArray[np.int64]  # [NUMBERS]
    move: npt.NDArray[np.int64]  # [ply]: the move being searched
    tried: npt.NDArray[np.int64]  # how many moves were tried, this one included
    alpha: npt.NDArray[np.int64]
    beta: npt.NDArray[np.int64]
    best: npt.NDArray[np.int64]
    best_move: npt.NDArray[np.int64]
    node: npt.NDArray[np.int64]
    guessed: npt.NDArray[np.int64]  # how many nodes had been evaluated when this one was entered


class Roots(NamedTuple):
    """The results for each move of the root: [size], by the move's code."""

    value: npt.NDArray[np.int64]  # for the player who makes the move
    bound: npt.NDArray[np.int8]  # EXACT, LOWER, UPPER; 0 until it is searched
    begun: npt.NDArray[np.int64]  # how many nodes there were before the move
    ended: npt.NDArray[np.int64]  # and after it


class Record(NamedTuple):
    """The first nodes of a search, in the order of their first visit."""

    parent: npt.NDArray[np.int32]
    move: npt.NDArray[np.int16 | np.int32]  # the move that led here; 16 bits if they suffice
    ply: npt.NDArray[np.int16]
    alpha: npt.NDArray[np.int32]  # the window at the entry of the node
    beta: npt.NDArray[np.int32]
    value: npt.NDArray[np.int32]  # for the player to move at this node
    end: npt.NDArray[np.int32]  # the number after the last node of the subtree
    kind: npt.NDArray[np.int8]


def stack(plies: int, alpha: int = -INFINITY, beta: int = INFINITY) -> Stack:
    """Return the stack for a new search of so many plies with this window."""
    stack = Stack(np.zeros(NUMBERS, np.int64), *(np.zeros(plies + 2, np.int64) for _ in range(8)))
    stack.at[NODES], stack.at[MOVE] = 1, -1
    stack.alpha[0], stack.beta[0], stack.best[0], stack.best_move[0] = alpha, beta, -INFINITY, -1
    return stack


def roots(size: int) -> Roots:
    """Return empty results for so many moves."""
    return Roots(np.zeros(size, np.int64), np.zeros(size, np.int8), np.zeros(size, np.int64), np.zeros(size, np.int64))


def record(nodes: int, size: int) -> Record:
    """Return room for so many nodes of a game with so many moves, the root entered. Unused room takes no memory."""
    parent, alpha, beta, value, end = (np.empty(nodes, np.int32) for _ in range(5))
    move: Any = np.empty(nodes, np.int16 if size < NARROW else np.int32)
    record = Record(parent, move, np.empty(nodes, np.int16), alpha, beta, value, end, np.empty(nodes, np.int8))
    enter_root(record)
    return record


def enter_root(record: Record) -> None:
    """Start to record: clear all nodes except the root."""
    record.parent[0], record.move[0], record.ply[0], record.kind[0] = -1, -1, 0, OPEN
    record.alpha[0], record.beta[0], record.value[0], record.end[0] = -INFINITY, INFINITY, 0, 1


@helper
def _rest(options: Options, ply: int) -> int:
    """Return the remaining depth of a node at this ply, as the table stores it."""
    return TO_THE_END if options.endless else options.depth - ply


@paced_kernel
def search(
    state: State,
    stack: Stack,
    options: Options,
    roots: Roots,
    record: Record | None,
    order: Order | None,
    table: Table | None,
    by: Evaluation | None,
    until: int,
) -> bool:
    """Search until there are so many nodes. Return True when done: then stack.best[0] is the root's value.

    `by` values positions at the depth limit in place of the game's own heuristic.
    """
    if by is not None:
        reach(by, state)
    mover: Any = np.int64(0)
    ply, nodes, move = stack.at[PLY], stack.at[NODES], stack.at[MOVE]
    leaves, guessed, hits = stack.at[LEAVES], stack.at[GUESSED], stack.at[HITS]
    cutoffs, skipping, skipped = stack.at[CUTOFFS], stack.at[SKIPPING], stack.at[SKIPPED]
    deepest, listed = stack.at[DEEPEST], stack.at[LISTED]
    done = False
    while nodes < until:
        cut = stack.alpha[ply] >= stack.beta[ply]
        if cut:
            cutoffs += 1
            untried = count(state) - stack.tried[ply]
            skipping += untried > 0
            skipped += untried
            if order is not None and options.killers:
                killed(order, ply, move)
            move = -1
        elif order is not None:
            place = order.first[ply] + stack.tried[ply]
            move = np.int64(order.moves[place]) if place < order.first[ply + 1] else -1
        else:
            move = following(state, move)
        if move < 0:  # the position is done
            value = stack.best[ply]
            if table is not None:
                alpha = -stack.beta[ply - 1] if ply > 0 and options.windows else -INFINITY
                vague = guessed > stack.guessed[ply]
                best = stack.best_move[ply]
                rest, later = _rest(options, ply), ply * options.step
                keep(table, key(state), rest, alpha, stack.beta[ply], later, value, vague, best)
            if record is not None:
                node = stack.node[ply]
                if node < record.parent.shape[0]:
                    record.value[node] = value
                    record.kind[node] = CUT if cut else EXPANDED
                    record.end[node] = min(nodes, MOST_NODES)
            ply -= 1
            if ply < 0:
                done = True
                break
            move = stack.move[ply]
        else:
            if by is not None:
                mover = advance(by, state, move)
            else:
                play(state, move)
            stack.move[ply] = move
            stack.tried[ply] += 1
            alpha = -stack.beta[ply] if options.windows else -INFINITY
            beta = -stack.alpha[ply] if options.windows else INFINITY
            if record is not None and nodes < record.parent.shape[0]:
                record.parent[nodes] = stack.node[ply]
                record.move[nodes] = move
                record.ply[nodes] = ply + 1
                record.alpha[nodes] = alpha
                record.beta[nodes] = beta
            if ply == 0:
                roots.begun[move] = nodes
            node = nodes
            nodes += 1
            result = outcome(state)
            kind = TERMINAL
            if result == 0:
                kind = LEAF
                if ply + 1 < options.depth:
                    kind = OPEN
                    if table is not None and options.answers:
                        rest, later = _rest(options, ply + 1), (ply + 1) * options.step
                        value, vague = answer(table, key(state), rest, alpha, beta, later)
                        if value != NOTHING:
                            kind = TABLE
                            guessed += vague
            if kind == OPEN:
                ply += 1
                deepest = max(deepest, ply)
                stack.alpha[ply] = alpha
                stack.beta[ply] = beta
                stack.best[ply] = -INFINITY
                stack.tried[ply] = 0
                if table is not None:
                    stack.guessed[ply] = guessed
                if record is not None:
                    stack.node[ply] = node
                    if node < record.parent.shape[0]:
                        record.kind[node] = OPEN
                if order is not None:
                    best = -1
                    if table is not None and options.best_first:
                        best = remembered(table, key(state))
                    arrange(state, order, ply, best, options.killers)
                    listed = max(listed, order.first[ply + 1])
                move = -1
                continue
            if kind == TABLE:
                hits += 1
            else:
                leaves += 1
                guessed += kind == LEAF
                if by is not None and result == 0:
                    value = -estimate(by, mover, EXPECTED)
                elif result != 0 and largest_payoff(state) > 0:
                    value = -payoff(state)
                elif result == 0 or options.win == 0:
                    value = evaluate(state)
                elif result == DRAW:
                    value = 0
                else:
                    value = -result * (options.win - (ply + 1) * options.step)
            if record is not None and node < record.parent.shape[0]:
                record.value[node] = value
                record.kind[node] = kind
                record.end[node] = min(nodes, MOST_NODES)
        if by is not None:
            retreat(by, state, move)
        else:
            undo(state, move)
        value = -value
        if ply == 0:
            roots.value[move] = value
            roots.ended[move] = nodes
            roots.bound[move] = EXACT
            if options.windows and value >= stack.beta[0]:
                roots.bound[move] = LOWER
            elif options.windows and value <= stack.alpha[0]:
                roots.bound[move] = UPPER
        if value > stack.best[ply]:
            stack.best[ply] = value
            stack.best_move[ply] = move
            if value > stack.alpha[ply]:
                stack.alpha[ply] = value
    stack.at[PLY], stack.at[NODES], stack.at[MOVE] = ply, nodes, move
    stack.at[LEAVES], stack.at[GUESSED], stack.at[HITS] = leaves, guessed, hits
    stack.at[CUTOFFS], stack.at[SKIPPING], stack.at[SKIPPED] = cutoffs, skipping, skipped
    stack.at[DEEPEST], stack.at[LISTED] = deepest, listed
    return done


@kernel
def fill_keys(state: State, record: Record, nodes: int, keys: npt.NDArray[np.int64]) -> None:
    """Fill in the keys of the positions of the first nodes; the state must be at the root."""
    keys[0] = key(state)
    before: Any = 0
    for node in range(1, nodes):
        before = node - 1
        while record.ply[before] >= record.ply[node]:
            undo(state, np.int64(record.move[before]))  # type: ignore[arg-type]
            before = np.int64(record.parent[before])
        play(state, np.int64(record.move[node]))  # type: ignore[arg-type]
        keys[node] = key(state)
    before = nodes - 1
    while before > 0:
        undo(state, np.int64(record.move[before]))  # type: ignore[arg-type]
        before = np.int64(record.parent[before])


class Order(NamedTuple):
    """The moves of all positions on the path from the root, one list after the other, and the killer moves."""

    moves: npt.NDArray[np.int32]
    first: npt.NDArray[np.int64]  # [plies + 2]: the list of ply p is moves[first[p]] … moves[first[p + 1] − 1]
    killers: npt.NDArray[np.int32]  # [plies + 1, 2]: the moves of the last cutoffs at a ply, the newer first


def order(plies: int, size: int, root: npt.ArrayLike) -> Order:
    """Return room for the moves of so many plies, with the root's in the order given. Unused room takes no memory."""
    first = np.zeros(plies + 3, np.int64)
    moves = np.empty((plies + 1) * size, np.int32)
    root_moves = np.asarray(root, np.int32)
    moves[: len(root_moves)] = root_moves
    first[1] = len(root_moves)
    return Order(moves, first, np.full((plies + 2, 2), -1, np.int32))


@helper
def bring_forward(order: Order, begin: int, end: int, move: int) -> int:
    """Put a move first in the rest of a list, the others after it in order; return where the rest now starts."""
    for place in range(begin, end):
        if order.moves[place] == move:
            for later in range(place, begin, -1):
                order.moves[later] = order.moves[later - 1]
            order.moves[begin] = move
            return begin + 1
    return begin


@helper
def arrange(state: State, order: Order, ply: int, best: int, killers: bool) -> None:
    """List the moves of the position at this ply: the best known (−1 none), the killers, then the others in order."""
    begin = order.first[ply]
    end = begin
    move = following(state, -1)
    while move >= 0:
        order.moves[end] = move
        end += 1
        move = following(state, move)
    order.first[ply + 1] = end
    if best >= 0:
        begin = bring_forward(order, begin, end, best)
    if killers:
        begin = bring_forward(order, begin, end, order.killers[ply, 0])
        bring_forward(order, begin, end, order.killers[ply, 1])


@helper
def killed(order: Order, ply: int, move: int) -> None:
    """Note a move that caused a cutoff."""
    if order.killers[ply, 0] != move:
        order.killers[ply, 1] = order.killers[ply, 0]
        order.killers[ply, 0] = move
