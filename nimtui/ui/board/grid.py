"""Paint a grid of cells: rows with letters, columns with numbers, and a tile or a frame for every cell that exists.

`nimtui.games.base` says what the number of a cell means. Signs tell all that colours tell: the cursor has corners or
arrows around it, a cell that the marked move changes a cross or dashes, the last move corners or brackets. Cells are
squares as large as the room allows; a board that is still too large has signs for cells, and scrolls with the cursor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil

from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.games.notation import row_letter
from nimtui.report.lines import Ink, Line
from nimtui.theory.verdict import Outcome
from nimtui.ui.board import raster
from nimtui.ui.board.cursor import Cell, Owned
from nimtui.ui.board.discs import SHORT, Cells
from nimtui.ui.board.raster import Box, Raster
from nimtui.ui.kit.terminal.glyphs import Glyphs

NONE, EMPTY, FIRST, SECOND, PIECE, POISON = -1, 0, 1, 2, 3, 4
PLAYERS = (FIRST, SECOND)
LABEL = 2  # columns for the row's letter
PLAIN = ((3, 1), (2, 1))  # columns and lines of a cell that is a sign, the best first
LEAST = 4  # half lines from cell to cell; below, a cell is a sign
BY_AREA, LARGE = 5, 8  # columns from cell to cell: from here on, marks are drawn by area, and corners
CORNERED = 12  # from here on, the cursor, the last move and a new mark are drawn by area, which costs more bytes
APART = 16  # from here on, cells are a whole line apart
MARK, STROKE, HOLE, POISONED, WARNING = 0.64, 0.3, 0.66, 0.6, 0.3  # shares of a cell, of the mark, of a cell
NOTE = 4, 2  # columns and lines of what the marked move does to a cell
INKS = {FIRST: Ink.FIRST, SECOND: Ink.SECOND, PIECE: Ink.PIECE, POISON: Ink.BAD}


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of a set of glyphs that only grids have."""

    corners: str  # by the lines that meet: 1 from above, 2 from the right, 4 from below, 8 from the left
    cells: str  # by the number of a cell, from 0
    landing: str  # where the marked move puts a mark
    cursor: str  # to the left and to the right of the cell with the cursor
    changed: str  # of a cell that the marked move changes too
    last: str  # of a cell that the last move changed


SIGNS = {
    "unicode": Signs(" ╵╶└╷│┌├╴┘─┴┐┤┬┼", "·╳○█!", "◌", "▸◂", "╌╌", "[]"),
    "ascii": Signs(" |-+||++-+-+++++", ".XO#!", "+", "><", "--", "[]"),
}


def marks(signs: Glyphs) -> tuple[str, str]:
    """Return the marks of the first and of the second player."""
    cells = SIGNS[signs.name].cells
    return cells[FIRST], cells[SECOND]


def corner(signs: Glyphs, lines: Sequence[bool]) -> str:
    """Return the sign where lines meet: one from above, from the right, from below, from the left."""
    return SIGNS[signs.name].corners[sum(1 << bit for bit, line in enumerate(lines) if line)]


def made(game: Game, state: State) -> int | None:
    """Return the number of the cells that the first legal move makes; None if there is not one such number."""
    move = next(iter(base.legal_moves(state)), None)
    cells = game.cells(game.after(state, move)) if move is not None else None
    if move is None or cells is None:
        return None
    numbers = {cells[row][column] for row, column in game.touched(state, move)}
    return min(numbers) if len(numbers) == 1 else None


