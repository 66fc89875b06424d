"""The sums of a tournament: per pairing, per entrant, and between any two entrants."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nimtui.arena.plan import Pairing, Plan


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
    """The results of one entrant. Games against itself do not count. An Elo may be infinite, or NaN: unknown."""

    entrant: int  # its place in the plan
    agent: str
    wins: tuple[int, int]  # moving first, moving second
    draws: tuple[int, int]
    losses: tuple[int, int]
    low: float  # of the score: Wilson's interval, 95 %
    high: float
    elo: float
    elo_low: float  # 95 %
    elo_high: float
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
    def mistake_rate(self) -> float | None:
        """Return the share of mistakes among moves in won or drawn positions, 0 to 1; None if unknown.

        Not of all moves: an agent that is always lost makes no mistake, and would look perfect.
        """
        return self.mistakes / self.chances if self.judged and self.chances else None


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
class Standings:
    """A tournament at one moment. Never changes."""

    plan: Plan
    rows: tuple[Standing, ...]  # best first: by points per game, then Elo
    cells: tuple[tuple[Cell | None, ...], ...]  # [entrants][entrants], by place in the plan; None: never meet
    advantage: float  # Elo of moving first, estimated with the rest; NaN if unknown
    superiority: tuple[tuple[float, ...], ...]  # [entrants][entrants]: LOS of the row's entrant
    advantage_error: float = math.nan  # half of its 95 % interval; NaN if unknown
