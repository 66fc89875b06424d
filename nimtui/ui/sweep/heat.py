"""The results of a sweep as heat maps: a number and a shade for every pair of two parameters' values. Pure functions.

Numbers fall into five bands, from worst to best, each with its own sign. Further parameters add a grid per combination,
one below the other, with the same bands. `paint` draws for a screen, `text` for a plain terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from nimtui.learning.parameter import as_typed
from nimtui.learning.sweep import Cell, Plan
from nimtui.learning.sweep_report import NEVER, Unit
from nimtui.report.lines import BLANK, Ink, Line, Run, beside, cut, line, plain_text, width
from nimtui.ui.kit.glyphs import Glyphs

BANDS = 5
GAP = 2  # columns between two cells
APART = 4  # and between two grids
SHADES = (4, 2, 1)  # columns of a shade, the widest that fits
HIGHEST, BROAD = 8, 6  # lines of a large cell at most, and the columns of its shade for each line


C = TypeVar("C")


class Pane(NamedTuple, Generic[C]):
    """A pane: rows and columns of cells, each a number in the plan or what is shown of that cell."""

    down: str  # the parameter of the rows; '' if there is only one row
    across: str
    rows: tuple[str, ...]  # the values of `down`
    columns: tuple[str, ...]
    cells: tuple[tuple[C, ...], ...]  # [row][column]
    title: str = ""  # the values of the other parameters: 'low=0, high=100'


def panes(plan: Plan) -> tuple[Pane[int], ...]:
    """Return the panes of a plan: the first parameter down, the second across; a single parameter across."""
    names = list(plan.grid.values)
    words = [tuple(as_typed(value) for value in values) for values in plan.grid.values.values()]
    if len(names) < 2:
        [across], [columns] = names or [""], words or [("",)]
        return (Pane("", across, ("",), columns, (tuple(range(len(columns))),), ""),)
    further = list(product(*words[2:]))
    return tuple(
        Pane(
            names[0],
            names[1],
            words[0],
            words[1],
            tuple(
                tuple((row * len(words[1]) + column) * len(further) + number for column in range(len(words[1])))
                for row in range(len(words[0]))
            ),
            ", ".join(f"{name}={value}" for name, value in zip(names[2:], values, strict=True)),
        )
        for number, values in enumerate(further)
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """The value of one cell."""

    value: float | None = None  # None: not reached within the allowed games
    done: bool = True  # False: some repeats are missing; the value covers the finished ones


WAITING = Reading(None, done=False)


Grid: TypeAlias = Pane[Reading]


def grids(panes: Sequence[Pane[int]], cells: Sequence[Cell], repeats: int, unit: Unit) -> list[Grid]:
    """Return the cells as they lie on the page; a cell of so many repeats is finished."""

    def reading(number: int) -> Reading:
        return Reading(unit.of(cells[number]), done=len(cells[number].runs) == repeats)

    def grid(pane: Pane[int]) -> Grid:
        values = tuple(tuple(map(reading, row)) for row in pane.cells)
        return Grid(pane.down, pane.across, pane.rows, pane.columns, values, pane.title)

    return list(map(grid, panes))


@dataclass(frozen=True, slots=True)
class _Scale:
    """The range from the worst to the best number of all grids, including unfinished cells."""

    unit: Unit
    low: float  # goodness
    high: float
    best: float | None  # of the finished cells

    @classmethod
    def of(cls, grids: Sequence[Grid], unit: Unit) -> _Scale:
        cells = [cell for grid in grids for row in grid.cells for cell in row]
        known = [cell.value for cell in cells if cell.value is not None]
        final = [cell.value for cell in cells if cell.done and cell.value is not None]
        good = [unit.goodness(value) for value in known] or [0.0]
        return cls(unit, min(good), max(good), max(final, key=unit.goodness, default=None))

    def band(self, value: float) -> int:
        """Return the band of a value, from 0, the worst, to BANDS − 1, the best; if all are equal, the best."""
        if self.high <= self.low:
            return BANDS - 1
        share = (self.unit.goodness(value) - self.low) / (self.high - self.low)
        return min(BANDS - 1, max(0, int(share * BANDS)))

    def worst(self, band: int) -> float:
        """Return the worst number of a band."""
        edge = self.low + band * (self.high - self.low) / BANDS
        return edge if self.unit is Unit.SHARE else float(10**-edge)


Place: TypeAlias = tuple[int, int, int]  # grid, row, column


def paint(
    grids: Sequence[Grid],
    unit: Unit,
    columns: int,
    rows: int,
    signs: Glyphs,
    chosen: Place | None = None,
    *,
    large: bool = False,
) -> list[Line]:
    """Draw as many grids as fit, then what the shades mean. The chosen cell is among them, and reversed.

    Grids that do not fit below each other are put side by side. If `large`, the cells are as large as all of them fit.
    """
    scale = _Scale.of(grids, unit)
    legend = _legend(grids, scale, columns, signs)
    room = max(0, rows - len(legend))
    sizes = (_Layout.of(grids, scale, columns, signs, high) for high in range(HIGHEST if large else 1, 0, -1))
    layout = next(layout for layout in sizes if layout.high == 1 or layout.holds(grids, room - 1))
    abreast = layout.beside(grids, room)
    blocks = [grids[at : at + abreast] for at in range(0, len(grids), abreast)]
    bare = [max(map(layout.height, block)) for block in blocks]
    first = chosen[0] // abreast if chosen is not None and sum(bare) + len(bare) - 1 > room else 0
    gap = _blank_between(bare[first:], room)
    lines: list[Line] = []
    for at, block in enumerate(blocks[first:], first):
        left = len(grids) - at * abreast
        if lines and len(lines) + gap + bare[at] + (left > len(block)) > room:
            lines.append(line((signs.plain(f"… {left} more"), Ink.QUIET)))
            break
        shown = [
            layout.grid(grid, chosen[1:] if chosen and chosen[0] == number else None, room)
            for number, grid in enumerate(block, at * abreast)
        ]
        lines += [*([BLANK] * gap if lines else []), *beside(shown, [layout.wide(grids) + APART] * len(shown))]
    return [*lines[:room], *([BLANK] if layout.high > 1 else []), *legend][:rows]


def _blank_between(high: Sequence[int], room: int) -> int:
    """Return 1 for a blank line between grids of these heights; 0 if one more grid fits without it."""

    def fitting(gap: int) -> int:
        ends = list(accumulate(lines + gap for lines in high))
        return sum(end - gap + (at + 1 < len(high)) <= room for at, end in enumerate(ends))

    return int(fitting(1) >= fitting(0))


def text(grids: Sequence[Grid], unit: Unit, signs: Glyphs, columns: int = 80) -> list[str]:
    """Return all grids as plain lines."""
    rows = sum(len(grid.rows) + 5 for grid in grids) + 8
    return [plain_text(shown).rstrip() for shown in paint(grids, unit, columns, rows, signs)]


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout: all grids have cells of the same width, and as many columns as fit."""

    scale: _Scale
    signs: Glyphs
    columns: int
    margin: int  # columns of the rows' values
    number: int  # columns of a number, with a leading blank
    shade: int  # columns of a shade
    fits: int  # cells side by side
    high: int  # lines of a cell

    @classmethod
    def of(cls, grids: Sequence[Grid], scale: _Scale, columns: int, signs: Glyphs, high: int = 1) -> _Layout:
        margin = max((len(text) for grid in grids for text in (grid.down, *grid.rows)), default=0) + 1
        words = [_said(cell, scale, signs) for grid in grids for row in grid.cells for cell in row]
        number = 1 + max(map(len, [*words, *(value for grid in grids for value in grid.columns)]), default=1)
        most = max((len(grid.columns) for grid in grids), default=1)
        fits = shade = 0
        for shade in (*range(BROAD * high if high > 1 else 0, SHADES[0], -2), *SHADES):
            wide = number + 2 + shade + GAP
            fits = max(1, (columns - margin + GAP) // wide)
            if fits >= most:
                break
        return cls(scale, signs, columns, margin, number, shade, fits, high)

    def height(self, grid: Grid) -> int:
        return len(grid.rows) * self.high + 2 + bool(grid.title)

    def holds(self, grids: Sequence[Grid], room: int) -> bool:
        """Are all cells of all grids seen in so many lines?"""
        beside = self.beside(grids, room)
        heights = [max(map(self.height, grids[at : at + beside])) for at in range(0, len(grids), beside)]
        return max(len(grid.columns) for grid in grids) <= self.fits and sum(heights) + len(heights) - 1 <= room

    def wide(self, grids: Sequence[Grid]) -> int:
        """Return how many columns the widest grid takes."""
        most = max((len(grid.columns) for grid in grids), default=1)
        return self.margin + min(most, self.fits) * (self.number + 2 + self.shade + GAP) - GAP

    def beside(self, grids: Sequence[Grid], room: int) -> int:
        """Return how many grids stand side by side: one if all fit below each other, else as many as fit."""
        if sum(map(self.height, grids)) + len(grids) <= room:
            return 1
        return max(1, (self.columns + APART) // (self.wide(grids) + APART))

    def grid(self, grid: Grid, chosen: tuple[int, int] | None, room: int) -> list[Line]:
        """Draw a grid: its title, the values across, its rows; a line counts the rows that do not fit."""
        begin = max(0, chosen[1] - self.fits + 1) if chosen is not None else 0
        shown = slice(begin, begin + self.fits)
        hidden = len(grid.columns) - len(grid.columns[shown])
        more = self.signs.plain(f"  … {hidden} more") if hidden else ""
        wide = self.number + 2 + self.shade
        values = (" " * GAP).join(f" {value:>{self.number}}".ljust(wide) for value in grid.columns[shown])
        lines = [
            line((self.signs.plain(grid.title), Ink.COLUMN)),
            line((f"{'':<{self.margin}} {grid.across}{more}", Ink.QUIET)),
            line((f"{grid.down:<{self.margin}}{values}".rstrip(), Ink.QUIET)),
        ]
        fitting = max(1, room - len(lines) + (not grid.title) - 1)
        top = 0
        if len(grid.rows) > fitting + 1:  # a line counts the rest
            top = 0 if chosen is None else max(0, chosen[0] - fitting + 1)
        else:
            fitting = len(grid.rows)
        for y, (value, row) in enumerate(zip(grid.rows, grid.cells, strict=True)):
            if not top <= y < top + fitting:
                continue
            for part in range(self.high):
                named = part == self.high // 2  # the line of the numbers
                parts: list[Run] = [Run(f"{value if named else '':>{self.margin - 1}} ", Ink.QUIET)]
                for x, cell in enumerate(row[shown], begin):
                    shades = self._cell(cell, (y, x) == chosen, named)
                    parts += [Run(" " * GAP if x > begin else ""), *shades]
                lines.append(line(*parts))
        if fitting < len(grid.rows):
            lines.append(line((self.signs.plain(f"… {len(grid.rows) - fitting} more rows"), Ink.QUIET)))
        return [cut(shown, self.columns, self.signs.hidden) for shown in lines[not grid.title :]]

    def _cell(self, cell: Reading, chosen: bool, named: bool) -> tuple[Run, ...]:
        """Draw '▸  933 ██': the mark of the best, the number, its shade; the shade alone if the line is not `named`."""
        said = _said(cell, self.scale, self.signs) if named else ""
        if cell.value is None:
            ink = Ink.CURSOR if chosen else Ink.QUIET
            return Run(f" {said:>{self.number}}", ink), Run(" " * (self.shade + 1), Ink.QUIET)
        best = cell.done and cell.value == self.scale.best
        ink = Ink.STRONG if best else Ink.TEXT if cell.done else Ink.QUIET
        shade = self.signs.shades[self.scale.band(cell.value)] * self.shade
        mark = self.signs.cursor if best and named else " "
        return Run(f"{mark}{said:>{self.number}}", Ink.CURSOR if chosen else ink), Run(f" {shade}", Ink.BAR)


def _said(cell: Reading, scale: _Scale, signs: Glyphs) -> str:
    if cell.value is None:
        return NEVER if cell.done else signs.waiting
    number = scale.unit.text(cell.value)
    return number if cell.done else f"{number}{signs.waiting}"


def _legend(grids: Sequence[Grid], scale: _Scale, columns: int, signs: Glyphs) -> list[Line]:
    """Explain the shades, from best to worst, and the other signs of the grids."""
    cells = [cell for grid in grids for row in grid.cells for cell in row]
    if all(cell.value is None for cell in cells):
        none = "no finished cell yet" if all(not cell.done for cell in cells) else "never reached so far"
        return [cut(line((none, Ink.QUIET)), columns, signs.hidden)]
    unit = "games to perfect play" if scale.unit is Unit.GAMES else "accuracy"
    parts: list[tuple[Run, ...]] = [] if scale.best is None else [(Run(f"{signs.cursor} best", Ink.STRONG),)]
    if scale.high > scale.low:
        for band in reversed(range(BANDS)):
            worse = scale.unit.text(scale.worst(band))
            edge = f" to {worse}" if scale.unit is Unit.GAMES else f" from {worse}"
            parts.append((Run(signs.shades[band], Ink.BAR), Run(edge, Ink.QUIET)))
    if any(not cell.done for cell in cells):
        parts.append((Run(f"{signs.waiting} not finished", Ink.QUIET),))
    lines: list[Line] = [cut(line((unit, Ink.QUIET)), columns, signs.hidden)]
    for part in parts:
        longer = line(*lines[-1], "   " if width(lines[-1]) else "", *part)
        if width(longer) <= columns:
            lines[-1] = longer
        else:
            lines.append(cut(line(*part), columns, signs.hidden))
    return lines
