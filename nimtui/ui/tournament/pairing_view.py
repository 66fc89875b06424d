"""What the Pairing screen shows: the listed games of one pairing, its results, its score over time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import START, Plan
from nimtui.arena.rating.meetings import NO_PAIRS, Meeting, joined, pair_counts
from nimtui.arena.rating.ratings import head_to_head, score
from nimtui.arena.standings import statements
from nimtui.arena.standings.games_report import steps_of
from nimtui.arena.standings.ledger import NOT_PLAYED
from nimtui.arena.standings.standings import PairingScore, meetings
from nimtui.arena.standings.statements import NOTHING, of_pair
from nimtui.games import parse_game
from nimtui.games.notation import plural
from nimtui.report import blocks
from nimtui.report.blocks import Column, Report, Sentence, View
from nimtui.report.cells import list_lines
from nimtui.report.lines import Ink, Line, clipped, line
from nimtui.report.values import NOTHING as NO_VALUE
from nimtui.report.values import UNKNOWN, Count, Share, Within, Word
from nimtui.store.rows import GameInfo, GameRow, codes_of
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.widgets.curve import Axis, Series
from nimtui.ui.kit.widgets.curve import paint as plot
from nimtui.ui.kit.widgets.panel import Paint, in_the_middle, of_head, of_report, painter
from nimtui.ui.kit.widgets.virtual_list import Rows

if TYPE_CHECKING:
    from nimtui.store.database import Database

PAGE = 200  # games read at a time
POINTS = 160  # of the curve
LEAST_GAMES = 10  # on its axis
CURVE = "Score by games played"
CURVE_OF_TWO = "Score by all their games"
SEATS = "Score moving first and second"
LATEST, APART = "The latest games of these two stand here.", "These two do not play each other."
NEWEST, MISTAKES = "game", "mistakes"  # the columns by which games are sorted
LONGEST_FAULT = 200  # cells
SHORT_NAME = 11  # cells of an agent's name where there is little room
LEAST_MOVES, MOST_MOVES = 18, 80  # cells of a game's moves


class Filter(Enum):
    """Which games are listed."""

    ALL = "all games"
    LOST = "games lost"
    WON = "games won"
    DRAWN = "draws"
    FAULTS = "games ended by a fault"


@dataclass(frozen=True, slots=True)
class Listing:
    """Which games to list, in which order, and the marked place."""

    pairing: int  # its place in the plan
    side: int  # from whose side the user looks: the pairing's entrant 0 or 1
    filter: Filter = Filter.ALL
    worst: bool = False  # most mistakes first, else newest first
    at: int = 0

    def next_filter(self) -> Listing:
        filters = list(Filter)
        return replace(self, filter=filters[(filters.index(self.filter) + 1) % len(filters)], at=0)


def read(
    db: Database, tournament: int, listing: Listing, before: int | None = None, most: int = PAGE
) -> list[GameInfo]:
    """Read a page of `most` games, newest first; with `before`, those after the game with this id."""
    from nimtui.store.game_list import games

    won = -1 if listing.side else 1
    result = {Filter.LOST: -won, Filter.WON: won, Filter.DRAWN: 0}.get(listing.filter)
    faults, pairing = listing.filter is Filter.FAULTS, listing.pairing
    return games(
        db, tournament=tournament, pairing=pairing, result=result, faults_only=faults, limit=most, before=before
    )


def in_order(found: Sequence[GameInfo], listing: Listing) -> list[GameInfo]:
    """Sort the games by the mistakes of the side looked from, then of the opponent; or keep the order in which they
    were read.
    """
    order = slice(None, None, -1 if listing.side else 1)
    return sorted(found, key=lambda info: info.row.mistakes[order], reverse=True) if listing.worst else list(found)


def pairings_of(plan: Plan, cursor: tuple[int, int]) -> list[Listing]:
    """Return all pairings of two entrants, seen from the row's; those with that one first before the others."""
    both = [(place, one) for place, (_, one, other) in enumerate(plan.pairings) if {one, other} == {*cursor}]
    return sorted((Listing(place, int(one != cursor[0])) for place, one in both), key=lambda listing: listing.side)


# All results, without the games.

