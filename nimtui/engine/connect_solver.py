"""Solve connect games exactly: who wins, and how soon, for every move of a position.

A score is for the player to move. 0 is a draw. +n is a win: with the board filled, the winner would have had n − 1 more
discs to place. −n is a loss by the same count. A win by the disc dropped onto a board with d discs scores (cells + 1 −
d) // 2; on 7 × 6 that is 22 minus the number of discs the winner has then played (the convention of Pascal Pons's
solver).

The search is negamax with null windows on bitboards, laid out as in `nimtui.games.connect`. It tries only moves that do
not lose at once: those with most threats first, then the middle columns. A table stores the bounds found; a position
and its mirror image share one slot. An explicit stack lets the search pause after any number of positions: between such
chunks it reports progress and can be cancelled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.jit import helper, kernel
from nimtui.games import base
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Progress

CHUNK = 100_000  # positions between two reports, some 10 to 30 ms
SLOTS = (1 << 22) + 15  # odd, so that keys spread; nine bytes per slot, allocated on use
SHALLOW = 14  # with fewer empty cells, mirror images do not share a slot
PROBE = 10  # with fewer empty cells, the table is not asked for replies before the search

Ints = npt.NDArray[np.int64]


class Shape(NamedTuple):
    """A board's constants for the kernel."""

    columns: int
    rows: int
    k: int
    full: int  # all cells
    floor: int  # the lowest cell of every column
    follower: int  # the cells of the player who answers in the same column, while all columns have an even room
    strides: Ints  # bit distances between neighbours along a row and both diagonals, where k fit
    order: Ints  # the cells of each column, the middle column first


class Table(NamedTuple):
    """The bounds found so far. A slot's bound b: 0 empty; above 0 a score of at most b − 32; below 0 a score of at
    least −b − 32.
    """

    keys: Ints
    bounds: npt.NDArray[np.int8]


class Stack(NamedTuple):
    """The state of a search: one frame per position on the path from its root."""

    frames: Ints  # [ply, MINE … KEY]
    moves: Ints  # [ply, column]: the discs left to try, the best last
    threats: Ints  # [ply, column]: the number of threats of each disc
    at: Ints  # [2]: the ply, −1 at the end; the last value found


# A frame's numbers: discs of the player to move, all discs, the window, how many moves are left to try (or NEW: not
# looked at yet, CUT: good enough), the position's key
MINE, DISCS, ALPHA, BETA, LEFT, KEY, FRAME = range(7)
NEW, CUT = -1, -2


@helper
def popcount(bits: int) -> int:
    """Return how many bits are set."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@helper
def winning_cells(mine: int, empty: int, strides: Ints, k: int) -> int:
    """Return the empty cells, playable now or not, that would complete k in a row."""
    line = mine << 1
    for step in range(2, k):
        line &= mine << step
    found = line
    for stride in strides:
        if k == 4:  # the same as below, in fewer steps
            after, before = mine << stride, mine >> stride
            two_after, two_before = after & (mine << 2 * stride), before & (mine >> 2 * stride)
            found |= two_after & (before | (mine << 3 * stride))
            found |= two_before & (after | (mine >> 3 * stride))
        else:
            for hole in range(k):
                line = empty
                for place in range(1, hole + 1):
                    line &= mine << place * stride
                for place in range(1, k - hole):
                    line &= mine >> place * stride
                found |= line
    return found & empty


@helper
def has_line(discs: int, strides: Ints, k: int) -> bool:
    """Return whether there are k in a row."""
    line = discs
    for step in range(1, k):
        line &= discs >> step
    found = line
    for stride in strides:
        line = discs
        for step in range(1, k):
            line &= discs >> step * stride
        found |= line
    return found != 0


@helper
def key_of(mine: int, discs: int, empty: int, columns: int, height: int) -> int:
    """Return a number shared only by this position and its mirror image (by the latter while many cells are empty)."""
    key = mine + discs
    if empty >= SHALLOW:
        column = (1 << height) - 1
        rest = key
        turned = 0
        for _ in range(columns):  # mine + discs does not carry from column to column
            turned = (turned << height) | (rest & column)
            rest >>= height
        if turned < key:
            key = turned
    return key


@helper
def highest(mine: int, theirs: int, shape: Shape, empty: int, most: int) -> int:
    """Return an upper bound of the player to move's score, at most `most`, from the cells that each player can still
    fill.

    While every column has an even number of empty cells, the opponent can answer each disc in its own column. If the
    cells left for the player to move hold no line, that player cannot win; if the answers make a line, that player
    loses.
    """
    reach = (mine + theirs + shape.floor) & empty
    if not reach & shape.follower and not has_line(mine | (empty & ~shape.follower), shape.strides, shape.k):
        return -1 if has_line(theirs | (empty & shape.follower), shape.strides, shape.k) else 0
    if shape.k > 4 and not has_line(mine | empty, shape.strides, shape.k):
        return 0
    return most


@helper
def not_losing(reach: int, danger: int) -> int:
    """Return the moves after which the opponent, who would win on any of the cells `danger`, cannot win at once."""
    good = reach
    if reach & danger:
        good = reach & danger  # block the threat; two threats cannot be blocked
        if good & (good - 1):
            good = 0
    return good & ~(danger >> 1)


@helper
def bound_at(table: Table, key: int) -> int:
    """Return the table's bound for a position, see `Table`."""
    slot = key % table.keys.shape[0]
    return np.int64(table.bounds[slot]) if table.keys[slot] == key else np.int64(0)  # type: ignore[return-value]


