"""Two agents on all positions of a game: where each is right, by the exact values.

A position is an agent's right one if every move that the agent may play there keeps the outcome. Agents that depend on
the position alone give all their moves at once; the others decide position by position. Each position has random
numbers of its own, so neither the order nor the number of workers changes a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.agents.agent import Agent, Memoryless, Terse
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game
from nimtui.games.base import State
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG
from nimtui.learning.graph_table import why_untrainable
from nimtui.progress import SILENT, Progress
from nimtui.theory.truth import Truth, truth

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph
    from nimtui.engine.policy import Policy

Verdicts = npt.NDArray[np.int8]  # [nodes]: NOTHING (lost position), RIGHT, WRONG or UNDECIDED (some moves are right)
STEP = 16  # positions between two reports


class Kind(IntEnum):
    """Which of the two agents is right on a position."""

    BOTH = 0
    FIRST = 1
    SECOND = 2
    NEITHER = 3
    NOTHING = 4  # lost for the player to move: no move is a mistake


NAMES = ("both", "first only", "second only", "neither", "nothing to decide")


class AtDistance(NamedTuple):
    """The positions from which perfect play needs so many plies to the end, lost positions left out."""

    distance: int | None  # None: drawn
    positions: int
    first: float  # share on which the first agent is right, 0 to 1
    second: float


@dataclass(frozen=True, eq=False)
class PositionComparison:
    """The verdicts on both agents, for every position that is not over."""

    game: Game
    agents: tuple[str, str]
    solution: Truth
    verdicts: tuple[Verdicts, Verdicts]

    @cached_property
    def kinds(self) -> npt.NDArray[np.int8]:
        """[nodes]: the `Kind` of each position."""
        first, second = (verdicts == RIGHT for verdicts in self.verdicts)
        kinds = np.select(
            [self.verdicts[0] == NOTHING, first & second, first, second],
            [Kind.NOTHING, Kind.BOTH, Kind.FIRST, Kind.SECOND],
            Kind.NEITHER,
        )
        return kinds.astype(np.int8)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of positions of each kind, in the order of `Kind`."""
        return tuple(np.bincount(self.kinds, minlength=len(Kind)).tolist())

    @cached_property
    def distances(self) -> npt.NDArray[np.int32]:
        """[nodes]: plies to the end under perfect play; −1 for a draw."""
        from nimtui.engine.exact import distances

        return distances(self.solution.graph, self.solution.values)

    @property
    def positions(self) -> int:
        return len(self.solution.values)

    def share(self, agent: int) -> float:
        """Return the share of the positions not lost on which an agent (0 or 1) is right; 1 if all are lost."""
        there = self.verdicts[agent] != NOTHING
        return float((self.verdicts[agent][there] == RIGHT).mean()) if there.any() else 1.0

    def by_distance(self) -> list[AtDistance]:
        """Return the shares by distance to the end, nearest first; draws come last. [] where nobody hurries."""
        there = (self.kinds != Kind.NOTHING) & (not self.game.pays)
        rows = []
        distances = np.unique(self.distances[there]).tolist()
        for distance in sorted(distances, key=lambda plies: (plies < 0, plies)):
            at = there & (self.distances == distance)
            shares = [float((verdicts[at] == RIGHT).mean()) for verdicts in self.verdicts]
            rows.append(AtDistance(None if distance < 0 else distance, int(at.sum()), *shares))
        return rows

    def nodes(self, kind: Kind) -> npt.NDArray[np.int64]:
        """Return the positions of a kind, the nearest to the end first."""
        nodes = np.flatnonzero(self.kinds == kind)
        return nodes[np.argsort(self.distances[nodes], kind="stable")]

    def name(self, node: int) -> str:
        """Return the name of a position."""
        return self.game.position_name(state_of(self.game, self.solution.graph, node))


def state_of(game: Game, graph: Graph, node: int) -> State:
    """Return the position of a node."""
    return game.at(graph.boards[node].astype(np.int64))


def check(game: Game, agents: Sequence[Agent]) -> None:
    """Raise InputError unless these are two agents of a game whose positions fit in memory."""
    if len(agents) != 2:
        raise InputError(f"--positions compares two agents, not {len(agents)}: name each with -a")
    if agents[0].name == agents[1].name:
        raise InputError(f"{agents[0].name} is named twice: compare different agents")
    if (fault := why_untrainable(game)) is not None:
        raise InputError(f"cannot compare on all positions: {fault}")


def compare_positions(
    game: Game, agents: tuple[Agent, Agent], seed: int = 0, workers: int = 1, progress: Progress = SILENT
) -> PositionComparison:
    """Return the verdicts on both agents. Raises InputError for an unsuitable game, AgentFault, Cancelled."""
    check(game, agents)
    solution = truth(game, progress)
    first, second = (verdicts_on(agent, game, solution, seed, workers, progress) for agent in agents)
    return PositionComparison(game, (agents[0].name, agents[1].name), solution, (first, second))


def verdicts_on(
    agent: Agent, game: Game, solution: Truth, seed: int = 0, workers: int = 1, progress: Progress = SILENT
) -> Verdicts:
    """Return the verdict on an agent's moves in every position. Raises AgentFault and Cancelled."""
    agent.prepare(progress)
    policy = agent.policy(solution) if isinstance(agent, Memoryless) and agent.memoryless else None
    if policy is not None:
        right = _shares(solution, policy)
    else:
        right = _decided(agent, game, solution, seed, workers, progress)
    verdicts = np.where(right == 1.0, RIGHT, np.where(right == 0.0, WRONG, UNDECIDED))
    return np.where(solution.signs < 0, NOTHING, verdicts).astype(np.int8)


def _shares(solution: Truth, policy: Policy) -> npt.NDArray[np.float64]:
    """Return [nodes]: the share of the moves that the policy may play which keep the outcome."""
    may = np.zeros(len(solution.keeps), np.bool_)
    may[policy.edges] = True
    may |= np.repeat(policy.casual, np.diff(solution.graph.ptr))  # where the row is drawn first, any move may come
    first = solution.graph.ptr[:-1]
    played = np.add.reduceat(may, first, dtype=np.int64)
    right = np.add.reduceat(may & solution.keeps, first, dtype=np.int64)
    return np.asarray(right / played)


def _decided(
    agent: Agent, game: Game, solution: Truth, seed: int, workers: int, progress: Progress
) -> npt.NDArray[np.float64]:
    """Return [nodes]: 1 where the agent's decision keeps the outcome, else 0; lost positions stay 0."""
    graph, right = solution.graph, np.zeros(len(solution.values))
    todo = np.flatnonzero(solution.signs >= 0).tolist()
    done = 0

    def decide(node: int) -> None:
        state, stream = state_of(game, graph, node), Stream(seed, node)
        move = agent.choose(state, stream) if isinstance(agent, Terse) else agent.decide(state, stream).move
        edges = range(int(graph.ptr[node]), int(graph.ptr[node + 1]))
        edge = next(edge for edge in edges if int(graph.move[edge]) == move)
        right[node] = solution.keeps[edge]

    with ThreadPoolExecutor(workers, "positions") as pool:
        for at in range(0, len(todo), STEP * workers):
            some = todo[at : at + STEP * workers]
            list(pool.map(decide, some) if workers > 1 else map(decide, some))
            done += len(some)
            progress.report(done, len(todo), f"positions, {agent.name}")
    return right
