"""Standings and crosstable of a field of agents, as the reports of tournaments and pools have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from nimtui.arena.entrants import initials, labels
from nimtui.arena.meetings import decided_by_seat
from nimtui.arena.statements import WIDEST
from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.games.place import Place
from nimtui.report.blocks import Block, Column, Facts, Gap, Heading, Table
from nimtui.report.tables import csv
from nimtui.report.values import NOTHING, Count, Keys, Likelihood, Raw, Share, Typed, Value, Word

if TYPE_CHECKING:
    from nimtui.arena.goodness import Fit
    from nimtui.arena.tally import Cell, Field, Standing

GAP = 2  # between two columns
WIDE = 120  # columns of text where nothing limits them
EVEN = 1e-6  # from a LOS of one half: no game tells the two agents apart


class Tenths(Share):
    """A share of many games: as exact in narrow columns."""

    SHORT_PLACES = 1


class Superiority(Likelihood):
    """A likelihood of superiority: as exact in narrow columns, since 97.5 % is where a lead counts."""

    SHORT_PLACES = 1


def headings(games: Sequence[str]) -> Iterator[Heading]:
    """Give a heading for each game."""
    for name in games:
        try:
            game = parse_game(name)
        except InputError:  # an own game that is missing here
            yield Heading(name)
        else:
            yield Heading(Place(game, game.start, None).title)


def field_blocks(field: Field) -> list[Block]:
    """Return standings and crosstable, each with an empty line below, and what only documents say of the ratings."""
    facts = {
        "crosstable": [[None if cell is None else asdict(cell) for cell in row] for row in field.cells],
        "superiority": [
            [None if row == column else value for column, value in enumerate(values)]
            for row, values in enumerate(field.superiority)
        ],
        **field.seat.keys,
        "fit": fit_keys(field.ratings.fit, field.agents),
    }
    blocks: list[Block] = [standings(field), Gap(), Facts(facts)]
    if 1 < len(field.rows) <= WIDEST:
        blocks += [crosstable(field), Gap()]
    return blocks


def fit_keys(fit: Fit | None, agents: Sequence[str]) -> dict[str, Any] | None:
    """Return the goodness of fit: p-value, degrees of freedom, the worst misfits; None if untested."""
    if fit is None:
        return None
    names = ("first", "second", "about", "observed", "expected", "standard_errors")
    worst = [
        (agents[first], agents[second], "seat" if seat else "score", *figures)
        for first, second, seat, *figures in fit.worst
    ]
    misfits = [dict(zip(names, misfit, strict=True)) for misfit in worst]
    return {"p_value": fit.p_value, "degrees_of_freedom": fit.freedom, "worst": misfits}


def standings(field: Field) -> Table:
    """Return a row for each agent, the best first."""
    rows, names = field.rows, labels(field.agents)
    places = {row.entrant: at for at, row in enumerate(rows)}
    drawn, judged = any(any(row.draws) for row in rows), any(row.judged for row in rows)
    columns = [
        Column("", lambda row: Word(field.place(places[row.entrant]))),
        Column("agent", lambda row: Word(row.agent, names[row.entrant]), left=True),
        Column(None, lambda row: Keys(row.keys), "agent"),
        Column("points", lambda row: Word(points(row)), rank=2),
        Column("W-D-L" if drawn else None, lambda row: Word(results(row)), rank=7),
        Column("first", lambda row: Tenths(seat_score(row, 0)), rank=8),
        Column("second", lambda row: Tenths(seat_score(row, 1)), rank=9),
        Column("score", lambda row: Tenths(row.score)),
        Column("score 95 %", lambda row: row.scored.interval, left=True, rank=6),
        Column("Elo", lambda row: row.rating.value),
        Column("Elo 95 %", lambda row: row.rating.range, left=True, rank=1),
        Column("LOS", lambda row: _ahead(field, places[row.entrant]), rank=5),
        Column("mistakes" if judged else None, lambda row: Tenths(row.mistake_rate), rank=3),
        Column("faults" if any(row.faults for row in rows) else None, lambda row: Count(row.faults), rank=4),
    ]
    return Table("standings", columns, rows, lambda row: row.entrant, GAP, wide=WIDE)


def sheet(field: Field) -> str:
    """Return the standings as CSV, one line per agent after its place. Unknown and infinite numbers are empty."""
    table = standings(field)
    place = Column(None, lambda row: Raw(1 + table.rows.index(row)), "place")
    return csv(replace(table, columns=[place, *table.columns]))


def points(row: Standing) -> str:
    """Return the points of the games played: '834/1,000', '12.5/20'."""
    return f"{Typed(row.points)}/{Count(row.played)}"


def results(row: Standing) -> str:
    """Return the counts of wins, draws and losses: '834-0-166'."""
    return "-".join(Count(sum(some)).text for some in (row.wins, row.draws, row.losses))


def seat_score(row: Standing, seat: int) -> float | None:
    """Return the points per game in a seat, first (0) or second (1); None without games."""
    games = row.wins[seat] + row.draws[seat] + row.losses[seat]
    return (row.wins[seat] + row.draws[seat] / 2) / games if games else None


def _ahead(field: Field, place: int) -> Value:
    """Return the LOS of the agent at this place over the next one."""
    if place + 1 == len(field.rows):
        return NOTHING
    one, other = field.rows[place : place + 2]
    los = field.ratings.superiority[one.entrant][other.entrant]
    # Perhaps between the two the seat won, and they scored the same against the others.
    seat = abs(los - 0.5) < EVEN and decided_by_seat(field.between(one.entrant, other.entrant))
    return Superiority(los if one.played and other.played and not one.rating.by_seat and not seat else None)


def crosstable(field: Field) -> Table:
    """Return the results of each agent moving first against each other one, in the order of the standings."""
    order, names = [row.entrant for row in field.rows], labels(field.agents)
    letters = initials(names)
    wide = max(map(len, letters))

    def against(column: int) -> Column:
        return Column(names[column], lambda row: Word(_result(field.cells[row][column])), brief=letters[column])

    first = Column(
        "first",
        lambda row: Word(names[row], f"{letters[row]:<{wide}}  {names[row]}"),
        left=True,
        brief=f"{'':<{wide}}  first",
    )
    return Table("", [first, *map(against, order)], order, gap=GAP, wide=WIDE)


def _result(cell: Cell | None) -> str:
    if cell is None:
        return "·"
    if not cell.played:
        return ""
    return f"{cell.first_wins:,}–{cell.second_wins:,}" + (f" ={cell.draws:,}" if cell.draws else "")
