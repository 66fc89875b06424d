"""What the Pairing screen shows: the listed games of one pairing, its results, its score over time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nimtui.arena import verdict_words
from nimtui.arena.entrants import labels
from nimtui.arena.head_to_head import head_to_head, score
from nimtui.arena.ledger import NOT_PLAYED
from nimtui.arena.meetings import NO_PAIRS, Meeting, joined, pair_counts
from nimtui.arena.openings import START
from nimtui.arena.plan import Plan
from nimtui.arena.standings import meetings
from nimtui.arena.statements import NOTHING, of_pair
from nimtui.games import parse_game
from nimtui.games.notation import plural
from nimtui.report.values import Share, Within
from nimtui.ui.kit.curve import Axis, Series
from nimtui.ui.kit.curve import paint as plot
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, cut, justified, line, paragraphs, width
from nimtui.ui.kit.lines import fitted
from nimtui.ui.kit.panel import Paint
from nimtui.ui.kit.virtual_list import Rows
from nimtui.ui.library.scan import decoded
from nimtui.ui.tournament.view import move_names

if TYPE_CHECKING:
    from nimtui.arena.tally import PairingScore
    from nimtui.store.database import Database
    from nimtui.store.rows import GameInfo

PAGE = 200  # games read at a time
POINTS = 160  # of the curve
LEAST_GAMES = 10  # on its axis
CURVE = "Score by games played"
CURVE_OF_TWO = "Score by all their games"
SHORT_LABEL, LABEL, LONG_LABEL = 12, 15, 24
ROOMY, WIDE = 75, 110  # columns


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
    from nimtui.store.tournaments import games

    results = {Filter.LOST: -1, Filter.WON: 1, Filter.DRAWN: 0}
    result = results.get(listing.filter)
    if result is not None and listing.side == 1:
        result = -result
    return games(
        db,
        tournament=tournament,
        pairing=listing.pairing,
        result=result,
        faults_only=listing.filter is Filter.FAULTS,
        limit=most,
        before=before,
    )


def in_order(found: Sequence[GameInfo], listing: Listing) -> list[GameInfo]:
    """Sort the games by the mistakes of the side looked from, then of the opponent; or keep the order in which they
    were read.
    """
    if not listing.worst:
        return list(found)
    side = listing.side
    return sorted(found, key=lambda info: (-info.row.mistakes[side], -info.row.mistakes[1 - side]))


def pairings_of(plan: Plan, cursor: tuple[int, int]) -> list[int]:
    """Return the places of all pairings of two entrants, those with the row's entrant first before the others."""
    found = [place for place, pairing in enumerate(plan.pairings) if {pairing.first, pairing.second} == set(cursor)]
    return sorted(found, key=lambda place: plan.pairings[place].first != cursor[0])


# All results, without the games.


@dataclass(frozen=True, eq=False)
class Course:
    """The course of a pairing: its score after so many games."""

    shares: tuple[tuple[int, float], ...]  # (games, share of the points)
    lows: tuple[tuple[int, float], ...]  # and its interval
    highs: tuple[tuple[int, float], ...]
    pairs: tuple[int, ...]  # two games of one opening, seats swapped: 0, 1/2, 1, 3/2, 2 points


Part = tuple[npt.NDArray[np.int8], int]  # a pairing's results by number, and the side looked from


def course(results: npt.NDArray[np.int8], side: int, plan: Plan, *others: Part) -> Course:
    """Return the course from the results by number, for this side; only played games count.

    `others` are further pairings of the two: of these, as large a share of the games counts at each point.
    """
    parts = [(np.where((at == 0) | (row == NOT_PLAYED), row, -row), at) for row, at in ((results, side), *others)]
    places = [np.flatnonzero(own != NOT_PLAYED) for own, _ in parts]
    count = sum(map(len, places))
    at = np.unique(np.geomspace(1, count, POINTS).astype(np.int64)) if count else np.zeros(0, np.int64)
    shares, lows, highs = list[tuple[int, float]](), [], []
    for wanted in at.tolist():
        numbers = [round(wanted * len(there) / count) for there in places]
        if not (games := sum(numbers)) or (shares and shares[-1][0] >= games):
            continue
        meetings = [
            _meeting(own[: there[number - 1] + 1 if number else 0], side, plan)
            for (own, side), there, number in zip(parts, places, numbers, strict=True)
        ]
        found = score(joined(meetings))
        shares.append((games, found.points / games))
        lows.append((games, found.low))
        highs.append((games, found.high))
    return Course(tuple(shares), tuple(lows), tuple(highs), pair_counts(parts[0][0]))


