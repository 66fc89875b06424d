"""The layout of the map, without a screen: places every position in a cell.

A sheet is a grid of cells in the order of an atlas. It may be larger than its window. A cell stands for one position,
or for several neighbours in the order that belong to the same group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.learning.atlas import Axis, Order

Places = npt.NDArray[np.int64]
STEPS = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8)  # allowed positions per cell, in each decade


class Apart(NamedTuple):
    """The distances between cells."""

    pitch: int  # columns from one cell to the next
    gap: int  # extra columns between two blocks
    rise: int = 1  # lines from one row to the next


LOOSE, TIGHT = Apart(1, 1), Apart(1, 0)
FAR = (Apart(6, 3, 3), Apart(4, 2, 2), Apart(3, 1, 2), Apart(3, 1))  # square: a line is as high as two columns


@dataclass(slots=True, eq=False)
class Sheet:
    """The cells in the order of the atlas, each with its place."""

    each: int  # positions per cell at most
    starts: Places  # [cells + 1]: cell c stands for the positions starts[c] … starts[c + 1] − 1 of the order
    x: Places  # [cells]
    y: Places
    gutter: tuple[str, ...] = ()  # the label before each row; () for none
    foot: tuple[tuple[int, str], ...] | None = None  # (x, label) below the columns; None for none
    groups: Places = field(default_factory=lambda: np.zeros(1, np.int64))  # the first cell of each group
    apart: Apart = TIGHT
    grid: npt.NDArray[np.int32] = field(init=False)  # [height, width]: the cell there, −1 for none

    def __post_init__(self) -> None:
        height = max(int(self.y.max(initial=-1)) + 1, len(self.gutter))
        self.grid = np.full((height, int(self.x.max(initial=-1)) + 1), -1, np.int32)
        self.grid[self.y, self.x] = np.arange(len(self.x))

    @property
    def height(self) -> int:
        """The number of rows of cells."""
        return int(self.grid.shape[0])

    @property
    def width(self) -> int:
        """The number of columns of cells."""
        return int(self.grid.shape[1])

    @property
    def margin(self) -> int:
        """The columns of the gutter."""
        return max(map(len, self.gutter)) + 1 if self.gutter else 0

    @property
    def footed(self) -> int:
        """The lines of the labels below."""
        return self.foot is not None

    def fits(self, columns: int, rows: int) -> bool:
        return self.margin + self.width <= columns and self.height + self.footed <= rows

    def cell_at(self, x: int, y: int) -> int:
        """Return the cell at this place, or beside the place where cells stand so far apart; −1 for none."""
        aside, below = self.apart.pitch >= 3, self.apart.rise >= 2
        for down in (0, -1, 1)[: 1 + 2 * below]:
            for right in (0, -1, 1)[: 1 + 2 * aside]:
                if 0 <= x + right < self.width and 0 <= y + down < self.height:
                    cell = int(self.grid[y + down, x + right])
                    if cell >= 0:
                        return cell
        return -1

    def cell_of(self, place: int) -> int:
        """Return the cell of this place in the order."""
        return int(np.searchsorted(self.starts, place, side="right")) - 1


def fitting(order: Order, columns: int, rows: int, *, large: bool = False) -> Sheet:
    """Return a sheet for this room: one position per cell if that fits, else as few per cell as fit.

    Cells stand apart if there is room; those of a `large` map as far as they can. If nothing fits, the sheet is too
    high and its rows scroll.
    """
    positions = len(order.nodes)
    if positions <= columns * rows:
        for apart in (*(FAR if large else ()), Apart(2, 1), LOOSE, TIGHT):
            sheet = spread(order, columns, rows, apart=apart)
            if sheet.fits(columns, rows):
                return _flat(order, sheet, columns, apart)
    lines = rows if order.down is None else max(rows, len(order.down.labels))
    for each in _sizes(positions):
        if each * columns * lines < positions and each * 2 < positions:
            continue  # there are more cells than places
        sheet = spread(order, columns, rows, each, TIGHT)
        if sheet.fits(columns, rows) or 0 < rows <= len(sheet.groups) == sheet.height:
            return sheet
    return sheet


def _flat(order: Order, sheet: Sheet, columns: int, apart: Apart) -> Sheet:
    """Return the sheet in as few rows as possible: blocks grow wide before they grow high."""
    while order.across is not None and sheet.height > apart.rise:
        rows = sheet.height - apart.rise + sheet.footed
        flatter = spread(order, columns, rows, apart=apart)
        if not flatter.fits(columns, rows):
            break
        sheet = flatter
    return sheet


def spread(order: Order, columns: int, rows: int, each: int = 1, apart: Apart = LOOSE) -> Sheet:
    """Return the sheet with `each` positions per cell for this room, however large it becomes."""
    if order.across is not None:
        return _blocks(order.across, rows, each, apart)
    if order.down is not None:
        return _rows(order.down, columns, each, apart)
    return _wrapped(order, columns, rows, each, apart)


def _sizes(positions: int) -> Iterator[int]:
    decade = last = 1
    while last < positions:
        for step in STEPS:
            each = int(step * decade)
            if each > last:
                last = each
                yield each
        decade *= 10


class _Cut(NamedTuple):
    """Groups of positions, divided into cells."""

    cells: Places  # [groups]: the number of cells
    starts: Places  # [cells + 1]
    group: Places  # [cells]
    at: Places  # [cells]: the place of the cell in its group
    first: Places  # the first cell of each group that is not empty


def _cut(axis: Axis, each: int) -> _Cut:
    sizes = np.bincount(axis.of, minlength=len(axis.labels))
    cells = -(-sizes // each)
    first = np.cumsum(cells) - cells
    group = np.repeat(np.arange(len(sizes)), cells)
    at = np.arange(len(group)) - first[group]
    starts = (np.cumsum(sizes) - sizes)[group] + at * each
    return _Cut(cells, np.append(starts, sizes.sum()), group, at, first[cells > 0])


def _blocks(across: Axis, rows: int, each: int, apart: Apart) -> Sheet:
    """Return one block per group, side by side, as high as the room, each filled line by line."""
    cut = _cut(across, each)
    pitch, gap, rise = apart
    widths = np.maximum(1, -(-cut.cells // max(1, -(-(rows - 1) // rise))))
    wide = widths * pitch + gap
    begins = np.cumsum(wide) - wide
    width = widths[cut.group]
    return Sheet(
        each,
        cut.starts,
        begins[cut.group] + cut.at % width * pitch,
        cut.at // width * rise,
        foot=tuple(zip(begins.tolist(), across.labels, strict=True)),
        groups=cut.first,
        apart=apart,
    )


def _rows(down: Axis, columns: int, each: int, apart: Apart) -> Sheet:
    """Return one row per group, or as many rows as the group needs."""
    cut = _cut(down, each)
    pitch, _, rise = apart
    room = max(1, (columns - max(map(len, down.labels)) - 2 + pitch) // pitch)
    lines = np.maximum(1, -(-cut.cells // room)) * rise
    top = np.cumsum(lines) - lines
    gutter = [""] * (int(lines.sum()) - rise + 1)
    for at, label in zip(top.tolist(), down.labels, strict=True):
        gutter[at] = label
    return Sheet(
        each,
        cut.starts,
        cut.at % room * pitch,
        top[cut.group] + cut.at // room * rise,
        tuple(gutter),
        groups=cut.first,
        apart=apart,
    )


def _wrapped(order: Order, columns: int, rows: int, each: int, apart: Apart) -> Sheet:
    """Return lines of cells; with one position per cell, lines of whole periods if there is room."""
    pitch, _, rise = apart
    positions, room = len(order.nodes), max(1, (columns - 1 + pitch) // pitch)
    lead = order.lead if each == 1 else 0
    cells = -(-positions // each)
    width = room
    periods = [period for period in order.periods if period <= room]
    if each == 1 and periods:
        whole = room // periods[-1] * periods[-1]
        if -(-(lead + cells) // whole) <= rows or -(-(lead + cells) // room) > rows:
            width = whole
    place = np.arange(cells) + lead
    starts = np.append(np.arange(cells) * each, positions)
    return Sheet(each, starts, place % width * pitch, place // width * rise, apart=apart)
