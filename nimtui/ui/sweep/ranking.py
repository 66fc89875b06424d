"""Paints all cells of a sweep as a list, the best first."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.learning.sweep import Cell
from nimtui.report.lines import Ink, Line, cut, line
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint
from nimtui.ui.sweep.heat import NEVER, Unit
from nimtui.ui.sweep.view import as_text, value

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
