"""What the Sweep screen shows: the cursor on the heat map, and painters of its lines and of one cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from nimtui.games.notation import plural
from nimtui.jobs.clock import remaining_text
from nimtui.jobs.work import State
from nimtui.learning.sweep import Cell, Plan
from nimtui.learning.sweep_report import NEVER, Games, Unit, best, measures, ranked, seeds
from nimtui.report.blocks import Block, Column, Figure, Figures, Gap, Report, Sentence, Table, View
from nimtui.report.cells import cells as cells_of
from nimtui.report.cells import table_lines
from nimtui.report.lines import Ink, Line, fit, justified, keys, line
from nimtui.report.values import Word
from nimtui.ui.kit.contract.keymap import key_of
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.panel import Paint, of_head, of_line, of_message, painter
from nimtui.ui.kit.work_screen import pace
from nimtui.ui.kit.work_screen import progress as of_progress
from nimtui.ui.sweep import heat
from nimtui.ui.sweep.work import SweepWork

FLAT = 12  # with fewer lines than this, seeds lie in one line below the figures
BROAD = 44  # columns for a figure and its range
NONE_YET = Sentence("no finished training yet", ink=Ink.QUIET)


@dataclass(frozen=True)
class Place:
    """The marked cell of a sweep: its grid, row and column, and what the cells show."""

    plan: Plan
    unit: Unit = Unit.GAMES  # that the cells show
    at: heat.Place = (0, 0, 0)

    @cached_property
    def grids(self) -> tuple[heat.Pane[int], ...]:
        return heat.panes(self.plan)

    def read(self, cells: Sequence[Cell]) -> list[heat.Grid]:
        """Return what these cells show."""
        return heat.grids(self.grids, cells, self.plan.repeats, self.unit)

    def turned(self) -> Place:
        """Return the cell in the next unit."""
        units = Unit.all_of(self.plan)
        return replace(self, unit=units[(units.index(self.unit) + 1) % len(units)])

    @property
    def number(self) -> int:
        """Return the cell's number in the plan."""
        grid, row, column = self.at
        return self.grids[grid].cells[row][column]

    def moved(self, down: int, across: int) -> Place:
        """Move so many cells; the last row of a grid leads into the next grid, the first into the previous one."""
        rows = [(grid, row) for grid, pane in enumerate(self.grids) for row in range(len(pane.rows))]
        grid, row = rows[max(0, min(len(rows) - 1, rows.index(self.at[:2]) + down))]
        return replace(self, at=(grid, row, max(0, min(len(self.grids[grid].columns) - 1, self.at[2] + across))))

    def other_grid(self, by: int) -> Place:
        """Return the same cell of another grid."""
        grid, row, column = self.at
        return replace(self, at=(max(0, min(len(self.grids) - 1, grid + by)), row, column))


def picture(place: Place, cells: Sequence[Cell]) -> Paint:
    """Draw the heat map."""
    grids = place.read(cells)
    return lambda columns, rows, signs: heat.paint(grids, place.unit, columns, rows, signs, place.at, large=True)


# The chosen cell.


@painter
def figures(columns: int, rows: int, signs: Glyphs, cell: Cell, repeats: int) -> list[Line]:
    """Draw the settings, the figures and the seeds of one cell: beside the map, or in the few lines below it."""
    low = rows < FLAT
    blocks: list[Block] = [Sentence(_title(cell, repeats), ink=Ink.STRONG)]
    if not cell.runs:
        return cells_of(Report([*blocks, NONE_YET]), columns, signs=signs)
    medians = measures(cell)
    if columns < BROAD:  # a line more for each range
        pairs = [(Figure(one.label, Word(f"median {one.value}")), Figure("", Word(one.note))) for one in medians]
        medians = [figure for pair in pairs for figure in pair]
    blocks.append(Figures(medians, right=True))
    if low:
        each = " · ".join(Games(run.perfect).text for _, run in cell.runs)
        lines = cells_of(Report([*blocks, Figures([Figure("each seed", Word(each))])]), columns, signs=signs)
        return [justified(lines[0], line(*keys("", "⏎", " train it")), columns), *lines[1:rows]]
    lines = cells_of(Report([*blocks, Gap(), seeds(cell)]), columns, rows - 1, signs=signs)
    return [*lines[: rows - 1], fit(line(*keys("", "⏎", " train it, and watch")), columns, signs)]


def _title(cell: Cell, repeats: int) -> str:
    params = ", ".join(f"{name} {value}" for name, value in cell.setting.params.items()) or cell.setting.learner
    return params if len(cell.runs) == repeats else f"{params} · {len(cell.runs)} of {plural(repeats, 'seed', 'seeds')}"


# The lines above and below.


def status(conductor: SweepWork) -> Paint:
    """Draw the game, the learner and the size of the sweep."""
    if (plan := conductor.plan) is None:
        return of_head("Sweep: compare settings of a learner")
    size = f"{plural(plan.grid.cells, 'cell', 'cells')} × {plan.repeats}"
    most = f"{size} · at most {plan.games:,}"
    return of_head(f"{plan.game.called} · {plan.learner}", [f"{most} games · seed {plan.seed}", most, size])


def progress(conductor: SweepWork) -> Paint:
    """Draw how far it is, and how long it will take."""
    view, state = conductor.view, conductor.state
    if view is None:
        return of_line("")
    done = f"{view.done:,} of {view.total:,} trainings"
    remaining = state.word if state is State.PREPARING else remaining_text(conductor.left)
    running = remaining, plural(conductor.at_work, "worker", "workers")
    return of_progress(view.done / view.total, done, *pace(state, running))


def message(conductor: SweepWork, place: Place | None) -> Paint:
    """Draw the last message, a fault, or the best cell so far."""
    sweep, accuracy = conductor.task, f"Press {key_of('sweep.unit', 'a')} for the accuracy."
    if sweep is None or place is None:
        return of_message(conductor.message)
    hint = best(sweep.view.cells, sweep.plan, place.unit, accuracy)
    return of_message(conductor.message, sweep.fault and f"not saved: {sweep.fault}", hint)


# All cells.


@painter
def ranking(
    columns: int, rows: int, signs: Glyphs, cells: Sequence[Cell], repeats: int, unit: Unit, chosen: int
) -> list[Line]:
    """Paint rank, value and settings of each cell, the chosen one in sight; `repeats`: seeds of a finished cell."""
    order = ranked(cells, unit)
    digits, ranks = len(str(len(order))), {number: rank for rank, number in enumerate(order, 1)}

    def rank(number: int) -> Word:
        return Word(str(ranks[number]) if cells[number].runs else "")

    def value(number: int) -> Word:
        median, done = unit.of(cells[number]), len(cells[number].runs) == repeats
        text = unit.text(median) if median is not None else NEVER * done
        return Word(text + ("" if done else signs.waiting))

    def ink(number: int) -> Ink:
        usual = Ink.TEXT if len(cells[number].runs) == repeats else Ink.QUIET
        return Ink.WHERE if number == chosen else usual

    def setting(name: str) -> Column:
        return Column(name, lambda number: Word(str(cells[number].setting.params[name])))

    heads = [Column("", rank, width=digits), Column(unit.value, value), *map(setting, cells[0].setting.params)]
    table = Table("", heads, order, lambda number: number, gap=2, ink=ink)
    return table_lines(table, columns, rows, View(chosen, sign=signs.cursor), signs)
