"""What a tournament has come to: of each pairing, of each entrant, and between any two of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nimtui.arena.plan import Pairing, Plan


@dataclass(frozen=True, slots=True)
class PairingScore:
    """What is known of one pairing. Where there are two numbers the first is its first entrant's."""

    pairing: Pairing
    wins: tuple[int, int]  # of the first entrant: in games that it began, in games that the second began
    draws: tuple[int, int]
    losses: tuple[int, int]
    own: tuple[int, int]  # moves
    chances: tuple[int, int]  # moves in positions that could be made worse
    mistakes: tuple[int, int]  # moves that made them worse
    faults: tuple[int, int]  # games lost by an illegal move or an error
    wanted: int  # games there shall be: fewer than planned where a sequential test ended it
    llr: float | None = None  # of the sequential test, where there is one
    verdict: str = ""  # 'H0' or 'H1' as soon as it is decided

    @property
    def played(self) -> int:
        return sum(self.wins) + sum(self.draws) + sum(self.losses)


@dataclass(frozen=True, slots=True)
class Standing:
    """What one entrant has come to. Games against itself do not count. An Elo may be infinite, or NaN: not known."""

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
    judged: bool  # is the truth known in all its games? Else there is no mistake rate
    faults: int

    @property
    def played(self) -> int:
        return sum(self.wins) + sum(self.draws) + sum(self.losses)

    @property
    def points(self) -> float:
        """A win counts 1, a draw 1/2."""
        return sum(self.wins) + sum(self.draws) / 2

    @property
    def score(self) -> float | None:
        """Points per game, 0 to 1; None before the first game."""
        return self.points / self.played if self.played else None

    @property
    def mistake_rate(self) -> float | None:
        """Of the positions that were not lost, how many it threw away, 0 to 1; None: not known.

        Not of all its moves: whoever is always lost makes no mistake, and would pass for a master.
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
    rows: tuple[Standing, ...]  # the best first: by points per game, then Elo
    cells: tuple[tuple[Cell | None, ...], ...]  # [entrants][entrants], by their places in the plan; None: never meet
    advantage: float  # Elo of moving first, estimated with the rest; NaN where it is not known
    superiority: tuple[tuple[float, ...], ...]  # [entrants][entrants]: likelihood that the row's is the stronger one
    advantage_error: float = math.nan  # half of its 95 % interval; NaN where it is not known
