"""The exact value of a position under perfect play."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Move, State


class Unsolvable(InputError):
    """The position is too large to solve: one line that says so, and what size would be solved."""


class Outcome(Enum):
    """How the game ends for the player to move under perfect play."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"

    @staticmethod
    def of(value: int) -> Outcome:
        """Return the outcome of a number: positive if the player to move wins, negative for a loss, 0 for a draw."""
        return Outcome.WIN if value > 0 else Outcome.LOSS if value < 0 else Outcome.DRAW

    @property
    def reply(self) -> Outcome:
        """Return the same end as the opponent sees it."""
        return Outcome.of(-self.worth)

    @property
    def worth(self) -> int:
        """Return 1 for a win, 0 for a draw, −1 for a loss."""
        return (self is Outcome.WIN) - (self is Outcome.LOSS)


@dataclass(frozen=True, slots=True)
class MoveValue:
    """The exact outcome of one move for the player who makes it, with perfect play by both."""

    move: Move
    outcome: Outcome
    optimal: bool  # does the move keep the value of the position?
    remoteness: int | None = None  # plies to the end, this move included; None in a draw, or if unknown
    payoff: int | None = None  # games with payoffs: what the move is worth to the player who makes it


@dataclass(frozen=True, slots=True)
class Patience:
    """What a solver may use where a position may take minutes instead of seconds."""

    memory: int = 64 << 20  # bytes of its table
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Verdict:
    """Holds the exact answer at one position."""

    outcome: Outcome
    grundy: int | None  # None in misère play and wherever it is undefined
    best_moves: tuple[Move, ...]  # all that keep the outcome, ascending; all legal moves if lost; () if over
    scores: dict[Move, int] | None = None  # connect games: the score of every legal move, for the player to move
    score: int | None = None  # connect games: 0 draws, ±n wins or loses with n − 1 discs to spare
    payoff: int | None = None  # games with payoffs: for the player to move; the best moves keep it


def payoff_here(state: State) -> int | None:
    """Return what a finished game pays the player to move; None if the game has no payoffs."""
    return -int(base.payoff(state)) if base.largest_payoff(state) else None


def end_of_game(state: State) -> Outcome | None:
    """Return the outcome of a finished game for the player to move, or None if the game is not over."""
    result = base.outcome(state)
    if result == base.GOING_ON:
        return None
    return Outcome.of(0 if result == base.DRAW else -result)
