"""What every agent is, and what it answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress

if TYPE_CHECKING:
    from nimtui.engine.policy import Policy
    from nimtui.theory.truth import Truth


USUAL_SECONDS = 30.0  # that a person's own agent has for a move, where nothing else is said


@dataclass(frozen=True, slots=True)
class Thought:
    """What an agent thinks of one move, for the player who makes it. None: it has no such number."""

    move: Move
    value: float | None = None  # the expected result, −1 (lost) to 1 (won)
    wins: int | None = None  # of playouts after this move
    losses: int | None = None
    draws: int | None = None
    low: float | None = None  # between these two the value lies, with 95 % for all moves together
    high: float | None = None
    score: float | None = None  # in a learned table; of alpha-beta, the heuristic's number
    visits: int | None = None  # of a tree search
    mean: float | None = None
    ucb: float | None = None
    bound: str | None = None  # what alpha-beta's number is: "exact", "upper" (at most that), "lower" (at least)


@dataclass(frozen=True, slots=True)
class Decision:
    """The move an agent plays, and why."""

    move: Move
    thoughts: tuple[Thought, ...]  # one for each legal move, in the order of the moves
    note: str = ""  # what the method cannot see here, in one sentence for people
    seconds: float = 0.0  # how long it took


class Agent(Protocol):
    """Chooses moves in one game. May sit on both seats of several games at once: it keeps nothing of a game.

    One that is also Terse, Memoryless or Deterministic, as below, is played quicker where many games are played.
    """

    @property
    def name(self) -> str:
        """The canonical name, which parses to the same agent: 'mc:playouts=40000'."""

    @property
    def title(self) -> str:
        """What people call it: 'Hard (1,000,000 games)'."""

    @property
    def ready(self) -> bool:
        """False if `prepare` has work left that may take long: training, building a table, compiling."""

    def prepare(self, progress: Progress = SILENT) -> None:
        """Do that work. `decide` does it too where nobody has."""

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        """Choose a move in a position that is not over; whatever is left to chance is drawn from the stream."""


class AlwaysReady:
    """The part of an agent that has nothing to prepare."""

    @property
    def ready(self) -> bool:
        return True

    def prepare(self, progress: Progress = SILENT) -> None:
        """Nothing is left to do."""


class Memoryless(ABC):
    """The part of an agent that can be written down for every position of a game, so that whole games run compiled."""

    memoryless = True  # False where, after all, it cannot: known before it is prepared

    @abstractmethod
    def policy(self, known: Truth) -> Policy | None:
        """What it plays at every node, drawing one number for each of its moves as `decide` does; None: it cannot."""


class Terse(ABC):
    """The part of an agent that can choose without saying why, which is quicker where nobody asks."""

    @abstractmethod
    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        """The move of `decide`, with the same numbers drawn from the stream."""


class Limited(Terse, ABC):
    """The part of an agent that thinks in a process of its own, which is ended when its time is up."""

    @abstractmethod
    def choose_within(self, state: State, stream: Stream, progress: Progress, seconds: float) -> Move:
        """As `choose`. OverTime where that takes longer."""


class StopsItself:
    """Marks an agent that plays the best move it knows of when its progress says that the time is up (TimeUp)."""


class LimitedMemoryless(Limited, Memoryless):
    """The part of an agent that is both."""

    @abstractmethod
    def policy_within(self, known: Truth, progress: Progress, seconds: float) -> Policy | None:
        """As `policy`. AgentFault where it fails at that, OverTime where that takes longer."""

    def policy(self, known: Truth) -> Policy | None:
        return self.policy_within(known, SILENT, USUAL_SECONDS)


class Deterministic:
    """Marks an agent that leaves nothing to chance: in one position it always plays the same move."""


def moves_of(state: State) -> list[Move]:
    """The legal moves of a position in which one must be chosen. InputError where the game is over."""
    moves = base.legal_moves(state)
    if not moves:
        raise InputError("the game is over, there is no move to choose")
    return moves


class Valued(Protocol):
    """A move with what it is worth."""

    @property
    def move(self) -> Move: ...

    @property
    def value(self) -> float: ...


def best_of(moves: Sequence[Valued], stream: Stream) -> Move:
    """A move of the highest value, each such move as likely as the others."""
    values = [found.value for found in moves]
    best = max(values)
    return stream.choose([found.move for found, value in zip(moves, values, strict=True) if value == best])
