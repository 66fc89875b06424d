"""Agents during games that no user watches: the same moves, as quickly as possible."""

from __future__ import annotations

from time import perf_counter

from nimtui.agents import Agent
from nimtui.agents.agent import AgentFault, Clock, Deterministic, Judged, Limited, StopsItself, Terse, raised_text
from nimtui.agents.belief import Belief, belief_of
from nimtui.arena.play.limits import Limit, Limits
from nimtui.engine.lessons import casual_edge
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import State
from nimtui.progress import Cancelled, Progress
from nimtui.theory.truth import Truth

REMEMBERED = 100_000  # positions of a deterministic agent
NOT_ITS_FAULT = (Cancelled, KeyboardInterrupt, MemoryError)


class Player:
    """An agent that is asked only for its moves, or also for its `thoughts`."""

    def __init__(self, agent: Agent, thoughts: bool = False) -> None:
        self.agent, self._thoughts = agent, thoughts
        self.belief: Belief | None = None  # of the latest move, if the agent is asked for its thoughts
        self.limited = isinstance(agent, Limited)  # its process is ended if it takes too long
        self.program = agent if isinstance(agent, Judged) else None  # it measures its own time

    def patience(self, limit: Limit | None) -> float | None:
        """Return the seconds after which it is told that its time is up; None without a limit."""
        if limit is None or self.program is not None:
            return None
        return limit.share if isinstance(self.agent, StopsItself) else limit.seconds

    def hear(self, limit: Limit | None, limits: Limits, spent: float, opponent: float) -> None:
        """Set an agent's clock for its next move, after both players spent so many seconds of the game's time."""
        if isinstance(self.agent, Limited) and limit is not None:
            share = limit.share if limits.move or limits.game else 0.0
            clock = Clock(limit.seconds, share, increment=limits.increment, nodes=limits.nodes)
            if limits.game:
                clock = clock._replace(left=limits.game - spent, opponent=limits.game - opponent)
            self.agent.clock = clock

    def taken(self, measured: float) -> float:
        """Return the seconds of the latest move, of which so many were measured from outside."""
        return measured if self.program is None else self.program.taken

    def get_ready(self, progress: Progress) -> None:
        """Restart its process if the last one ended. InputError if that fails."""
        if self.program is not None:
            self.program.prepare(progress)
        elif self.limited and not self.agent.ready:
            prepare(self.agent, progress)

    def choose(self, state: State, stream: Stream, progress: Progress, limit: Limit | None = None) -> object:
        """Return its answer, legal or not. May raise anything, and change the state."""
        if not self._thoughts and isinstance(self.agent, Terse):
            return self.agent.choose(state, stream, progress)
        self.belief = None
        decision = self.agent.decide(state, stream, progress)
        if self._thoughts:
            self.belief = belief_of(decision)
        return decision.move


class CachingPlayer(Player):
    """Asks a deterministic agent once per position."""

    def __init__(self, agent: Agent, thoughts: bool = False) -> None:
        super().__init__(agent, thoughts)
        self._known: dict[bytes, tuple[object, Belief | None]] = {}

    def choose(self, state: State, stream: Stream, progress: Progress, limit: Limit | None = None) -> object:
        place = state.board.tobytes()
        if place in self._known:
            move, self.belief = self._known[place]
            return move
        began = perf_counter()
        move = super().choose(state, stream, progress, limit)
        patience = self.patience(limit)
        stopped = patience is not None and perf_counter() - began >= patience  # the clock chose: not cached
        if len(self._known) < REMEMBERED and not stopped:
            self._known[place] = move, self.belief
        return move


class PolicyPlayer(Player):
    """Looks moves up in a policy, without asking the agent."""

    def __init__(self, agent: Agent, policy: Policy, truth: Truth) -> None:
        super().__init__(agent)
        self._policy, self._graph = policy, truth.graph

    def choose(self, state: State, stream: Stream, progress: Progress, limit: Limit | None = None) -> object:
        graph, policy = self._graph, self._policy
        node = graph.node_of[base.index(state)]
        if policy.casual[node]:
            return graph.move[casual_edge(graph, int(node), stream)]
        first, last = policy.ptr[node : node + 2].tolist()
        return graph.move[policy.edges[first + stream.below(last - first)]]


def player(agent: Agent, policy: Policy | None = None, truth: Truth | None = None, thoughts: bool = False) -> Player:
    """Return the quickest way to ask this agent, which plays a game from its start; `thoughts`: for its beliefs, too.

    The moves are the same in every way.
    """
    if policy is not None and truth is not None and not thoughts:
        return PolicyPlayer(agent, policy, truth)
    return (CachingPlayer if isinstance(agent, Deterministic) else Player)(agent, thoughts)


def prepare(agent: Agent, progress: Progress) -> None:
    """Prepare the agent for play. InputError if it fails in any way; a program that does not start loses its games."""
    try:
        agent.prepare(progress)
    except AgentFault:
        if not isinstance(agent, Judged):
            raise
    except (*NOT_ITS_FAULT, InputError, OSError):
        raise
    except BaseException as fault:  # a user's own agent may do anything, even `sys.exit()`
        raise InputError(f"{raised_text(agent, fault)}, before it played") from fault
