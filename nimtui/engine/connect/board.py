"""The bits of a connect board, and what can be read off them without searching.

Columns stand side by side in one number, as in `nimtui.games.connect`. Above each column is one bit that is never set,
so that a line never runs from one column into the next:

     6 13 20 27 34 41 48     always 0
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

Neighbours are 1 apart up a column, 7 along a row, 8 and 6 along the diagonals (on a board of 6 rows; h = rows + 1 in
general). All numbers are signed and below 2**63.

Bounds of a score that need no search: what the opponent can always reach by answering in pairs.

The opponent answers every disc in the same column, as long as that column has a reply: the *follow-up* strategy. Call a
cell with an even number of cells above it a *follower* cell, the others *leader* cells. In a column with even room the
next cell is a leader cell, and whoever answers there gets all follower cells. In a column with odd room the next cell
is a follower cell; once it is filled, the column has even room. Sources: Allis 1988 ("claimeven", "follow-up"); the
generalisation to columns with odd room is ours, as are the proofs.
"""

from __future__ import annotations

from typing import NamedTuple

from nimtui.engine.jit import helper
from nimtui.games.connect import Connect

TALLEST = 20  # bits of a column, up to which lines of four along a diagonal fit into a number


class Board(NamedTuple):
    """What stays the same during a search."""

    columns: int
    rows: int
    k: int  # so many in a row win
    full: int  # all cells
    floor: int  # the lowest cell of each column
    column: int  # all bits of the first column, the one above its cells included
    follower: int  # the cells with an even number of cells above them; see `upper_bound`
    leader: int  # all other cells


def board_of(state: Connect) -> Board:
    """Return the board of a game."""
    columns, rows = len(state.bottom), int(state.rows)
    floor, full = int(state.bottom.sum()), int(state.full)
    follower = sum(floor << row for row in range(rows - 1, -1, -2))
    return Board(columns, rows, int(state.k), full, floor, (1 << (rows + 1)) - 1, follower, full ^ follower)


@helper
def popcount(bits: int) -> int:
    """Return how many bits are set. LLVM turns the loop into one instruction."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@helper
def winning_cells(discs: int, empty: int, board: Board) -> int:
    """Return the empty cells, playable now or not, that complete a line for these discs."""
    h, k = board.rows + 1, board.k
    cells = 0
    if k == 4 and h <= TALLEST:  # the same as below, in fewer steps
        cells = (discs << 1) & (discs << 2) & (discs << 3)
        for d in (h - 1, h, h + 1):
            up, down = (discs << d) & (discs << 2 * d), (discs >> d) & (discs >> 2 * d)
            cells |= up & ((discs << 3 * d) | (discs >> d))
            cells |= down & ((discs << d) | (discs >> 3 * d))
        return cells & empty
    for d in (1, h - 1, h, h + 1):
        if (k - 1) * d < 63:
            for hole in range(k):
                line = empty
                for place in range(1, hole + 1):
                    line &= discs << place * d
                for place in range(1, k - hole):
                    line &= discs >> place * d
                cells |= line
    return cells


@helper
def has_line(discs: int, board: Board) -> bool:
    """Return whether these discs hold a line."""
    h = board.rows + 1
    lines = 0
    if board.k == 4 and h <= TALLEST:
        for d in (1, h - 1, h, h + 1):
            pairs = discs & (discs >> d)
            lines |= pairs & (pairs >> 2 * d)
        return lines != 0
    for d in (1, h - 1, h, h + 1):
        if (board.k - 1) * d < 63:
            line = discs
            for place in range(1, board.k):
                line &= discs >> place * d
            lines |= line
    return lines != 0


@helper
def from_lowest_up(cells: int, board: Board) -> int:
    """Return in each column the lowest of these cells and all cells above it.

    −x has, from the lowest bit of x on, the opposite bits of x. Subtracting from the bit above a column does this for
    each column by itself.
    """
    return (cells | ((board.floor << board.rows) - cells)) & board.full


@helper
def cells_above(cells: int, board: Board) -> int:
    """Return in each column the cells above the lowest of these cells."""
    return from_lowest_up((cells << 1) & board.full, board)


@helper
def cells_below(cells: int, board: Board) -> int:
    """Return the cells below these cells in their columns."""
    below = 0
    for _ in range(board.rows - 1):
        cells = (cells >> 1) & board.full
        below |= cells
    return below


@helper
def upper_bound(mine: int, theirs: int, danger: int, reach: int, board: Board, room: int, most: int) -> int:
    """Return an upper bound, at most `most`, of the score of the player to move.

    `danger` are the empty cells on which the opponent would complete a line, `reach` the cells that can be filled now,
    `room` the number of empty cells. The player to move must not be able to win at once.
    """
    odd = reach & board.follower  # the next cell of each column with odd room
    if room & 1 == 0:
        return _when_all_is_paired(mine, theirs, danger, odd, board, most)
    return _by_zugzwang(mine, theirs, danger, odd, reach, board, most)


@helper
def _when_all_is_paired(mine: int, theirs: int, danger: int, odd: int, board: Board, most: int) -> int:
    """Return the bound when the room is even: then so is the number of columns with odd room.

    The opponent answers in the same column, and the next cell of a column with odd room with that of another such
    column. So the player to move gets the leader cells, and at worst all next cells of odd columns. But cells above a
    winning cell that is surely the opponent's are never filled. Without a line in all that, the player to move cannot
    win. And if the cells that are surely the opponent's hold a line, the opponent wins, at the latest when only the
    cells above them are empty.
    """
    empty = board.full ^ (mine | theirs)
    surely_theirs = empty & board.follower & ~odd
    hoped = mine | (empty & board.leader)
    winning = danger & surely_theirs
    if winning:
        hoped &= ~(cells_above(winning, board) & empty)
    if has_line(hoped | odd, board):
        if popcount(odd) != 2:
            return most
        one = odd & -odd  # of two next cells each player gets one
        if has_line(hoped | one, board) or has_line(hoped | (odd ^ one), board):
            return most
    bound = 0
    spare = 0  # cells above each of the opponent's cells
    while surely_theirs and has_line(theirs | surely_theirs, board):
        bound = -(spare // 2 + 1)
        spare += 2
        surely_theirs &= board.floor * ((1 << max(board.rows - spare, 0)) - 1)
    return min(most, bound)


@helper
def _by_zugzwang(mine: int, theirs: int, danger: int, odd: int, reach: int, board: Board, most: int) -> int:
    """Return the bound when the room is odd: one column with odd room is left over.

    Let the opponent have a winning leader cell in a column with odd room, not the next one to fill. The opponent leaves
    that column to the last and answers in all others. In the end the player to move must fill the cell below. Until
    then that player gets, at most, the leader cells of the other columns, the next cells of columns with odd room, and
    the follower cells below the winning one. Without a line there, the player loses.
    """
    empty = board.full ^ (mine | theirs)
    winning = danger & board.leader & ~reach
    while winning:
        cell = winning & -winning
        winning ^= cell
        above, below = cells_above(cell, board), cells_below(cell, board)
        column = cell | above | below
        if odd & column:
            rest = mine | (empty & board.leader & ~column) | (odd & ~column) | (empty & board.follower & below)
            if not has_line(rest, board):
                most = min(most, -((popcount(above) + 2) // 2))
    return most
