"""`nimtui.agent`: an agent, its moves and what it thinks of them."""

from __future__ import annotations

from typing import Any

from nimtui.agents import parse_agent
from nimtui.agents.report import rated as rated_moves
from nimtui.api.call import Report, Watch, Watcher
from nimtui.api.door import checked
from nimtui.api.entrants import AgentLike, agent_name
from nimtui.api.games import Game, GameLike, game
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.place import Place
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
