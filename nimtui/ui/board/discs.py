"""Paint a board with discs: columns, a cursor above one of them, and a preview of the landing disc.

The first player's discs are solid, the second's are rings, so that no colour is needed to tell them apart; the winning
line has stars in it, the last disc a square. A disc is one, two or three lines high, as the room allows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from nimtui.report.lines import Ink, Line, Painter
from nimtui.theory.verdict import Outcome
from nimtui.ui.board.cursor import Cell, Owned
from nimtui.ui.kit.terminal.glyphs import Glyphs

Shape = tuple[str, ...]
Cells = Sequence[Sequence[int]]
Labels = Mapping[int, tuple[Outcome, int | None]]  # column -> how a disc there ends the game, after how many plies
NO_LABELS: Labels = MappingProxyType({})

SHORT = {Outcome.WIN: "W", Outcome.DRAW: "D", Outcome.LOSS: "L"}
LONG = {Outcome.WIN: "wins", Outcome.DRAW: "draws", Outcome.LOSS: "loses"}
INKS = {Outcome.WIN: Ink.GOOD, Outcome.DRAW: Ink.TEXT, Outcome.LOSS: Ink.BAD}
LONG_PITCH = 7  # columns of a label in words
SHORT_PITCH = 4  # columns of 'L12' and a blank; below, only the letter


class Shapes(NamedTuple):
    """The pictures of discs of one size: of the first player's disc, then of the second's."""

    wide: int
    plain: tuple[Shape, Shape]
    won: tuple[Shape, Shape]
    last: tuple[Shape, Shape]  # the disc of the last move
    landing: Shape
    empty: Shape

    @property
    def tall(self) -> int:
        return len(self.empty)


SHAPES = {
    "unicode": (
        Shapes(
            7,
            (("▗▟███▙▖", "▐█████▌", "▝▜███▛▘"), ("▗▟▀▀▀▙▖", "▐▌   ▐▌", "▝▜▄▄▄▛▘")),
            (("▗▟███▙▖", "▐█ ★ █▌", "▝▜███▛▘"), ("▗▟▀▀▀▙▖", "▐▌ ★ ▐▌", "▝▜▄▄▄▛▘")),
            (("▗▟███▙▖", "▐█ ■ █▌", "▝▜███▛▘"), ("▗▟▀▀▀▙▖", "▐▌ □ ▐▌", "▝▜▄▄▄▛▘")),
            ("╭╌   ╌╮", "       ", "╰╌   ╌╯"),
            ("       ", "   ·   ", "       "),
        ),
        Shapes(
            4,
            (("▟██▙", "▝▀▀▘"), ("▟▀▀▙", "▝▀▀▘")),
            (("▟★★▙", "▝▀▀▘"), ("╭★★╮", "╰──╯")),
            (("▟■■▙", "▝▀▀▘"), ("╭□□╮", "╰──╯")),
            ("╭╌╌╮", "╰╌╌╯"),
            (" ·· ", "    "),
        ),
        Shapes(3, ((" ● ",), (" ○ ",)), (("▸●◂",), ("▸○◂",)), (("[●]",), ("[○]",)), (" ◌ ",), (" · ",)),
        Shapes(1, (("●",), ("○",)), (("★",), ("☆",)), (("■",), ("□",)), ("◌",), ("·",)),
    ),
    "ascii": (
        Shapes(
            7,
            ((" .###. ", "#######", " '###' "), (" .---. ", "|     |", " '---' ")),
            ((" .###. ", "## * ##", " '###' "), (" .---. ", "|  *  |", " '---' ")),
            ((" .###. ", "## o ##", " '###' "), (" .---. ", "|  o  |", " '---' ")),
            (" .   . ", "   +   ", " '   ' "),
            ("       ", "   .   ", "       "),
        ),
        Shapes(
            4,
            ((".##.", "'##'"), (".--.", "'--'")),
            ((".**.", "'##'"), (".**.", "'--'")),
            ((".oo.", "'##'"), (".oo.", "'--'")),
            (" ++ ", "    "),
            (" .. ", "    "),
        ),
        Shapes(3, ((" X ",), (" O ",)), ((">X<",), (">O<",)), (("[X]",), ("[O]",)), (" + ",), (" . ",)),
        Shapes(1, (("X",), ("O",)), (("#",), ("@",)), (("x",), ("o",)), ("+",), (".",)),
    ),
}


FRAMES = {"unicode": "╰╯▼", "ascii": "++v"}  # the lower corners, the cursor


class Discs:
    """The picture of a board with discs."""

    def __init__(self, columns: int, rows: int, wide: int, room: int, signs: Glyphs, labelled: bool = False) -> None:
        """Lay out a board of so many columns and rows. `labelled` keeps one or two lines below it free, if they fit."""
        self.columns, self.rows, self.signs = columns, rows, signs
        fitting = [
            shapes
            for shapes in SHAPES[signs.name]
            if columns * (shapes.wide + 1) + 3 <= wide and rows * shapes.tall + 3 <= room
        ]
        self.shapes = fitting[0] if fitting else SHAPES[signs.name][-1]
        self.pitch = self.shapes.wide + 1 if fitting else 1
        self.width = columns * self.pitch + 3
        self.height = rows * self.shapes.tall + 3
        wanted = 0 if not labelled else 2 if self.pitch >= LONG_PITCH else 1
        self.labels = max(0, min(wanted, room - self.height))  # lines
        self.height += self.labels
        self.margin, self.top = max(0, (wide - self.width) // 2), max(0, (room - self.height) // 2)

    def paint(
        self, cells: Cells, landing: frozenset[Cell], owned: Owned, column: int | None, labels: Labels = NO_LABELS
    ) -> list[list[Line]]:
        """Return the lines of each column, from left to right; the frame's edges are first and last."""
        height = self.rows * self.shapes.tall
        pictures = [self._edge(self.margin, 2)]
        for at in range(self.columns):
            painter = Painter(self.pitch, self.top + self.height)
            middle = (self.pitch - 1) // 2
            if at == column:
                painter.write(middle, self.top, FRAMES[self.signs.name][2], Ink.PICK)
            for row in range(self.rows):
                shape, ink = self._shape((row, at), cells[row][at], landing, owned)
                for line, text in enumerate(shape):
                    painter.write(0, self.top + 1 + row * self.shapes.tall + line, text, ink)
            bottom = self.top + 1 + height
            painter.write(0, bottom, self.signs.rule * self.pitch, Ink.FRAME)
            name = str(at + 1)
            painter.write(middle - (len(name) - 1) // 2, bottom + 1, name, Ink.PICK if at == column else Ink.QUIET)
            if at in labels:
                self._label(painter, bottom + 2, *labels[at])
            pictures.append(painter.lines())
        return [*pictures, self._edge(0, 1)]

    def _label(self, painter: Painter, y: int, outcome: Outcome, plies: int | None) -> None:
        """Write below a column how a disc there ends the game: 'wins' above 'in 7', or 'W7' where room is short."""
        if self.labels == 2:
            texts = [LONG[outcome], "" if plies is None else f"in {plies}"]
        else:
            number = "" if plies is None or self.pitch < SHORT_PITCH else str(plies)
            texts = [SHORT[outcome] + number][: self.labels]
        for line, text in enumerate(texts):
            painter.write(max(0, (self.pitch - len(text)) // 2), y + line, text, INKS[outcome])

    def _edge(self, x: int, wide: int) -> list[Line]:
        """Return a side of the frame, at this column of a tile."""
        painter = Painter(x + wide, self.top + self.height)
        for y in range(self.rows * self.shapes.tall):
            painter.write(x, self.top + 1 + y, self.signs.stem, Ink.FRAME)
        corners = FRAMES[self.signs.name]
        low = corners[0] + self.signs.rule if wide > 1 else corners[1]
        painter.write(x, self.top + 1 + self.rows * self.shapes.tall, low, Ink.FRAME)
        return painter.lines()

    def _shape(self, cell: Cell, disc: int, landing: frozenset[Cell], owned: Owned) -> tuple[Shape, Ink]:
        shapes = self.shapes
        if disc == 0:
            return (shapes.landing, Ink.PICK) if cell in landing else (shapes.empty, Ink.QUIET)
        if cell in owned.winning:
            return shapes.won[disc - 1], Ink.WON
        return (shapes.last if cell in owned.last else shapes.plain)[disc - 1], (Ink.FIRST, Ink.SECOND)[disc - 1]

    @property
    def widths(self) -> list[int]:
        """How many columns each picture of `paint` takes."""
        return [self.margin + 2, *[self.pitch] * self.columns, 1]

    def cell_at(self, x: int) -> Cell | None:
        """Return the column at this place, as the cell at its top."""
        column = (x - self.margin - 2) // self.pitch
        return (0, column) if 0 <= column < self.columns else None


def winning_cells(cells: Cells, last: Cell, k: int) -> frozenset[Cell]:
    """Return the cells of all lines of `k` or more equal discs through the last disc."""
    row, column = last
    disc = cells[row][column]
    winning: set[Cell] = set()
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        line = [last]
        for step_y, step_x in ((down, right), (-down, -right)):
            y, x = row + step_y, column + step_x
            while 0 <= y < len(cells) and 0 <= x < len(cells[0]) and cells[y][x] == disc:
                line.append((y, x))
                y, x = y + step_y, x + step_x
        if len(line) >= k:
            winning.update(line)
    return frozenset(winning)