Points: TypeAlias = tuple[tuple[int, float], ...]


@dataclass(frozen=True, eq=False)
class Course:
    """The course of a pairing: its score after so many games."""

    shares: Points  # (games, share of the points)
    lows: Points  # and its interval
    highs: Points
    seats: tuple[Points, Points] = ((), ())  # the same of the games moving first, and of those moving second


Part = tuple[npt.NDArray[np.int8], int]  # a pairing's results by number, and the side looked from


def course(plan: Plan, *pairings: Part) -> Course:
    """Return the course from the results by number; only played games count.

    Of further pairings of the two, as large a share of the games counts at each point.
    """
    parts = [(np.where((side == 0) | (row == NOT_PLAYED), row, -row), side) for row, side in pairings]
    places = [np.flatnonzero(own != NOT_PLAYED) for own, _ in parts]
    count = sum(map(len, places))
    at = np.unique(np.geomspace(1, count, POINTS).astype(np.int64)) if count else np.zeros(0, np.int64)
    shares, lows, highs, *seats = (list[tuple[int, float]]() for _ in range(5))
    for wanted in at.tolist():
        numbers = [round(wanted * len(there) / count) for there in places]
        if not (games := sum(numbers)) or (shares and shares[-1][0] >= games):
            continue
        meetings = [
            _meeting(own[: there[number - 1] + 1 if number else 0], side, plan)
            for (own, side), there, number in zip(parts, places, numbers, strict=True)
        ]
        meeting = joined(meetings)
        result = score(meeting)
        for points, won, drawn, lost in zip(seats, meeting.wins, meeting.draws, meeting.losses, strict=True):
            if won + drawn + lost:
                points.append((games, (won + drawn / 2) / (won + drawn + lost)))
        shares.append((games, result.points / games))
        lows.append((games, result.low))
        highs.append((games, result.high))
    return Course(tuple(shares), tuple(lows), tuple(highs), (tuple(seats[0]), tuple(seats[1])))


def _meeting(own: npt.NDArray[np.int8], side: int, plan: Plan) -> Meeting:
    """Return the games as this side's; `own` are its results by number."""
    seats = (own[side::2], own[1 - side :: 2]) if plan.alternate else (own, own[:0])[:: -1 if side else 1]
    won, drawn, lost = (tuple(int(np.count_nonzero(row == result)) for row in seats) for result in (1, 0, -1))
    counts = (won[0], won[1]), (drawn[0], drawn[1]), (lost[0], lost[1])
    shared = plan.openings.kind != START
    pairs = pair_counts(own) if shared else NO_PAIRS
    return Meeting(0, 1, *counts, pairs, 0 if shared else None, None, plan.alternate)


# The lines above the games.


def seated(plan: Plan, both: Sequence[Listing]) -> str:
    """Return whose score a curve shows, and in which seats: 'hard, both seats', 'hard, moving first'."""
    own = names(plan, both[0])[0]
    both_seats = plan.alternate or len(both) > 1
    return f"{own}, both seats" if both_seats else f"{own}, moving {('first', 'second')[both[0].side]}"


def names(plan: Plan, listing: Listing) -> tuple[str, str]:
    """Return the short names of the side looked from and of its opponent."""
    pairing = plan.pairings[listing.pairing]
    named = labels(plan.agents)
    two = named[pairing.first], named[pairing.second]
    if two[0] == two[1]:  # self-play, or an agent entered twice
        seats = ("first", "second") if pairing.first == pairing.second else ("1", "2")
        two = f"{two[0]} ({seats[0]})", f"{two[1]} ({seats[1]})"
    return two if listing.side == 0 else (two[1], two[0])


def title(plan: Plan, listing: Listing, others: int) -> Paint:
    """Draw who plays whom, and which game."""
    own, other = names(plan, listing)
    if not plan.alternate and not own.endswith(")"):
        seats = ("first", "second") if listing.side == 0 else ("second", "first")
        own, other = f"{own} ({seats[0]})", f"{other} ({seats[1]})"
    game = parse_game(plan.games[plan.pairings[listing.pairing].game]).title
    also = f"tab: {plural(others, 'other pairing', 'other pairings')}" if others else ""
    rights = [f"{game} · {also}", game, game.partition(" · ")[0], ""]
    return of_head(f"{own} against {other}", rights[not also :])


