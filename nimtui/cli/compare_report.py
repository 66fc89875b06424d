"""The text report of `nimtui compare`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from nimtui.arena import comparison_text as words

if TYPE_CHECKING:
    from nimtui.arena.comparison import Column, Comparison
    from nimtui.arena.effort_curve import Curve
    from nimtui.games.base import Move

MISTAKE, RIGHT = "✗", "✓"
BAR = 20  # columns of a bar that stands for a certain win


def show(found: Comparison, place: str, curves: Sequence[Curve] | None = None) -> None:
    """Print the table, then what each agent plays, then whether they agree; then the curves."""
    from nimtui.cli import output

    output.heading(found.game)
    output.say(f"position  {place}", "")
    _show_table(found)
    output.say("")
    for number, column in enumerate(found.columns, 1):
        _show_agent(found, column, number)
    told = [words.best_text(found), words.agreement_text(found)]
    output.say(*(sentence for sentence in told if sentence))
    for number, curve in enumerate(curves or (), 1):
        _show_curve(found, curve, number)
    if curves:
        _show_crossings(curves)


def _show_table(found: Comparison) -> None:
    from nimtui.cli import output

    head, left, joined = ["move", "truth"], [0, 1], [1]
    parts: list[tuple[Column, str]] = []
    for number, column in enumerate(found.columns, 1):
        shown = [name for name in ("value", "share") if any(_cell(column, cell.move, name) for cell in column.cells)]
        for name in ("rank", *shown):
            if name == "rank":
                left.append(len(head))
            else:
                joined.append(len(head))
            head.append(str(number) if name == "rank" else name)
            parts.append((column, name))
    rows = [
        [
            found.game.move_name(move, found.state),
            words.truth_text(found.truths[move] if found.truths else None),
            *(_rank(found, column, move) if name == "rank" else _cell(column, move, name) for column, name in parts),
        ]
        for move in found.moves
    ]
    output.columns(head, rows, left=left, joined=joined)


def _rank(found: Comparison, column: Column, move: Move) -> str:
    """Return the rank of a move, and a sign beside the move that the agent plays: right, a mistake, or neither."""
    rank = column.cell(move).rank
    text = "" if rank is None else str(rank)
    if column.move != move:
        return f"  {text}".rstrip()
    right = found.right(column) if found.decides else None
    sign = "*" if right is None else RIGHT if right else MISTAKE
    return f"{sign} {text}".rstrip()


def _cell(column: Column, move: Move, name: str) -> str:
    cell = column.cell(move)
    return words.value_text(cell) if name == "value" else words.share_text(cell)


def _show_agent(found: Comparison, column: Column, number: int) -> None:
    from nimtui.cli import output

    game, state = found.game, found.state
    if column.move is None:
        output.say(f"{number}  {column.agent}: {column.fault}")
        return
    verdict = words.verdict_text(found, column)
    output.say(f"{number}  {column.agent}")
    said = f"plays {game.move_name(column.move, state)}" + (f": {verdict}" if verdict else "")
    output.say(f"   {said}  ({words.effort_text(column)})")
    if len(column.line) > 1:
        output.say(f"   line  {' '.join(game.line_names(column.line, state))}")
    if column.note:
        output.paragraph(column.note)


def _show_curve(found: Comparison, curve: Curve, number: int) -> None:
    """Print a row for each step: effort, move, value, a bar of the value, whether the move is right."""
    from nimtui.cli import output

    output.say("", f"{number}  {curve.agent}" + (f": {curve.why_none}" if curve.why_none else ""))
    if not curve.steps:
        return
    best, depths = found.right_moves, any(step.depth is not None for step in curve.steps)
    rows = [
        [
            output.grouped(step.effort),
            *([words.depth_text(step.depth)] if depths else []),
            found.game.move_name(step.move, found.state),
            words.step_value_text(step),
            "" if step.value is None else "█" * round((1 + step.value) / 2 * BAR),
            "" if best is None else "right" if step.move in best else "mistake",
        ]
        for step in curve.steps
    ]
    head = [curve.unit, *(["depth"] if depths else []), "move", "value", "", "truth" if best is not None else ""]
    output.columns(head, rows, left=(len(head) - 2, len(head) - 1), gap=2)
    output.say(words.settled_text(found, curve))


def _show_crossings(curves: Sequence[Curve]) -> None:
    from nimtui.arena.effort_curve import crossings
    from nimtui.cli import output

    for (one, first), (other, second) in combinations(enumerate(curves, 1), 2):
        if met := crossings(first, second):
            at = ", ".join(f"{effort:,}" for effort in met)
            output.say("", f"The values of {one} and {other} cross at {at} {first.unit}.")
