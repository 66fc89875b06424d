"""The terms on which two agents meet in one game: seats, openings, random numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nimtui.arena.batch import MOVES, Batch
from nimtui.arena.limits import UNLIMITED, Limits
from nimtui.arena.openings import FROM_THE_START, Openings
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move

BEAT = 0.05  # least seconds between two reports
MOST_CODES = int(np.iinfo(MOVES).max) + 1
KEPT = 1 << 17  # cached openings

Keep = Callable[[Batch], None]  # receives games as soon as they are finished
Watch = Callable[[int, list[Move]], None]  # receives a game's number and its moves so far


@dataclass(frozen=True)
class Terms:
    """The terms of one pairing; each game depends only on these and its own number.

    With alternating seats the second player starts every other game, and games 2k and 2k + 1 have the same opening.
    """

    game: Game
    seed: int = 0
    pairing: int = 0
    alternate: bool = True
    openings: Openings = FROM_THE_START
    limits: Limits = UNLIMITED

    def __post_init__(self) -> None:
        """Raise InputError for a game that cannot be played or stored."""
        if self.game.size > MOST_CODES:
            raise InputError(
                f"{self.game.name} has {self.game.size:,} moves: games with more than {MOST_CODES:,} cannot be stored"
            )
        if base.outcome(self.game.start) != base.GOING_ON:
            raise InputError(f"{self.game.name} is over at its start: there is nothing to play")

    def opener(self, number: int) -> int:
        """Return the first player of this game, after the opening."""
        return number % 2 if self.alternate else 0

    def opening_number(self, number: int) -> int:
        """Return the number of this game's opening."""
        return number // 2 if self.alternate else number

    def opening(self, number: int) -> tuple[Move, ...]:
        """Return the moves of this game's opening."""
        return _opening(self.openings, self.game, self.seed, self.opening_number(number))

    def streams(self, number: int) -> tuple[Stream, Stream]:
        """Return the random numbers of this game's first and second player."""
        first = 2 * (self.pairing << 32 | number)
        return Stream(self.seed, first), Stream(self.seed, first + 1)


@lru_cache(KEPT)
def _opening(openings: Openings, game: Game, seed: int, number: int) -> tuple[Move, ...]:
    """Return an opening; all pairings share the openings."""
    return openings.opening(game, seed, number)