def results(plan: Plan, listing: Listing, score: PairingScore) -> Paint:
    """Draw a line per seat and their sum; then mistakes, pairs of games, the sequential test."""
    side = listing.side
    own, other = names(plan, listing)
    won, lost = (score.wins, score.losses) if side == 0 else (score.losses, score.wins)
    seats = (("moving first", side), ("moving second", 1 - side))  # and who moved first
    rows = [(seat, won[opener], score.draws[opener], lost[opener]) for seat, opener in seats]
    rows = [row for row in rows if sum(row[1:])]
    if len(rows) != 1:
        rows.append(("in all", sum(won), sum(score.draws), sum(lost)))
    texts = [_interval(plan, listing, score)] if score.played else []
    texts += statements.shown(plan, score)
    named = [(name, score.mistakes[at], score.chances[at]) for name, at in ((own, side), (other, 1 - side))]
    if shares := [f"{name} {Share(mistakes / chances)}" for name, mistakes, chances in named if chances]:
        texts.append(f"Mistakes: {', '.join(shares)}.")
    if plan.alternate and any(score.pentanomial):
        counts = " ".join(f"{count:,}" for count in score.pentanomial[:: -1 if side else 1])
        texts.append(f"Pairs with 0, ½, 1, 1½, 2: {counts}.")
    columns = [
        Column("", lambda row: Word(row[0]), left=True),
        Column("won", lambda row: Count(row[1]), width=5),
        Column("drawn", lambda row: Count(row[2]), width=5),
        Column("lost", lambda row: Count(row[3]), width=5),
        Column("score", lambda row: Share((row[1] + row[2] / 2) / sum(row[1:]) if sum(row[1:]) else None)),
    ]
    table = blocks.Table("", columns, rows, gap=2, ink=lambda row: Ink.STRONG if row[0] == "in all" else Ink.TEXT)
    return of_report(Report([table, *(Sentence(text, ink=Ink.QUIET) for text in texts)]))


def _interval(plan: Plan, listing: Listing, result: PairingScore) -> str:
    """Return the interval of the score, and why the games do not tell who is stronger."""
    [meeting] = meetings(plan, [result])
    pair = head_to_head([meeting if listing.side == 0 else meeting.turned()])
    thin = NOTHING if pair.los is None else "Too few games to say." * of_pair(pair).startswith("Too few")
    return f"95 % interval of the score: {Within(pair.score.low, pair.score.high).text}. {thin}".rstrip()


def curve(course: Course | None, wanted: int, who: str = "") -> Paint:
    """Draw the share of the points over the number of games, up to the `wanted` ones, with its interval.

    `who` says whose points, and in which seat.
    """
    if course is None:
        return lambda columns, rows, signs: []
    series = [
        Series(f"{who}: % of the points" if who else "% of the points", course.shares, brief="score", told=False),
        Series("95 % interval", course.lows, dotted=True, told=False),
        Series("", course.highs, dotted=True),
    ]
    return _by_games(series, wanted)


def by_seat(course: Course | None, wanted: int, own: str) -> Paint:
    """Draw the share of the points of this agent over the number of all games, a line for each seat."""
    if course is None:
        return lambda columns, rows, signs: []
    names = (f"{own} moving first", "moving second")
    series = [Series(name, course.seats[at], at, brief=name.split()[-1]) for at, name in enumerate(names)]
    return _by_games([each for each in series if each.points], wanted)


def _by_games(series: Sequence[Series], wanted: int) -> Paint:
    axis = Axis(math.log10(max(LEAST_GAMES, wanted)))
    return lambda columns, rows, signs: plot(series, wanted, columns, rows, signs, axis)


# The list of games.


