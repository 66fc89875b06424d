"""The interface of agents, the decisions that they return, and their faults, each as one line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.errors import InputError, shortened
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress, preparation
from nimtui.sandbox.command import FaultKind
from nimtui.theory.truth import Truth
from nimtui.trees.result import Iteration

USUAL_SECONDS = 30.0  # default time of an own agent per move


@dataclass(frozen=True, slots=True)
class Thought:
    """An agent's rating of one move, for the player who makes it. None: the agent has no such number."""

    move: Move
    value: float | None = None  # the expected result, −1 (lost) to 1 (won)
    wins: int | None = None  # of playouts after this move
    losses: int | None = None
    draws: int | None = None
    low: float | None = None  # bounds of the value, 95 % for all moves together
    high: float | None = None
    score: float | None = None  # in a learned table; for alpha-beta the heuristic's number
    visits: int | None = None  # in a tree search
    mean: float | None = None
    ucb: float | None = None
    bound: str | None = None  # of alpha-beta's score: "exact", "upper" (at most that), "lower" (at least);
    # "exact" in a tree search: the value is proven
    largest: int = 0  # of a game with payoffs the largest one: the value is a part of it, a score with a bound a payoff

    @property
    def payoff(self) -> float | None:
        """The expected payoff; None in a game without payoffs, or if it is unknown."""
        return None if not self.largest or self.value is None else self.value * self.largest


@dataclass(frozen=True, slots=True)
class Decision:
    """The move that an agent plays, and its reasons."""

    move: Move
    thoughts: tuple[Thought, ...]  # one for each legal move, in the order of the moves
    note: str = ""  # a limit of the method in this position, as one sentence for people
    seconds: float = 0.0  # duration of the decision
    nodes: int | None = None  # of the search that decided; None for an agent that does not search
    nodes_per_second: float | None = None  # of that search; None if it was too short to tell
    line: tuple[Move, ...] = ()  # the best play of both players that the agent expects, from its move on
    depth: int | None = None  # plies that the search looked ahead; None for an agent without depth, or to the end


@dataclass(frozen=True, slots=True)
class Thinking:
    """What an agent believes so far, while it decides. Agents offer it by `Progress.think`."""

    thoughts: tuple[Thought, ...]  # of the legal moves that the agent has rated so far
    move: Move | None = None  # it would play now; None: none yet
    line: tuple[Move, ...] = ()  # the best play of both players that it expects, from `move` on
    done: int | None = None  # how many `unit` it has worked through so far
    unit: str = ""  # of its work: "simulations", "playouts", "nodes"
    per_second: float | None = None  # of these units; None if it is too early to tell
    seconds: float = 0.0  # since it began to decide
    depth: int | None = None  # plies that the search looks ahead now; None for an agent without depth
    table_hits: int | None = None  # nodes whose value a transposition table had; None without a table
    searching: Move | None = None  # the root's move whose subtree it searches now; None if it searches none
    iterations: tuple[Iteration, ...] = ()  # of a search that deepens: the depths it has finished


class Agent(Protocol):
    """Chooses moves in one game. May play both seats of several games at once: it stores nothing about a game.

    An agent that is also Terse, Memoryless or Deterministic, as below, plays many games faster.
    """

    @property
    def name(self) -> str:
        """Return the canonical name, which parses to the same agent: 'mc:playouts=40000'."""

    @property
    def title(self) -> str:
        """Return the title for people: 'Hard (1,000,000 games)'."""

    @property
    def ready(self) -> bool:
        """Return False if `prepare` still has long work to do: training, building a table, compiling."""

    def prepare(self, progress: Progress = SILENT) -> None:
        """Do that work. `decide` calls this if nothing else has."""

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        """Choose a move in a position that is not over. All random numbers come from the stream.

        An agent that takes long reports its progress, and offers what it believes so far:
        `progress.think(lambda: Thinking(…))`. Both must not change its choice.
        """


class AlwaysReady:
    """Mixin of agents without preparation."""

    @property
    def ready(self) -> bool:
        return True

    def prepare(self, progress: Progress = SILENT) -> None:
        """Do nothing."""