class Grid:
    """The picture of a board of cells."""

    def __init__(self, cells: Cells, columns: int, room: int, signs: Glyphs) -> None:
        """Lay out a board with so many cells for a widget of this size."""
        self.rows, self.across = len(cells), max(map(len, cells), default=0)
        self.columns, self.room, self.glyphs, self.signs = columns, room, signs, SIGNS[signs.name]
        tiled = signs.grounds
        steps = range(2 * room, LEAST - 1, -1 if tiled else -2)
        sizes = [(round(step / 2 * signs.ratio), step / 2, int(not tiled)) for step in steps]
        for self.wide, self.tall, self.frame in (*sizes, *((*size, 0) for size in PLAIN)):  # from cell to cell
            self.width = LABEL + self.across * self.wide + self.frame
            self.height = 1 + ceil(self.rows * self.tall) + self.frame
            if self.width <= columns and self.height <= room:
                break
        self.by_area, self.large = self.wide >= BY_AREA, self.wide >= LARGE
        self.cornered = self.wide >= CORNERED
        if tiled:
            self.frame = 0
        gap = 0.0 if self.tall == 1 else 2.0 if self.wide >= APART else 1.0  # half lines between cells
        self.gap = (1.0, 1.0) if not tiled and gap else (gap, gap / 2)
        self.outside = self.gap[0] > 0 and not self.frame  # is there room around cells?

    def _place(self, cell: Cell) -> tuple[int, float]:
        """Return the column and the line of a cell in the picture."""
        row, column = cell
        return LABEL + self.frame + column * self.wide, 1 + self.frame + row * self.tall

    def paint(self, cells: Cells, cursor: Cell | None, marked: Mapping[Cell, int], owned: Owned) -> list[Line]:
        """Return the lines. `marked`: the cells that the move under the cursor changes, with what they become."""
        painter = Raster(self.columns, self.room, self.glyphs)
        x, top = self._place(cursor or (0, 0))
        x0, y0 = _start(self.width, self.columns, x), _start(self.height, self.room, int(top))
        for row, numbers in enumerate(cells):
            here = cursor is not None and cursor[0] == row
            y = int(y0 + self._place((row, 0))[1] + (self.tall - self.gap[1]) / 2 - 0.25)
            painter.write(x0, y, row_letter(row % 26).upper(), Ink.PICK if here else Ink.QUIET)
            for column, number in enumerate(numbers):
                cell = (row, column)
                left, top = self._place(cell)
                box = Box(x0 + left, y0 + top, self.wide - self.gap[0], self.tall - self.gap[1])
                painter.aim(x0 + left, y0 + top, self.wide, self.tall, cell)
                self._cell(painter, box, number, marked.get(cell), owned, cell, len(marked) < 2)
                self._around(painter, box, number, cell, cell == cursor, marked, owned)
                if self.by_area and (end := owned.exact.get(cell)) is not None:
                    ink = Ink.WON if end is Outcome.WIN else Ink.HEAT
                    painter.write(int(box.x + box.wide) - 2, int(box.y + 0.5), SHORT[end], ink)
        for column in range(self.across):
            name = str(column + 1)
            x = x0 + self._place((0, column))[0] + int(self.wide - self.gap[0] - len(name)) // 2
            here = cursor is not None and cursor[1] == column
            if len(name) < self.wide or column % 2:  # long names in narrow cells: every other one
                painter.write(x, y0, name, Ink.PICK if here else Ink.QUIET)
        if self.frame:
            self._frames(painter, x0 + LABEL, y0 + 1, cells)
        return painter.lines()

    def _cell(
        self, painter: Raster, box: Box, number: int, becomes: int | None, owned: Owned, cell: Cell, alone: bool
    ) -> None:
        """Draw a cell, without what stands around it."""
        tile = self.gap != (0, 0)
        if number < EMPTY:
            owner = owned.by.get(cell)
            if becomes is None and owner is None:
                return
            painter.fill(box.x, box.y, self.wide, self.tall, Ink.EATEN)  # without gaps
            if becomes is None and owner is not None:
                ghosts, ink = (self.glyphs.last, Ink.STRONG) if cell in owned.last else (self.glyphs.ghosts, Ink.GHOST)
                box.write(painter, ghosts[owner], ink)
            return
        content = number if becomes is None or becomes < EMPTY else becomes
        lands = number == EMPTY and becomes in PLAYERS
        framed = self.cornered and self.outside  # then the marks of a winning line keep their colours
        ink = Ink.WON if cell in owned.winning and not framed else INKS.get(content, Ink.STRONG)
        if content in (PIECE, POISON):
            piece(painter, box, content == POISON, self.signs.cells[POISON], large=self.large)
        elif tile:
            box.fill(painter, Ink.BOARD if content <= SECOND else Ink.EATEN)
        if becomes is None and (band := owned.heat.get(cell, 0)):
            if self.large:
                box.centre(2 * band, band).fill(painter, Ink.HEAT, raster.disc)
            else:
                box.write(painter, self.glyphs.shades[band], Ink.HEAT)
        elif becomes is not None and becomes < EMPTY:
            note = box.centre(*NOTE)
            if self.frame:
                note.fill(painter, Ink.TEXT)
            if alone and self.large:
                note.fill(painter, Ink.AIM, raster.cross(STROKE))
            else:
                box.write(painter, self.glyphs.chosen, Ink.AIM)
        elif self.by_area and content in PLAYERS and (self.cornered or not lands):
            shape = raster.cross(STROKE) if content == FIRST else raster.ring(HOLE)
            place = box.centre(*NOTE) if lands else box.middle(MARK) if self.large else box
            place.fill(painter, Ink.AIM if becomes is not None else ink, shape)
        elif lands or content not in (EMPTY, PIECE, POISON) or (content == EMPTY and not tile):
            sign = self.signs.landing if lands else self.signs.cells[content] if content < PIECE else str(content)
            box.write(painter, sign, Ink.AIM if becomes is not None else Ink.GHOST if content == EMPTY else ink)

    def _around(
        self, painter: Raster, box: Box, number: int, cell: Cell, here: bool, marked: Mapping[Cell, int], owned: Owned
    ) -> None:
        """Draw what stands around a cell: the cursor, a change, the line, the last move."""
        won, last = cell in owned.winning, cell in owned.last
        if self.cornered and self.outside:
            if won:
                box.corners(painter, Ink.WON, box.wide / 2)  # a frame without its sides, which would cost more bytes
            elif last and number >= EMPTY:
                box.corners(painter, INKS.get(marked.get(cell, number), Ink.AIM))  # what lands there keeps them
            if here:
                Box(box.x - 1, box.y - 0.5, box.wide + 2, box.tall + 1).corners(painter, Ink.PICK)
            return
        edges, ink = self.signs.cursor, Ink.PICK
        if won and not here:
            ink = Ink.GOOD
        elif last and not here:
            edges, ink = self.signs.last, Ink.STRONG
        elif cell in marked and not here:
            edges = self.signs.changed
        elif not here:
            return
        x, y = int(box.x) - self.outside, int(box.y + box.tall / 2 - 0.5)
        painter.write(x, y, edges[0], ink)
        if self.wide > 2:
            painter.write(x + int(box.wide) - 1 + 2 * self.outside, y, edges[1], ink)

    def _frames(self, painter: Raster, x0: int, y0: int, cells: Cells) -> None:
        """Draw the lines around every cell that exists."""
        there = [(row, at) for row, numbers in enumerate(cells) for at, number in enumerate(numbers) if number >= EMPTY]
        across = {(row + below, at) for row, at in there for below in (0, 1)}  # cells with a line above them
        down = {(row, at + right) for row, at in there for right in (0, 1)}  # and with one to the left
        for row, at in product(range(self.rows + 1), range(self.across + 1)):
            x, y = x0 + at * self.wide, y0 + row * int(self.tall)
            lines = ((row - 1, at) in down, (row, at) in across, (row, at) in down, (row, at - 1) in across)
            if any(lines):
                painter.write(x, y, corner(self.glyphs, lines), Ink.FRAME)
            painter.write(x + 1, y, self.signs.corners[10] * (self.wide - 1) * lines[1], Ink.FRAME)
            for line in range(int(self.tall) - 1 if lines[2] else 0):
                painter.write(x, y + 1 + line, self.signs.corners[5], Ink.FRAME)


def piece(painter: Raster, box: Box, poison: bool, sign: str, large: bool) -> None:
    """Draw a piece of chocolate; in the poisoned one the sign stands in a hole."""
    box.fill(painter, Ink.PIECE)
    if large and not poison and painter.signs.grounds:
        inner = box.middle(0.7)
        painter.fill(inner.x, inner.y, inner.wide, 0.5, Ink.SHINE)
        painter.fill(inner.x, inner.y, 1, inner.tall, Ink.SHINE)
    if poison and large:
        box.middle(POISONED).fill(painter, Ink.TEXT, raster.disc)
        box.middle(WARNING).fill(painter, Ink.BAD, raster.warning)
    elif poison:
        painter.fill(*box.sign_at(1), 1, 1, Ink.TEXT)
        box.write(painter, sign, Ink.BAD)


def _start(length: int, room: int, at: int) -> int:
    """Return where a picture of this length starts: in the middle of the room, or scrolled so that `at` is inside."""
    if length <= room:
        return (room - length) // 2
    return -max(0, min(length - room, at - room // 2))
