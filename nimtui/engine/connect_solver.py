"""Connect games solved exactly: who wins, and how soon, for every move of a position.

A score is for the player to move: 0 a draw; +n a win in which the winner, had the board been filled, would have had
n − 1 more discs to place; −n a loss likewise. A win by the disc played on a board that holds d discs scores
(cells + 1 − d) // 2; on 7 × 6 that is 22 less the number of discs the winner has then played (the convention of Pascal
Pons's solver).

The search is negamax with null windows on bitboards, as wide as the state's (see `nimtui.games.connect`): it looks only
at moves that do not lose at once, those that make most threats first, then the middle columns; bounds that were found
are kept in a table, a position and its mirror image in one place. It runs on a stack of its own, so that it can stop
after any number of positions and go on later: progress is reported and work is cancelled between chunks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.jit import helper, kernel
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Progress

CHUNK = 100_000  # positions between two reports, some 30 ms
SLOTS = (1 << 22) + 15  # odd, so that keys spread; nine bytes each
MIRROR_UNTIL = 14  # empty cells below which mirror images are not looked for

Ints = npt.NDArray[np.int64]


class Shape(NamedTuple):
    """A board's constants, as the kernels take them."""

    columns: int
    rows: int
    k: int
    cells: int
    full: int  # all cells
    floor: int  # the lowest cell of every column
    ways: Ints  # by how many bits neighbours differ along a row and both diagonals, where k fit
    order: Ints  # columns' cells, the middle column first
    # columns' cells from the left


class Table(NamedTuple):
    """Bounds found so far. A slot's bound b is 0: empty; b > 0: at most b − 32; b < 0: at least −b − 32."""

    keys: Ints
    bounds: npt.NDArray[np.int8]


class Stack(NamedTuple):
    """Where the search stands. A frame is one position on the way from the root."""

    frames: Ints  # [ply, MINE … LEFT]
    moves: Ints  # [ply, column]: the discs still to try, the last first
    at: Ints  # [3]: the ply; 1 while its position has not been looked at yet; the value found last


MINE, DISCS, ALPHA, BETA, LEFT = range(5)


@helper
def popcount(bits: int) -> int:
    """How many bits are set."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@helper
def winning_cells(mine: int, empty: int, ways: Ints, k: int) -> int:
    """The empty cells, within reach or not, that would complete k in a row."""
    line = mine << 1
    for step in range(2, k):
        line &= mine << step
    found = line
    for way in ways:
        if k == 4:
            right, left = mine << way, mine >> way
            right2, left2 = right & (mine << 2 * way), left & (mine >> 2 * way)
            found |= (right2 & (left | (mine << 3 * way))) | (left2 & (right | (mine >> 3 * way)))
        else:
            for hole in range(k):
                line = empty
                for place in range(1, hole + 1):
                    line &= mine << place * way
                for place in range(1, k - hole):
                    line &= mine >> place * way
                found |= line
    return found & empty


@helper
def mirrored(bits: int, columns: int, height: int) -> int:
    """The board's columns from right to left."""
    column = (1 << height) - 1
    turned = 0
    for _ in range(columns):
        turned = (turned << height) | (bits & column)
        bits >>= height
    return turned
