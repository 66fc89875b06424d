"""The results of a sweep as heat maps: a number and a shade for every pair of two parameters' values. Pure functions.

Numbers fall into five bands, from worst to best, each with its own sign. Further parameters add a grid per combination,
one below the other, with the same bands. `paint` draws for a screen, `text` for a plain terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, product
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from nimtui.learning.parameter import as_typed
from nimtui.learning.sweep import Cell, Plan
from nimtui.learning.sweep_report import NEVER, Unit
from nimtui.report.lines import BLANK, GROUNDS, Ink, Line, Run, aimed, beside, cut, line, plain_text, wrapped
from nimtui.ui.kit.terminal.glyphs import Glyphs

BANDS = len(GROUNDS)
GAP = 2  # columns between two cells that have no grounds
APART = 4  # and between two grids
SHADES = (4, 2, 1)  # columns of a shade, the widest that fits
HIGHEST, WIDEST = 16, 96  # lines and columns of a large cell at most


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
    missing = max(0, 2 - len(plan.grid.values))
    names = [""] * missing + list(plan.grid.values)
    words = [("",)] * missing + [tuple(map(as_typed, values)) for values in plan.grid.values.values()]
    (high, wide), further, panes = map(len, words[:2]), list(product(*words[2:])), list[Pane[int]]()
    for at, values in enumerate(further):
        cells = tuple(tuple((row * wide + column) * len(further) + at for column in range(wide)) for row in range(high))
        title = ", ".join(f"{name}={value}" for name, value in zip(names[2:], values, strict=True))
        panes.append(Pane(names[0], names[1], words[0], words[1], cells, title))
    return tuple(panes)


@dataclass(frozen=True, slots=True)
class Reading:
    """The value of one cell."""

    value: float | None = None  # None: not reached within the allowed games
    done: bool = True  # False: some repeats are missing; the value covers the finished ones


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
        final = [cell.value for cell in cells if cell.done and cell.value is not None]
        good = [unit.goodness(cell.value) for cell in cells if cell.value is not None] or [0.0]
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
        return float(10**-edge) if self.unit is Unit.GAMES else edge


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
    layout = next(each for each in sizes if each.high == 1 or each.holds_all(room - 1))
    abreast, high = layout.abreast(room), layout.heights(room)
    first = chosen[0] // abreast if chosen is not None and sum(high) + len(high) - 1 > room else 0
    gap = _blank_between(high[first:], room)
    lines: list[Line] = []
    for at in range(first * abreast, len(grids), abreast):
        block, further = grids[at : at + abreast], len(grids) - at
        if lines and len(lines) + gap + high[at // abreast] + (further > len(block)) > room:
            lines.append(line((signs.plain(f"… {further} more"), Ink.QUIET)))
            break
        drawn = [layout.grid(number, chosen, room) for number in range(at, at + len(block))]
        lines += [*([BLANK] * gap if lines else []), *beside(drawn, [layout.wide + APART] * len(drawn))]
    return [*lines[:room], *([BLANK] if layout.high > 1 else []), *legend][:rows]


def _blank_between(high: Sequence[int], room: int) -> int:
    """Return 1 for a blank line between grids of these heights; 0 if one more grid fits without it."""

    def fitting(gap: int) -> int:
        ends = list(accumulate(lines + gap for lines in high))
        return sum(end - gap + (at + 1 < len(high)) <= room for at, end in enumerate(ends))

    return int(fitting(1) >= fitting(0))


def text(grids: Sequence[Grid], unit: Unit, signs: Glyphs, columns: int = 80) -> list[str]:
    """Return all grids as plain lines, which have no grounds."""
    rows, signs = sum(len(grid.rows) + 5 for grid in grids) + 8, replace(signs, grounds=False)
    return [plain_text(each).rstrip() for each in paint(grids, unit, columns, rows, signs)]


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout: all grids have cells of the same width, and as many columns as fit."""

    grids: Sequence[Grid]
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
        words = [_text(cell, scale, signs) for grid in grids for row in grid.cells for cell in row]
        number = 1 + max(map(len, [*words, *(value for grid in grids for value in grid.columns)]), default=1)
        layout = cls(grids, scale, signs, columns, margin, number, 0, 0, high)
        large = min(WIDEST, (columns - margin) // layout.most) - number - 2 - layout.gap  # the same for all numbers
        for shade in (*([large] if high > 1 and large > SHADES[0] else []), *SHADES):
            fits = max(1, (columns - margin + layout.gap) // (number + 2 + shade + layout.gap))
            layout = replace(layout, shade=shade, fits=fits)
            if fits >= layout.most:
                break
        return layout

    @property
    def gap(self) -> int:
        """Return the columns between two cells."""
        return 0 if self.signs.grounds else GAP

    @property
    def most(self) -> int:
        """Return how many cells the widest grid has side by side."""
        return max((len(grid.columns) for grid in self.grids), default=1)

    @property
    def wide(self) -> int:
        """Return how many columns the widest grid takes."""
        return self.margin + min(self.most, self.fits) * (self.number + 2 + self.shade + self.gap) - self.gap

    def abreast(self, room: int) -> int:
        """Return how many grids stand side by side: one if all fit below each other, else as many as fit."""
        if sum(map(self.height, self.grids)) + len(self.grids) <= room:
            return 1
        return max(1, (self.columns + APART) // (self.wide + APART))

    def height(self, grid: Grid) -> int:
        return len(grid.rows) * self.high + 2 + bool(grid.title)

    def heights(self, room: int) -> list[int]:
        """Return the lines of each block of grids side by side."""
        abreast, high = self.abreast(room), list(map(self.height, self.grids))
        return [max(high[at : at + abreast]) for at in range(0, len(high), abreast)]

    def holds_all(self, room: int) -> bool:
        """Are all cells of all grids seen in so many lines?"""
        heights = self.heights(room)
        return self.most <= self.fits and sum(heights) + len(heights) - 1 <= room

    def grid(self, at: int, marked: Place | None, room: int) -> list[Line]:
        """Draw a grid: its title, the values across, its rows; a line counts the rows that do not fit."""
        grid, chosen = self.grids[at], marked if marked is not None and marked[0] == at else None
        begin = max(0, chosen[2] - self.fits + 1) if chosen is not None else 0
        fitting = slice(begin, begin + self.fits)
        hidden = len(grid.columns) - len(grid.columns[fitting])
        more = self.signs.plain(f"  … {hidden} more") if hidden else ""
        wide = self.number + 2 + self.shade
        values = (" " * self.gap).join(self._placed(" ", value, wide) for value in grid.columns[fitting])
        across = f" {grid.across}{more}"
        across = across.center(len(values)) if self.high > 1 else across
        lines = [
            line((self.signs.plain(grid.title), Ink.COLUMN)),
            line((f"{'':<{self.margin}}{across}", Ink.QUIET)),
            line((f"{grid.down:<{self.margin}}{values}".rstrip(), Ink.QUIET)),
        ]
        most, top = max(1, room - len(lines) + (not grid.title) - 1), 0
        if len(grid.rows) <= most + 1:  # else a line counts the rest
            most = len(grid.rows)
        elif chosen is not None:
            top = max(0, chosen[1] - most + 1)
        for y in range(top, min(top + most, len(grid.rows))):
            for part in range(self.high):
                named = part == self.high // 2  # the line of the numbers
                parts: list[Run] = [Run(f"{grid.rows[y] if named else '':>{self.margin - 1}} ", Ink.QUIET)]
                for x, cell in enumerate(grid.cells[y][fitting], begin):
                    drawn = line(*self._cell(cell, (at, y, x) == chosen, named))
                    parts += [Run(" " * self.gap if x > begin else ""), *aimed(drawn, (at, y, x))]
                lines.append(line(*parts))
        if most < len(grid.rows):
            lines.append(line((self.signs.plain(f"… {len(grid.rows) - most} more rows"), Ink.QUIET)))
        return [cut(each, self.columns, self.signs.hidden) for each in lines[not grid.title :]]

    def _cell(self, cell: Reading, chosen: bool, named: bool) -> tuple[Run, ...]:
        """Draw '▸  933 ██': the mark of the best, the number, its shade; the shade alone if the line is not `named`.

        Where there are colours for grounds, the shade is the ground of all of it, or the cursor is.
        """
        text, wide = _text(cell, self.scale, self.signs) if named else "", self.number + 2 + self.shade
        best = cell.done and cell.value is not None and cell.value == self.scale.best
        ink = Ink.CURSOR if chosen else Ink.STRONG if best else Ink.TEXT if cell.done else Ink.QUIET
        band = None if cell.value is None else self.scale.band(cell.value)
        mark = self.signs.cursor if best and named else " "
        if self.signs.grounds:
            ground = Ink.WHERE if chosen else Ink.EATEN if band is None else GROUNDS[band]
            on = Ink.PAPER if chosen or band == BANDS - 1 else Ink.STRONG if best else Ink.TEXT
            return (Run(self._placed(mark, text, wide), on, ground),)
        shade = " " if band is None else self.signs.shades[band]
        if band is None and not chosen:
            ink = Ink.QUIET
        return Run(f"{mark}{text:>{self.number}}", ink), Run(f" {shade * self.shade}", Ink.BAR)

    def _placed(self, mark: str, text: str, wide: int) -> str:
        """Return the text of a cell or of a head: in the middle where cells are large, else as numbers stand."""
        return f"{mark} {text}".center(wide) if self.high > 1 else f"{mark}{text:>{self.number}}".ljust(wide)


def _text(cell: Reading, scale: _Scale, signs: Glyphs) -> str:
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
    parts: list[tuple[Run, ...]] = [] if scale.best is None else [(Run(f"{signs.cursor} best", Ink.STRONG),)]
    if scale.high > scale.low:
        for band in reversed(range(BANDS)):
            worse = scale.unit.text(scale.worst(band))
            edge = f" to {worse}" if scale.unit is Unit.GAMES else f" from {worse}"
            ground = GROUNDS[band] if signs.grounds else None
            parts.append((Run("  " if ground else signs.shades[band], Ink.BAR, ground), Run(edge, Ink.QUIET)))
    if any(not cell.done for cell in cells):
        parts.append((Run(f"{signs.waiting} not finished", Ink.QUIET),))
    title, below = line((scale.unit.title, Ink.QUIET)), wrapped(parts, columns, sign=signs.hidden)
    one, *more = wrapped([title, *parts], columns, sign=signs.hidden)
    return [cut(title, columns, signs.hidden), *below] if more else [one]
