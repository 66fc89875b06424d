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

from nimtui.arena import figures
from nimtui.arena.entrants import initials, labels
from nimtui.report import values
from nimtui.ui.kit.clipboard import Copy, command
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, Run, cut, line, plain_text
from nimtui.ui.kit.lines import fitted
from nimtui.ui.tournament.setup import TournamentSetup

if TYPE_CHECKING:
    from nimtui.arena.plan import Plan
    from nimtui.arena.ratings import Rating
    from nimtui.arena.tally import Standing, Standings


NAME, LONGEST_NAME = 10, 34  # cells, including the gap behind it
SCORE, CELL, MISTAKES, FAULTS, INTERVAL = 6, 4, 9, 7, 11
SORTS = ("score", "Elo", "points", "mistakes", "name")
LEAST_CELLS = 6  # the crosstable is shown only if this many of its columns fit
ELO, ELO_WITH_ENDS = 6, 14


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


def elo(found: Rating, wide: int, signs: Glyphs) -> str:
    """Return ' +412 ±61', or its bound after winning or losing every game, '≥ +412'; '    ?' if unknown."""
    if math.isnan(found.elo) or found.by_seat:
        return "    ?"
    if found.at_least is not None or found.at_most is not None:
        sign, end = ("≥", found.at_least) if found.at_least is not None else ("≤", found.at_most)
        return signs.plain(f"{sign} {figures.elo(end or 0.0)}")
    said = f"{signs.plain(figures.elo(found.elo)):>5}"
    within = signs.plain(figures.elo_interval(found))
    return f"{said} {within}".rstrip() if len(said) + len(within) + 2 <= wide else said


# The layout.


@dataclass(frozen=True, slots=True)
class Layout:
    """The width of each column, including gaps; 0: left out."""

    place: int
    name: int
    initial: int
    bar: int = 0
    points: int = 0
    score: int = SCORE
    interval: int = 0
    elo: int = 0
    mistakes: int = 0
    faults: int = 0
    cells: int = 0  # how many
    cell: int = CELL

    @property
    def width(self) -> int:
        fixed = (self.place, self.name, self.initial, self.bar, self.points, self.score, self.interval)
        return sum((*fixed, self.elo, self.mistakes, self.faults)) + self.cells * self.cell


def layout(table: Table, columns: int) -> Layout:
    """Fit as much as possible: the whole crosstable first, then the most useful columns."""
    rows = table.standings.rows
    number = len(rows)
    longest = max(map(len, table.labels)) + 1
    initial = max(map(len, table.initials)) + 1
    faults = any(row.faults for row in rows)
    judged = any(row.judged for row in rows)
    found = Layout(
        place=len(str(number)) + 1,
        name=min(NAME, longest),
        initial=initial,
        cell=max(CELL, initial),
        elo=ELO,
        faults=FAULTS if faults else 0,
    )
    room = max(0, columns - found.width) // found.cell
    if room < min(number, LEAST_CELLS):
        found = replace(found, elo=0)
        room = max(0, columns - found.width) // found.cell
    if room < number:  # then the rest fits, too
        found = replace(found, elo=ELO_WITH_ENDS)
        room = max(1, columns - found.width) // found.cell
    found = replace(found, cells=min(number, room))
    points = 2 * len(f"{most_games(table.standings.plan):,}") + 4  # '1,234.5/2,000 '
    steps: list[tuple[str, int]] = [
        ("elo", ELO),
        ("name", min(longest, 13)),
        ("mistakes", MISTAKES if judged else 0),
        ("elo", ELO_WITH_ENDS),
        ("bar", 7),
        ("name", min(longest, 20)),
        ("bar", 13),
        ("name", min(longest, LONGEST_NAME)),
        ("interval", INTERVAL),
        ("points", points),
        ("bar", 31),
        ("cell", 6),
        ("bar", 61),
    ]
    for column, wide in steps:
        more = replace(found, **{column: max(wide, getattr(found, column))})
        if more.width <= columns:
            found = more
    return found


@lru_cache(maxsize=4)
def most_games(plan: Plan) -> int:
    """Return the most games an entrant can play, so that columns keep their width while numbers grow."""
    meetings: Counter[int] = Counter()
    for _, one, other in plan.pairings:
        if one != other:
            meetings.update((one, other))
    return plan.number * max(meetings.values(), default=0)