class Loading(ABC):
    """Mixin of agents that load or compute something before the first move."""

    _loaded = False

    @property
    def ready(self) -> bool:
        return self._loaded

    @preparation()
    def prepare(self, progress: Progress = SILENT) -> None:
        """Load it, once."""
        if not self._loaded:
            self._load(progress)
            self._loaded = True

    @abstractmethod
    def _load(self, progress: Progress) -> None:
        """Load the engine, compiled for this game, and compute what the moves need."""


class Memoryless(ABC):
    """Mixin of agents whose moves depend only on the position, so that whole games can run compiled."""

    memoryless = True  # False if this instance cannot; known before `prepare`

    @abstractmethod
    def policy(self, truth: Truth) -> Policy | None:
        """Return the moves for every node, drawing one number per move as `decide` does; None if it cannot."""


class Terse(ABC):
    """Mixin of agents that can choose a move without reasons, which is faster."""

    @abstractmethod
    def choose(self, state: State, stream: Stream, progress: Progress = SILENT) -> Move:
        """Return the move of `decide`, drawing the same numbers from the stream."""


class Clock(NamedTuple):
    """The time of the next move, in seconds."""

    seconds: float  # for this move at most
    share: float = 0.0  # seconds after which it should move; 0: the rules name no time
    left: float | None = None  # for the rest of the game; None: no such limit
    opponent: float | None = None  # what the other player has left
    increment: float = 0.0  # added after each move
    nodes: int = 0  # that a search may visit; 0: no such limit


class Limited(Terse, ABC):
    """Mixin of agents that run in their own process, which is killed when the time of their `clock` is up.

    Then `choose` and `decide` raise OverTime.
    """

    clock = Clock(USUAL_SECONDS)  # of the next move, where nobody else limits it


class Judged(Limited, ABC):
    """Mixin of agents that nimtui only asks, as programs: they hear their clock, and measure their own thinking."""

    taken = 0.0  # seconds of the latest move, without the start of the program

    def new_game(self) -> None:
        """Hear that the next question belongs to another game."""

    def finish(self, last: bool) -> None:
        """Hear that a game is over. Raises AgentFault if a second answer is there, or after the `last` game comes."""

    @abstractmethod
    def end(self) -> None:
        """End the program. The next question starts it again."""


class StopsItself:
    """Marks an agent that plays its best move so far when its progress raises TimeUp."""


class LimitedMemoryless(Limited, Memoryless):
    """Mixin of agents that are both."""

    @abstractmethod
    def policy(self, truth: Truth, progress: Progress = SILENT) -> Policy | None:
        """Return the policy. Raises AgentFault if that fails, OverTime after USUAL_SECONDS."""


class Deterministic:
    """Marks an agent without random choices: in one position it always plays the same move."""


def moves_of(state: State) -> list[Move]:
    """Return the legal moves of a position. Raises InputError if the game is over."""
    moves = base.legal_moves(state)
    if not moves:
        raise InputError("the game is over: there are no legal moves")
    return moves


LONGEST = 200  # characters of an agent's text


class AgentFault(InputError):
    """An own agent gave no answer, or an unusable one.

    A program's fault has the line that it was sent, what it wrote, and its last lines on stderr. `earlier`: it is a
    fault of its latest answer, noticed later.
    """

    kind = FaultKind.DISCONNECT

    def __init__(
        self,
        message: str,
        kind: FaultKind | None = None,
        told: str = "",
        answer: str = "",
        errors: tuple[str, ...] = (),
        earlier: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind = kind or self.kind
        self.told, self.answer, self.errors, self.earlier = told, answer, errors, earlier


class OverTime(AgentFault):
    """An agent exceeded its time limit."""

    kind = FaultKind.SLOW


def raised_text(agent: Agent, fault: BaseException) -> str:
    """Return an agent's exception in one line: 'AGENT raised ValueError: no move'."""
    return f"{agent.name} raised {type(fault).__name__}: {short_text(fault)}".removesuffix(": ")


def short_text(what: object) -> str:
    """Return any object as one short, printable line."""
    try:
        text = str(what) if isinstance(what, BaseException) else repr(what)
    except Exception:  # noqa: BLE001 - a number may have too many digits, and an object may do anything
        return f"something of type {type(what).__name__}"
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return shortened(line, LONGEST)
