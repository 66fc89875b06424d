"""Connect games solved exactly: who wins, and how soon, for every move of a position.

A score is for the player to move: 0 a draw; +n a win in which the winner, had the board been filled, would have had
n − 1 more discs to place; −n a loss likewise. A win by the disc dropped onto a board that holds d discs scores
(cells + 1 − d) // 2; on 7 × 6 that is 22 less the number of discs the winner has then played (the convention of Pascal
Pons's solver).

The search is negamax with null windows on bitboards, laid out as in `nimtui.games.connect`. It looks only at moves that
do not lose at once, those that make most threats first, then the middle columns; bounds that were found are kept in a
table, a position and its mirror image in one place. It runs on a stack of its own, so that it can stop after any number
of positions and go on later: between such chunks progress is reported and work is cancelled.
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
SLOTS = (1 << 22) + 15  # odd, so that keys spread; nine bytes each, taken as they are used
SHALLOW = 14  # with fewer empty cells mirror images are not looked for
PROBE = 10  # with fewer empty cells the table is not asked for replies before one is searched

Ints = npt.NDArray[np.int64]


class Shape(NamedTuple):
    """A board's constants, as the kernel takes them."""

    columns: int
    rows: int
    k: int
    full: int  # all cells
    floor: int  # the lowest cell of every column
    follower: int  # the cells that fall to who answers in the same column while all columns have an even room
    strides: Ints  # by how many bits neighbours differ along a row and both diagonals, where k fit
    order: Ints  # the cells of each column, the middle column first


class Table(NamedTuple):
    """Bounds found so far. A slot's bound b: 0 empty; above 0 a score of at most b − 32; below of at least −b − 32."""

    keys: Ints
    bounds: npt.NDArray[np.int8]


class Stack(NamedTuple):
    """Where the search stands: a frame for every position on the way from its root."""

    frames: Ints  # [ply, MINE … KEY]
    moves: Ints  # [ply, column]: the discs still to try, the best last
    threats: Ints  # [ply, column]: how many threats each of them makes
    at: Ints  # [2]: the ply, −1 at the end; the value found last


# A frame's numbers: discs of the player to move, all discs, the window, how many moves are left to try (or NEW: not
# looked at yet, CUT: good enough), the position's key
MINE, DISCS, ALPHA, BETA, LEFT, KEY, FRAME = range(7)
NEW, CUT = -1, -2


@helper
def popcount(bits: int) -> int:
    """How many bits are set."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@helper
def winning_cells(mine: int, empty: int, strides: Ints, k: int) -> int:
    """The empty cells, within reach or not, that would complete k in a row."""
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
    """Are there k in a row?"""
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
    """A number that only this position and its mirror image have (the latter as long as many cells are empty)."""
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
    """A bound on the score of the player to move, at most `most`, by what each player could still fill.

    While every column has an even number of empty cells, the other player can answer each disc in its own column. If
    the cells that leaves for the player to move hold no line, they cannot win; if the answers make one, they lose.
    """
    reach = (mine + theirs + shape.floor) & empty
    if not reach & shape.follower and not has_line(mine | (empty & ~shape.follower), shape.strides, shape.k):
        return -1 if has_line(theirs | (empty & shape.follower), shape.strides, shape.k) else 0
    if shape.k > 4 and not has_line(mine | empty, shape.strides, shape.k):
        return 0
    return most


@helper
def not_losing(reach: int, danger: int) -> int:
    """The moves after which the other player cannot win at once, who would win on any of the cells `danger`."""
    good = reach
    if reach & danger:
        good = reach & danger  # it must be stopped; two cannot
        if good & (good - 1):
            good = 0
    return good & ~(danger >> 1)


@helper
def bound_at(table: Table, key: int) -> int:
    """What the table has about a position, see `Table`."""
    slot = key % table.keys.shape[0]
    return np.int64(table.bounds[slot]) if table.keys[slot] == key else np.int64(0)  # type: ignore[return-value]


@helper
def refuted(table: Table, shape: Shape, theirs: int, discs: int, room: int, moves: int, beta: int) -> bool:
    """Does the table know a move that is worth beta?"""
    while moves:
        disc = moves & -moves
        moves ^= disc
        bound = bound_at(table, key_of(theirs, discs | disc, room - 1, shape.columns, shape.rows + 1))
        if bound > 0 and 32 - bound >= beta:
            return True
    return False


@helper
def line_up(shape: Shape, stack: Stack, ply: int, mine: int, empty: int, good: int) -> int:
    """Write down the moves to try, the best last: most threats, then nearest to the middle. Returns how many."""
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
    """Look at n more positions; True at the end, when at[1] is the root's score or a bound beyond its window.

    Nobody can win at once at the root, nor at any position in the stack.
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
    """What the solver needs to know of a board, but for its discs."""
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
    """One board's table, for any number of its positions."""

    def __init__(self, state: Connect, slots: int = SLOTS) -> None:
        self.shape = shape_of(state)
        self.table = Table(np.zeros(slots, np.int64), np.zeros(slots, np.int8))
        self.positions = 0  # looked at so far, in whole chunks

    def beyond(self, mine: int, discs: int, alpha: int, progress: Progress = SILENT) -> int:
        """The score if it is alpha or alpha + 1, otherwise a bound of it on its own side of that window.

        Nobody to move who could win at once.
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
        """The exact score of a position that is not over, for the player to move."""
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
    """The score of a position that is not over, and of each of its moves, for the player to move."""
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
