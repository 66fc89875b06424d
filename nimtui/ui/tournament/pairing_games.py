"""The games of one pairing as the person wants to see them: read in pages, filtered, sorted, one of them marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from nimtui.store.database import Database
    from nimtui.store.rows import GameInfo

PAGE = 200  # games read at a time
POINTS = 160  # of the curve
NOT_PLAYED = -2


class Filter(Enum):
    """Which games are listed."""

    ALL = "all games"
    LOST = "games lost"
    WON = "games won"
    DRAWN = "draws"
    FAULTS = "games ended by a fault"


@dataclass(frozen=True, slots=True)
class Listing:
    """What is wanted of the games, and which place in the list is marked."""

    pairing: int  # its place in the plan
    side: int  # which of its two the person looks from
    filter: Filter = Filter.ALL
    worst: bool = False  # those with the most mistakes first, else the newest
    at: int = 0

    def next_filter(self) -> Listing:
        filters = list(Filter)
        return replace(self, filter=filters[(filters.index(self.filter) + 1) % len(filters)], at=0)


def read(db: Database, tournament: int, listing: Listing, before: int | None = None) -> list[GameInfo]:
    """A page of them, the newest first; those after the one with the id `before`."""
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
        limit=PAGE,
        before=before,
    )


def one(db: Database, tournament: int, pairing: int, number: int) -> GameInfo | None:
    """The game of this number; None where it is not kept yet."""
    from nimtui.store.tournaments import games

    newest = games(db, tournament=tournament, pairing=pairing, limit=1)
    if not newest or newest[0].row.number < number:
        return None
    after = newest[0].id - newest[0].row.number + number + 1
    found = newest if after > newest[0].id else games(db, tournament=tournament, pairing=pairing, limit=1, before=after)
    return next((info for info in found if info.row.number == number), None)


def in_order(found: Sequence[GameInfo], listing: Listing) -> list[GameInfo]:
    """As they are listed: by the mistakes of the one looked from, then of the other; or as they were read."""
    if not listing.worst:
        return list(found)
    side = listing.side
    return sorted(found, key=lambda info: (-info.row.mistakes[side], -info.row.mistakes[1 - side]))


# All results, without the games.


@dataclass(frozen=True, eq=False)
class Course:
    """How a pairing went."""

    shares: tuple[tuple[int, float], ...]  # after so many games, this share of the points
    lows: tuple[tuple[int, float], ...]  # and Wilson's interval
    highs: tuple[tuple[int, float], ...]
    pairs: tuple[int, int, int, int, int]  # two games of one opening, seats swapped: 0, 1/2, 1, 3/2, 2 points


def course(results: npt.NDArray[np.int8], side: int) -> Course:
    """From the results by number, for the pairing's first entrant; only games that are there count."""
    from nimtui.arena.wilson import interval

    there = results != NOT_PLAYED
    gained = np.where(side == 0, results, -results).astype(np.float64) / 2 + 0.5
    sums = np.cumsum(gained[there])
    count = len(sums)
    at = np.unique(np.geomspace(1, count, POINTS).astype(np.int64)) if count else np.zeros(0, np.int64)
    shares, lows, highs = [], [], []
    for games in at.tolist():
        points = float(sums[games - 1])
        low, high = interval(points, games)
        shares.append((games, points / games))
        lows.append((games, low))
        highs.append((games, high))
    even = len(results) // 2 * 2
    both = there[:even:2] & there[1:even:2]
    doubled = (2 * (gained[:even:2] + gained[1:even:2]))[both].astype(np.int64)
    pairs = np.bincount(doubled, minlength=5).tolist()
    return Course(tuple(shares), tuple(lows), tuple(highs), (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]))
