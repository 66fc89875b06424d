"""`nimtui.agent`: an agent, its moves and what it thinks of them.

Whatever plays: a name, a trained run, a table, a function or an agent of a person's own.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Protocol, TypeAlias, runtime_checkable

from nimtui import agents
from nimtui.agents import Decision, Thought, parse_agent, registry
from nimtui.agents.agent import AgentFault, AlwaysReady, short_text
from nimtui.agents.parse import PARTS
from nimtui.agents.report import rated as rated_moves
from nimtui.api.door import Report, Watch, Watcher, checked, reading
from nimtui.api.games import Game, GameLike, game, handed_in, own_files
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game as Rules
from nimtui.games import base
from nimtui.games.base import State
from nimtui.games.rule_text import Place
from nimtui.learning.learner import learners
from nimtui.process import plugins
from nimtui.progress import SILENT, Progress
from nimtui.report.blocks import Report as Told
from nimtui.theory.answers import known_moves


class RatedMoves(Report):
    """The move that an agent plays, and its rating of every move."""

    game: str
    position: str
    agent: str
    best_move: str
    """The move that the agent plays."""
    moves: list[dict[str, Any]]
    """Every legal move with the agent's numbers, and its exact outcome if the game can be solved."""
    note: str
    """A limit of the method in this position, as one sentence; '' if there is none."""


class Agent:
    """An agent for any game that it can play."""

    def __init__(self, one: AgentLike) -> None:
        self.name = agent_name(one)
        self._made: dict[Game, Any] = {}  # by the games that it played

    @checked
    def choose(self, on: GameLike, position: str | None = None, *, seed: int = 0, progress: Watch = None) -> str:
        """Return the move that the agent plays at a position [default: the start].

        The same seed gives the same move, unless the agent has a time limit. Raises InputError if the agent cannot
        play the game, and for a position that is invalid or over.
        """
        return self._decide(game(on), position, seed, progress, rated=False)[0]

    @checked
    def rate(self, on: GameLike, position: str | None = None, *, seed: int = 0, progress: Watch = None) -> RatedMoves:
        """Return the same move with the agent's rating of every move: the document of `nimtui moves --json`."""
        return RatedMoves(self._decide(game(on), position, seed, progress, rated=True)[1])

    def _decide(self, chosen: Game, position: str | None, seed: int, progress: Watch, rated: bool) -> tuple[str, Told]:
        rules, state = chosen.rules, chosen.state(position)
        if base.outcome(state) != base.GOING_ON:
            raise InputError(f"the game is over at {rules.position_name(state)}: choose a position with moves")
        agent = self._made.get(chosen) or parse_agent(self.name, rules.beginning(position))
        self._made[chosen] = agent
        with Watcher("think", progress) as watcher:
            agent.prepare(watcher)
            decision = agent.decide(state, Stream(seed), watcher)
            truths = known_moves(rules, state, watcher) if rated else None
        place = Place(rules, state, position)
        return place.move(decision.move), rated_moves(place, agent.name, decision, truths) if rated else Told(())

    def as_agent(self) -> str:
        """Return its name."""
        return self.name

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


def agent(one: AgentLike) -> Agent:
    """Return an agent: `nimtui.agent("mcts:simulations=500").choose("nim:3,4,5", "1,4,5", seed=1)`.

    An agent is a name, a run of `nimtui.train`, a table, a function of the names of a game and a position that returns
    a move, an object with the methods of `nimtui.agents.Agent`, or the module of an own agent. `nimtui match --help`
    says where the names are listed. Raises InputError for an unknown name.
    """
    return Agent(one)


@runtime_checkable
class Plays(Protocol):
    """A result that can play: a run, a table, an agent."""

    def as_agent(self) -> str:
        """Return the name of its agent in this process."""


AgentLike: TypeAlias = str | Plays | agents.Agent | ModuleType | Callable[[str, str], str]
"""An agent wherever one is taken: its name ('mc:playouts=1000'), a run, a table, an object with the methods of
`nimtui.agents.Agent`, a module of an own agent, or a function of a game's and a position's name that returns a move."""


@reading("an agent")
def agent_name(one: AgentLike) -> str:
    """Return the name of an agent in this process. Raises InputError if nothing of this kind plays."""
    own_files()
    if isinstance(one, str):
        named = registry.by_name()
        if (word := one.strip().partition(":")[0].strip().lower()) not in named:
            raise plugins.unknown("agent", word, named)
        return str.__str__(one)  # a subclass may raise whatever it is asked
    if isinstance(one, ModuleType):
        registry.add(one)
        handed_in.append(one)
        return str(one.NAMES[0])
    if isinstance(one, Plays) and not isinstance(one, type) and isinstance(name := one.as_agent(), str):
        return name
    if not isinstance(one, type) and all(hasattr(one, part) for part in PARTS) and isinstance(one.name, str):  # type: ignore[union-attr]
        return registry.enter(one, str(one.name), lambda game, name: Renamed(one, name))  # type: ignore[union-attr, arg-type]
    if callable(one) and not isinstance(one, type):
        called = getattr(one, "__name__", type(one).__name__)
        return registry.enter(one, called, lambda game, name: FunctionAgent(one, game, name))
    raise InputError(
        f"no agent: {type(one).__name__}. An agent is a name such as 'mc', a run, a table, a function of a game's and"
        f" a position's name, or an object with {', '.join(PARTS)}"
    )


def is_local(name: str) -> bool:
    """Return whether only this process knows the agent of this name: it is an object, or of a module handed in."""
    word = name.strip().partition(":")[0].strip().lower()
    return registry.has(word) or registry.by_name()[word] in handed_in or learners().get(word) in handed_in


class FaultWatch:
    """Warns of the first fault that loses an agent its game; raises it instead if `strict`."""

    def __init__(self, strict: bool) -> None:
        self._strict, self._warned = strict, False

    def __call__(self, faults: Iterable[str]) -> None:
        """Look at the faults so far. Raises InputError."""
        first = None if self._warned else next(iter(faults), None)
        if first is None:
            return
        if self._strict:
            raise InputError(first)
        self._warned = True
        warnings.warn(f"a game ended by a fault: {first}", RuntimeWarning, stacklevel=2)


class FunctionAgent(AlwaysReady):
    """Plays the moves that a function of a game's and a position's name returns."""

    def __init__(self, function: Callable[[str, str], str], game: Rules, name: str) -> None:
        self._function, self._game = function, game
        self.name = self.title = name

    def decide(self, state: State, stream: Stream, progress: Progress = SILENT) -> Decision:
        named = self._function(self._game.name, self._game.position_name(state))
        if not isinstance(named, str):
            raise AgentFault(f"{self.name} returned {short_text(named)}, not the name of a move")
        try:
            move = self._game.parse_move(named, state)
        except InputError as fault:
            raise AgentFault(f"{self.name} returned {short_text(named)}: {fault}") from fault
        return Decision(move, tuple(Thought(legal) for legal in base.legal_moves(state)))


class Renamed:
    """An agent under the name that it has in this process."""

    def __init__(self, agent: agents.Agent, name: str) -> None:
        self._agent = agent
        self.name = name

    def __getattr__(self, word: str) -> Any:
        return getattr(self._agent, word)
