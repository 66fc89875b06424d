"""Standings and crosstable in one table: each row is an entrant, its standing, then its share against each opponent.

Pure functions. Columns that do not fit are left out, the least useful first; the cursor scrolls the crosstable.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from nimtui.arena.entrants import initials, labels
from nimtui.arena.standings_report import Tenths, points
from nimtui.report import blocks, values
from nimtui.report.blocks import Column, View
from nimtui.report.cells import layout_lines
from nimtui.report.layout import Layout, clipped, layout
from nimtui.report.lines import Ink, Line, Run, cut, line, plain_text, width
from nimtui.report.values import NOTHING
from nimtui.ui.kit.clipboard import Copy, command
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.tournament.setup import TournamentSetup

if TYPE_CHECKING:
    from nimtui.arena.plan import Plan
    from nimtui.arena.tally import Standing, Standings

NAME, SCORE, INTERVAL, BAR = 9, 6, 9, 6  # cells of columns
CELL, WIDE_CELL, ROOMY = 4, 6, 90  # with their gap; the wide ones where so many are left for the standings
FAULTS = 7  # with its gap
SORTS = ("score", "Elo", "points", "mistakes", "name")
LEAST_CELLS = 6  # of the crosstable: for these Elo is left out
ELO, ELO_WITH_ENDS = 6, 14  # with their gaps


class Share(Enum):
    """The meaning of a crosstable cell, in per cent."""

    BOTH = "points of the row against the column, both seats"
    FIRST = "points of the row where it moves first"
    STRONGER = "likelihood that the row is stronger, by the games of the two"


@dataclass(frozen=True, slots=True)
class Place:
    """The cursor. It marks two entrants, not a row and a column, so it follows them when the rows are sorted again."""

    cursor: tuple[int, int] = (0, 1)
    share: Share = Share.BOTH
    sort: str = SORTS[0]
    chosen: bool = False  # the user put the cursor here; otherwise it marks the first two of the table

    def on(self, order: Sequence[int]) -> Place:
        """Return the same place for entrants in this order."""
        return self if self.chosen else replace(self, cursor=(order[0], order[min(1, len(order) - 1)]))

    def order(self, standings: Standings, names: Sequence[str]) -> list[int]:
        """Return the entrants as sorted; ties keep the order of the standings."""

        def key(row: Standing) -> tuple[float, str]:
            if self.sort == "Elo":
                return math.inf if math.isnan(row.rating.elo) else -row.rating.elo, ""
            if self.sort == "points":
                return -row.points, ""
            if self.sort == "mistakes":
                return math.inf if row.mistake_rate is None else row.mistake_rate, ""
            return 0.0, names[row.entrant].lower() if self.sort == "name" else ""

        return [row.entrant for row in sorted(standings.rows, key=key)]

    def moved(self, order: Sequence[int], down: int, across: int) -> Place:
        """Move the cursor this many cells, within the edges."""
        at = [order.index(entrant) for entrant in self.cursor]
        row, column = (max(0, min(len(order) - 1, here + by)) for here, by in zip(at, (down, across), strict=True))
        return replace(self, cursor=(order[row], order[column]), chosen=True)

    def at(self, cell: tuple[int, int]) -> Place:
        """Put the cursor on this cell."""
        return replace(self, cursor=cell, chosen=True)

    def next_share(self) -> Place:
        shares = list(Share)
        return replace(self, share=shares[(shares.index(self.share) + 1) % len(shares)])

    def next_sort(self) -> Place:
        return replace(self, sort=SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)])


@dataclass(frozen=True, slots=True)
class Table:
    """The standings as they are to be shown."""

    standings: Standings
    labels: Sequence[str]  # per entrant
    initials: Sequence[str]
    order: Sequence[int]  # the entrants from top to bottom, and from left to right
    place: Place

    @classmethod
    def of(cls, standings: Standings, place: Place) -> Table:
        """Return standings and crosstable, sorted as the user chose, with the cursor in place."""
        names = labels(standings.plan.agents)
        order = place.order(standings, names)
        return cls(standings, names, initials(names), order, place.on(order))


# One cell.


def share(standings: Standings, row: int, column: int, what: Share) -> float | None:
    """Return the share, 0 to 1; None if unknown."""
    if what is Share.STRONGER:
        found = standings.superiority[row][column]
        return None if row == column else found
    points, games = against(standings, row, column, both=what is Share.BOTH)
    return points / games if games else None


def against(standings: Standings, row: int, column: int, *, both: bool = True) -> tuple[float, int]:
    """Return the row's points against the column and the number of games: those it opened, and with `both` the others
    too.
    """
    opened, answered = standings.cells[row][column], standings.cells[column][row]
    points, games = (opened.first_wins + opened.draws / 2, opened.played) if opened is not None else (0.0, 0)
    if both and answered is not None and row != column:
        points += answered.second_wins + answered.draws / 2
        games += answered.played
    return points, games


# The layout.


@dataclass(frozen=True, slots=True)
class Shape:
    """The standings, and to their right some columns of the crosstable."""

    standings: Layout
    across: Sequence[int]  # the entrants of these columns
    left: int  # the place of the first one
    cell: int  # cells of the terminal that a column takes

    def shows(self, key: str) -> bool:
        """Return whether the standings have this column."""
        return any(laid.column.key == key for laid in self.standings.blocks[0])


def shape(table: Table, columns: int, rows: int, signs: Glyphs) -> Shape:
    """Fit as much as possible: the whole crosstable first, then the columns of the standings by their ranks."""
    number, initial = len(table.order), max(map(len, table.initials))
    least = len(str(number)) + min(NAME, max(map(len, table.labels))) + initial + SCORE + 4
    least += FAULTS if any(row.faults for row in table.standings.rows) else 0
    cell = max(WIDE_CELL if columns - number * WIDE_CELL > ROOMY else CELL, initial + 1)
    room = (columns - least - ELO) // cell
    if room < min(number, LEAST_CELLS):
        room = (columns - least) // cell
    if room < number:  # without all cells, a few more are worth less than the intervals of the ratings
        room = (columns - least - ELO_WITH_ENDS) // cell
    shown = max(1, min(number, room))
    left = max(0, min(list(table.order).index(table.place.cursor[1]) - shown // 2, number - shown))
    view = View(table.place.cursor[0], table.place.sort)
    standings = layout(_standings(table, signs), columns - shown * cell, max(1, rows - 1), view, signs, fold=False)
    return Shape(standings, table.order[left : left + shown], left, cell)


def _standings(table: Table, signs: Glyphs) -> blocks.Table:
    """Return the standings beside the crosstable: how well each agent did."""
    by_entrant = {row.entrant: row for row in table.standings.rows}
    places = {entrant: place for place, entrant in enumerate(table.order, 1)}
    rows, names, longest = [by_entrant[entrant] for entrant in table.order], table.labels, max(map(len, table.labels))
    most = 2 * len(f"{most_games(table.standings.plan):,}") + 3  # '1,234.5/2,000'

    def marked(name: str, sort: str) -> str:
        return f"{signs.down}{name}" if sort == table.place.sort else name

    def name(row: Standing) -> values.Word:
        brief = clipped(names[row.entrant], NAME, signs.hidden)
        return values.Word(names[row.entrant], brief.ljust(min(NAME, longest)))

    def bar(row: Standing, wide: int) -> str:
        return whisker(row.score or 0.0, row.low, row.high, wide, signs)

    def quiet(row: Standing) -> Ink:
        return Ink.QUIET

    return blocks.Table(
        "",
        [
            Column("", lambda row: values.Count(places[row.entrant]), width=len(str(len(rows))), ink=quiet),
            Column(marked("agent", "name"), name, "name", left=True, width=longest),
            Column("", lambda row: values.Word(table.initials[row.entrant]), left=True),
            Column("", lambda row: NOTHING, rank=4, width=BAR, ink=lambda row: Ink.BAR, draw=bar),
            Column(marked("points", "points"), lambda row: values.Word(points(row)), "points", rank=6, width=most),
            Column(marked("score", "score"), lambda row: _known(row.score), "score", width=SCORE),
            Column("95 %", lambda row: row.interval, left=True, rank=5, width=INTERVAL, ink=quiet),
            Column(marked("Elo", "Elo"), lambda row: row.rating.brief, "Elo", rank=1, width=ELO - 1),
            Column("±95 %", lambda row: row.rating.error, left=True, rank=2),
            Column(
                marked("mistakes", "mistakes") if any(row.judged for row in rows) else None,
                lambda row: _known(row.mistake_rate),
                "mistakes",
                rank=3,
            ),
            Column(
                "faults" if any(row.faults for row in rows) else None,
                lambda row: values.Count(row.faults) if row.faults else NOTHING,
                ink=lambda row: Ink.BAD,
            ),
        ],
        rows,
        lambda row: row.entrant,
        gap=1,
    )


def _known(share: float | None) -> values.Value:
    return NOTHING if share is None else Tenths(share)


@lru_cache(maxsize=4)
def most_games(plan: Plan) -> int:
    """Return the most games an entrant can play, so that columns keep their width while numbers grow."""
    meetings: Counter[int] = Counter()
    for _, one, other in plan.pairings:
        if one != other:
            meetings.update((one, other))
    return plan.number * max(meetings.values(), default=0)


# The picture.


def paint(table: Table, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Draw a head, then a line per entrant; as many as fit, including the cursor's."""
    shaped = shape(table, columns, rows, signs)
    top, shown = shaped.standings.top, shaped.standings.rows
    view = View(sorted_by=table.place.sort)
    standings = layout_lines(_standings(table, signs), shaped.standings, view)
    lines = [line(*each, " " * (shaped.standings.width - width(each))) for each in standings]
    lines[0] = line(*lines[0], *_heads(table, shaped, signs))
    for at, entrant in enumerate(table.order[top : top + shown], 1):
        cells = [run for column in shaped.across for run in _cell(table, shaped.cell, entrant, column, signs)]
        lines[at] = line(*lines[at], *cells)
    if top > 0:
        lines[1] = _edge(lines[1], signs.up)
    if top + shown < len(table.order):
        lines[-1] = _edge(lines[-1], signs.down)
    return [cut(each, columns, signs.hidden) for each in lines]


