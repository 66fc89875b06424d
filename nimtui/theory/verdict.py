"""What perfect play says of a position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Move, State


class Unsolvable(InputError):
    """The position is too large for an exact answer: one line that says so, and what would not be."""


class Outcome(Enum):
    """How the game ends for the player to move if both play perfectly."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"

    @staticmethod
    def of(value: int) -> Outcome:
        """From a number that is positive for a win of the player to move, negative for a loss, 0 for a draw."""
        return Outcome.WIN if value > 0 else Outcome.LOSS if value < 0 else Outcome.DRAW

    @property
    def reply(self) -> Outcome:
        """The same end, seen by the other player."""
        return Outcome.of({Outcome.WIN: -1, Outcome.LOSS: 1, Outcome.DRAW: 0}[self])


@dataclass(frozen=True, slots=True)
class Verdict:
    """The exact answer at one position."""

    outcome: Outcome
    grundy: int | None  # None in misère play and wherever it is not defined
    best_moves: tuple[Move, ...]  # all that keep the outcome, ascending: where lost every legal move; () when finished
    scores: dict[Move, int] | None = None  # connect games: of every legal move, for the player who makes it
    score: int | None = None  # connect games: 0 a draw, +n a win with n − 1 discs to spare, −n a loss likewise


def end_of_game(state: State) -> Outcome | None:
    """The outcome of a finished game for the player who would be to move; None while it goes on."""
    result = base.outcome(state)
    if result == base.GOING_ON:
        return None
    return Outcome.of(0 if result == base.DRAW else -result)
