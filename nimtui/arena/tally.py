"""The sums of a tournament: per pairing, per entrant, and between any two entrants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import Any

from nimtui.arena import head_to_head
from nimtui.arena.meetings import Meeting
from nimtui.arena.plan import GAUNTLET, Pairing, Plan
from nimtui.arena.ratings import Rating, Ratings, Seat
from nimtui.report.values import NOTHING, Value, Within


def place(at: int, ratings: Sequence[Rating], by_elo: bool) -> str:
    """Return the place of a row, '1' for the first; '–' if its rating is a bound that leaves the place open."""
    rating = ratings[at]
    rest = [other.elo for other in ratings if other is not rating and not isnan(other.elo)]
    above = rating.at_least is not None and not all(elo < rating.at_least for elo in rest)
    below = rating.at_most is not None and not all(elo > rating.at_most for elo in rest)
    return "–" if by_elo and not rating.by_seat and (above or below) else str(at + 1)


@dataclass(frozen=True, slots=True)
class PairingScore:
    """The results of one pairing. Of two numbers the first is its first entrant's."""

    pairing: Pairing
    wins: tuple[int, int]  # of the first entrant: in games that it started, in games that the second started
    draws: tuple[int, int]
    losses: tuple[int, int]
    own: tuple[int, int]  # moves
    chances: tuple[int, int]  # moves in positions that are not lost
    mistakes: tuple[int, int]  # moves that made them worse
    faults: tuple[int, int]  # games lost by an illegal move or an error
    pentanomial: tuple[int, ...]  # games 2k and 2k + 1, by the first entrant's points: 0, ½, 1, 1½, 2
    wanted: int  # games there will be: fewer than planned if a sequential test ended it
    llr: float | None = None  # of the sequential test, if there is one
    verdict: str = ""  # 'H0' or 'H1' once it is decided

    @property
    def played(self) -> int:
        return sum(self.wins) + sum(self.draws) + sum(self.losses)

    @property
    def pairs(self) -> int:
        """Return the whole pairs of games, which a sequential test counts."""
        return self.played // 2


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of one entrant. Games against itself do not count."""

    entrant: int  # its place in the plan
    agent: str
    wins: tuple[int, int]  # moving first, moving second
    draws: tuple[int, int]
    losses: tuple[int, int]
    low: float  # of the score, 95 %
    high: float
    rating: Rating
    own: int  # moves
    chances: int
    mistakes: int
    judged: bool  # whether the exact values are known in all its games; else there is no mistake rate
    faults: int

    @property
    def played(self) -> int:
        return sum(self.wins) + sum(self.draws) + sum(self.losses)

    @property
    def points(self) -> float:
        """Return the points: a win counts 1, a draw 1/2."""
        return sum(self.wins) + sum(self.draws) / 2

    @property
    def score(self) -> float | None:
        """Return points per game, 0 to 1; None before the first game."""
        return self.points / self.played if self.played else None

    @property
    def interval(self) -> Value:
        """Return the 95 % interval of the score; nothing before the first game."""
        return Within(self.low, self.high) if self.played else NOTHING

    @property
    def mistake_rate(self) -> float | None:
        """Return the share of mistakes among moves in won or drawn positions, 0 to 1; None if unknown.

        Not of all moves: an agent that is always lost makes no mistake, and would look perfect.
        """
        return self.mistakes / self.chances if self.judged and self.chances else None

    @property
    def keys(self) -> dict[str, Any]:
        """Return the row of a document; unknown numbers are null."""
        counts = {"wins": self.wins, "losses": self.losses, "draws": self.draws}
        return {
            "agent": self.agent,
            "points": self.points,
            "played": self.played,
            **{name: sum(seats) for name, seats in counts.items()},
            **self.rating.keys,
            "score": self.score,
            "score_low": self.low,
            "score_high": self.high,
            "mistake_rate": self.mistake_rate,
            "mistakes": self.mistakes,
            "chances": self.chances,
            "moves": self.own,
            "faults": self.faults,
            "first": {name: seats[0] for name, seats in counts.items()},
            "second": {name: seats[1] for name, seats in counts.items()},
        }


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the crosstable: the row's entrant moved first, the column's second."""

    first_wins: int
    second_wins: int
    draws: int

    @property
    def played(self) -> int:
        return self.first_wins + self.second_wins + self.draws


