"""Standings and crosstable as columns of text that fit the width, for commands and screens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from nimtui.arena.entrants import initials, labels
from nimtui.arena.figures import elo_interval, points, rated
from nimtui.arena.meetings import decided_by_seat
from nimtui.report.values import UNKNOWN, Likelihood, Share, Within

if TYPE_CHECKING:
    from nimtui.arena.tally import Cell, Field, Standing

GAP = 2  # between two columns
LEAST_NAME = 5  # characters of an agent's name
EVEN = 1e-6  # from a LOS of one half: no game tells the two agents apart
WIDEST = 20  # agents of a crosstable in text
# Columns that are dropped if they do not fit, in this order.
LEFT_OUT = ("second", "first", "W-D-L", "score 95 %", "LOS", "faults", "mistakes", "Elo 95 %", "points")


class Column(NamedTuple):
    """One column: its name, one cell per row, and whether it is aligned to the left."""

    name: str
    cells: Sequence[str]
    left: bool = False

    @property
    def width(self) -> int:
        return max(len(self.name), *map(len, self.cells))


def table(field: Field, width: int) -> list[Column]:
    """Return the columns of the standings that fit the width: place, agent and points always, others if possible."""
    rows = field.rows
    columns = [
        Column("", [field.place(at) for at in range(len(rows))]),
        Column("agent", [row.agent for row in rows], left=True),
        Column("points", [f"{points(row.points)}/{row.played:,}" for row in rows]),
        Column("W-D-L", [results(row) for row in rows] if any(map(any, (row.draws for row in rows))) else []),
        Column("first", [Share(seat_score(row, 0)).text for row in rows]),
        Column("second", [Share(seat_score(row, 1)).text for row in rows]),
        Column("score", [Share(row.score).text for row in rows]),
        Column("score 95 %", [Within(row.low, row.high).text if row.played else "" for row in rows], left=True),
        Column("Elo", [rated(row.rating) for row in rows]),
        Column("Elo 95 %", [elo_interval(row.rating) for row in rows], left=True),
        Column("LOS", [_ahead(field, place) for place in range(len(rows))]),
        Column("mistakes", [Share(row.mistake_rate).text for row in rows] if any(row.judged for row in rows) else []),
        Column("faults", [f"{row.faults:,}" for row in rows] if any(row.faults for row in rows) else []),
    ]
    columns = [column for column in columns if column.cells]
    for name in ("", *LEFT_OUT):
        columns = [column for column in columns if not name or column.name != name]
        if (beyond := _width(columns) - width) <= 0:
            return columns
        short = _short_names(field, columns[1], beyond)
        if short is not None:
            return [columns[0], short, *columns[2:]]
    names = columns[1]
    room = max(LEAST_NAME, names.width - (_width(columns) - width))
    cut = [name if len(name) <= room else f"{name[: room - 1]}…" for name in names.cells]
    return [columns[0], names._replace(cells=cut), *columns[2:]]


def _width(columns: Sequence[Column]) -> int:
    return sum(column.width + GAP for column in columns) - GAP


def _short_names(field: Field, names: Column, beyond: int) -> Column | None:
    """Return the agents' short names if they save at least `beyond` columns, else None."""
    of = labels(field.agents)
    short = names._replace(cells=[of[row.entrant] for row in field.rows])
    return short if names.width - short.width >= beyond else None


def _ahead(field: Field, place: int) -> str:
    """Return the LOS of the agent at this place over the next one."""
    if place + 1 == len(field.rows):
        return ""
    one, other = field.rows[place : place + 2]
    found = field.ratings.superiority[one.entrant][other.entrant]
    untold = isnan(found) or not (one.played and other.played) or one.rating.by_seat
    if abs(found - 0.5) < EVEN and decided_by_seat(field.between(one.entrant, other.entrant)):
        untold = True  # between the two the seat won, and they scored the same against the others
    return UNKNOWN if untold else Likelihood(found).text


def seat_score(row: Standing, seat: int) -> float | None:
    """Return the points per game in a seat, first (0) or second (1); None without games."""
    games = row.wins[seat] + row.draws[seat] + row.losses[seat]
    return (row.wins[seat] + row.draws[seat] / 2) / games if games else None


def results(row: Standing) -> str:
    """Return the counts of wins, draws and losses: '834-0-166'."""
    return "-".join(f"{sum(some):,}" for some in (row.wins, row.draws, row.losses))


def crosstable(field: Field, width: int) -> Iterator[list[Column]]:
    """Give the crosstable in the order of the standings, in blocks that fit; nothing for more than WIDEST agents."""
    order = [row.entrant for row in field.rows]
    if not 1 < len(order) <= WIDEST:
        return
    labelled = labels(field.agents)
    lettered = initials(labelled)
    names, letters = ([of[entrant] for entrant in order] for of in (labelled, lettered))
    cells = [[_result(field.cells[row][column]) for row in order] for column in order]
    first = Column("first", names, left=True)
    columns = [first, *map(Column, names, cells)]
    if _width(columns) <= width:
        yield columns
        return
    columns = list(map(Column, letters, cells))
    several = max(1, (width - first.width - GAP - 2) // (GAP + max(column.width for column in columns)))
    for begin in range(0, len(order), several):
        yield [Column("", letters, left=True), first, *columns[begin : begin + several]]


def _result(cell: Cell | None) -> str:
    if cell is None:
        return "·"
    if not cell.played:
        return ""
    return f"{cell.first_wins:,}–{cell.second_wins:,}" + (f" ={cell.draws:,}" if cell.draws else "")
