"""Paint boards of matches: rows of heaps, and rows of neighbours with gaps.

A match is one to six lines high, as the room allows, with its head on top. A tower (1, 3, 5, … matches) is a centred
pyramid; other rows start at the left. Long rows have no space between matches, with a gap after every five or ten. Rows
that are still too long wrap into lines of similar length. If even that is too large, each row becomes one line with a
number and a bar. If there are too many rows, the picture scrolls with the cursor.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from nimtui.report.lines import Ink, Line, Painter
from nimtui.ui.board.cursor import Cell, Owned
from nimtui.ui.kit.terminal.glyphs import Glyphs

Cells: TypeAlias = frozenset[Cell]
LABEL = 3  # columns for the row's letter

# Lines a match is high and empty lines between rows, the best first; then columns from match to match.
HEIGHTS = ((6, 2), (5, 1), (4, 1), (3, 1), (2, 2), (2, 1), (2, 0), (1, 1), (1, 0))
STEPS = (12, 10, 8, 6, 4, 3, 2)
CLOSE = ((2, 1), (2, 0), (1, 1), (1, 0))  # the heights of rows that stand close, without a column between matches
GROUPS = (5, 10, 0)  # so many matches, then a gap; 0: no gap at all
SMALL = 28  # with fewer lines than these a match is at most two high, so that a key costs less than 500 bytes

HEADS = {"unicode": "●", "ascii": "*"}
STRUCK = {"unicode": "╎", "ascii": ":"}  # the stick of a match that would be taken


class Plan(NamedTuple):
    """How far apart matches stand."""

    tall: int  # lines of a match; 0: a number and a bar instead
    gap: int  # empty lines between rows
    step: int  # columns from match to match
    group: int  # after so many matches a column more; 0: never
    across: int  # matches in a line before it wraps

    def offset(self, at: int) -> int:
        """Return the columns from the first match of its line to this one."""
        return at * self.step + (at // self.group if self.group else 0)


def is_tower(lengths: Sequence[int]) -> bool:
    """Return whether the rows have 1, 3, 5, … matches."""
    return len(lengths) > 1 and list(lengths) == list(range(1, 2 * len(lengths), 2))


def plan(lengths: Sequence[int], columns: int, room: int) -> Plan:
    """Return the largest layout of rows with these lengths that fits."""
    longest = max(lengths)
    wide = max(1, columns - LABEL)
    for tall, gap in HEIGHTS:
        if tall > 2 and room < SMALL:
            continue
        for step in STEPS:
            if step > 3 * tall or tall > step + 1:
                continue
            across = (wide - 1) // step + 1
            if across >= longest and len(lengths) * (tall + gap) - gap <= room:
                return Plan(tall, gap, step, 0, longest)
    for tall, gap in CLOSE:
        for group in GROUPS if not is_tower(lengths) else (0,):
            close = Plan(tall, gap, 1, group, longest)
            if close.offset(longest - 1) < wide and len(lengths) * (tall + gap) - gap <= room:
                return close
    across = (wide - 1) // 2 + 1
    across = -(-longest // -(-longest // across))  # lines of much the same length
    for tall, gap in ((2, 1), (1, 1), (1, 0)):  # wrapped, or as high as it comes where rows are short
        lines = sum(-(-length // across) for length in lengths)
        if lines * (tall + gap) - gap <= room or (longest <= across and (tall, gap) == (1, 0)):
            return Plan(tall, gap, 2, 0, across)
    return Plan(0, 0, 1, 0, longest)


class Matches:
    """The picture of a board of matches."""

    def __init__(self, lengths: Sequence[int], columns: int, room: int) -> None:
        """Lay out rows of these lengths for a widget of this size."""
        self.lengths, self.columns, self.room = tuple(lengths), columns, room
        self.plan = plan(lengths, columns, room)
        tall, gap, step, _, across = self.plan
        longest = max(lengths)
        tower = is_tower(lengths) and across >= longest and tall
        wide = self.plan.offset(min(across, longest) - 1) + 1 if tall else columns - LABEL
        self.margin = max(0, (columns - LABEL - wide) // 2)  # columns before the letters
        indents = [(longest - length) * step // 2 if tower else 0 for length in lengths]
        self.starts = [self.margin + LABEL + indent for indent in indents]  # row -> column of its first match
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
        self, cells: Sequence[Sequence[int]], marked: Cells, owned: Owned, row: int | None, signs: Glyphs
    ) -> list[Line]:
        """Return the lines. `owned`: who took what, and what was taken last; `row`: the cursor's row."""
        painter = Painter(self.columns, self.room)
        away = self.scroll(row or 0)
        draw = self._row if self.plan.tall else self._numbers
        for number, standing in enumerate(cells):
            draw(painter, number, standing, marked, owned, signs, away)
            y = self.top + self.tops[number] - away + max(self.plan.tall, 1) - 1
            here = signs.cursor if number == row else " "
            painter.write(self.margin, y, f"{here}{chr(ord('A') + number)}", Ink.STICK)
        if self.height > self.room:
            above, below = away > 0, away < self.height - self.room
            painter.write(self.columns - 1, 0, signs.up if above else " ", Ink.QUIET)
            painter.write(self.columns - 1, self.room - 1, signs.down if below else " ", Ink.QUIET)
        return painter.lines()

    def _row(
        self, painter: Painter, row: int, standing: Sequence[int], marked: Cells, owned: Owned, signs: Glyphs, away: int
    ) -> None:
        tall = self.plan.tall
        for at, there in enumerate(standing):
            cell = (row, at)
            x, y = self.place(cell)
            y -= away
            if not there:
                owner = owned.by.get(cell)
                if owner is not None:
                    ghosts, ink = (signs.last, Ink.STRONG) if cell in owned.last else (signs.ghosts, Ink.GHOST)
                    painter.write(x, y + tall - 1, ghosts[owner], ink)
                continue
            picked = cell in marked
            for up in range(tall):
                if picked:
                    sign, ink = (signs.chosen if up == 0 else STRUCK[signs.name]), Ink.PICK
                elif up == 0 and tall > 1:
                    sign, ink = HEADS[signs.name], Ink.HEAD
                else:
                    sign, ink = signs.match, Ink.STICK
                painter.write(x, y + up, sign, ink)

    def _numbers(
        self, painter: Painter, row: int, standing: Sequence[int], marked: Cells, owned: Owned, signs: Glyphs, away: int
    ) -> None:
        """Paint one line: the standing matches as a number and a bar, with the marked and the last ones visible."""
        y = self.top + self.tops[row] - away
        matches, taken = sum(standing), sum(1 for at in range(len(standing)) if (row, at) in marked)
        x = self.margin + LABEL
        painter.write(x, y, f"{matches:>3}", Ink.STICK)
        wide = self.columns - x - 5
        scale = min(1.0, wide / max(self.lengths))
        full, stays = round(matches * scale), round((matches - taken) * scale)
        stays = min(stays, full - 1) if taken else stays
        painter.write(x + 4, y, signs.match * max(0, stays), Ink.STICK)
        painter.write(x + 4 + max(0, stays), y, signs.chosen * (full - max(0, stays)), Ink.PICK)
        if gone := [cell for cell in owned.last if cell[0] == row]:
            painter.write(x + 4 + full, y, signs.last[owned.by.get(gone[0], 0)], Ink.STRONG)

    def cell_at(self, x: int, y: int, row: int | None) -> Cell | None:
        """Return the match drawn at this place (or beside it), while the cursor is on `row`."""
        plan = self.plan
        y += self.scroll(row or 0) - self.top
        number = next((at for at in range(len(self.lengths) - 1, -1, -1) if self.tops[at] <= y), None)
        if number is None or y >= self.height:
            return None
        if not plan.tall:
            wide = self.columns - self.margin - LABEL - 5
            at = int((x - self.margin - LABEL - 4) / min(1.0, wide / max(self.lengths)))
            return (number, at) if 0 <= at < self.lengths[number] else None
        away = x - self.starts[number]
        if not -plan.step <= 2 * away <= 2 * plan.offset(plan.across - 1) + plan.step:
            return None
        column = min(range(plan.across), key=lambda at: abs(plan.offset(at) - away))
        at = column + (y - self.tops[number]) // (plan.tall + plan.gap) * plan.across
        return (number, at) if at < self.lengths[number] else None
