"""The standings of saved tournaments, from the sums of their games. Their agents may be missing here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

from nimtui.arena import figures
from nimtui.report.values import Share

if TYPE_CHECKING:
    from nimtui.arena.ratings import Rating
    from nimtui.arena.saved_meetings import SavedMeetings
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
    gauntlet: bool = False

    @classmethod
    def of(cls, database: Database, tournament: int, document: Mapping[str, Any]) -> SavedRatings:
        """Return the ratings of this tournament; `document` is its plan. StoreError if the database cannot be read."""
        from nimtui.arena import saved_meetings

        saved = saved_meetings.read(database, tournament, document)
        return cls.rated(saved, gauntlet=document.get("pairs") == "gauntlet")

    @classmethod
    def rated(cls, saved: SavedMeetings, *, gauntlet: bool = False) -> SavedRatings:
        """Return the ratings of these results."""
        from nimtui.arena.ratings import rate

        names = saved.agents
        place = {name: at for at, name in enumerate(names)}
        wrong, chances, own = [0] * len(names), [0] * len(names), [0] * len(names)
        for one in saved.tallies:
            for side, at in enumerate((place[one.first], place[one.second])):
                wrong[at] += one.mistakes[side]
                chances[at] += one.chances[side]
                own[at] += one.own[side]
        found = rate(len(names), saved.meetings)
        points = tuple(score.points for score in found.scores)
        played = tuple(score.games for score in found.scores)
        mistakes = tuple(zip(wrong, chances, strict=True))
        return cls(names, points, played, mistakes, tuple(own), found.ratings, gauntlet)

    @property
    def order(self) -> list[int]:
        """Return the agents from best to worst, as `standings` orders them."""
        from nimtui.arena.standings import rank

        scores = [points / played if played else None for points, played in zip(self.points, self.played, strict=True)]
        return sorted(
            range(len(self.agents)), key=lambda at: rank(scores[at], self.ratings[at], at, by_elo=self.gauntlet)
        )

    @property
    def places(self) -> list[str]:
        """Return the place of each agent of `order`; '–' where a bound leaves it open."""
        from nimtui.arena.tally import place

        ratings = [self.ratings[at] for at in self.order]
        return [place(at, ratings, self.gauntlet) for at in range(len(ratings))]

    def score(self, at: int) -> str:
        """Return '84.0 %' of the points; '–' without games."""
        return Share(self.points[at] / self.played[at] if self.played[at] else None).text


def elo(rating: Rating) -> str:
    """Return '   +412 ±61': Elo and half of its 95 % interval; '  ≥ +412' after winning every game; '?' if unknown."""
    if isnan(rating.elo) or rating.by_seat:
        return "      ?"
    if rating.at_least is not None:
        return f"  ≥ {figures.elo(rating.at_least)}"
    if rating.at_most is not None:
        return f"  ≤ {figures.elo(rating.at_most)}"
    return f"{figures.elo(rating.elo):>7} {figures.elo_interval(rating)}".rstrip()
