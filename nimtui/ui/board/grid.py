"""Paint a grid of cells: rows with letters, columns with numbers, and a frame around the cells that exist.

`nimtui.games.base` says what the number of a cell means. Signs tell all that colours tell: the cursor has arrows around
it, a cell that the marked move changes has dashes, the last move has brackets. A cell is three lines high, or one, as
the room allows; a board that is still too large scrolls with the cursor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.games.notation import row_letter
from nimtui.report.lines import Ink, Line, Painter
from nimtui.ui.board.cursor import Cell, Owned
from nimtui.ui.kit.terminal.glyphs import Glyphs

NONE, EMPTY, FIRST, SECOND, PIECE, POISON = -1, 0, 1, 2, 3, 4
PLAYERS = (FIRST, SECOND)
LABEL = 2  # columns for the row's letter
SIZES = ((7, 3, 1), (3, 1, 1), (3, 1, 0), (2, 1, 0))  # columns and lines of a cell, and of the frame; the best first
INKS = {FIRST: Ink.FIRST, SECOND: Ink.SECOND, PIECE: Ink.HEAD, POISON: Ink.BAD}


Cells: TypeAlias = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of a set of glyphs that only grids have."""

    corners: str  # by the lines that meet: 1 from above, 2 from the right, 4 from below, 8 from the left
    cells: str  # by the number of a cell, from 0
    landing: str  # where the marked move puts a mark
    large: tuple[tuple[str, ...], tuple[str, ...]]  # the marks of the players, three lines high
    cursor: str  # to the left and to the right of the cell with the cursor
    changed: str  # of a cell that the marked move changes too
    last: str  # of a cell that the last move changed


SIGNS = {
    "unicode": Signs(
        " ╵╶└╷│┌├╴┘─┴┐┤┬┼",
        "·╳○█!",
        "◌",
        (("▀▄ ▄▀", "  █  ", "▄▀ ▀▄"), ("▗▀▀▀▖", "▌   ▐", "▝▄▄▄▘")),
        "▸◂",
        "╌╌",
        "[]",
    ),
    "ascii": Signs(
        " |-+||++-+-+++++",
        ".XO#!",
        "+",
        (("\\   /", "  X  ", "/   \\"), (".---.", "|   |", "'---'")),
        "><",
        "--",
        "[]",
    ),
}