@helper
def refuted(table: Table, shape: Shape, theirs: int, discs: int, room: int, moves: int, beta: int) -> bool:
    """Return whether the table knows a move with a value of beta or more."""
    while moves:
        disc = moves & -moves
        moves ^= disc
        bound = bound_at(table, key_of(theirs, discs | disc, room - 1, shape.columns, shape.rows + 1))
        if bound > 0 and 32 - bound >= beta:
            return True
    return False


@helper
def line_up(shape: Shape, stack: Stack, ply: int, mine: int, empty: int, good: int) -> int:
    """List the moves to try, the best last: by threats, then by closeness to the middle. Return how many there are."""
    moves, threats = stack.moves, stack.threats
    n = 0
    for column in shape.order:
        disc = good & column
        if disc:
            makes = popcount(winning_cells(mine | disc, empty ^ disc, shape.strides, shape.k))
            i = n
            while i > 0 and threats[ply, i - 1] >= makes:
                moves[ply, i], threats[ply, i] = moves[ply, i - 1], threats[ply, i - 1]
                i -= 1
            moves[ply, i], threats[ply, i] = disc, makes
            n += 1
    return n


@kernel
def search(shape: Shape, table: Table, stack: Stack, n: int) -> bool:
    """Search n more positions. Return True at the end, when at[1] is the root's score or a bound outside its window.

    No player can win at once at the root, nor at any position in the stack.
    """
    frames = stack.frames
    ply, value = stack.at[0], stack.at[1]
    seen = 0
    while ply >= 0:
        mine, discs = frames[ply, MINE], frames[ply, DISCS]
        left = frames[ply, LEFT]
        known = False
        if left == NEW:
            if seen == n:
                break
            seen += 1
            theirs = mine ^ discs
            empty = shape.full ^ discs
            room = popcount(empty)
            danger = winning_cells(theirs, empty, shape.strides, shape.k)
            good = not_losing((discs + shape.floor) & empty, danger)
            if good == 0:
                known, value = True, -(room // 2)
            elif room <= 2:
                known, value = True, 0
            else:
                key = key_of(mine, discs, room, shape.columns, shape.rows + 1)
                most = highest(mine, theirs, shape, empty, (room - 1) // 2)
                least = -((room - 2) // 2)
                if shape.k > 4 and not has_line(theirs | empty, shape.strides, shape.k):
                    least = 0
                bound = bound_at(table, key)
                if bound > 0 and bound - 32 < most:
                    most = bound - 32
                elif bound < 0 and -bound - 32 > least:
                    least = -bound - 32
                alpha, beta = frames[ply, ALPHA], frames[ply, BETA]
                if most <= alpha or most <= least:
                    known, value = True, most
                elif least >= beta:
                    known, value = True, least
                else:
                    alpha, beta = max(alpha, least), min(beta, most)
                    if room >= PROBE and refuted(table, shape, theirs, discs, room, good, beta):
                        known, value = True, beta
            if not known:
                frames[ply, ALPHA], frames[ply, BETA], frames[ply, KEY] = alpha, beta, key
                left = line_up(shape, stack, ply, mine, empty, good)
        if not known:
            if left > 0:
                left -= 1
                frames[ply, LEFT] = left
                disc = stack.moves[ply, left]
                alpha, beta = frames[ply, ALPHA], frames[ply, BETA]
                ply += 1
                frames[ply, MINE], frames[ply, DISCS] = mine ^ discs, discs | disc
                frames[ply, ALPHA], frames[ply, BETA], frames[ply, LEFT] = -beta, -alpha, NEW
                continue
            if left != CUT:
                value = frames[ply, ALPHA]
            slot = frames[ply, KEY] % table.keys.shape[0]
            table.keys[slot] = frames[ply, KEY]
            table.bounds[slot] = -(value + 32) if left == CUT else value + 32
        ply -= 1
        if ply >= 0:
            value = -value
            if value >= frames[ply, BETA]:
                frames[ply, LEFT] = CUT
            elif value > frames[ply, ALPHA]:
                frames[ply, ALPHA] = value
    stack.at[0], stack.at[1] = ply, value
    return ply < 0


def shape_of(state: Connect) -> Shape:
    """Return the board's constants for the solver, without its discs."""
    columns, rows, k = len(state.bottom), int(state.rows), int(state.k)
    height = rows + 1
    strides = [height] * (k <= columns) + [height + 1, height - 1] * (k <= min(columns, rows))
    floor = int(state.bottom.sum())
    follower = sum(floor << row for row in range(rows - 1, -1, -2))
    middle_first = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))
    order = [((1 << rows) - 1) << column * height for column in middle_first]
    return Shape(
        columns, rows, k, int(state.full), floor, follower, np.array(strides, np.int64), np.array(order, np.int64)
    )


class Solver:
    """The table of one board, for any number of its positions."""

    def __init__(self, state: Connect, slots: int = SLOTS) -> None:
        self.shape = shape_of(state)
        self.table = Table(np.zeros(slots, np.int64), np.zeros(slots, np.int8))
        self.positions = 0  # searched so far, in whole chunks

    def beyond(self, mine: int, discs: int, alpha: int, progress: Progress = SILENT) -> int:
        """Return the score if it is alpha or alpha + 1, otherwise a bound on the same side of that window.

        The player to move must not be able to win at once.
        """
        plies = self.shape.columns * self.shape.rows + 1
        frames = np.zeros((plies, FRAME), np.int64)
        frames[0, : KEY + 1] = mine, discs, alpha, alpha + 1, NEW, 0
        moves, threats = (np.zeros((plies, self.shape.columns), np.int64) for _ in range(2))
        stack = Stack(frames, moves, threats, np.zeros(2, np.int64))
        while not search(self.shape, self.table, stack, CHUNK):
            self.positions += CHUNK
            progress.report(self.positions, 0, "positions")
        return int(stack.at[1])

    def score(self, state: Connect, progress: Progress = SILENT) -> int:
        """Return the exact score of an unfinished position, for the player to move."""
        mine, discs = int(state.board[0]), int(state.board[1])
        empty = int(state.full) ^ discs
        room = empty.bit_count()
        reach = (discs + self.shape.floor) & empty
        if int(winning_cells(mine, empty, self.shape.strides, self.shape.k)) & reach:
            return (room + 1) // 2
        low, high = -(room // 2), (room - 1) // 2
        while low < high:
            middle = low + (high - low) // 2
            # first who wins, then how soon: windows near 0 are the quickest
            if middle <= 0 and -(-low // 2) < middle:
                middle = -(-low // 2)
            elif middle >= 0 and high // 2 > middle:
                middle = high // 2
            found = self.beyond(mine, discs, middle, progress)
            if found <= middle:
                high = found
            else:
                low = found
        return low


def solve(state: Connect, progress: Progress = SILENT) -> tuple[int, dict[int, int]]:
    """Return the score of an unfinished position, and of each of its moves, for the player to move."""
    solver = Solver(state)
    after = base.copy(state)
    assert isinstance(after, Connect)
    room = (int(state.full) ^ int(state.board[1])).bit_count()
    scores = {}
    for move in base.legal_moves(state):
        base.play(after, move)
        result = base.outcome(after)
        if result == base.WON:
            scores[move] = (room + 1) // 2
        else:
            scores[move] = 0 if result == base.DRAW else -solver.score(after, progress)
        base.undo(after, move)
        progress.report(len(scores), int(state.board[2]), "moves")
    return max(scores.values()), scores
