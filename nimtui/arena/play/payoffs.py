"""The payoffs of finished games, read from their moves; and their mean with its interval."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.arena.play.batch import MOVES, Batch
from nimtui.games import Game, base

MOST = 100_000  # games whose payoff is cached
DEVIATIONS = 1.959964  # of a normal distribution: half of a 95 % interval


class Payoffs:
    """Reads payoffs in one game. Equal games are followed once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._sizes: dict[bytes, int] = {}

    def of(self, games: Batch) -> npt.NDArray[np.int64]:
        """Return what each game pays the pairing's first agent, [n]. A game lost by a fault pays the largest payoff."""
        moves, ends = games.moves.astype(MOVES), games.ptr.tolist()
        sizes = [self._size(moves[begin:end]) for begin, end in pairwise(ends)]
        for place in games.faults:
            sizes[place] = int(base.largest_payoff(self._game.start))
        return games.result.astype(np.int64) * np.array(sizes, np.int64)

    def _size(self, moves: npt.NDArray[np.int16]) -> int:
        """Return the payoff after these moves without its sign, which is that of the result."""
        key = moves.tobytes()
        if (size := self._sizes.get(key)) is None:
            state = self._game.new()
            for move in moves.tolist():
                base.play(state, move)
            if len(self._sizes) >= MOST:
                self._sizes.clear()
            size = self._sizes[key] = abs(int(base.payoff(state))) if base.outcome(state) else 0
        return size


class MeanPayoff(NamedTuple):
    """The payoffs of some games, for one agent."""

    games: int = 0
    total: int = 0
    squares: int = 0

    def __add__(self, other: object) -> MeanPayoff:
        assert isinstance(other, MeanPayoff)
        return MeanPayoff(*(mine + more for mine, more in zip(self, other, strict=True)))

    @classmethod
    def of(cls, payoffs: npt.NDArray[np.int64]) -> MeanPayoff:
        values = payoffs.tolist()
        return cls(len(values), sum(values), sum(value * value for value in values))

    @property
    def turned(self) -> MeanPayoff:
        """The same games for the opponent."""
        return self._replace(total=-self.total)

    @property
    def mean(self) -> float | None:
        """The mean payoff; None without games."""
        return self.total / self.games if self.games else None

    @property
    def error(self) -> float | None:
        """Half of the 95 % interval of the mean, by its standard error; None with fewer than two games."""
        if self.games < 2:
            return None
        deviation = (self.squares - self.total * self.total / self.games) / (self.games - 1)
        return DEVIATIONS * sqrt(max(0.0, deviation) / self.games)

    @property
    def keys(self) -> dict[str, Any]:
        """The mean and its interval for a document; null: unknown."""
        mean, error = self.mean, self.error
        unknown = mean is None or error is None
        return {
            "payoff": mean,
            "payoff_low": None if unknown else mean - error,  # type: ignore[operator]
            "payoff_high": None if unknown else mean + error,  # type: ignore[operator]
        }
