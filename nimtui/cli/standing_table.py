"""The standings of a tournament as columns of text, as many as there is room for; and its numbers in words."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, isinf, isnan
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from nimtui.arena.tally import Standing, Standings

UNKNOWN = "–"
MISTAKES = "mistakes: of the positions that were not lost, how many were thrown away"
GAP = 2  # between two columns
LEAST_NAME = 5  # signs of an agent's name


class Column(NamedTuple):
    """One column: its name, a cell a row, and whether these are words, which begin at the left."""

    name: str
    cells: Sequence[str]
    left: bool = False

    @property
    def width(self) -> int:
        return max(len(self.name), *map(len, self.cells))


LEFT_OUT = (
    "second",
    "first",
    "W-D-L",
    "score 95 %",
    "LOS",
    "faults",
    "mistakes",
    "Elo 95 %",
    "points",
)  # in this order


def table(standings: Standings, width: int) -> list[Column]:
    """Place, agent, points, score and Elo with their intervals, and what else fits into so many columns of text."""
    rows = standings.rows
    columns = [
        Column("", [str(place) for place in range(1, len(rows) + 1)]),
        Column("agent", [row.agent for row in rows], left=True),
        Column("points", [f"{points(row.points)}/{row.played:,}" for row in rows]),
        Column("W-D-L", [results(row) for row in rows] if any(map(any, (row.draws for row in rows))) else []),
        Column("first", [percent(seat_score(row, 0)) for row in rows]),
        Column("second", [percent(seat_score(row, 1)) for row in rows]),
        Column("score", [percent(row.score) for row in rows]),
        Column("score 95 %", [score_interval(row.low, row.high) if row.played else "" for row in rows], left=True),
        Column("Elo", [elo(row.elo) for row in rows]),
        Column("Elo 95 %", [elo_interval(row.elo, row.elo_low, row.elo_high) for row in rows], left=True),
        Column("LOS", [_ahead(standings, place) for place in range(len(rows))]),
        Column("mistakes", [percent(row.mistake_rate) for row in rows] if any(row.judged for row in rows) else []),
        Column("faults", [f"{row.faults:,}" for row in rows] if any(row.faults for row in rows) else []),
    ]
    columns = [column for column in columns if column.cells]
    for name in ("", *LEFT_OUT):
        columns = [column for column in columns if not name or column.name != name]
        if (beyond := _width(columns) - width) <= 0:
            return columns
        short = _short_names(standings, columns[1], beyond)
        if short is not None:
            return [columns[0], short, *columns[2:]]
    names = columns[1]
    room = max(LEAST_NAME, names.width - (_width(columns) - width))
    cut = [name if len(name) <= room else f"{name[: room - 1]}…" for name in names.cells]
    return [columns[0], names._replace(cells=cut), *columns[2:]]


def _width(columns: Sequence[Column]) -> int:
    return sum(column.width + GAP for column in columns) - GAP


def _short_names(standings: Standings, names: Column, beyond: int) -> Column | None:
    """The agents by short names, where these are short enough."""
    from nimtui.arena.entrants import labels

    of = labels(standings.plan.agents)
    short = names._replace(cells=[of[row.entrant] for row in standings.rows])
    return short if names.width - short.width >= beyond else None


def _ahead(standings: Standings, place: int) -> str:
    """How likely it is that the one at this place is stronger than the next."""
    if place + 1 == len(standings.rows):
        return ""
    one, other = standings.rows[place : place + 2]
    if isnan(one.elo) or isnan(other.elo):
        return UNKNOWN
    return likelihood(standings.superiority[one.entrant][other.entrant])


def seat_score(row: Standing, seat: int) -> float | None:
    """Points per game of an entrant moving first (0) or second (1); None where it never did."""
    games = row.wins[seat] + row.draws[seat] + row.losses[seat]
    return (row.wins[seat] + row.draws[seat] / 2) / games if games else None


def percent(share: float | None) -> str:
    """A share of one: '83.4 %'; '0 %' and '100 %' only where it is that."""
    if share is None or isnan(share):
        return UNKNOWN
    if share in (0.0, 1.0):
        return f"{100 * share:.0f} %"
    return f"{min(max(100 * share, 0.1), 99.9):.1f} %"


def likelihood(value: float) -> str:
    """A likelihood, which is never quite certain: '97.5 %', '>99.9 %', '<0.1 %'."""
    if value > 0.999:
        return ">99.9 %"
    return "<0.1 %" if value < 0.001 else percent(value)


def score_interval(low: float, high: float) -> str:
    """'80.9–85.6', in per cent."""
    return f"{100 * low:.1f}–{100 * high:.1f}"


def elo(value: float) -> str:
    """'+412', '−61', '0', '∞', '–' where nothing is known."""
    if isnan(value):
        return UNKNOWN
    sign = "−" if value < 0 else "+"
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{sign}{abs(value):.0f}" if round(value) else "0"


def elo_interval(value: float, low: float, high: float) -> str:
    """How far it may be off, 95 %: '+88/−61', '±40'; of an infinite one its bound, '> +412'.

    Nothing where the ratings are counted from this one.
    """
    if isnan(value) or low == high:
        return ""
    if isinf(value):
        bound = low if value > 0 else high
        return f"{'>' if value > 0 else '<'} {elo(bound)}" if isfinite(bound) else ""
    up = "∞" if isinf(high) else f"{max(high - value, 0):.0f}"
    down = "∞" if isinf(low) else f"{max(value - low, 0):.0f}"
    return f"±{up}" if up == down else f"+{up}/−{down}"


def advantage(value: float, error: float) -> str:
    """What moving first is worth: 'Moving second is worth 527 Elo, ±41'; '' where that is not known."""
    if isnan(value):
        return ""
    if isinf(value):
        return f"Who moves {'first' if value > 0 else 'second'} has always won"
    within = "" if isnan(error) else f", ±{error:.0f}"
    if round(value) == 0:
        return f"Moving first is worth nothing here{within}"
    return f"Moving {'first' if value > 0 else 'second'} is worth {abs(value):.0f} Elo{within}"


def points(value: float) -> str:
    """'834', '12.5'."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def results(row: Standing) -> str:
    """Won, drawn and lost: '834-0-166'."""
    return "-".join(f"{sum(some):,}" for some in (row.wins, row.draws, row.losses))
