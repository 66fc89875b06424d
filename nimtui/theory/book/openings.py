"""All positions of a connect board after so many plies, as arrays. No Numba: an answer from a book loads no engine.

A position and its mirror image are one position here, of which the one with the smaller number stands in the arrays.
The number of a position is `mine + discs`, as in `nimtui.engine.connect.table`: different for different positions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nimtui.games.connect import Connect

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Openings:
    """The unfinished positions after so many plies, ascending by number, and how many positions are finished."""

    numbers: Ints  # [position]
    mine: Ints  # [position]: discs of the player to move
    discs: Ints  # [position]: all discs
    images: Ints  # [position]: 2 where the mirror image is another position, else 1
    lines: int  # positions, mirror images counted, in which the last disc completed a line
    full: int  # positions, mirror images counted, in which the board is full without a line

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True, slots=True)
class Shape:
    """A board, for whole arrays of positions."""

    columns: int
    rows: int
    k: int
    floor: int
    full: int

    @staticmethod
    def of(state: Connect) -> Shape:
        """Return the shape of a game's board."""
        return Shape(len(state.bottom), int(state.rows), int(state.k), int(state.bottom.sum()), int(state.full))

    def column(self, number: int) -> int:
        """Return the cells of a column."""
        return ((1 << self.rows) - 1) << number * (self.rows + 1)

    def mirrored(self, cells: Ints) -> Ints:
        """Return the mirror images."""
        height = self.rows + 1
        image = np.zeros_like(cells)
        for column in range(self.columns):
            part = (cells >> column * height) & ((1 << height) - 1)
            image |= part << (self.columns - 1 - column) * height
        return image

    def has_line(self, discs: Ints) -> npt.NDArray[np.bool_]:
        """Return which of these sets of discs hold a line."""
        lines = np.zeros(len(discs), np.bool_)
        for step in (1, self.rows, self.rows + 1, self.rows + 2):
            if (self.k - 1) * step < 63:
                line = discs.copy()
                for place in range(1, self.k):
                    line &= discs >> place * step
                lines |= line != 0
        return lines

    def numbers(self, mine: Ints, discs: Ints) -> Ints:
        """Return the number that a position and its mirror image share."""
        number = mine + discs
        shared: Ints = np.minimum(number, self.mirrored(mine) + self.mirrored(discs))
        return shared

    def dropped(self, mine: Ints, discs: Ints, column: int) -> tuple[npt.NDArray[np.bool_], Ints, Ints]:
        """Return in which positions the column has room; for these, the mover's discs and all discs after the move."""
        cell = (discs + self.floor) & self.column(column)
        fits = cell != 0
        return fits, mine[fits] | cell[fits], discs[fits] | cell[fits]


def start(shape: Shape) -> Openings:
    """Return the empty board."""
    zero = np.zeros(1, np.int64)
    return Openings(zero, zero, zero, np.ones(1, np.int64), 0, 0)


def after(before: Openings, shape: Shape) -> Openings:
    """Return the positions one ply later."""
    movers, boards = [], []
    for column in range(shape.columns):
        _, mover, discs = shape.dropped(before.mine, before.discs, column)
        movers.append(mover)
        boards.append(discs)
    mover, discs = np.concatenate(movers), np.concatenate(boards)
    mine = mover ^ discs  # of the player who is now to move
    plain = mine + discs
    numbers, first = np.unique(shape.numbers(mine, discs), return_index=True)
    mine, discs, mover = mine[first], discs[first], mover[first]
    is_image = numbers != plain[first]
    mine, discs = (np.where(is_image, shape.mirrored(cells), cells) for cells in (mine, discs))
    images = 1 + (shape.mirrored(mine) + shape.mirrored(discs) != numbers)
    lines = shape.has_line(mover)
    full = ~lines & (discs == shape.full)
    on = ~(lines | full)
    return Openings(numbers[on], mine[on], discs[on], images[on], int(images[lines].sum()), int(images[full].sum()))
