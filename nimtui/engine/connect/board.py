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
    follower: int  # the cells with an even number of cells above them; see `bounds`
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
