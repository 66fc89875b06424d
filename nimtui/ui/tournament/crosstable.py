"""Standings and crosstable in one table: each row is an entrant, its standing, then its share against each opponent.

Pure functions. Columns that do not fit are left out, the least useful first; the cursor scrolls the crosstable.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from nimtui.arena.play.entrants import initials, labels
from nimtui.arena.play.plan import Plan
from nimtui.arena.standings.standings import Standing, Standings
from nimtui.arena.standings.standings_report import Cents, Tenths, points
from nimtui.report import blocks, values
from nimtui.report.blocks import Column, Inked, View
from nimtui.report.cells import Layout, layout, layout_lines
from nimtui.report.copies import Copy
from nimtui.report.lines import GROUNDS, Ink, Line, Run, clipped, cut, plain_text
from nimtui.report.values import NOTHING, Count, Likelihood, Mean, Value, Word
from nimtui.ui.kit.terminal.glyphs import Glyphs

NAME, SCORE, INTERVAL, BAR = 9, 6, 9, 6  # cells of columns
STEP = 3  # cells by which names grow, so that they seldom change while numbers grow
CELL, WIDE_CELL, ROOMY = 4, 6, 90  # with their gap; the wide ones where so many are left for the standings
FAULTS = 7  # with its gap
ORDERS: Mapping[str, Callable[[Standing], float]] = {  # the agent's name has none: see `Place.order`
    "score": lambda row: -(row.score or 0.0) if row.payoff else 0.0,
    "Elo": lambda row: math.inf if math.isnan(row.rating.elo) else -row.rating.elo,
    "payoff": lambda row: 0.0,
    "points": lambda row: -row.points,
    "mistakes": lambda row: math.inf if row.mistake_rate is None else row.mistake_rate,
}
SORTS = ("score", "Elo", "points", "mistakes", "name")
PAID_SORTS = ("payoff", "score", "points", "mistakes", "name")  # where games end with a number
LEAST_CELLS = 6  # of the crosstable: for these Elo is left out
ELO, ELO_WITH_ENDS = 6, 14  # with their gaps


class Share(Enum):
    """The meaning of a crosstable cell, as the screen tells it."""

    BOTH = "% of the points, both seats"
    FIRST = "% of the points, row moving first"
    STRONGER = "LOS of the row (is it stronger?), %"  # by the games of the two


@dataclass(frozen=True, slots=True)
class Place:
    """The cursor. It marks two entrants, not a row and a column, so it follows them when the rows are sorted again."""

    cursor: tuple[int, int] = (0, 1)
    share: Share = Share.BOTH
    sort: str = SORTS[0]
    chosen: bool = False  # the user put the cursor here; otherwise it marks the first two of the table
    picked: bool = False  # these two were the first of the table, and stay marked while games are played

    def on(self, order: Sequence[int]) -> Place:
        """Return the same place for entrants in this order."""
        if (self.chosen or self.picked) and max(self.cursor) < len(order):  # standings of fewer entrants may follow
            return self
        return replace(self, cursor=(order[0], order[min(1, len(order) - 1)]))

    def order(self, standings: Standings, names: Sequence[str]) -> list[int]:
        """Return the entrants as sorted; ties keep the order of the standings."""
        if self.sort == "name":
            return sorted((row.entrant for row in standings.rows), key=lambda entrant: names[entrant].lower())
        return [row.entrant for row in sorted(standings.rows, key=ORDERS[self.sort])]

    def moved(self, order: Sequence[int], down: int, across: int) -> Place:
        """Move the cursor this many cells, within the edges."""
        steps = zip(self.cursor, (down, across), strict=True)
        row, column = (order[max(0, min(len(order) - 1, order.index(here) + by))] for here, by in steps)
        return self.at((row, column))

    def at(self, cell: tuple[int, int]) -> Place:
        """Put the cursor on this cell."""
        return replace(self, cursor=cell, chosen=True)

    def next_share(self, paid: bool = False) -> Place:
        shares = [share for share in Share if share is not Share.STRONGER or not paid]
        return replace(self, share=shares[(shares.index(self.share) + 1) % len(shares)])

    def next_sort(self, paid: bool = False) -> Place:
        sorts = PAID_SORTS if paid else SORTS
        return replace(self, sort=sorts[(sorts.index(self.sort) + 1) % len(sorts)])


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
        return standings.superiority[row][column]
    points, games = against(standings, row, column, both=what is Share.BOTH)
    return points / games if games else None


def against(standings: Standings, row: int, column: int, *, both: bool = True) -> tuple[float, int]:
    """Return the row's points against the column and the number of games: those it opened, and with `both` the others
    too.
    """
    opened, answered = standings.cells[row][column], standings.cells[column][row]
    seats = [(opened, opened.first_wins)] if opened is not None else []
    if both and answered is not None and row != column:
        seats.append((answered, answered.second_wins))
    return sum(won + cell.draws / 2 for cell, won in seats), sum(cell.played for cell, _ in seats)


# The layout.


def shape(table: Table, columns: int, rows: int, signs: Glyphs) -> tuple[blocks.Table, Layout]:
    """Return the standings, and to their right some columns of the crosstable, as they are laid out.

    As much as possible fits: the whole crosstable first, then the columns of the standings by their ranks.
    """
    number, initial = len(table.order), max(map(len, table.initials))
    least = len(str(number)) + min(NAME, max(map(len, table.labels))) + initial + SCORE + 4
    least += FAULTS if any(row.faults for row in table.standings.rows) else 0
    cell = max(WIDE_CELL if columns - number * WIDE_CELL > ROOMY else CELL, initial + 1)
    room = (columns - least - ELO) // cell
    if room < min(number, LEAST_CELLS):
        room = (columns - least) // cell
    if room < number:  # without all cells, a few more are worth less than the intervals of the ratings
        room = (columns - least - ELO_WITH_ENDS) // cell
    count = max(1, min(number, room))
    first = max(0, min(list(table.order).index(table.place.cursor[1]) - count // 2, number - count))
    across = [_against(table, column, cell - 1, signs) for column in table.order[first : first + count]]
    if first:
        across[0] = replace(across[0], head=f"{signs.more_left}{across[0].head}")
    if first + count < number:
        across[-1] = replace(across[-1], head=f"{signs.more_right}{across[-1].head}")
    view = View(table.place.cursor[0], table.place.sort, down=signs.down)

    def named(cells: int) -> tuple[blocks.Table, Layout]:
        both = _standings(table, across, signs, cells)
        return both, layout(both, columns, max(1, rows - 1), view, signs, fold=False)

    both, laid = named(NAME)
    spare = columns + laid.gap - sum(each.width + laid.gap for each in laid.blocks[0])
    spare += sum(each.width - BAR for each in laid.blocks[0] if each.column.draw is not None)
    steps = spare // STEP  # rather longer names than longer bars
    return named(NAME + steps * STEP) if steps > 0 and max(map(len, table.labels)) > NAME else (both, laid)


def _against(table: Table, column: int, wide: int, signs: Glyphs) -> Column:
    """Return a column of the crosstable: the shares of all agents against this one, each on the ground of its band."""
    kind = Likelihood if table.place.share is Share.STRONGER else values.Share

    def cell(standing: Standing) -> Inked:
        row = standing.entrant
        value = share(table.standings, row, column, table.place.share)
        nothing = row == column or table.standings.cells[row][column] is None
        text = kind(value).whole if value is not None else signs.verdicts[0] * nothing
        if (row, column) == table.place.cursor:
            return Inked((text.rjust(3), Ink.CURSOR))
        if value is not None and signs.grounds:
            band = min(len(GROUNDS) - 1, int(value * len(GROUNDS)))
            ink = Ink.PAPER if band == len(GROUNDS) - 1 else Ink.TEXT
            return Inked(Run(text.rjust(wide), ink, GROUNDS[band]))
        return Inked((text, Ink.TEXT if value is not None and value >= 0.5 else Ink.QUIET))

    here = Ink.STRONG if column == table.place.cursor[1] else Ink.COLUMN
    return Column(table.initials[column], cell, str(column), width=wide, head_ink=here)


def _standings(table: Table, across: Sequence[Column], signs: Glyphs, brief: int) -> blocks.Table:
    """Return the standings and the columns `across` of the crosstable; names that do not fit have `brief` cells."""
    by_entrant = {row.entrant: row for row in table.standings.rows}
    places = {entrant: place for place, entrant in enumerate(table.order, 1)}
    rows, names, longest = [by_entrant[entrant] for entrant in table.order], table.labels, max(map(len, table.labels))
    most = 2 * len(f"{most_games(table.standings.plan):,}") + 3  # '1,234.5/2,000'

    def name(row: Standing) -> Word:
        return Word(names[row.entrant], clipped(names[row.entrant], brief, signs.hidden).ljust(min(brief, longest)))

    def bar(row: Standing, wide: int) -> str:
        return whisker(row.score or 0.0, row.scored.low, row.scored.high, wide, signs)

    def share(value: float | None) -> Value:
        return NOTHING if value is None else Tenths(value)

    roomy = across[0].width > CELL  # then columns also have room for the widest numbers of a run: 100.0 %, ±1,465
    judged, faults = any(row.judged for row in rows), any(row.faults for row in rows)
    strength = [
        Column("Elo", lambda row: row.rating.brief, "Elo", rank=1, width=ELO - 1 + roomy),
        Column("±95 %", lambda row: row.rating.error, left=True, rank=2, width=ELO * roomy),
    ]
    if table.standings.paid:
        strength = [
            Column("payoff", lambda row: Mean(row.payoff.mean), "payoff", rank=1, width=ELO + roomy),
            Column("±95 %", lambda row: Cents(row.payoff.error), rank=2),
        ]
    columns = [
        Column("", lambda row: Count(places[row.entrant]), width=len(str(len(rows))), ink=Ink.QUIET),
        Column("agent", name, "name", left=True, width=longest),
        Column("", lambda row: Word(table.initials[row.entrant]), left=True),
        Column("", lambda row: NOTHING, rank=4, width=BAR, ink=Ink.BAR, draw=bar),
        Column("points", lambda row: Word(points(row)), "points", rank=6, width=most),
        Column("score", lambda row: share(row.score), "score", width=SCORE + roomy),
        Column("95 %", lambda row: row.scored.interval, left=True, rank=5, width=INTERVAL, ink=Ink.QUIET),
        *strength,
        Column("mistakes" if judged else None, lambda row: share(row.mistake_rate), "mistakes", rank=3),
        Column("faults" if faults else None, lambda row: Count(row.faults) if row.faults else NOTHING, ink=Ink.BAD),
        *across,
    ]
    return blocks.Table("", columns, rows, lambda row: row.entrant, gap=1)


@lru_cache(maxsize=4)
def most_games(plan: Plan) -> int:
    """Return the most games an entrant can play, so that columns keep their width while numbers grow."""
    meetings = Counter(entrant for _, *two in plan.pairings if two[0] != two[1] for entrant in two)
    return plan.number * max(meetings.values(), default=0)


# The picture.


def paint(table: Table, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Draw a head, then a line per entrant; as many as fit, including the cursor's."""
    both, laid = shape(table, columns, rows, signs)
    lines = layout_lines(both, laid, View(sorted_by=table.place.sort, clicked=True))
    if laid.top > 0:
        lines[1] = _edge(lines[1], signs.up)
    if laid.top + laid.rows < len(table.order):
        lines[-1] = _edge(lines[-1], signs.down)
    return [cut(each, columns, signs.hidden) for each in lines]