def _meeting(own: npt.NDArray[np.int8], side: int, plan: Plan) -> Meeting:
    """Return the games as this side's; `own` are its results by number."""
    seats = (own[side::2], own[1 - side :: 2]) if plan.alternate else (own, own[:0])[:: -1 if side else 1]
    won, drawn, lost = (tuple(int(np.count_nonzero(row == result)) for row in seats) for result in (1, 0, -1))
    shared = None if plan.openings.kind == START else 0
    pairs = pair_counts(own) if shared is not None else NO_PAIRS
    return Meeting(
        0, 1, (won[0], won[1]), (drawn[0], drawn[1]), (lost[0], lost[1]), pairs, shared, None, plan.alternate
    )


# The lines above the games.


def names(plan: Plan, listing: Listing) -> tuple[str, str]:
    """Return the short names of the side looked from and of its opponent."""
    pairing = plan.pairings[listing.pairing]
    named = labels(plan.agents)
    two = named[pairing.first], named[pairing.second]
    if two[0] == two[1]:  # self-play, or an agent entered twice
        told = ("first", "second") if pairing.first == pairing.second else ("1", "2")
        two = f"{two[0]} ({told[0]})", f"{two[1]} ({told[1]})"
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

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        left = line((signs.plain(f"{own} against {other}"), Ink.STRONG))
        room = columns - width(left) - 2
        right = next((text for text in rights[not also :] if len(text) <= room), "")
        return [justified(left, line((signs.plain(right), Ink.QUIET)), columns)]

    return paint


def results(plan: Plan, listing: Listing, score: PairingScore, course: Course | None) -> Paint:
    """Draw a line per seat and their sum; then mistakes, pairs of games, the sequential test."""
    side = listing.side
    own, other = names(plan, listing)
    won, lost = (score.wins, score.losses) if side == 0 else (score.losses, score.wins)
    seats = [("moving first", side), ("moving second", 1 - side)]  # and who moved first
    lines: list[tuple[str, Ink]] = [(f"{'':<14}{'won':>7}{'drawn':>7}{'lost':>7}{'score':>7}", Ink.COLUMN)]
    for said, opener in seats:
        if score.wins[opener] + score.draws[opener] + score.losses[opener]:
            lines.append((_result(said, won[opener], score.draws[opener], lost[opener]), Ink.TEXT))
    total = (sum(won), sum(score.draws), sum(lost))
    if len(lines) != 2:
        lines.append((_result("in all", *total), Ink.STRONG))
    texts = [_interval(plan, listing, score)] if score.played else []
    texts += filter(None, verdict_words.shown(plan, score))
    if any(score.chances):
        shares = [
            f"{name} {Share(score.mistakes[place] / score.chances[place]).text}"
            for name, place in ((own, side), (other, 1 - side))
            if score.chances[place]
        ]
        texts.append("Mistakes: " + ", ".join(shares) + ".")
    if course is not None and plan.alternate and any(course.pairs):
        counts = " ".join(f"{count:,}" for count in course.pairs)
        texts.append(f"Pairs with 0, ½, 1, 1½, 2: {counts}.")

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        shown = [cut(line((signs.plain(text), ink)), columns, signs.hidden) for text, ink in lines]
        return [*shown, *paragraphs([signs.plain(text) for text in texts], columns, Ink.QUIET)][:rows]

    return paint


def _interval(plan: Plan, listing: Listing, result: PairingScore) -> str:
    """Return the interval of the score, and why the games do not tell who is stronger."""
    [meeting] = meetings(plan, [result])
    pair = head_to_head([meeting if listing.side == 0 else meeting.turned()])
    thin = NOTHING if pair.los is None else "Too few games to say." * of_pair(pair).startswith("Too few")
    return f"95 % interval of the score: {Within(pair.score.low, pair.score.high).text}. {thin}".rstrip()


def _result(said: str, won: int, drawn: int, lost: int) -> str:
    games = won + drawn + lost
    score = Share((won + drawn / 2) / games).number if games else ""
    return f"{said:<14}{won:>7,}{drawn:>7,}{lost:>7,}{score:>7}"


