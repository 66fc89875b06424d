"""What the Sweep screen shows: the cursor on the heat map, and painters of its lines and of one cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nimtui.games.notation import plural
from nimtui.learning.sweep import Cell, Plan
from nimtui.learning.sweep_panes import Pane, panes
from nimtui.learning.sweep_report import NEVER, Games, Unit, best, measures, ranked, seeds
from nimtui.report.blocks import Column, Figure, Figures, Report, Table, View
from nimtui.report.cells import cells as cells_of
from nimtui.report.cells import table_lines
from nimtui.report.lines import BLANK, Ink, Line, Run, cut, fit, justified, keys, line, paragraphs, width
from nimtui.report.values import Word
from nimtui.ui.kit.conductor import State
from nimtui.ui.kit.entries import usual_name
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.keymap import key_of
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.remaining import remaining_text as time_told
from nimtui.ui.sweep import heat
from nimtui.ui.sweep.conductor import SweepConductor

STARTING = "starting (a few seconds)"
BAR = 20  # cells of the bar
FLAT = 12  # with fewer lines than this, seeds lie in one line below the figures


@dataclass(frozen=True, slots=True)
class Place:
    """A cell on the page: its grid, row and column."""

    grids: tuple[Pane[int], ...]
    at: heat.Place = (0, 0, 0)

    @classmethod
    def of(cls, plan: Plan) -> Place:
        return cls(panes(plan))

    @property
    def number(self) -> int:
        """Return the cell's number in the plan."""
        grid, row, column = self.at
        return self.grids[grid].cells[row][column]

    def moved(self, down: int, across: int) -> Place:
        """Move so many cells; the last row of a grid leads into the next grid, the first into the previous one."""
        grid, row, column = self.at
        row += down
        while row < 0 and grid > 0:
            grid -= 1
            row += len(self.grids[grid].rows)
        while row >= len(self.grids[grid].rows) and grid + 1 < len(self.grids):
            row -= len(self.grids[grid].rows)
            grid += 1
        pane = self.grids[grid]
        row = max(0, min(len(pane.rows) - 1, row))
        return replace(self, at=(grid, row, max(0, min(len(pane.columns) - 1, column + across))))

    def other_grid(self, by: int) -> Place:
        """Return the same cell of another grid."""
        grid, row, column = self.at
        return replace(self, at=(max(0, min(len(self.grids) - 1, grid + by)), row, column))


