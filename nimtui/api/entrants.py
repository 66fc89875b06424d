"""Whatever plays: a name, a trained run, a table, a function or an agent of a person's own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Protocol, TypeAlias, runtime_checkable

from nimtui import agents
from nimtui.agents import Decision, Thought, registry
from nimtui.agents.agent import AgentFault, AlwaysReady, short_text
from nimtui.agents.parse import PARTS
from nimtui.api.door import reading
from nimtui.api.games import handed_in, own_files
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.learning.learner import learners
from nimtui.process import plugins
from nimtui.progress import SILENT, Progress


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

    def __init__(self, function: Callable[[str, str], str], game: Game, name: str) -> None:
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