def cell_at(table: Table, columns: int, rows: int, signs: Glyphs, x: int, y: int) -> tuple[int, int] | None:
    """Return the entrants of the cell that `paint` draws here; None if there is no cell."""
    shaped = shape(table, columns, rows, signs)
    column = (x - shaped.standings.width) // shaped.cell
    if not (0 < y <= shaped.standings.rows and 0 <= column < len(shaped.across)):
        return None
    return table.order[shaped.standings.top + y - 1], shaped.across[column]


def _edge(shown: Line, sign: str) -> Line:
    """Mark a line that continues: a sign before it if there is room."""
    place, ink = shown[0].text, shown[0].ink
    if place.startswith(" "):
        return (Run(sign, Ink.KEY), Run(place[1:], ink), *shown[1:])
    return (Run(place[:-1], ink), Run(sign, Ink.KEY), *shown[1:])


def _heads(table: Table, shaped: Shape, signs: Glyphs) -> list[tuple[str, Ink]]:
    parts, last = [], len(shaped.across) - 1
    more = shaped.left + last + 1 < len(table.order)
    for at, entrant in enumerate(shaped.across):
        here = entrant == table.place.cursor[1]
        edge = signs.more_left if shaped.left and not at else signs.more_right if more and at == last else ""
        text = f"{edge}{table.initials[entrant]}"
        parts.append((text.rjust(shaped.cell), Ink.STRONG if here else Ink.COLUMN))
    return parts


