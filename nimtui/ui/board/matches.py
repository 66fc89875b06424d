"""Paint boards of matches: rows of heaps, and rows of neighbours with gaps.

A match is one to six lines high, as the room allows, with its head on top. A tower (1, 3, 5, … matches) is a centred
pyramid; other rows start at the left. Long rows have no space between matches, with a gap after every five or ten. Rows
that are still too long wrap into lines of similar length. If even that is too large, each row becomes one line with a
number and a bar. If there are too many rows, the picture scrolls with the cursor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, product
from math import ceil
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from nimtui.report.lines import Ink, Line
from nimtui.theory.verdict import Outcome
from nimtui.ui.board import raster
from nimtui.ui.board.cursor import Cell, Owned
from nimtui.ui.board.discs import SHORT
from nimtui.ui.board.raster import Box, Raster
from nimtui.ui.kit.terminal.glyphs import Glyphs

Cells: TypeAlias = frozenset[Cell]
Notes: TypeAlias = Mapping[Cell, tuple[str, Ink]]  # what stands below the matches there
NO_NOTES: Notes = MappingProxyType({})
LABEL = 3  # columns for the row's letter

# Lines a match is high and empty lines between rows, the best first; then columns from match to match.
HEIGHTS = (*((tall, 2) for tall in range(16, 5, -1)), (5, 1), (4, 1), (3, 1), (2, 2), (2, 1), (2, 0), (1, 1), (1, 0))
STEPS = (*range(18, 9, -1), 8, 6, 5, 4, 3, 2)
CLOSE = ((2, 1), (2, 0), (1, 1), (1, 0))  # the heights of rows that stand close, without a column between matches
GROUPS = (5, 10, 0)  # so many matches, then a gap; 0: no gap at all
SMALL = 20  # with fewer lines than these a match is at most two high, so that a key costs less than 500 bytes
AREA = (3, 4)  # least lines of a match, and columns from match to match, to be drawn by area
BODIES = ((14, 3), (8, 2))  # from so many columns from match to match: columns of a stick drawn by area

HEAD, STROKE, HOLE = 1.3, 0.45, 0.5  # half lines of a head per column; shares of a cross, and of a spot
HEADS = {"unicode": "●", "ascii": "*"}
BLUE = 2  # a match with a blue head
STRUCK = {"unicode": "╎", "ascii": ":"}  # the stick of a match that would be taken


class Plan(NamedTuple):
    """How far apart matches stand."""

    tall: int  # lines of a match; 0: a number and a bar instead
    gap: int  # empty lines between rows
    step: int  # columns from match to match
    group: int  # after so many matches a column more; 0: never
    across: int  # matches in a line before it wraps

    @property
    def by_area(self) -> bool:
        """Whether matches are drawn by area."""
        return self.tall >= AREA[0] and self.step >= AREA[1]

    @property
    def stick(self) -> int:
        """The columns of a stick."""
        return next((wide for least, wide in BODIES if self.by_area and self.step >= least), 1)

    @property
    def head(self) -> int:
        """The columns of a head, half of what it has more than the stick on each side."""
        return self.stick + (1 if self.stick == 1 else 2) if self.by_area else 1

    def offset(self, at: int) -> int:
        """Return the columns from the first match of its line to this one."""
        return at * self.step + (at // self.group if self.group else 0)


def is_tower(lengths: Sequence[int]) -> bool:
    """Return whether the rows have 1, 3, 5, … matches."""
    return len(lengths) > 1 and list(lengths) == list(range(1, 2 * len(lengths), 2))


def plan(lengths: Sequence[int], columns: int, room: int, small: int = SMALL) -> Plan:
    """Return the largest layout of rows with these lengths that fits; in less than `small` lines matches are low."""
    longest, wide = max(lengths), max(1, columns - LABEL)
    heights = [(tall, gap) for tall, gap in HEIGHTS if tall <= 2 or room >= small]
    apart = (
        Plan(tall, gap, step, 0, longest)
        for (tall, gap), step in product(heights, STEPS)
        if tall - 1 <= step <= 3 * tall
    )
    groups = (0,) if is_tower(lengths) else GROUPS
    close = (Plan(tall, gap, 1, group, longest) for (tall, gap), group in product(CLOSE, groups))
    for found in chain(apart, close):
        deep = len(lengths) * (found.tall + found.gap) - found.gap
        if deep <= room and found.offset(longest - 1) + found.head <= wide:
            return found
    across = (wide - 1) // 2 + 1
    across = -(-longest // -(-longest // across))  # lines of much the same length
    for tall, gap in ((2, 1), (1, 1), (1, 0)):  # wrapped, or as high as it comes where rows are short
        lines = sum(-(-length // across) for length in lengths)
        if lines * (tall + gap) - gap <= room or (longest <= across and (tall, gap) == (1, 0)):
            return Plan(tall, gap, 2, 0, across)
    return Plan(0, 0, 1, 0, longest)


class Matches:
    """The picture of a board of matches."""

    def __init__(self, lengths: Sequence[int], columns: int, room: int, small: int = SMALL, named: bool = True) -> None:
        """Lay out rows of these lengths for a widget of this size, `named` by letters."""
        self.named = named
        self.lengths, self.columns, self.room = tuple(lengths), columns, room
        self.plan = plan(lengths, columns, room, small)
        tall, gap, step, _, across = self.plan
        longest = max(lengths)
        tower = is_tower(lengths) and across >= longest and tall
        wide = self.plan.offset(min(across, longest) - 1) + self.plan.head
        self.margin = max(0, (columns - LABEL - wide) // 2) if tall else 0  # columns before the letters
        indents = [(longest - length) * step // 2 if tower else 0 for length in lengths]
        first = self.margin + LABEL + (self.plan.head - self.plan.stick) // 2  # the head is a blank from the letter
        self.starts = [first + indent for indent in indents]  # row -> column of its first match
        heights = [(-(-length // across) if tall else 1) * (max(tall, 1) + gap) for length in lengths]
        *self.tops, below = accumulate(heights, initial=0)  # row -> its first line, counted from the first row's
        self.height = below - gap  # lines of all rows
        self.top = max(0, (room - self.height) // 2)

    def scroll(self, row: int) -> int:
        """Return the lines hidden above while the cursor is on this row, which stays near the middle."""
        if self.height <= self.room:
            return 0
        return max(0, min(self.height - self.room, self.tops[row] - self.room // 2))

    def place(self, cell: Cell) -> tuple[int, int]:
        """Return the column and the first line of a match, before scrolling."""
        row, at = cell
        line, column = divmod(at, self.plan.across)
        y = self.top + self.tops[row] + line * (self.plan.tall + self.plan.gap)
        return self.starts[row] + self.plan.offset(column), y

    def paint(
        self,
        cells: Sequence[Sequence[int]],
        marked: Cells,
        owned: Owned,
        row: int | None,
        signs: Glyphs,
        notes: Notes = NO_NOTES,
    ) -> list[Line]:
        """Return the lines. `owned`: who took what, and what was taken last; `row`: the cursor's row."""
        painter = Raster(self.columns, self.room, signs)
        away = self.scroll(row or 0)
        for number, standing in enumerate(cells):
            y = self.top + self.tops[number] - away
            if self.plan.tall:
                for cell in ((number, at) for at in range(len(standing))):
                    x, top = self.place(cell)
                    deep, beside = self.plan.tall + self.plan.gap, (self.plan.step - 1) // 2
                    painter.aim(x - beside, top - away, self.plan.step, deep, cell)
                    if kind := standing[cell[1]]:
                        self._match(painter, x, top - away, cell in marked, Ink.BAR if kind == BLUE else Ink.HEAD)
                        below = top + self.plan.tall  # rows with a gap between them never scroll
                        if self.plan.gap and cell in owned.heat:
                            painter.write(x, below, signs.shades[owned.heat[cell]] * self.plan.stick, Ink.BAR)
                        if self.plan.gap and (end := owned.exact.get(cell)) is not None:
                            ink = Ink.GOOD if end is Outcome.WIN else Ink.TEXT
                            painter.write(x + self.plan.stick // 2, below, SHORT[end], ink)
                        if self.plan.gap and cell in notes:
                            painter.write(x, below, *notes[cell])
                    elif (owner := owned.by.get(cell)) is not None:
                        self._ghost(painter, x, top - away, owner, cell in owned.last)
            else:
                self._numbers(painter, number, standing, marked, owned, y)
            here = signs.cursor if number == row else " "
            name = f"{here}{chr(ord('A') + number)}" if self.named else here
            painter.write(self.margin, y + max(self.plan.tall, 1) - 1, name, Ink.STICK)
        if self.height > self.room:
            above, further = away > 0, away < self.height - self.room
            painter.write(self.columns - 1, 0, signs.up if above else " ", Ink.QUIET)
            painter.write(self.columns - 1, self.room - 1, signs.down if further else " ", Ink.QUIET)
        return painter.lines()

    def _match(self, painter: Raster, x: int, y: int, picked: bool, kind: Ink) -> None:
        """Draw a match with its foot on the last of its lines; one that would be taken has a cross for a head."""
        tall, stick, head, signs = self.plan.tall, self.plan.stick, self.plan.head, painter.signs
        if not self.plan.by_area:
            crown, below = (signs.chosen, STRUCK[signs.name]) if picked else (HEADS[signs.name], signs.match)
            for up in range(tall):
                ink = Ink.PICK if picked else kind if up == 0 and tall > 1 else Ink.STICK
                painter.write(x, y + up, crown if up == 0 and (picked or tall > 1) else below, ink)
            return
        top = Box(x - (head - stick) / 2, y, head, min(tall / 2, ceil(head * HEAD) / 2))
        painter.fill(x, y + top.tall / 2, stick, tall - top.tall / 2, Ink.WOOD)
        if not picked:
            top.fill(painter, kind, raster.disc)
            return
        top.fill(painter, Ink.TEXT)
        if stick > 1:
            top.fill(painter, Ink.PICK, raster.cross(STROKE))
        else:
            painter.write(x, y + int(top.tall) - 1, signs.chosen, Ink.PICK)

    def _ghost(self, painter: Raster, x: int, y: int, owner: int, last: bool) -> None:
        """Draw the mark of the player who took a match, where its foot was; by area also where it stood."""
        below, signs, stick = y + self.plan.tall, painter.signs, self.plan.stick
        if self.plan.by_area:
            painter.fill(x, y, stick, self.plan.tall, Ink.EATEN)
        ink = Ink.STRONG if last else Ink.GHOST
        if stick == 1:
            painter.write(x, below - 1, (signs.last if last else signs.ghosts)[owner], ink)
            return
        spot, shape = Box(x + stick / 2 - 2, below - 2, 4, 2), raster.full if last else raster.disc
        spot.fill(painter, ink, shape)
        if owner:
            spot.middle(HOLE).fill(painter, Ink.TEXT, shape)

    def _numbers(self, painter: Raster, row: int, standing: Sequence[int], marked: Cells, owned: Owned, y: int) -> None:
        """Paint one line: the standing matches as a number and a bar, with the marked and the last ones visible."""
        matches, taken = sum(map(bool, standing)), sum(1 for at in range(len(standing)) if (row, at) in marked)
        x, signs = self.margin + LABEL, painter.signs
        painter.write(x, y, f"{matches:>3}", Ink.STICK)
        if (wide := self.columns - x - 5) < 1:
            return
        scale = min(1.0, wide / max(self.lengths))
        for column in range(wide + 2):
            if (at := int(column / scale)) < len(standing):
                painter.aim(x + 4 + column, y, 1, 1, (row, at))
        full, stays = round(matches * scale), round((matches - taken) * scale)
        stays = min(stays, full - 1) if taken else stays
        painter.write(x + 4, y, signs.match * max(0, stays), Ink.STICK)
        painter.write(x + 4 + max(0, stays), y, signs.chosen * (full - max(0, stays)), Ink.PICK)
        if gone := [cell for cell in owned.last if cell[0] == row]:
            painter.write(x + 4 + full, y, signs.last[owned.by.get(gone[0], 0)], Ink.STRONG)