def welcome(columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Offer what can be done without a sweep."""
    offers = (("N", "new sweep"), ("o", "open a saved sweep"), ("esc", "back"))
    lines = [line(*keys("  ", f"{key:<3}", f"  {said}")) for key, said in offers]
    return [cut(found, columns, signs.hidden) for found in ((), *lines)]


def picture(place: Place, cells: Sequence[Cell], repeats: int, unit: Unit, *, large: bool) -> Paint:
    """Draw the heat map."""
    shown = heat.grids(place.grids, cells, repeats, unit)
    return lambda columns, rows, signs: heat.paint(shown, unit, columns, rows, signs, place.at, large=large)


# The chosen cell.


def figures(cell: Cell, repeats: int) -> Paint:
    """Draw the figures of one cell: beside the map, or in the few lines below it."""

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        shown = _flat(cell, repeats, columns) if rows < FLAT else _tall(cell, repeats, columns, rows)
        return [fit(part, columns, signs) for part in shown[:rows]]

    return paint


def _title(cell: Cell, repeats: int) -> str:
    params = ", ".join(f"{name} {value}" for name, value in cell.setting.params.items()) or cell.setting.learner
    return params if len(cell.runs) == repeats else f"{params} · {len(cell.runs)} of {plural(repeats, 'seed', 'seeds')}"


def _tall(cell: Cell, repeats: int, columns: int, rows: int) -> list[Line]:
    """Draw one below the other: the settings, two lines per figure, a line per seed."""
    lines = paragraphs([_title(cell, repeats)], columns, Ink.STRONG)
    if not cell.runs:
        return [*lines, line(("no finished training yet", Ink.QUIET))]
    for one in measures(cell):
        said = line((f"median {one.median}", Ink.STRONG)) if one.median.value is not None else BLANK
        lines += [justified(line(one.name), said, columns), justified(BLANK, line((one.ends, Ink.QUIET)), columns)]
    end = [line(*keys("", "⏎", " train it, and watch"))]
    room = rows - len(lines) - len(end) - 1
    if room < 2:
        return [*lines, *end]
    return [*lines, BLANK, *table_lines(seeds(cell), columns, room), *end]


def _flat(cell: Cell, repeats: int, columns: int) -> list[Line]:
    """Draw a line per figure, and all seeds in one line."""
    title = line((_title(cell, repeats), Ink.STRONG))
    if not cell.runs:
        return [title, line(("no finished training yet", Ink.QUIET))]
    figures = Figures([Figure(one.name, one.median, note=one.ends) for one in measures(cell)], right=True)
    each = " · ".join(Games(run.perfect).text for _, run in cell.runs)
    return [
        justified(title, line(*keys("", "⏎", " train it")), columns),
        *cells_of(Report([figures]), columns),
        line(("each seed  ", Ink.QUIET), each),
    ]


# The lines above and below.


def status(conductor: SweepConductor) -> Paint:
    """Draw the game, the learner and the size of the sweep."""
    plan = conductor.plan

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if plan is None:
            return [
                cut(line(("Sweep", Ink.STRONG), (": compare settings of a learner", Ink.QUIET)), columns, signs.hidden)
            ]
        left = line((signs.plain(f"{usual_name(plan.game.name)} · {plan.learner}"), Ink.STRONG))
        cells = plural(plan.grid.cells, "cell", "cells")
        rights = (
            f"{cells} × {plan.repeats} · at most {plan.games:,} games · seed {plan.seed}",
            f"{cells} × {plan.repeats} · at most {plan.games:,}",
            f"{cells} × {plan.repeats}",
        )
        right = next((text for text in rights if len(text) + width(left) + 2 <= columns), rights[-1])
        return [justified(left, line((signs.plain(right), Ink.QUIET)), columns)]

    return paint


def progress(conductor: SweepConductor) -> Paint:
    """Draw how far it is, and how long it will take."""
    view, state = conductor.view, conductor.state
    left = time_told(conductor.left())
    workers = conductor.at_work if conductor.sweep is not None else 0
    moving = conductor.moving

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if view is None:
            return []
        parts = [f"{view.done:,} of {view.total:,} trainings"]
        if state is State.GOING:
            parts += [left or STARTING * (not moving), plural(workers, "worker", "workers")]
        else:
            parts.append(f"{signs.paused} {state.value}" if state is State.PAUSED else state.value)
        said = signs.plain(" · ".join(part for part in parts if part))
        bar = min(BAR, columns - len(said) - 2)
        shown = line((signs.bar(view.done / view.total, max(4, bar)), Ink.JOB), ("  ", Ink.QUIET), said)
        return [cut(shown, columns, signs.hidden)]

    return paint


def message(conductor: SweepConductor, unit: Unit) -> Paint:
    """Draw the last message, a fault, or the best cell so far."""
    sweep, message = conductor.sweep, conductor.message
    fault = sweep.fault if sweep is not None else ""
    accuracy = f"Press {key_of('sweep.unit', 'a')} for the accuracy."
    found = best(sweep.view.cells, sweep.plan, unit, accuracy) if sweep is not None else ""

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if fault:
            return [cut(line((signs.plain(f"{signs.fault} not saved: {fault}"), Ink.BAD)), columns, signs.hidden)]
        shown = Run(signs.plain(message), Ink.TEXT) if message else Run(signs.plain(found), Ink.QUIET)
        return [cut(line(shown), columns, signs.hidden)]

    return paint


# All cells.


def ranking(cells: Sequence[Cell], repeats: int, unit: Unit, chosen: int) -> Paint:
    """Paint rank, value and settings of each cell, the chosen one in sight; `repeats`: seeds of a finished cell."""
    order = ranked(cells, unit)
    digits, ranks = len(str(len(order))), {number: rank for rank, number in enumerate(order, 1)}

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        def rank(number: int) -> Word:
            place = ranks[number] if cells[number].runs else ""
            return Word(f"{signs.cursor if number == chosen else ' '}{place:>{digits}}")

        def value(number: int) -> Word:
            known, done = unit.of(cells[number]), len(cells[number].runs) == repeats
            said = unit.said(known) if known is not None else NEVER * done
            return Word(said + ("" if done else signs.waiting))

        def setting(name: str) -> Column:
            return Column(name, lambda number: Word(str(cells[number].setting.params[name])))

        def ink(number: int) -> Ink:
            return Ink.TEXT if len(cells[number].runs) == repeats else Ink.QUIET

        heads = [Column("", rank, ink=ink), Column(unit.value, value)]
        table = Table("", [*heads, *map(setting, cells[0].setting.params)], order, lambda number: number, gap=2)
        return table_lines(table, columns, rows, View(chosen), signs)

    return paint
