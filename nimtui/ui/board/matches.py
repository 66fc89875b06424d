"""Paint boards of matches: rows of heaps, and rows of neighbours with gaps.

A match is one to six lines high, as the room allows, with its head on top. A tower (1, 3, 5, … matches) is a centred
pyramid; other rows start at the left. Long rows have no space between matches, with a gap after every five or ten. Rows
that are still too long wrap into lines of similar length. If even that is too large, each row becomes one line with a
number and a bar. If there are too many rows, the picture scrolls with the cursor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from nimtui.report.lines import Ink, Line, Painter
from nimtui.ui.board.cursor import Cell, Owned
from nimtui.ui.kit.glyphs import Glyphs

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


@dataclass(frozen=True, slots=True)
class Plan:
    """The layout for one size of the widget."""

    tall: int  # lines of a match; 0: a number and a bar instead
    gap: int  # empty lines between rows
    step: int  # columns from match to match
    group: int  # after so many matches a column more; 0: never
    across: int  # matches in a line before it wraps
    margin: int  # columns before the letters
    top: int
    starts: tuple[int, ...]  # row -> column of its first match
    tops: tuple[int, ...]  # row -> its first line, counted from the first row's
    height: int  # lines of all rows
    room: int  # lines there are

    def scroll(self, row: int) -> int:
        """Return the lines hidden above while the cursor is on this row, which stays near the middle."""
        if self.height <= self.room:
            return 0
        return max(0, min(self.height - self.room, self.tops[row] - self.room // 2))

    def place(self, cell: Cell) -> tuple[int, int]:
        """Return the column and the first line of a match, before scrolling."""
        row, at = cell
        line, column = divmod(at, self.across)
        x = self.starts[row] + offset(column, self.step, self.group)
        return x, self.top + self.tops[row] + line * (self.tall + self.gap)

    def column(self, x: int, row: int) -> int | None:
        """Return the match of a line drawn at this column or beside it, or None."""
        away = x - self.starts[row]
        if not -self.step <= 2 * away <= 2 * offset(self.across - 1, self.step, self.group) + self.step:
            return None
        return min(range(self.across), key=lambda at: abs(offset(at, self.step, self.group) - away))


def offset(at: int, step: int, group: int) -> int:
    """Return the columns from the first match of its line to this one."""
    return at * step + (at // group if group else 0)


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
                return _made(lengths, tall, gap, step, 0, longest, columns, room)
    for tall, gap in CLOSE:
        for group in GROUPS if not is_tower(lengths) else (0,):
            if offset(longest - 1, 1, group) < wide and len(lengths) * (tall + gap) - gap <= room:
                return _made(lengths, tall, gap, 1, group, longest, columns, room)
    across = (wide - 1) // 2 + 1
    across = -(-longest // -(-longest // across))  # lines of much the same length
    for tall, gap in ((2, 1), (1, 1), (1, 0)):  # wrapped, or as high as it comes where rows are short
        lines = sum(-(-length // across) for length in lengths)
        if lines * (tall + gap) - gap <= room or (longest <= across and (tall, gap) == (1, 0)):
            return _made(lengths, tall, gap, 2, 0, across, columns, room)
    return _made(lengths, 0, 0, 1, 0, longest, columns, room)


def _made(
    lengths: Sequence[int], tall: int, gap: int, step: int, group: int, across: int, columns: int, room: int
) -> Plan:
    tower = is_tower(lengths) and across >= max(lengths) and tall
    wide = offset(min(across, max(lengths)) - 1, step, group) + 1 if tall else columns - LABEL
    margin = max(0, (columns - LABEL - wide) // 2)
    starts, tops, y = [], [], 0
    for length in lengths:
        indent = (max(lengths) - length) * step // 2 if tower else 0
        starts.append(margin + LABEL + indent)
        tops.append(y)
        lines = -(-length // across) if tall else 1
        y += lines * (max(tall, 1) + gap)
    height = y - gap
    top = max(0, (room - height) // 2)
    return Plan(tall, gap, step, group, across, margin, top, tuple(starts), tuple(tops), height, room)


class Matches:
    """The picture of a board of matches."""

    def __init__(self, lengths: Sequence[int], columns: int, room: int) -> None:
        self.lengths = tuple(lengths)
        self.columns, self.room = columns, room
        self.plan = plan(lengths, columns, room)

    def paint(
        self, cells: Sequence[Sequence[int]], marked: Cells, owned: Owned, row: int | None, signs: Glyphs
    ) -> list[Line]:
        """Return the lines. `owned`: who took what, and what was taken last; `row`: the cursor's row."""
        painter = Painter(self.columns, self.room)
        away = self.plan.scroll(row or 0)
        draw = self._row if self.plan.tall else self._numbers
        for number, standing in enumerate(cells):
            draw(painter, number, standing, marked, owned, signs, away)
            y = self.plan.top + self.plan.tops[number] - away + max(self.plan.tall, 1) - 1
            here = signs.cursor if number == row else " "
            painter.write(self.plan.margin, y, f"{here}{chr(ord('A') + number)}", Ink.STICK)
        if self.plan.height > self.room:
            above, below = away > 0, away < self.plan.height - self.room
            painter.write(self.columns - 1, 0, signs.up if above else " ", Ink.QUIET)
            painter.write(self.columns - 1, self.room - 1, signs.down if below else " ", Ink.QUIET)
        return painter.lines()

    def _row(
        self, painter: Painter, row: int, standing: Sequence[int], marked: Cells, owned: Owned, signs: Glyphs, away: int
    ) -> None:
        tall = self.plan.tall
        for at, there in enumerate(standing):
            cell = (row, at)
            x, y = self.plan.place(cell)
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
        y = self.plan.top + self.plan.tops[row] - away
        matches, taken = sum(standing), sum(1 for at in range(len(standing)) if (row, at) in marked)
        x = self.plan.margin + LABEL
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
        y += plan.scroll(row or 0) - plan.top
        number = next((at for at in range(len(self.lengths) - 1, -1, -1) if plan.tops[at] <= y), None)
        if number is None or y >= plan.height:
            return None
        if not plan.tall:
            wide = self.columns - plan.margin - LABEL - 5
            at = int((x - plan.margin - LABEL - 4) / min(1.0, wide / max(self.lengths)))
            return (number, at) if 0 <= at < self.lengths[number] else None
        column = plan.column(x, number)
        if column is None:
            return None
        at = column + (y - plan.tops[number]) // (plan.tall + plan.gap) * plan.across
        return (number, at) if at < self.lengths[number] else None
