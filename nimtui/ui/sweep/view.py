"""What the Sweep screen shows: the cursor on the heat map, and painters of its lines and of one cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from nimtui.games.notation import plural
from nimtui.learning.perfection import Needed
from nimtui.learning.sweep import Cell, Plan
from nimtui.learning.sweep_grid import as_typed
from nimtui.learning.sweep_panes import Pane, panes
from nimtui.ui.kit.conductor import State
from nimtui.ui.kit.entries import usual_name
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import BLANK, Ink, Line, Run, cut, fit, justified, keys, line, paragraphs, width
from nimtui.ui.kit.keymap import key_of
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.remaining import remaining_text as time_told
from nimtui.ui.sweep import heat
from nimtui.ui.sweep.conductor import SweepConductor
from nimtui.ui.sweep.heat import NEVER, Unit

STARTING = "starting (a few seconds)"
BAR = 20  # cells of the bar
SIDE = 54  # columns from which every seed shows all its figures
FLAT = 12  # with fewer lines than this, seeds lie in one line below the figures
SEED = 19  # digits


@dataclass(frozen=True, slots=True)
class Place:
    """A cell on the page: its grid, row and column."""

    grids: tuple[Pane, ...]
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


# The heat map.


def value(cell: Cell, unit: Unit) -> float | None:
    """Return the value of a cell: the median of what its seeds needed, or of what they reached."""
    if unit is Unit.GAMES:
        return cell.perfect.median
    return median(run.accuracy for _, run in cell.runs) if cell.runs else None


def grids(place: Place, cells: Sequence[Cell], repeats: int, unit: Unit) -> list[heat.Grid]:
    """Return the cells as they lie on the page."""

    def reading(number: int) -> heat.Reading:
        cell = cells[number]
        return heat.Reading(value(cell, unit), done=len(cell.runs) == repeats)

    return [
        heat.Grid(
            pane.down,
            pane.across,
            pane.rows,
            pane.columns,
            tuple(tuple(reading(number) for number in row) for row in pane.cells),
            pane.title,
        )
        for pane in place.grids
    ]


def picture(place: Place, cells: Sequence[Cell], repeats: int, unit: Unit, *, large: bool) -> Paint:
    """Draw the heat map."""
    shown = grids(place, cells, repeats, unit)
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


def _figures(cell: Cell) -> list[tuple[str, str, str]]:
    """Return each measure with its median and its range."""
    found = [
        (name, *spread.told(len(cell.runs)))
        for name, spread in (("to perfect", cell.perfect), ("to proof", cell.proof))
    ]
    for name, values in (
        ("accuracy", [run.accuracy for _, run in cell.runs]),
        ("unbeaten", [run.unbeaten for _, run in cell.runs]),
    ):
        low, high = _share(min(values)), _share(max(values))
        found.append((name, _share(median(values)), low if low == high else f"{low} – {high}"))
    return found


def _games(games: float | None) -> str:
    return "never" if games is None else f"{games:,.0f}"


def _share(share: float) -> str:
    return Unit.SHARE.said(share)


def _tall(cell: Cell, repeats: int, columns: int, rows: int) -> list[Line]:
    """Draw one below the other: the settings, two lines per figure, a line per seed."""
    lines = paragraphs([_title(cell, repeats)], columns, Ink.STRONG)
    if not cell.runs:
        return [*lines, line(("no finished training yet", Ink.QUIET))]
    for name, middle, ends in _figures(cell):
        said = line((f"median {middle}", Ink.STRONG)) if middle != "–" else BLANK
        lines.append(justified(line(name), said, columns))
        lines.append(justified(BLANK, line((ends, Ink.QUIET)), columns))
    end = [line(*keys("", "⏎", " train it, and watch"))]
    room = rows - len(lines) - len(end) - 2
    if room < 1:
        return [*lines, *end]
    wide = columns >= SIDE
    head = f"{'seed':<{SEED}}" + (
        f"{'perfect':>9}{'proof':>9}{'accuracy':>9}{'unbeaten':>9}" if wide else f"{'games':>9}"
    )
    lines += [BLANK, line((head, Ink.COLUMN))]
    shown = cell.runs if len(cell.runs) <= room else cell.runs[: max(0, room - 1)]
    lines += [_seed(seed, run, wide) for seed, run in shown]
    if len(shown) < len(cell.runs):
        lines.append(line((f"… {len(cell.runs) - len(shown)} more", Ink.QUIET)))
    return [*lines, *end]


def _seed(seed: int, run: Needed, wide: bool) -> Line:
    text = f"{seed:<{SEED}}"
    if not wide:
        return line((text, Ink.QUIET), f"{_games(run.perfect):>9}")
    needed = f"{_games(run.perfect):>9}{_games(run.proof):>9}"
    return line((text, Ink.QUIET), f"{needed}{_share(run.accuracy):>9}{_share(run.unbeaten):>9}")


def _flat(cell: Cell, repeats: int, columns: int) -> list[Line]:
    """Draw a line per figure, and all seeds in one line."""
    title = line((_title(cell, repeats), Ink.STRONG))
    if not cell.runs:
        return [title, line(("no finished training yet", Ink.QUIET))]
    lines = [justified(title, line(*keys("", "⏎", " train it")), columns)]
    for name, middle, ends in _figures(cell):
        lines.append(line(f"{name:<11}", (f"{middle:>10}", Ink.STRONG), (f"   {ends}", Ink.QUIET)))
    lines.append(line(("each seed  ", Ink.QUIET), " · ".join(_games(run.perfect) for _, run in cell.runs)))
    return lines


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
    found = best(sweep.view.cells, sweep.plan, unit) if sweep is not None else ""

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        if fault:
            return [cut(line((signs.plain(f"{signs.fault} not saved: {fault}"), Ink.BAD)), columns, signs.hidden)]
        shown = Run(signs.plain(message), Ink.TEXT) if message else Run(signs.plain(found), Ink.QUIET)
        return [cut(line(shown), columns, signs.hidden)]

    return paint


def best(cells: Sequence[Cell], plan: Plan, unit: Unit) -> str:
    """Return a sentence about the best cell; '' until a cell is finished."""
    done = [cell for cell in cells if len(cell.runs) == plan.repeats]
    known = [(found, cell) for cell in done if (found := value(cell, unit)) is not None]
    if not done or len(cells) == 1:
        return ""
    so_far = " so far" * (len(done) < len(cells))
    if not known:
        accuracy = f"Press {key_of('sweep.unit', 'a')} for the accuracy."
        return f"No cell became perfect with most of its seeds{so_far}. {accuracy}"
    best, cell = max(known, key=lambda pair: (unit.goodness(pair[0]), -pair[1].perfect.never))
    setting = ", ".join(f"{name} {as_text(value)}" for name, value in cell.setting.params.items())
    if others := sum((value, one.perfect.never) == (best, cell.perfect.never) for value, one in known) - 1:
        setting += f" and {plural(others, 'other cell', 'other cells')}"
    seeds = plural(plan.repeats, "seed", "seeds")
    middle = f" (median of {seeds})" * (plan.repeats > 1)
    if unit is Unit.SHARE:
        return f"Most accurate{so_far}: {setting}, with {unit.said(best)}{middle}."
    if not cell.perfect.never:
        return f"Quickest{so_far}: {setting}, perfect after {_games(best)} games{middle}."
    there = plan.repeats - cell.perfect.never
    return f"Quickest median{so_far}: {setting}, {_games(best)} games. Of {seeds}, {there} got there."


def as_text(value: int | float | str) -> str:
    """Return a parameter's value as people read it."""
    return value if isinstance(value, str) else as_typed(value)


