"""The ratings of a saved tournament, from the sums of its games. Its agents may be missing here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isinf, isnan
from typing import TYPE_CHECKING

from nimtui.arena import figures

if TYPE_CHECKING:
    from nimtui.arena.ratings import Rating
    from nimtui.store.database import Database


@dataclass(frozen=True, eq=False)
class SavedRatings:
    """The agents of a tournament as entered, with each one's sums. Games against itself do not count."""

    agents: tuple[str, ...]
    points: tuple[float, ...]
    played: tuple[int, ...]
    mistakes: tuple[tuple[int, int], ...]  # (mistakes, moves that could be mistakes)
    moves: tuple[int, ...]
    ratings: tuple[Rating, ...]

    @classmethod
    def of(cls, database: Database, tournament: int, agents: Sequence[str]) -> SavedRatings:
        """Return the ratings of this tournament. StoreError if the database cannot be read."""
        from nimtui.arena.ratings import Result, rate
        from nimtui.store.tallies import tallies

        found = tallies(database, tournament)
        names = tuple(dict.fromkeys([*map(str, agents), *(name for one in found for name in (one.first, one.second))]))
        place = {name: at for at, name in enumerate(names)}
        points, played = [0.0] * len(names), [0] * len(names)
        wrong, chances, own = [0] * len(names), [0] * len(names), [0] * len(names)
        results = []
        for one in found:
            pair = place[one.first], place[one.second]
            total = one.wins + one.draws + one.losses
            wins = (one.wins, one.losses)
            results.append(
                Result(pair[one.opener], pair[1 - one.opener], wins[one.opener], one.draws, wins[1 - one.opener])
            )
            for side, at in enumerate(pair):
                wrong[at] += one.mistakes[side]
                chances[at] += one.chances[side]
                own[at] += one.own[side]
                if pair[0] != pair[1]:
                    points[at] += wins[side] + one.draws / 2
                    played[at] += total
        ratings = rate(len(names), results).ratings
        mistakes = tuple(zip(wrong, chances, strict=True))
        return cls(names, tuple(points), tuple(played), mistakes, tuple(own), ratings)

    @property
    def order(self) -> list[int]:
        """Return the agents from best to worst: by points per game, then by Elo."""

        def rank(at: int) -> tuple[float, float]:
            score = self.points[at] / self.played[at] if self.played[at] else -1.0
            found = self.ratings[at].elo
            return -score, inf if isnan(found) else -found

        return sorted(range(len(self.agents)), key=rank)

    def score(self, at: int) -> str:
        """Return '84.0%' of the points; '100%' and '0%' only for exact values."""
        return f"{figures.tenths(self.points[at] / self.played[at])}%" if self.played[at] else "–"


def elo(rating: Rating) -> str:
    """Return '  +412 +324…+473': Elo and its 95 % interval.

    An infinite end and an interval of one value are left out; '?' if the rating is unknown.
    """
    if isnan(rating.elo):
        return "     ?"
    if isinf(rating.elo):
        bound = f" > {figures.elo(rating.low)}" if rating.elo > 0 else f" < {figures.elo(rating.high)}"
        return f"{figures.elo(rating.elo):>6}{bound}"
    if rating.low == rating.high:
        return f"{figures.elo(rating.elo):>6}"
    return f"{figures.elo(rating.elo):>6} {figures.elo(rating.low)}…{figures.elo(rating.high)}"
