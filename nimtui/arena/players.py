"""Agents as they sit down to a game that nobody asks them about: the same moves, as quickly as they can be had."""

from __future__ import annotations

from nimtui.agents import Agent
from nimtui.agents.agent import Deterministic, Terse
from nimtui.engine.lessons import casual_edge
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import State
from nimtui.progress import Cancelled, Progress
from nimtui.theory.truth import Truth

REMEMBERED = 100_000  # positions, of an agent that always plays alike
LONGEST = 200  # characters of what an agent said
NOT_ITS_FAULT = (Cancelled, KeyboardInterrupt, MemoryError)


class Player:
    """An agent that is asked for its moves alone."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def choose(self, state: State, stream: Stream, progress: Progress) -> object:
        """What it plays, be that a legal move or not. May raise anything, and change the state."""
        if isinstance(self.agent, Terse):
            return self.agent.choose(state, stream, progress)
        return self.agent.decide(state, stream, progress).move


class Remembering(Player):
    """One that always plays alike is asked once about a position."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self._moves: dict[bytes, object] = {}

    def choose(self, state: State, stream: Stream, progress: Progress) -> object:
        place = state.board.tobytes()
        if place in self._moves:
            return self._moves[place]
        move = super().choose(state, stream, progress)
        if len(self._moves) < REMEMBERED:
            self._moves[place] = move
        return move


class Written(Player):
    """One that is written down for every position is not asked at all."""

    def __init__(self, agent: Agent, policy: Policy, known: Truth) -> None:
        super().__init__(agent)
        self._policy, self._graph = policy, known.graph

    def choose(self, state: State, stream: Stream, progress: Progress) -> object:
        graph, policy = self._graph, self._policy
        node = graph.node_of[base.index(state)]
        if policy.casual[node]:
            return graph.move[casual_edge(graph, int(node), stream)]
        first, last = policy.ptr[node : node + 2].tolist()
        return graph.move[policy.edges[first + stream.below(last - first)]]


def player(agent: Agent, policy: Policy | None = None, known: Truth | None = None) -> Player:
    """The quickest way to ask this agent, which plays in a game from its start."""
    if policy is not None and known is not None:
        return Written(agent, policy, known)
    return Remembering(agent) if isinstance(agent, Deterministic) else Player(agent)


def prepare(agent: Agent, progress: Progress) -> None:
    """Do what the agent has to do before it plays. InputError where it fails at that in a way of its own."""
    try:
        agent.prepare(progress)
    except (*NOT_ITS_FAULT, InputError, OSError):
        raise
    except BaseException as fault:  # a person's own agent may do anything, `sys.exit()` too
        raise InputError(f"{raised(agent, fault)}, before it played") from fault


def raised(agent: Agent, fault: BaseException) -> str:
    """What an agent has done, in one line: 'AGENT raised ValueError: no move'."""
    return f"{agent.name} raised {type(fault).__name__}: {in_short(fault)}".removesuffix(": ")


def in_short(what: object) -> str:
    """What anything says of itself, on one line, not too long, and in signs that can be shown."""
    try:
        said = str(what) if isinstance(what, BaseException) else repr(what)
    except Exception:  # noqa: BLE001 - a number may be too long to be said, and an object do anything
        return f"something of type {type(what).__name__}"
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in said).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