def first_shown(table: Table, axis: int, room: int) -> int:
    """Return the first of the rows (axis 0) or columns (1) to show, with the cursor in the middle if possible."""
    at = list(table.order).index(table.place.cursor[axis])
    return max(0, min(at - room // 2, len(table.order) - room))


# The picture.


def paint(table: Table, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Draw a head, then a line per entrant; as many as fit, including the cursor's."""
    shape = layout(table, columns)
    room = max(1, rows - 1)
    top, left = first_shown(table, 0, room), first_shown(table, 1, shape.cells)
    across = table.order[left : left + shape.cells]
    by_entrant = {row.entrant: row for row in table.standings.rows}
    lines = [_head(table, shape, across, left, signs)]
    for place, entrant in enumerate(table.order[top : top + room], top + 1):
        lines.append(_row(table, shape, by_entrant[entrant], place, across, signs))
    if top > 0:
        lines[1] = _edge(lines[1], signs.up)
    if top + room < len(table.order):
        lines[-1] = _edge(lines[-1], signs.down)
    return [cut(shown, columns, signs.hidden) for shown in lines]


def cell_at(table: Table, columns: int, rows: int, x: int, y: int) -> tuple[int, int] | None:
    """Return the entrants of the cell that `paint` draws here; None if there is no cell."""
    shape = layout(table, columns)
    room = max(1, rows - 1)
    row = y - 1 + first_shown(table, 0, room)
    column, begin = first_shown(table, 1, shape.cells), shape.width - shape.cells * shape.cell
    column += (x - begin) // shape.cell
    if not (0 < y <= room and row < len(table.order) and begin <= x < shape.width):
        return None
    return table.order[row], table.order[column]


def _edge(shown: Line, sign: str) -> Line:
    """Mark a line that continues: a sign before it if there is room."""
    place, ink = shown[0].text, shown[0].ink
    if place.startswith(" "):
        return (Run(sign, Ink.KEY), Run(place[1:], ink), *shown[1:])
    return (Run(place[:-1], ink), Run(sign, Ink.KEY), *shown[1:])


def _head(table: Table, shape: Layout, across: Sequence[int], left: int, signs: Glyphs) -> Line:
    def title(text: str, sort: str) -> tuple[str, Ink]:
        return (text, Ink.STRONG if sort == table.place.sort else Ink.COLUMN)

    def marked(text: str, sort: str) -> str:
        return f"{signs.down}{text}" if sort == table.place.sort else text

    parts: list[tuple[str, Ink]] = [(" " * shape.place, Ink.COLUMN)]
    # A title may start in the gap before its column, which leaves room for the sort mark.
    parts.append(title(marked("agent", "name").ljust(shape.name + shape.initial - 1), "name"))
    wide = shape.bar + shape.score
    if shape.points:
        parts.append(title(marked("points", "points").rjust(shape.bar + shape.points - 1) + " ", "points"))
        wide -= shape.bar
    parts.append(title(marked("score", "score").rjust(wide) + " ", "score"))
    parts.append(("95 %".ljust(shape.interval)[: shape.interval], Ink.COLUMN))
    if shape.elo:
        ends = " ±95 %" if shape.elo > ELO else ""
        parts.append(title((f"{marked('Elo', 'Elo'):>5}" + signs.plain(ends)).ljust(shape.elo - 1), "Elo"))
    if shape.mistakes:
        parts.append(title(marked("mistakes", "mistakes").rjust(shape.mistakes), "mistakes"))
    if shape.elo or shape.mistakes:
        parts.append((" ", Ink.COLUMN))
    if shape.faults:
        parts.append(("faults".rjust(shape.faults - 1) + " ", Ink.BAD))
    more = left + len(across) < len(table.order)
    for at, entrant in enumerate(across):
        here = entrant == table.place.cursor[1]
        edge = signs.more_left if left and not at else signs.more_right if more and at == len(across) - 1 else ""
        text = f"{edge}{table.initials[entrant]}"
        parts.append((text.rjust(shape.cell), Ink.STRONG if here else Ink.COLUMN))
    return line(*parts)


def _row(table: Table, shape: Layout, row: Standing, place: int, across: Sequence[int], signs: Glyphs) -> Line:
    name = fitted(signs.plain(table.labels[row.entrant]), shape.name - 1, signs.hidden)
    parts: list[tuple[str, Ink]] = [
        (f"{place:>{shape.place - 1}} ", Ink.QUIET),
        (f"{name} {table.initials[row.entrant]:<{shape.initial}}", Ink.TEXT),
    ]
    if shape.bar:
        parts.append((whisker(row.score or 0.0, row.low, row.high, shape.bar - 1, signs) + " ", Ink.BAR))
    score = "" if row.score is None else values.Share(row.score).number
    if shape.points:
        parts.append((_points(row).rjust(shape.points - 1) + " ", Ink.TEXT))
    parts.append((f"{score:>{shape.score - 1}} ", Ink.TEXT))
    if shape.interval:
        ends = signs.plain(values.Within(row.low, row.high).text) if row.played else ""
        parts.append((ends.ljust(shape.interval), Ink.QUIET))
    if shape.elo:
        parts.append((elo(row.rating, shape.elo, signs).ljust(shape.elo), Ink.TEXT))
    if shape.mistakes:
        wrong = "" if row.mistake_rate is None else values.Share(row.mistake_rate).text
        parts.append((wrong.rjust(shape.mistakes - 1) + " ", Ink.TEXT))
    if shape.faults:
        parts.append(((str(row.faults) if row.faults else "").rjust(shape.faults - 1) + " ", Ink.BAD))
    for entrant in across:
        parts += _cell(table, shape.cell, row.entrant, entrant, signs)
    return line(*parts)


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


def _points(row: Standing) -> str:
    return f"{figures.points(row.points)}/{row.played:,}" if row.played else ""


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
