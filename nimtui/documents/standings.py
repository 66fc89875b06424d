"""The keys of standings, crosstable and ratings, of a tournament or a pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nimtui.arena.goodness import Fit
from nimtui.arena.tally import Cell, Field, Standing
from nimtui.documents.ratings import elo_keys, finite


def field_document(field: Field) -> dict[str, Any]:
    """Return the keys of standings, crosstable and ratings."""
    return {
        "standings": [_standing(row) for row in field.rows],
        "crosstable": [[_cell(cell) for cell in row] for row in field.cells],
        "superiority": [
            [None if row == column else value for column, value in enumerate(values)]
            for row, values in enumerate(field.superiority)
        ],
        "first_move_advantage": finite(field.seat.elo),
        "first_move_advantage_error": finite(field.seat.error),
        "fit": fit_document(field.ratings.fit, field.agents),
    }


def _standing(row: Standing) -> dict[str, Any]:
    return {
        "agent": row.agent,
        "points": row.points,
        "played": row.played,
        "wins": sum(row.wins),
        "losses": sum(row.losses),
        "draws": sum(row.draws),
        **elo_keys(row.rating),
        "score": row.score,
        "score_low": row.low,
        "score_high": row.high,
        "first": _seat(row, 0),
        "second": _seat(row, 1),
        "mistake_rate": row.mistake_rate,
        "mistakes": row.mistakes,
        "chances": row.chances,
        "moves": row.own,
        "faults": row.faults,
    }


def fit_document(fit: Fit | None, agents: Sequence[str]) -> dict[str, Any] | None:
    """Return the goodness of fit: p-value, degrees of freedom, the worst misfits; None if untested."""
    if fit is None:
        return None
    return {
        "p_value": fit.p_value,
        "degrees_of_freedom": fit.freedom,
        "worst": [
            {
                "first": agents[misfit.first],
                "second": agents[misfit.second],
                "about": "seat" if misfit.seat else "score",
                "observed": misfit.observed,
                "expected": misfit.expected,
                "standard_errors": misfit.errors,
            }
            for misfit in fit.worst
        ],
    }


def _seat(row: Standing, seat: int) -> dict[str, int]:
    return {"wins": row.wins[seat], "losses": row.losses[seat], "draws": row.draws[seat]}


def _cell(cell: Cell | None) -> dict[str, int] | None:
    if cell is None:
        return None
    return {"first_wins": cell.first_wins, "second_wins": cell.second_wins, "draws": cell.draws}