NUMBER = 8  # columns of a value


def ranked(cells: Sequence[Cell], unit: Unit) -> list[int]:
    """Return the numbers of the cells, the best first; those that never got there and then those without runs last."""

    def key(number: int) -> tuple[bool, bool, float]:
        found = value(cells[number], unit)
        return not cells[number].runs, found is None, 0.0 if found is None else -unit.goodness(found)

    return sorted(range(len(cells)), key=key)


def ranking(cells: Sequence[Cell], repeats: int, unit: Unit, chosen: int) -> Paint:
    """Paint rank, value and settings of each cell, the chosen one in sight; `repeats`: seeds of a finished cell."""
    order = ranked(cells, unit)

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        room, at = rows - 1, order.index(chosen)
        first = max(0, min(at - room // 2, len(order) - room))
        names = list(cells[0].setting.params)
        wide = [max(len(name), *(len(as_text(cell.setting.params[name])) for cell in cells)) for name in names]
        digits = len(str(len(order)))

        def row(mark: str, rank: str, number: str, values: Sequence[str]) -> str:
            told = "  ".join(f"{text:>{needed}}" for text, needed in zip(values, wide, strict=True))
            return f"{mark}{rank:>{digits}} {number:>{NUMBER}}  {told}"

        lines = [line((row(" ", "", unit.value, names), Ink.COLUMN))]
        for rank, number in list(enumerate(order, 1))[first : first + room]:
            cell, here = cells[number], number == chosen
            found = value(cell, unit)
            done = len(cell.runs) == repeats
            said = unit.said(found) if found is not None else NEVER if done else ""
            said += "" if done else signs.waiting
            values = [as_text(setting) for setting in cell.setting.params.values()]
            up, down = rank == first + 1 > 1, rank == first + room < len(order)
            mark = signs.cursor if here else signs.up if up else signs.down if down else " "
            shown = row(mark, str(rank) if cell.runs else "", said, values)
            lines.append(line((shown, Ink.STRONG if here else Ink.TEXT if done else Ink.QUIET)))
        return [cut(shown, columns, signs.hidden) for shown in lines]

    return paint
