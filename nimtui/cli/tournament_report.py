"""The JSON document and the text report of `nimtui tournament`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nimtui import __version__
from nimtui.arena import judge, statements
from nimtui.arena.columns import GAP, crosstable, table
from nimtui.arena.entrants import labels
from nimtui.arena.faults import lines as equal_faults
from nimtui.arena.figures import games_text
from nimtui.arena.verdict_words import errors_text, question, sentence
from nimtui.cli import output

if TYPE_CHECKING:
    from nimtui.arena.goodness import Fit
    from nimtui.arena.plan import Plan
    from nimtui.arena.sprt import Sprt
    from nimtui.arena.tally import Cell, Field, PairingScore, Standing
    from nimtui.jobs.tournament import View

MOST_FAULTS = 20  # lines of different faults
WIDE = 120  # columns of text without a terminal


# As a document.


def document(view: View) -> dict[str, Any]:
    """Return the JSON document. Unknown numbers are null. `superiority` is head to head, [row][column]."""
    plan, standings = view.plan, view.standings
    asked = plan.document()
    return {
        "game": plan.games[0],
        "game_names": asked["games"],
        "agents": asked["agents"],
        "pairs": asked["pairs"],
        "openings": asked["openings"],
        "games_a_pairing": asked["number"],
        "seed": asked["seed"],
        "sprt": asked["sprt"],
        "move_time": plan.limits.move or 0.0,
        "game_time": asked["game_time"],
        "games": view.done,
        "of_games": view.total,
        **field_document(standings),
        "pairings": [_pairing(plan, score) for score in view.scores],
        "seconds": view.seconds,
        "games_per_second": view.done / view.seconds if view.seconds else None,
        "version": __version__,
    }


def field_document(field: Field) -> dict[str, Any]:
    """Return the keys of standings, crosstable and ratings."""
    return {
        "standings": [_standing(row) for row in field.rows],
        "crosstable": [[_cell(cell) for cell in row] for row in field.cells],
        "superiority": [
            [None if row == column else value for column, value in enumerate(values)]
            for row, values in enumerate(field.superiority)
        ],
        "first_move_advantage": output.finite(field.seat.elo),
        "first_move_advantage_error": output.finite(field.seat.error),
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
        **output.elo_keys(row.rating),
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


def _pairing(plan: Plan, score: PairingScore) -> dict[str, Any]:
    game, first, second = score.pairing
    return {
        "game": plan.games[game],
        "first": plan.agents[first],
        "second": plan.agents[second],
        "played": score.played,
        "wanted": score.wanted,
        "wins": sum(score.wins),
        "losses": sum(score.losses),
        "draws": sum(score.draws),
        "pentanomial": list(score.pentanomial),
        "mistakes": list(score.mistakes),
        "faults": list(score.faults),
        **_test(plan.sprt, score),
    }


def _test(test: Sprt | None, score: PairingScore) -> dict[str, Any]:
    """Return the facts of a pairing's sequential test; all null without one."""
    if test is None or score.llr is None:
        return dict.fromkeys(("llr", "bounds", "elo0", "elo1", "alpha", "beta", "scale", "pairs", "verdict"))
    return {
        "llr": output.finite(score.llr),
        "bounds": list(test.bounds),
        **{key: getattr(test, key) for key in ("elo0", "elo1", "alpha", "beta", "scale")},
        "pairs": score.pairs,
        "verdict": score.verdict or None,
    }


# As text: the report.


def show(view: View, remarks: list[str], seconds: float) -> None:
    """Print the standings, the crosstable, and remarks on them."""
    from nimtui.games import parse_game

    plan, standings = view.plan, view.standings
    for name in plan.games:
        output.heading(parse_game(name))
    output.say(f"{kind_text(plan)}, seed {plan.seed}")
    if plan.sprt is not None:
        for line in question(plan):
            output.say(line)
    if plan.limits.title:
        output.say(f"time limit: {plan.limits.title}")
    output.say(speed_text(view, seconds), "")
    show_tables(standings)
    for line in (*_notes(view), *remarks):
        output.paragraph(line)


def show_tables(field: Field) -> None:
    """Print the standings and the crosstable, each with an empty line below."""
    wide = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDE
    for columns in (table(field, wide), *crosstable(field, wide)):
        output.columns(
            [column.name for column in columns],
            zip(*(column.cells for column in columns), strict=True),
            left=[place for place, column in enumerate(columns) if column.left],
            gap=GAP,
        )
        output.say("")


def kind_text(plan: Plan) -> str:
    """Return the kind of tournament: 'round-robin of 4 agents, 100 games per pairing, from the start'."""
    from nimtui.arena.plan import ONE_SIDED, ORDERED

    agents = "1 agent" if len(plan.agents) == 1 else f"{len(plan.agents)} agents"
    kind = {ORDERED: "all ordered pairs", ONE_SIDED: "match"}.get(plan.pairs, plan.pairs)
    return f"{kind} of {agents}, {games_text(plan.number)} per pairing, {plan.openings.title}"


def speed_text(view: View, seconds: float) -> str:
    """Return the number of games, the time and the speed."""
    of = "" if view.finished else f" of {view.total:,}"
    games = "1 game" if view.done == 1 and not of else f"{view.done:,}{of} games"
    fast = f", {view.done / view.seconds:,.0f} a second" if view.seconds > 0 and view.done > 1 else ""
    now = f" ({output.seconds(seconds)} of it now)" if 0 < seconds < 0.9 * view.seconds else ""
    return f"{games} in {output.seconds(view.seconds)}{now}{fast}"


def _notes(view: View) -> Iterator[str]:
    plan, standings = view.plan, view.standings
    judged = judge.least_judged(plan.games)
    yield from statements.of_tables(standings, judged=None if judged is None or judged >= plan.number else judged)
    yield from statements.of_ratings(standings.ratings, standings.meetings, labels(plan.agents))
    for score in view.scores:
        if said := sentence(plan, score):
            yield said
    if plan.sprt is not None:
        yield errors_text(plan.sprt)
    if faults := sum(sum(score.faults) for score in view.scores):
        games = "1 game was" if faults == 1 else f"{faults:,} games were"
        yield f"{games} lost by a fault of an agent:"
        yield from equal_faults(view.kinds, MOST_FAULTS)