def curve(course: Course | None, wanted: int) -> Paint:
    """Draw the share of the points over the number of games, up to the `wanted` ones, with its interval."""
    if course is None:
        return lambda columns, rows, signs: []
    shown = [
        Series("score, % of the points", course.shares, brief="score", told=False),
        Series("95 % interval", course.lows, dotted=True, told=False),
        Series("", course.highs, dotted=True),
    ]
    axis = Axis(math.log10(max(LEAST_GAMES, wanted)))
    return lambda columns, rows, signs: plot(shown, wanted, columns, rows, signs, axis)


# The list of games.


def listed(
    plan: Plan,
    listing: Listing,
    found: Sequence[GameInfo],
    wanted: str,
    go: Callable[[int], None],
    take: Callable[[], None],
) -> Rows:
    """List the games, including the marked one; `wanted` is shown if there are none."""

    order = "worst first" if listing.worst else "newest first"
    head = f"{listing.filter.value[0].upper()}{listing.filter.value[1:]}, {order}"

    def widths(columns: int) -> tuple[int, int]:
        label = LONG_LABEL if columns >= WIDE else LABEL if columns >= ROOMY else SHORT_LABEL
        return label, label if plan.openings.plies and columns >= ROOMY else 0

    def heads(columns: int) -> list[Line]:
        """Return the titles of the columns; above them, or at their right, which games are listed in which order."""
        label, opened = widths(columns)
        titles = f"  {'game':>8}  {'moves first':<{label}}{'opening' if opened else '':<{opened}}"
        titles += f"{'result':<{label + 5}}{'plies':>6}{'mistakes':>10}"
        left, right = line((titles[:columns], Ink.COLUMN)), line((head, Ink.QUIET))
        return [justified(left, right, columns)] if len(titles) + len(head) + 2 <= columns else [right, left]

    def paint(places: range, columns: int, signs: Glyphs) -> list[Line]:
        if not found:
            return [line((head, Ink.TITLE)), line((signs.plain(wanted), Ink.QUIET))]
        label, opened = widths(columns)
        two = apart_in(label - 2, names(plan, listing), signs)
        games = [_game(listing, found[at], two, at == listing.at, (label, opened), columns, signs) for at in places]
        return [*heads(columns), *games]

    return Rows(len(found), listing.at, paint, go, take, lambda columns: len(heads(columns)))


def apart_in(wide: int, two: tuple[str, str], signs: Glyphs) -> tuple[str, str]:
    """Shorten two names so that they differ: by their ends if their starts are the same."""
    one, other = two
    if one[:wide] != other[:wide]:
        return two
    return signs.hidden + one[1 - wide :], signs.hidden + other[1 - wide :]


def _game(
    listing: Listing,
    info: GameInfo,
    two: tuple[str, str],
    here: bool,
    wides: tuple[int, int],
    columns: int,
    signs: Glyphs,
) -> Line:
    label, opened = wides
    row, side = info.row, listing.side
    by_player = two if side == 0 else (two[1], two[0])
    won = "draw" if row.result == 0 else f"{by_player[0 if row.result > 0 else 1]} won"
    mistakes = f"{row.mistakes[side]} : {row.mistakes[1 - side]}" if any(row.chances) else signs.plain("–")
    first = by_player[row.opener]
    moves = _short(opening(info.game, row.moves, row.opening), opened, signs) if opened else ""
    plies = len(row.moves) // 2
    ink = Ink.STRONG if here else Ink.TEXT
    text = (
        f"{signs.cursor if here else ' '} {row.number + 1:>8,}  {_short(first, label, signs)}"
        f"{moves}{_short(won, label + 5, signs)}{plies:>6}{mistakes:>10}"
    )
    fault = (f"  {signs.fault} {signs.plain(row.fault)}", Ink.BAD) if row.fault else ("", Ink.TEXT)
    return cut(line((text if row.fault else text.rstrip(), ink), fault), columns, signs.hidden)


def _short(text: str, wide: int, signs: Glyphs) -> str:
    return fitted(signs.plain(text), wide - 1, signs.hidden) + " "


@lru_cache(maxsize=2_000)
def opening(game: str, moves: bytes, plies: int) -> str:
    """Return the opening moves, made for both players, as people type them."""
    return " ".join(move_names(parse_game(game), tuple(decoded(moves)[:plies])))


def summary(found: Sequence[GameInfo] | None, listing: Listing, reading: bool, kept: bool) -> str:
    """Say why no games are listed."""
    if not kept:
        return "The games of this tournament are not saved."
    if reading or found is None:
        return "Reading the games …"
    return "No games yet." if listing.filter is Filter.ALL else "No such games."