def marks(signs: Glyphs) -> tuple[str, str]:
    """Return the marks of the first and of the second player."""
    cells = SIGNS[signs.name].cells
    return cells[FIRST], cells[SECOND]


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

    def __init__(self, cells: Cells, columns: int, room: int, signs: Glyphs, largest: int = 0) -> None:
        """Lay out a board with so many cells for a widget of this size. `largest`: the first of SIZES to try."""
        self.rows, self.across = len(cells), max(map(len, cells), default=0)
        self.columns, self.room, self.glyphs, self.signs = columns, room, signs, SIGNS[signs.name]
        for self.wide, self.tall, self.frame in SIZES[largest:]:
            self.width = LABEL + self.across * (self.wide + self.frame) + self.frame
            self.height = 1 + self.rows * (self.tall + self.frame) + self.frame
            if self.width <= columns and self.height <= room:
                break

    def _origin(self, cursor: Cell | None) -> tuple[int, int]:
        """Return where the picture's left upper corner stands; below zero if it scrolls with the cursor."""
        x, y = self._place(cursor or (0, 0))
        return _start(self.width, self.columns, x), _start(self.height, self.room, y)

    def _place(self, cell: Cell) -> tuple[int, int]:
        """Return the column and the line of a cell in the picture."""
        row, column = cell
        return (LABEL + self.frame + column * (self.wide + self.frame), 1 + self.frame + row * (self.tall + self.frame))

    def cell_at(self, x: int, y: int, cursor: Cell | None) -> Cell | None:
        """Return the cell drawn at this place while the cursor is on `cursor`, or None."""
        (from_left, from_top), (edge, head) = self._origin(cursor), self._place((0, 0))
        column = (x - from_left - edge) // (self.wide + self.frame)
        row = (y - from_top - head) // (self.tall + self.frame)
        return (row, column) if 0 <= row < self.rows and 0 <= column < self.across else None

    def paint(self, cells: Cells, cursor: Cell | None, marked: Mapping[Cell, int], owned: Owned) -> list[Line]:
        """Return the lines. `marked`: the cells that the move under the cursor changes, with what they become."""
        painter = Painter(self.columns, self.room)
        x0, y0 = self._origin(cursor)
        for row, numbers in enumerate(cells):
            y = y0 + self._place((row, 0))[1] + self.tall // 2
            here = cursor is not None and cursor[0] == row
            painter.write(x0, y, row_letter(row % 26).upper(), Ink.PICK if here else Ink.QUIET)
            for column, number in enumerate(numbers):
                cell = (row, column)
                x, y = self._place(cell)
                text, ink = self._content(cell, number, marked.get(cell), owned)
                if cell in owned.winning:
                    ink = Ink.WON
                for line, part in enumerate(text):
                    painter.write(x0 + x, y0 + y + line, part, ink)
                self._edges(painter, x0 + x, y0 + y + self.tall // 2, cell, cell == cursor, marked, owned)
        for column in range(self.across):
            name = str(column + 1)
            x = x0 + self._place((0, column))[0] + self.wide // 2 - (len(name) - 1) // 2
            here = cursor is not None and cursor[1] == column
            if len(name) < self.wide + self.frame or column % 2:  # long names in narrow cells: every other one
                painter.write(x, y0, name, Ink.PICK if here else Ink.QUIET)
        if self.frame:
            self._frames(painter, x0 + LABEL, y0 + 1, cells)
        return painter.lines()

    def _content(self, cell: Cell, number: int, becomes: int | None, owned: Owned) -> tuple[Sequence[str], Ink]:
        """Return the lines of a cell, without what stands around it."""
        blank = [" " * self.wide] * self.tall
        content = number if becomes is None else becomes
        if becomes is not None and becomes < EMPTY:
            return self._centred(self.glyphs.chosen), Ink.PICK
        if number == EMPTY and becomes in PLAYERS:
            return self._centred(self.signs.landing), Ink.PICK
        if content < EMPTY:
            owner = owned.by.get(cell)
            if owner is None:
                return blank, Ink.TEXT
            ghosts, ink = (self.glyphs.last, Ink.STRONG) if cell in owned.last else (self.glyphs.ghosts, Ink.GHOST)
            return self._centred(ghosts[owner]), ink
        ink = Ink.PICK if becomes is not None else INKS.get(content, Ink.QUIET if content == EMPTY else Ink.STRONG)
        if content == EMPTY and self.frame and becomes is None:
            return blank, Ink.TEXT
        if content in PLAYERS and self.tall > 1:
            return [part.center(self.wide) for part in self.signs.large[content - 1]], ink
        sign = self.signs.cells[content] if content < len(self.signs.cells) else str(content)
        if content == PIECE and self.wide > 2 and becomes is None:
            return [f" {sign * (self.wide - 2)} "] * self.tall, ink
        return self._centred(sign), ink

    def _centred(self, sign: str) -> list[str]:
        """Return a sign in the middle of a cell; on the right of a narrow one."""
        middle = self.tall // 2
        text = sign.center(self.wide) if self.wide > 2 else sign.rjust(self.wide)
        return [text if line == middle else " " * self.wide for line in range(self.tall)]

    def _edges(
        self, painter: Painter, x: int, y: int, cell: Cell, here: bool, marked: Mapping[Cell, int], owned: Owned
    ) -> None:
        """Write what stands to the left and right of a cell's sign: the cursor, a change, the line, the last move."""
        if here or cell in owned.winning:
            edges, ink = self.signs.cursor, Ink.WON if cell in owned.winning else Ink.PICK
        elif cell in marked:
            edges, ink = self.signs.changed, Ink.PICK
        elif cell in owned.last:
            edges, ink = self.signs.last, Ink.STRONG
        else:
            return
        painter.write(x, y, edges[0], ink)
        if self.wide > 2:
            painter.write(x + self.wide - 1, y, edges[1], ink)

    def _frames(self, painter: Painter, x0: int, y0: int, cells: Cells) -> None:
        """Draw the lines around every cell that exists."""

        def there(row: int, column: int) -> bool:
            return 0 <= row < len(cells) and 0 <= column < len(cells[row]) and cells[row][column] >= EMPTY

        def across(row: int, column: int) -> bool:  # is there a line above this cell?
            return there(row - 1, column) or there(row, column)

        def down(row: int, column: int) -> bool:  # is there a line to the left of this cell?
            return there(row, column - 1) or there(row, column)

        for row in range(self.rows + 1):
            for column in range(self.across + 1):
                x, y = x0 + column * (self.wide + 1), y0 + row * (self.tall + 1)
                lines = (down(row - 1, column), across(row, column), down(row, column), across(row, column - 1))
                corner = self.signs.corners[sum(1 << at for at, line in enumerate(lines) if line)]
                if corner != " ":
                    painter.write(x, y, corner, Ink.FRAME)
                if lines[1]:
                    painter.write(x + 1, y, self.signs.corners[10] * self.wide, Ink.FRAME)
                for line in range(self.tall if lines[2] else 0):
                    painter.write(x, y + 1 + line, self.signs.corners[5], Ink.FRAME)


def _start(length: int, room: int, at: int) -> int:
    """Return where a picture of this length starts: in the middle of the room, or scrolled so that `at` is inside."""
    if length <= room:
        return (room - length) // 2
    return -max(0, min(length - room, at - room // 2))
