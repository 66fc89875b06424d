"""Effort curves as an SVG picture: value over effort on a logarithmic axis, and a strip of the moves of each agent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from nimtui.report.values import Count, Difference
from nimtui.signs import visible

if TYPE_CHECKING:
    from nimtui.arena.compare.comparison import Comparison
    from nimtui.arena.compare.effort_curve import Curve, Step

WIDE, HIGH = 640, 280  # of the plot, in units of the picture
LEFT, TOP, RIGHT = 64, 56, 24  # margins
STRIP = 34  # height of an agent's strip of moves
UNDER = 56  # below the plot: labels of the axis
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # source: Okabe and Ito, told apart by all eyes
STYLE = (
    "text{font:12px sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}.end{text-anchor:end}"
    ".mid{text-anchor:middle}.grid{stroke:#ccc}.axis{stroke:#222}.truth{stroke:#222;stroke-dasharray:6 4}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.back{fill:#1c1c1c}.grid{stroke:#444}"
    ".axis,.truth{stroke:#ddd}}"
)
WORTH = {"win": 1.0, "draw": 0.0, "loss": -1.0}


def picture(comparison: Comparison, curves: Sequence[Curve]) -> str:
    """Return the SVG document of these curves. Agents without steps are named below the plot."""
    drawn = [(place, curve) for place, curve in enumerate(curves) if curve.steps]
    most = max((curve.steps[-1].effort for _, curve in drawn), default=10)
    decades = max(1, math.ceil(math.log10(max(10, most))))
    height = TOP + HIGH + UNDER + STRIP * len(curves) + 16
    width = LEFT + WIDE + RIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<style>{STYLE}</style>",
        f'<rect class="back" width="{width}" height="{height}" fill="#fff"/>',
        _text(LEFT, 24, f"{comparison.game.title}: value over effort", "title"),
        _text(LEFT, 42, f"position {comparison.game.position_name(comparison.state) or 'the start'}"),
        *_axes(decades, sorted({curve.unit for _, curve in drawn})),
        *_truth(comparison),
    ]
    for place, curve in drawn:
        parts += _line(place, curve, decades)
    for place, curve in enumerate(curves):
        parts += _strip(comparison, place, curve, decades)
    return "\n".join([*parts, "</svg>", ""])


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    look = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{look}>{escape(visible(text))}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def _axes(decades: int, units: list[str]) -> list[str]:
    parts = []
    for value in (-1.0, -0.5, 0.0, 0.5, 1.0):
        y = _y(value)
        parts += [_rule(LEFT, y, LEFT + WIDE, y, "grid"), _text(LEFT - 8, y + 4, Difference(value).text, "end")]
    for decade in range(decades + 1):
        x = _x(10**decade, decades)
        parts += [_rule(x, TOP, x, TOP + HIGH, "grid"), _text(x, TOP + HIGH + 18, Count(10**decade).text, "mid")]
    parts += [_rule(LEFT, TOP, LEFT, TOP + HIGH, "axis"), _rule(LEFT, TOP + HIGH, LEFT + WIDE, TOP + HIGH, "axis")]
    label = f"effort, logarithmic: {', '.join(units)}" if units else "effort, logarithmic"
    parts.append(_text(LEFT + WIDE / 2, TOP + HIGH + 38, label, "mid"))
    middle = TOP + HIGH / 2
    return [*parts, f'<text transform="translate(16 {middle:g}) rotate(-90)" class="mid">value of its move</text>']


def _truth(comparison: Comparison) -> list[str]:
    """Return the exact value of the position as a dashed line; nothing if it is unknown."""
    if comparison.truths is None:
        return []
    value = max(WORTH[each.outcome.value] for each in comparison.truths.values())
    return [
        _rule(LEFT, _y(value), LEFT + WIDE, _y(value), "truth"),
        _text(LEFT + WIDE, _y(value) + (16 if value > 0 else -6), "exact value", "end"),
    ]


def _line(place: int, curve: Curve, decades: int) -> list[str]:
    """Return the line of the steps with a value; a number at its end names the agent."""
    at = [(_x(step.effort, decades), _y(step.value)) for step in curve.steps if step.value is not None]
    if not at:
        return []
    colour = COLOURS[place % len(COLOURS)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in at]
    line = f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
    return [line, *dots, _text(at[-1][0] + 6, at[-1][1] + 4, str(place + 1))]


def _strip(comparison: Comparison, place: int, curve: Curve, decades: int) -> list[str]:
    """Return the agent's name, and its move at each step: a filled mark if right, a cross if a mistake."""
    y = TOP + HIGH + UNDER + STRIP * place
    colour = COLOURS[place % len(COLOURS)]
    parts = [
        f'<rect x="{LEFT}" y="{y}" width="10" height="10" fill="{colour}"/>',
        _text(LEFT + 16, y + 10, f"{place + 1}  {curve.agent}" + (f": {curve.why_none}" if curve.why_none else "")),
    ]
    return parts + [part for step in curve.steps for part in _mark(comparison, step, _x(step.effort, decades), y + 20)]


def _mark(comparison: Comparison, step: Step, x: float, y: float) -> list[str]:
    best, title = comparison.right_moves, f"{step.effort:,}: {comparison.game.move_name(step.move, comparison.state)}"
    hint = f"<title>{escape(visible(title))}</title>"
    if best is None or step.move in best:
        fill = "#888" if best is None else "#009e73"
        return [f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="{fill}">{hint}</circle>']
    cross = f"M{x - 4:.1f} {y - 4}l8 8m0 -8l-8 8"
    return [f'<path d="{cross}" stroke="#d00000" stroke-width="2" fill="none">{hint}</path>']


def _x(effort: float, decades: int) -> float:
    return LEFT + WIDE * math.log10(max(1, effort)) / decades


def _y(value: float) -> float:
    return TOP + HIGH * (1 - value) / 2
