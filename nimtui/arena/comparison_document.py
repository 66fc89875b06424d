"""A comparison as a JSON document, and as CSV."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nimtui.foreign.sheet import Sheet

if TYPE_CHECKING:
    from nimtui.arena.comparison import Column, Comparison
    from nimtui.arena.effort_curve import Curve
    from nimtui.theory.answers import MoveValue

TABLE = "agent,move,plays,rank,value,score,bound,share,optimal,outcome,remoteness"
CURVES = "agent,unit,effort,move,value,score,depth,right"


def document(found: Comparison, curves: Sequence[Curve] | None = None) -> dict[str, Any]:
    """Return the moves with their exact values, and what each agent believes of them; with curves, their steps too."""
    game, state = found.game, found.state
    moves = [
        {"move": game.move_name(move, state), **truth_keys(found.truths[move] if found.truths else None)}
        for move in found.moves
    ]
    agents = [_agent_keys(found, column) for column in found.columns]
    for keys, curve in zip(agents, curves or (), strict=False):
        keys["curve"] = _curve_keys(found, curve)
    return {"moves": moves, "decides": found.decides, "apart": found.apart, "agents": agents}


def truth_keys(truth: MoveValue | None) -> dict[str, Any]:
    """Return the exact value of a move for a document; nulls if it is unknown."""
    if truth is None:
        return {"optimal": None, "outcome": None, "remoteness": None}
    return {"optimal": truth.optimal, "outcome": truth.outcome.value, "remoteness": truth.remoteness}


def _agent_keys(found: Comparison, column: Column) -> dict[str, Any]:
    game, state = found.game, found.state
    return {
        "agent": column.agent,
        "best_move": None if column.move is None else game.move_name(column.move, state),
        "right": found.right(column),
        "line": game.line_names(column.line, state),
        "effort": column.effort,
        "unit": column.unit or None,
        "nodes": column.nodes,
        "seconds": column.seconds,
        "share_of": column.share_of or None,
        "moves": [
            {
                "move": game.move_name(cell.move, state),
                "rank": cell.rank,
                "value": cell.value,
                "score": cell.score,
                "bound": cell.bound,
                "share": cell.share,
            }
            for cell in column.cells
        ],
        "note": column.note,
        "fault": column.fault or None,
    }


def _curve_keys(found: Comparison, curve: Curve) -> dict[str, Any]:
    best, game, state = found.best_moves, found.game, found.state
    return {
        "unit": curve.unit or None,
        "right_from": None if best is None else curve.right_from(best),
        "settled_from": curve.settled_from,
        "steps": [
            {
                "effort": step.effort,
                "move": game.move_name(step.move, state),
                "value": step.value,
                "score": step.score,
                "depth": step.depth,
                "right": None if best is None else step.move in best,
            }
            for step in curve.steps
        ],
        "why_none": curve.why_none or None,
    }


def table_csv(found: Comparison) -> str:
    """Return a row for each agent and move as CSV, with a header."""
    text = io.StringIO()
    sheet = Sheet(text, TABLE.split(","))
    for column in found.columns:
        for move in found.moves:
            cell = column.cell(move)
            truth = truth_keys(found.truths[move] if found.truths else None)
            name = found.game.move_name(move, found.state)
            own = (int(column.move == move), cell.rank, cell.value, cell.score, cell.bound, cell.share)
            sheet.row((column.agent, name, *own, *map(_plain, truth.values())))
    return text.getvalue()


def curves_csv(found: Comparison, curves: Sequence[Curve]) -> str:
    """Return a row for each agent and step as CSV, with a header."""
    text, best = io.StringIO(), found.best_moves
    sheet = Sheet(text, CURVES.split(","))
    for curve in curves:
        for step in curve.steps:
            name = found.game.move_name(step.move, found.state)
            right = None if best is None else int(step.move in best)
            sheet.row((curve.agent, curve.unit, step.effort, name, step.value, step.score, step.depth, right))
    return text.getvalue()


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value