def listed(
    plan: Plan,
    listing: Listing,
    found: Sequence[GameInfo],
    wanted: str,
    go: Callable[[int], None],
    take: Callable[[], None],
    sort: Callable[[bool], None],
) -> Rows:
    """List the games, including the marked one; `wanted` is shown if there are none. `sort`: most mistakes first?"""

    head = f"{listing.filter.value.capitalize()}, {'worst' if listing.worst else 'newest'} first"

    def empty(places: Sequence[int], columns: int, signs: Glyphs) -> list[Line]:
        return [line((head, Ink.TITLE)), line((signs.plain(wanted), Ink.QUIET))]

    def table(places: Sequence[int], columns: int, signs: Glyphs) -> blocks.Table:
        return _games(plan, listing, [found[place] for place in places], signs)

    if not found:
        return Rows(0, 0, empty, go)
    view, above = View(id(found[listing.at])), line((head, Ink.QUIET))
    return Rows.of_table(
        len(found), listing.at, table, go, view, above, lambda column: sort(column == MISTAKES), take=take, of=found
    )


@painter
def latest(
    columns: int, rows: int, signs: Glyphs, plan: Plan, both: Sequence[Listing], found: Sequence[GameInfo]
) -> list[Line]:
    """Draw the latest games of the marked pairing, or in their place what will stand here."""
    if not found:
        return in_the_middle(LATEST if both else APART, columns, rows, signs)
    return list_lines(_games(plan, both[0], found[: rows - 1], signs), columns, signs=signs)


def apart_in(wide: int, two: tuple[str, str], signs: Glyphs) -> tuple[str, str]:
    """Shorten two names so that they differ: by their ends if their starts are the same."""
    one, other = two
    if one[:wide] != other[:wide]:
        return two
    return signs.hidden + one[1 - wide :], signs.hidden + other[1 - wide :]


def _games(plan: Plan, listing: Listing, found: Sequence[GameInfo], signs: Glyphs) -> blocks.Table:
    """Return a row per game."""
    two = names(plan, replace(listing, side=0))  # the pairing's entrants
    longest, side = max(map(len, two)), listing.side
    brief = [clipped(name, SHORT_NAME, signs.hidden) for name in apart_in(SHORT_NAME, two, signs)]
    brief = [name.ljust(min(SHORT_NAME, longest)) for name in brief]

    def player(entrant: int, verb: str = "") -> Word:
        return Word(two[entrant] + verb, brief[entrant] + verb)

    def opening(info: GameInfo) -> Word:
        return Word(moves_text(info.game, info.row.moves, 0, info.row.opening))

    def result(row: GameRow) -> Word:
        return player(int(row.result < 0), " won") if row.result else Word("draw")

    def mistakes(row: GameRow) -> Word:
        return Word(f"{row.mistakes[side]} : {row.mistakes[1 - side]}" if any(row.chances) else UNKNOWN)

    def moves(info: GameInfo, wide: int) -> str:
        return clipped(moves_text(info.game, info.row.moves, info.row.opening), wide, signs.hidden)

    def fault(info: GameInfo) -> Word:
        return Word(f"{signs.fault} {signs.plain(info.row.fault)}" if info.row.fault else "")

    columns = [
        Column("game", lambda info: Count(info.row.number + 1), NEWEST, width=7),
        Column("moves first", lambda info: player(info.row.opener), left=True, width=longest),
        Column("opening" if plan.openings.plies else None, opening, left=True, rank=1),
        Column("result", lambda info: result(info.row), left=True, width=longest + 4),
        Column("plies", lambda info: Count(len(info.row.moves) // 2)),
        Column("mistakes", lambda info: mistakes(info.row), MISTAKES),
        Column("moves", lambda info: NO_VALUE, left=True, rank=2, width=LEAST_MOVES, draw=moves, most=MOST_MOVES),
        Column("", fault, left=True, ink=Ink.BAD, most=LONGEST_FAULT),
    ]
    return blocks.Table("", columns, found, gap=2)


@lru_cache(maxsize=2_000)
def moves_text(game: str, moves: bytes, first: int, end: int | None = None) -> str:
    """Return the moves from ply `first` to before ply `end`, as people type them."""
    return " ".join(steps_of(game).names(codes_of(moves)[:end])[first:])


def summary(found: Sequence[GameInfo] | None, listing: Listing, reading: bool, kept: bool) -> str:
    """Say why no games are listed."""
    if not kept:
        return "The games of this tournament are not saved."
    if reading or found is None:
        return "Reading the games …"
    return "No games yet." if listing.filter is Filter.ALL else "No such games."