def _edge(shown: Line, sign: str) -> Line:
    """Mark a line that continues: a sign before it if there is room."""
    first, *rest = shown
    if first.text.startswith(" "):
        return (Run(sign, Ink.KEY), first._replace(text=first.text[1:]), *rest)
    return (first._replace(text=first.text[:-1]), Run(sign, Ink.KEY), *rest)


def whisker(value: float, low: float, high: float, wide: int, signs: Glyphs) -> str:
    """Draw a bar to `low`, then the interval as ├┼┤ with the value at its cross; a plain bar if it is too narrow."""
    if wide < 1:
        return ""
    first, middle, last = (min(wide - 1, int(share * wide)) for share in (low, value, high))
    if (low, high) == (0.0, 1.0):  # unknown
        return " " * wide
    if (high - low) * wide < 1 or last <= first:
        return signs.bar(value, wide)
    marks = [*signs.full * first, *signs.rule * (last + 1 - first), *" " * (wide - last - 1)]
    marks[first], marks[last] = signs.ends
    if first < middle < last:
        marks[middle] = signs.cross
    return "".join(marks)


WIDEST = 200  # columns of a copied table


def of_table(table: Table, signs: Glyphs) -> Copy:
    """Return the crosstable as text, all of its rows."""
    painted = paint(table, WIDEST, len(table.order) + 1, signs)
    return Copy("table", "\n".join(plain_text(row).rstrip() for row in painted))