def _cell(table: Table, wide: int, row: int, column: int, signs: Glyphs) -> list[tuple[str, Ink]]:
    found = share(table.standings, row, column, table.place.share)
    if found is not None:
        kind = values.Likelihood if table.place.share is Share.STRONGER else values.Share
        text = signs.plain(kind(found).whole)
    else:
        text = signs.verdicts[0] if row == column or table.standings.cells[row][column] is None else ""
    if (row, column) == table.place.cursor:
        return [(" " * (wide - 3 - (len(text) > 3)), Ink.TEXT), (text.rjust(3), Ink.CURSOR)]
    ahead = found is not None and found >= 0.5
    return [(text.rjust(wide), Ink.TEXT if ahead else Ink.QUIET)]


def whisker(value: float, low: float, high: float, wide: int, signs: Glyphs) -> str:
    """Draw a bar to `low`, then the interval as ├┼┤ with the value at its cross; a plain bar if it is too narrow."""
    if wide < 1:
        return ""
    first, middle, last = (min(wide - 1, int(share * wide)) for share in (low, value, high))
    if (low, high) == (0.0, 1.0):  # unknown
        return " " * wide
    if (high - low) * wide < 1 or last <= first:
        return signs.bar(value, wide)
    marks = [" "] * wide
    marks[:first] = signs.full * first
    marks[first : last + 1] = signs.rule * (last + 1 - first)
    marks[first], marks[last] = signs.ends
    if first < middle < last:
        marks[middle] = signs.cross
    return "".join(marks)


WIDEST = 200  # columns of a copied table


def of_table(table: Table, signs: Glyphs) -> Copy:
    """Return the crosstable as text, all of its rows."""
    painted = paint(table, WIDEST, len(table.order) + 1, signs)
    return Copy("table", "\n".join(plain_text(row).rstrip() for row in painted))


def of_setup(setup: TournamentSetup, number: int | None) -> list[Copy]:
    """Return the command that plays this tournament again, and the one that reports it if it is saved."""
    parted = len(setup.agents) - setup.joined
    again = command(
        "tournament",
        *setup.games,
        agent=setup.agents[:parted],
        join=setup.agents[parted:],
        games=setup.number,
        pairs=setup.pairs,
        openings=setup.openings,
        sprt=setup.sprt,
        seed=setup.seed,
        move_time=setup.move_time,
        game_time=setup.game_time or None,
        save_thoughts=setup.thoughts or None,
    )
    return [again, *([Copy("report", command("tournaments", "show", number).text)] if number is not None else [])]
