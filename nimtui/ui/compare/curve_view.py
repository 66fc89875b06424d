"""Painter of the effort curves: a strip of each agent's moves over its effort, and the steps of the marked agent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nimtui.arena import comparison_report as reports
from nimtui.report.blocks import Column, Table
from nimtui.report.cells import table_lines
from nimtui.report.lines import Ink, Line, Painter, fit, line
from nimtui.report.values import Word
from nimtui.ui.compare.view import INKS
from nimtui.ui.kit.curve import short
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nimtui.arena.comparison import Comparison
    from nimtui.arena.effort_curve import Curve, Step
    from nimtui.ui.compare.conductor import CompareConductor

BLOCKS = "▁▂▃▄▅▆▇█"  # a value from −1 to 1
LEVELS = "0123456789"  # the same in ASCII
GUTTER = 2  # columns of the agents' numbers
LEAST_TABLE = 3  # lines: its head, and two steps


def curves(conductor: CompareConductor, agent: int) -> Paint:
    """Paint all strips on one logarithmic axis, then the steps of the marked agent."""

    def lines(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        found, known = conductor.compared, list(conductor.curves)
        if found is None:
            return []
        if not known:
            return [line(("No curves yet.", Ink.QUIET))]
        drawn = [curve for curve in known if curve is not None]
        most = max((curve.steps[-1].effort for curve in drawn if curve.steps), default=10)
        decades = max(1, math.ceil(math.log10(max(10, most))))
        shown: list[Line] = []
        for at, curve in enumerate(known):
            shown += _strip(found, at, curve, at == agent, decades, columns, signs)
        shown.append(_axis(decades, columns))
        curve = known[agent] if agent < len(known) else None
        room = rows - len(shown) - 1
        if curve is not None and curve.steps and room >= LEAST_TABLE:
            shown += [(), *_steps(found, curve, room, columns, signs)]
        return shown[:rows]

    return lines


def _column(effort: int, decades: int, columns: int) -> int:
    return GUTTER + round(math.log10(max(1, effort)) / decades * (columns - GUTTER - 1))


def _strip(
    found: Comparison, at: int, curve: Curve | None, marked: bool, decades: int, columns: int, signs: Glyphs
) -> list[Line]:
    """Return an agent's name with its summary, its values as blocks, and whether its moves are right."""
    name = found.columns[at].agent
    if curve is None:
        told = "at work"
    elif not curve.steps:
        told = curve.why_none
    else:
        told = reports.settled_text(found, curve)
    mark = signs.cursor if marked else " "
    first = fit(line((f"{at + 1}{mark}{name}  ", INKS[at]), (told, Ink.QUIET)), columns, signs)
    if curve is None or not curve.steps:
        return [first]
    picture = Painter(columns, 2)
    for step in curve.steps:
        x = _column(step.effort, decades, columns)
        picture.write(x, 0, _level(step, signs), INKS[at])
        picture.write(x, 1, *_verdict(found, step, signs))
    return [first, *picture.lines()]


def _level(step: Step, signs: Glyphs) -> str:
    """Return the sign of a value; a space for a step without one."""
    if step.value is None:
        return " "
    levels = LEVELS if not signs.parts else BLOCKS
    return levels[min(len(levels) - 1, int((1 + step.value) / 2 * len(levels)))]


def _verdict(found: Comparison, step: Step, signs: Glyphs) -> tuple[str, Ink]:
    right = found.right_moves
    if right is None:
        return signs.verdicts[0], Ink.QUIET
    return (signs.right, Ink.RIGHT) if step.move in right else (signs.wrong, Ink.WRONG)


def _axis(decades: int, columns: int) -> Line:
    text = ""
    for decade in range(decades + 1):
        label = short(10**decade)
        at = min(_column(10**decade, decades, columns), columns - len(label))
        if at > len(text) or not text:
            text = text.ljust(at) + label
    return line((text, Ink.QUIET))


def _steps(found: Comparison, curve: Curve, rows: int, columns: int, signs: Glyphs) -> Sequence[Line]:
    """Return the last steps of a curve as rows: effort, depth, move, value, right or mistake."""

    def verdict(step: Step) -> Word:
        return Word(f"{_verdict(found, step, signs)[0]} {reports.step_verdict(found, step)}".rstrip())

    judged = Column("", verdict, left=True, ink=lambda step: _verdict(found, step, signs)[1])
    last = curve.steps[max(0, len(curve.steps) - rows + 1) :]
    return table_lines(Table("", [*reports.steps(found, curve), judged], last, gap=2), columns, rows, signs=signs)
