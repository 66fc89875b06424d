"""Paint a board with discs: columns, a cursor above one of them, and a preview of the landing disc.

The first player's discs are solid, the second's are rings, so that no colour is needed to tell them apart; the winning
discs have a diamond in them, the last disc a square. Discs are as large as the room allows, in steps of half a line;
where they are lower than two lines, each is a sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from types import MappingProxyType

from nimtui.report.lines import Ink, Line
from nimtui.theory.verdict import Outcome
from nimtui.ui.board import raster
from nimtui.ui.board.cursor import BANDS, Cell, Owned
from nimtui.ui.board.raster import Box, Raster
from nimtui.ui.kit.terminal.glyphs import Glyphs

Cells = Sequence[Sequence[int]]
Labels = Mapping[int, tuple[Outcome, int | None]]  # column -> how a disc there ends the game, after how many plies
NO_LABELS: Labels = MappingProxyType({})

SHORT = {Outcome.WIN: "W", Outcome.DRAW: "D", Outcome.LOSS: "L"}
LONG = {Outcome.WIN: "wins", Outcome.DRAW: "draws", Outcome.LOSS: "loses"}
ENDS = {Outcome.WIN: Ink.GOOD, Outcome.DRAW: Ink.TEXT, Outcome.LOSS: Ink.QUIET}
LONG_PITCH = 7  # columns of a label in words
SHORT_PITCH = 4  # columns of 'L12' and a blank; below, only the letter
INKS = (Ink.FIRST, Ink.SECOND)

LEAST = 4  # half lines from disc to disc; below, a disc is a sign
HEAT = 3  # lines of a bar above the board at most
MARKED = 6  # columns from disc to disc from which marks are drawn into a disc by area
SLIT = 5  # from which the last disc's mark is, as a slit
SIGNED = (4, 2, 1)  # columns from sign to sign, the best first
GAPS = ((16, 3), (10, 2), (5, 1))  # from so many half lines from disc to disc: half lines between them
HOLE, LANDING, MARK, GEM, LARGE_GEM = 0.58, 0.5, 0.3, 0.6, 0.75  # shares of the disc
SIGNS = {  # the cursor, a hole, the landing disc; by player a disc, a winning one, the last one; around the latter two
    "unicode": ("▼", "·", "◌", ("●○", "★☆", "■□"), ("▸◂", "[]")),
    "ascii": ("v", ".", "+", ("XO", "#@", "xo"), ("><", "[]")),
}
CORNERS = {"unicode": "╰╯", "ascii": "++"}  # the lower ones


def result_words(outcome: Outcome, plies: int | None) -> list[str]:
    """Return how a move ends the game, and after how many plies: 'wins', 'in 7'."""
    return [LONG[outcome], "" if plies is None else f"in {plies}"]


class Discs:
    """The picture of a board with discs."""

    def __init__(
        self,
        columns: int,
        rows: int,
        wide: int,
        room: int,
        signs: Glyphs,
        labelled: bool = False,
        bare: bool = False,
        least: int = 1,
    ) -> None:
        """Lay out a board of so many columns and rows, with at least so many columns of the terminal for each.

        `labelled` keeps one or two lines below it free, if they fit; `bare` leaves out its cursor, names and foot.
        """
        self.columns, self.rows, self.signs = columns, rows, signs
        self._size = wide, room
        framed = not (signs.grounds or bare)  # a frame shows where the board is, if its own ground does not
        steps = range(2 * room, LEAST - 1, -1 if signs.pixels[1] > 1 else -2)
        sizes: list[tuple[float, int]] = [(step / 2, round(step / 2 * signs.ratio)) for step in steps]
        sizes[-1:] = [(LEAST / 2, LEAST + 1), (LEAST / 2, LEAST), *((1.0, pitch) for pitch in SIGNED)]
        self._edge = int(not bare)  # lines above and below the discs
        around = 2 * self._edge + framed
        sizes = [(tall, max(pitch, least)) for tall, pitch in sizes]
        fitting = [
            (tall, pitch)
            for tall, pitch in sizes
            if columns * pitch + 2 * framed <= wide
            and around + ceil(rows * tall) + 2 * (pitch >= LONG_PITCH and not bare) <= room  # with room for labels
        ]
        self.tall, self.pitch = next(iter(fitting), sizes[-1])  # lines and columns from disc to disc
        self.deep = ceil(rows * self.tall)  # lines of all discs
        self.height = around + self.deep
        wanted = 0 if not labelled else 2 if self.pitch >= LONG_PITCH else 1
        self.labels = max(0, min(wanted, room - self.height))  # lines
        self.height += self.labels
        self.left, self.top = max(0, (wide - columns * self.pitch) // 2), max(0, (room - self.height) // 2)
        self.first = self.top + self._edge  # the line of the first disc
        self._rim = 0.5 * (signs.grounds and self._gap < 1 and not bare)  # above the discs, if no gap parts them

    def paint(
        self, cells: Cells, landing: frozenset[Cell], owned: Owned, column: int | None, labels: Labels = NO_LABELS
    ) -> list[Line]:
        """Return the lines. `landing`: where the disc of the cursor's column would lie."""
        painter = Raster(*self._size, self.signs)
        below, rim = self._board(painter), self.first - self._rim
        for row, discs in enumerate(cells):
            for at, disc in enumerate(discs):
                draw = self._disc if self.tall > 1 else self._sign
                draw(painter, (row, at), disc, landing, owned)
        for at in range(self.columns * self._edge):
            x, here, name = self.left + at * self.pitch, at == column, str(at + 1)
            painter.aim(x, 0, self.pitch, self._size[1], (0, at))
            if (high := ceil(owned.heat.get((0, at), 0) * 2 * min(HEAT, rim) / (BANDS - 1)) / 2) > 0:
                painter.fill(x + 1, rim - high, max(1, self.pitch - 2), high, Ink.BAR)
            if here and (self._rim or self.pitch > MARKED):
                wide = max(2 - self.pitch % 2, self.pitch // 8 * 2 + self.pitch % 2)
                shape = raster.full if self._rim else raster.wedge
                painter.fill(x + (self.pitch - wide) / 2, self.top, wide, 1 - self._rim, Ink.PICK, shape)
            elif here:
                painter.write(x + (self.pitch - 1) // 2, self.top, SIGNS[self.signs.name][0], Ink.PICK)
            painter.write(x + (self.pitch - len(name)) // 2, below, name, Ink.PICK if here else Ink.QUIET)
            if at in labels:
                self._label(painter, x, below + 1, *labels[at])
        return painter.lines()

    def _board(self, painter: Raster) -> int:
        """Draw the board, or the frame in its place; return the line below it."""
        x, y, wide, signs = self.left - 1, self.first, self.columns * self.pitch + 2, self.signs
        below = y + self.deep
        if signs.grounds:
            foot = self.deep - self.rows * self.tall if self.tall > 1 else 0
            painter.fill(x, y - self._rim, wide, self._rim + self.rows * self.tall + foot, Ink.BOARD)
            return below
        for line in range(y, below):
            painter.write(x, line, signs.stem, Ink.FRAME)
            painter.write(x + wide - 1, line, signs.stem, Ink.FRAME)
        corners = CORNERS[signs.name]
        if self._edge:
            painter.write(x, below, corners[0] + signs.rule * (wide - 2) + corners[1], Ink.FRAME)
        return below + 1

    @property
    def _gap(self) -> float:
        """Lines between two discs."""
        if self.signs.pixels[1] == 1:
            return self.tall // 3
        return next((gap for least, gap in GAPS if 2 * self.tall >= least), 0) / 2

    def _disc(self, painter: Raster, cell: Cell, disc: int, landing: frozenset[Cell], owned: Owned) -> None:
        """Draw a disc, or the hole in its place, by area."""
        letters, signs = self.signs.pixels[1] == 1, SIGNS[self.signs.name]
        gap, tall = self._gap, self.tall - self._gap
        wide = min(round(2 * tall / self.tall * self.pitch) / 2, self.pitch - 1)
        x, y = self.left + cell[1] * self.pitch, self.first + cell[0] * self.tall
        box = Box(x + (self.pitch - wide) / 2, y + (0 if letters else int(gap) / 2), wide, tall)
        won, last, ink = cell in owned.winning, cell in owned.last, INKS[disc - 1]
        small = self.pitch < MARKED or letters
        coarse = small and self.signs.pixels[0] == 1
        if not disc:
            hole = box._replace(tall=tall - (not gap) / 2)
            hole.fill(painter, Ink.TEXT, raster.disc)
            if cell in landing and coarse:
                box.write(painter, signs[2], Ink.PICK)
            elif cell in landing:
                hole.middle(LANDING).fill(painter, Ink.PICK, raster.disc if small else raster.ring(HOLE))
            elif not self.signs.grounds:
                box.write(painter, signs[1], Ink.QUIET)
            return
        box.fill(painter, Ink.WON if won else ink, raster.disc)
        signed = small if won else last and (coarse or self.pitch < SLIT)
        if disc == 2 and (letters or not won | signed):
            box.middle(HOLE).fill(painter, Ink.BOARD, raster.disc)
        if signed:
            on = Ink.BOARD if self.signs.grounds else Ink.WON if won else ink
            box.write(painter, signs[3][1 if won else 2][disc - 1] * (2 - self.pitch % 2), on)
        elif won:
            box.middle(GEM if disc == 1 else LARGE_GEM).fill(painter, Ink.BOARD, raster.diamond)
        elif last:
            mark = box.middle(MARK)
            mark = mark.centre(1, mark.tall) if self.pitch == SLIT else mark  # else it would fill the ring's hole
            mark.fill(painter, Ink.BOARD if disc == 1 else ink)

    def _sign(self, painter: Raster, cell: Cell, disc: int, landing: frozenset[Cell], owned: Owned) -> None:
        """Write a disc, or the hole in its place, as a sign."""
        x, y = self.left + cell[1] * self.pitch + (self.pitch - 1) // 2, self.first + cell[0]
        _, hole, lands, (plain, *marked), around = SIGNS[self.signs.name]
        if not disc:
            quiet, pick = (Ink.HEAT, Ink.AIM) if self.signs.grounds else (Ink.QUIET, Ink.PICK)
            painter.write(x, y, *((lands, pick) if cell in landing else (hole, quiet)))
            return
        won, spacious = cell in owned.winning, self.pitch >= SIGNED[0]
        kind = 0 if won else 1 if cell in owned.last else None
        ink = Ink.WON if won else INKS[disc - 1]
        painter.write(x, y, (plain if kind is None or spacious else marked[kind])[disc - 1], ink)
        if kind is not None and spacious:
            painter.write(x - 1, y, around[kind][0], ink)
            painter.write(x + 1, y, around[kind][1], ink)

    def _label(self, painter: Raster, x: int, y: int, outcome: Outcome, plies: int | None) -> None:
        """Write below a column how a disc there ends the game: 'wins' above 'in 7', or 'W7' where room is short."""
        if self.labels == 2:
            texts = result_words(outcome, plies)
        else:
            number = "" if plies is None or self.pitch < SHORT_PITCH else str(plies)
            texts = [SHORT[outcome] + number][: self.labels]
        for line, text in enumerate(texts):
            painter.write(x + max(0, (self.pitch - len(text)) // 2), y + line, text, ENDS[outcome])


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
