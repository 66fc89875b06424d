"""The standings and the crosstable of a tournament as text columns that fit the width, also live."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isnan
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from nimtui.arena.entrants import initials, labels
from nimtui.arena.figures import UNKNOWN, elo, elo_interval, likely, pace, percent, points, score_interval
from nimtui.arena.verdict_words import far, live_lines
from nimtui.cli import look, output
from nimtui.cli.bar import Bar

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from nimtui.arena.tally import Cell, Standing, Standings
    from nimtui.jobs.tournament import View

GAP = 2  # between two columns
LEAST_NAME = 5  # characters of an agent's name
WIDEST = 20  # agents of a crosstable in text
# Columns that are dropped if they do not fit, in this order.
LEFT_OUT = ("second", "first", "W-D-L", "score 95 %", "LOS", "faults", "mistakes", "Elo 95 %", "points")
REDRAWS = 4  # a second, at most
COSTS = 20  # the pause between two redraws is at least this many times as long as a redraw
MOST_TESTS = 8  # lines of sequential tests
SPARE = 5  # lines that the rows leave free: the games, the head, the progress, the prompt, the cursor


class Column(NamedTuple):
    """One column: its name, one cell per row, and whether it is aligned to the left."""

    name: str
    cells: Sequence[str]
    left: bool = False

    @property
    def width(self) -> int:
        return max(len(self.name), *map(len, self.cells))


def table(standings: Standings, width: int) -> list[Column]:
    """Return the columns of the standings that fit the width: place, agent and points always, others if possible."""
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
        Column("Elo", [elo(row.rating.elo) for row in rows]),
        Column("Elo 95 %", [elo_interval(row.rating) for row in rows], left=True),
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
    """Return the agents' short names if they save at least `beyond` columns, else None."""
    of = labels(standings.plan.agents)
    short = names._replace(cells=[of[row.entrant] for row in standings.rows])
    return short if names.width - short.width >= beyond else None


def _ahead(standings: Standings, place: int) -> str:
    """Return the LOS of the agent at this place over the next one."""
    if place + 1 == len(standings.rows):
        return ""
    one, other = standings.rows[place : place + 2]
    found = standings.ratings.superiority[one.entrant][other.entrant]
    return UNKNOWN if isnan(found) or not (one.played and other.played) else likely(found)


def seat_score(row: Standing, seat: int) -> float | None:
    """Return the points per game in a seat, first (0) or second (1); None without games."""
    games = row.wins[seat] + row.draws[seat] + row.losses[seat]
    return (row.wins[seat] + row.draws[seat] / 2) / games if games else None


def results(row: Standing) -> str:
    """Return the counts of wins, draws and losses: '834-0-166'."""
    return "-".join(f"{sum(some):,}" for some in (row.wins, row.draws, row.losses))


def crosstable(standings: Standings, width: int) -> Iterator[list[Column]]:
    """Give the crosstable in the order of the standings, in blocks that fit; nothing for more than WIDEST agents."""
    order = [row.entrant for row in standings.rows]
    if not 1 < len(order) <= WIDEST:
        return
    labelled = labels(standings.plan.agents)
    lettered = initials(labelled)
    names, letters = ([of[entrant] for entrant in order] for of in (labelled, lettered))
    cells = [[_result(standings.cells[row][column]) for row in order] for column in order]
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


# While it runs.


class LiveTable(Bar):
    """A bar that shows the live standings, and below them the games played and the time left.

    Never exceeds the terminal, and disappears before the report is printed.
    """

    def __init__(self, view: Callable[[], View]) -> None:
        super().__init__("tournament")
        self.view = view
        self._pause = 1 / look.redraws(REDRAWS)
        self._live: Live | None = None
        self._due = 0.0

    def draw(self, done: float, total: float, what: str) -> None:
        begun = monotonic()
        if begun < self._due:
            return
        if self._live is None:
            self._live = self._open_live()
        console = self._live.console
        self._live.update(picture(self.view(), what, console.width, console.height, console.encoding), refresh=True)
        now = monotonic()
        self._due = now + max(self._pause, COSTS * (now - begun))  # many agents take long to draw

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()

    def say(self, line: str) -> None:
        if self._live is None:
            super().say(line)
        else:
            self._above(self._live.console, line)

    def _open_live(self) -> Live:
        from rich.live import Live

        console = output.console(stderr=True)
        live = Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False)  # as in bar.py
        live.start()
        return live


def picture(view: View, what: str, width: int, height: int, encoding: str = "utf-8") -> Table:
    """Return the rows and columns that fit `width` x `height`, and the progress line."""
    from rich.table import Table
    from rich.text import Text

    from nimtui.games import parse_game

    standings = view.standings
    shown = max(1, min(len(standings.rows), height - SPARE))
    found = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold", highlight=False)
    columns = table(standings, width)
    for column in columns:
        found.add_column(
            column.name,
            justify="left" if column.left else "right",
            no_wrap=True,
            overflow="ellipsis" if encoding.startswith("utf") else "crop",
        )
    for cells in list(zip(*(column.cells for column in columns), strict=True))[:shown]:
        found.add_row(*(Text(output.encodable(cell, encoding)) for cell in cells))
    whole = Table.grid()
    titles = " · ".join(parse_game(name).title for name in view.plan.games)
    whole.add_row(Text(output.encodable(titles, encoding), style="bold", no_wrap=True, overflow="crop"))
    whole.add_row(found)
    room = max(0, height - SPARE - shown)
    for line in live_lines(view.plan, view.scores, width, min(room, MOST_TESTS)):
        whole.add_row(Text(output.encodable(line, encoding), no_wrap=True, overflow="crop"))
    more = len(standings.rows) - shown
    line = " · ".join(_progress(view, what) + ([f"{more} more below"] if more else []))
    whole.add_row(Text(output.encodable(line, encoding), no_wrap=True, overflow="crop"))
    return whole


def _progress(view: View, what: str) -> list[str]:
    """Return the parts of the progress line, the most important first."""
    parts = [f"{view.done:,} of {view.total:,} games"]
    if view.plan.sprt is not None:
        parts.append(far(view.plan, view.scores))
    if what and what != "games":
        parts.append(what)
    if view.rate:
        parts.append(pace(view.rate))
    if view.left is not None:
        parts.append(f"{clock(view.left)} left")
    if view.faults:
        parts.append(f"last fault: {view.faults[-1]}")
    if view.fault:
        parts.append(view.fault)
    return parts


def clock(seconds: float) -> str:
    """Format a duration: '0:07', '12:30', '3:00:05'."""
    whole = max(0, round(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