@dataclass(frozen=True, eq=False)
class Field:
    """The results of a field of agents: of one tournament, or of several as a pool. Never changes."""

    agents: tuple[str, ...]  # full names; an entrant is a place among them
    rows: tuple[Standing, ...]  # best first
    cells: tuple[tuple[Cell | None, ...], ...]  # [entrants][entrants]; None: never meet
    ratings: Ratings
    meetings: tuple[Meeting, ...]  # as rated, in the order of the pairings

    @property
    def seat(self) -> Seat:
        """Return what moving first is worth, estimated with the rest."""
        return self.ratings.seat

    @property
    def by_elo(self) -> bool:
        """Return whether the rows are in order of Elo: agents that met different opponents share no other scale."""
        return True

    def place(self, at: int) -> str:
        """Return the place of a row: see `place`. Any other bound than of all won or lost games is the anchor's."""
        return place(at, [row.rating for row in self.rows], self.by_elo and self.rows[at].score in (0, 1))

    def between(self, row: int, column: int) -> list[Meeting]:
        """Return the finished games of two different entrants, as the row's."""
        found = []
        for meeting in self.meetings:
            if meeting.played and (meeting.first, meeting.second) == (row, column):
                found.append(meeting)
            elif meeting.played and (meeting.second, meeting.first) == (row, column):
                found.append(meeting.turned())
        return found

    @cached_property
    def superiority(self) -> tuple[tuple[float | None, ...], ...]:
        """Return the LOS of each row's entrant over each column's by their own games; None if these do not tell.

        [entrants][entrants]. The likelihood by all games is that of `ratings`.
        """
        count = len(self.agents)
        met: defaultdict[tuple[int, int], list[Meeting]] = defaultdict(list)
        for meeting in self.meetings:
            if meeting.played and meeting.first != meeting.second:
                turned = meeting.first > meeting.second
                met[min(meeting[:2]), max(meeting[:2])].append(meeting.turned() if turned else meeting)
        found: list[list[float | None]] = [[None] * count for _ in range(count)]
        for (row, column), meetings in met.items():
            found[row][column] = los = head_to_head.superiority(meetings)
            found[column][row] = None if los is None else 1 - los
        return tuple(map(tuple, found))


@dataclass(frozen=True, eq=False)
class Standings(Field):
    """A tournament at one moment. Its rows are in order of points per game, then Elo; those of a gauntlet of Elo."""

    plan: Plan

    @property
    def by_elo(self) -> bool:
        return self.plan.pairs == GAUNTLET


def crosstable(agents: int, meetings: Sequence[Meeting]) -> tuple[tuple[Cell | None, ...], ...]:
    """Return the results by first and second player over all games; [entrants][entrants]."""
    sums: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for one in meetings:
        seats = [(one.first, one.second, one.wins[0], one.losses[0], one.draws[0])]
        if one.alternate:
            seats.append((one.second, one.first, one.losses[1], one.wins[1], one.draws[1]))
        for row, column, *counts in seats:
            cell = sums[row, column]
            cell[:] = map(sum, zip(cell, counts, strict=True))
    entrants = range(agents)
    return tuple(
        tuple(Cell(*sums[row, column]) if (row, column) in sums else None for column in entrants) for row in entrants
    )


def entrants(
    agents: Sequence[str], meetings: Sequence[Meeting], ratings: Ratings, sums: Sequence[Sequence[int]], judged: bool
) -> list[Standing]:
    """Return each entrant's results, in the order of the agents; `sums`: its moves, chances, mistakes and faults."""
    seats, rows = by_seat(len(agents), meetings), []
    for at, name in enumerate(agents):
        score, (own, chances, mistakes, faults) = ratings.scores[at], sums[at]
        rating = ratings.ratings[at]
        rows.append(
            Standing(at, name, *seats[at], score.low, score.high, rating, own, chances, mistakes, judged, faults)
        )
    return rows


Seats = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]  # wins, draws, losses: moving first, moving second


def by_seat(agents: int, meetings: Sequence[Meeting]) -> list[Seats]:
    """Return each entrant's results by its own seat. Games against itself do not count."""
    sums = [[[0, 0], [0, 0], [0, 0]] for _ in range(agents)]  # wins, draws, losses
    for one in meetings:
        if one.first == one.second:
            continue
        for side, entrant in enumerate((one.first, one.second)):
            for opener in (0, 1):
                seat = side ^ opener
                sums[entrant][0][seat] += (one.wins, one.losses)[side][opener]
                sums[entrant][1][seat] += one.draws[opener]
                sums[entrant][2][seat] += (one.losses, one.wins)[side][opener]
    return [((w[0], w[1]), (d[0], d[1]), (s[0], s[1])) for w, d, s in sums]
