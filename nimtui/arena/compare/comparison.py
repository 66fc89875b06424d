"""Several agents on one position, and two agents on all positions of a game.

On one position: what each believes of every move, beside the exact value of the move. An agent's column grows
while it thinks (`Column.of_thinking`) and is complete with its decision (`ask`). A column knows nothing of the others;
`Comparison` puts them beside each other.

On all positions: where each is right, by the exact values. A position is an agent's right one if every move that the
agent may play there keeps the outcome. Agents that depend on the position alone give all their moves at once; the
others decide position by position. Each position has random numbers of its own, so neither the order nor the number of
workers changes a result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.agents.agent import Agent, Decision, Memoryless, Terse, Thinking, Thought, raised_text
from nimtui.engine.policy import Policy
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.learning.evaluate import NOTHING, RIGHT, UNDECIDED, WRONG
from nimtui.learning.graph_table import why_untrainable
from nimtui.progress import SILENT, Cancelled, Progress, TimeUp, Within
from nimtui.report.values import Seconds
from nimtui.theory.answers import MoveValue
from nimtui.theory.truth import Truth, truth

if TYPE_CHECKING:
    from nimtui.engine.graph import Graph

SIMULATIONS, PLAYOUTS, NODES = "simulations", "playouts", "nodes"  # the units of effort
VISITED, WON = "of all visits", "of all playouts won"  # what a share is a part of


@dataclass(frozen=True, slots=True)
class Cell:
    """What an agent believes of one move. None: the agent has no such number."""

    move: Move
    rank: int | None = None  # 1: the move that the agent likes best; equal moves share a rank
    value: float | None = None  # the expected result for the player to move, −1 to 1
    score: float | None = None  # in a learned table; for alpha-beta the heuristic's number
    bound: str | None = None  # kind of alpha-beta's score: "exact", "upper" or "lower"
    share: float | None = None  # 0 to 1, of all moves together 1: of the visits, or of the playouts won
    largest: int = 0  # of a game with payoffs the largest one: the value is a part of it, a score with a bound a payoff


@dataclass(frozen=True, slots=True)
class Column:
    """What one agent believes, and what it cost."""

    agent: str
    cells: tuple[Cell, ...] = ()  # one for each legal move, in the order of the moves; () before the first thought
    move: Move | None = None  # that it plays; while it thinks: would play now
    line: tuple[Move, ...] = ()  # the best play of both players that it expects
    effort: int | None = None  # how many `unit` it has worked through
    unit: str = ""
    nodes: int | None = None
    seconds: float = 0.0
    share_of: str = ""  # VISITED, WON or ''
    note: str = ""  # a limit of its method here, in a sentence
    fault: str = ""  # why it gave no answer, in a line
    decided: bool = False  # is this its decision, not a thought on the way?

    def cell(self, move: Move) -> Cell:
        """Return what the agent believes of this move."""
        return next((cell for cell in self.cells if cell.move == move), Cell(move))

    @classmethod
    def of_decision(cls, agent: str, decision: Decision) -> Column:
        """Return the column of a finished decision."""
        cells, share_of = cells_of(decision.thoughts, decision.move)
        effort, unit = effort_of(decision.thoughts, decision.nodes)
        line = decision.line or (decision.move,)
        return cls(
            agent, cells, decision.move, line, effort, unit, decision.nodes, decision.seconds, share_of,
            decision.note, decided=True,
        )  # fmt: skip

    @classmethod
    def of_thinking(cls, agent: str, thinking: Thinking) -> Column:
        """Return the column of an agent that still thinks."""
        cells, share_of = cells_of(thinking.thoughts, thinking.move)
        nodes = thinking.done if thinking.unit == NODES else None
        return cls(
            agent, cells, thinking.move, thinking.line, thinking.done, thinking.unit, nodes, thinking.seconds, share_of
        )


def effort_of(thoughts: Sequence[Thought], nodes: int | None) -> tuple[int | None, str]:
    """Return how much the agent worked, and the unit; (None, '') for an agent that looks values up."""
    if any(thought.visits for thought in thoughts):
        return sum(thought.visits or 0 for thought in thoughts), SIMULATIONS
    if any(thought.wins is not None for thought in thoughts):
        parts = [(thought.wins or 0) + (thought.losses or 0) + (thought.draws or 0) for thought in thoughts]
        return sum(parts), PLAYOUTS
    return (None, "") if nodes is None else (nodes, NODES)


def cells_of(thoughts: Sequence[Thought], played: Move | None) -> tuple[tuple[Cell, ...], str]:
    """Return a cell for each thought, with its rank and share, and what the shares are parts of."""
    weights, share_of = [thought.wins or 0 for thought in thoughts], WON  # the agent's evidence for each move
    if any(thought.visits is not None for thought in thoughts):
        weights, share_of = [thought.visits or 0 for thought in thoughts], VISITED
    total, ranks = sum(weights), ranks_of(thoughts, played)
    shares = [weight / total if total else None for weight in weights]
    return tuple(
        Cell(one.move, ranks.get(one.move), one.value, one.score, one.bound, share, one.largest)
        for one, share in zip(thoughts, shares, strict=True)
    ), (share_of if total else "")


def ranks_of(thoughts: Sequence[Thought], played: Move | None) -> dict[Move, int]:
    """Return the rank of each move by the numbers that the agent chooses by. The played move has rank 1.

    Moves with equal numbers share a rank. A move without a number has none.
    """
    keys = {thought.move: key for thought in thoughts if (key := _preference(thought)) is not None}
    if played in keys:
        keys[played] = max(keys.values())  # chosen at random among equals, or by more than one number
    ordered = sorted(keys.values(), reverse=True)
    return {move: 1 + ordered.index(key) for move, key in keys.items()}


def _preference(thought: Thought) -> tuple[float, ...] | None:
    """Return the sort key of a move, the best highest; None if the agent does not rate it."""
    if thought.visits is not None:  # a proven win first, a proven loss last, else by visits
        estimated = thought.largest or thought.value in (None, thought.mean)
        proven = 0.0 if estimated else thought.value or 0.0
        return (proven, thought.visits, thought.mean or 0.0)
    if thought.score is not None:  # of equal scores of alpha-beta, only the exact one is sure
        return (thought.score, float(thought.bound in (None, "exact")))
    return None if thought.value is None else (thought.value,)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Columns of agents on one position, with the exact values where they are known."""

    game: Game
    state: State
    columns: tuple[Column, ...]
    truths: Mapping[Move, MoveValue] | None = None  # None: unknown

    @property
    def moves(self) -> list[Move]:
        """The legal moves, in the game's order."""
        return base.legal_moves(self.state)

    @property
    def best_moves(self) -> frozenset[Move] | None:
        """The moves that keep the outcome; None if unknown."""
        if self.truths is None:
            return None
        return frozenset(move for move, value in self.truths.items() if value.optimal)

    @property
    def decides(self) -> bool:
        """Is there a mistake to make here? Not in a lost position, nor where all moves are equally good."""
        best = self.best_moves
        return best is not None and len(best) < len(self.moves)

    @property
    def right_moves(self) -> frozenset[Move] | None:
        """The moves that keep the outcome, where others do not; None where nothing decides, or if unknown."""
        return self.best_moves if self.decides else None

    def right(self, column: Column) -> bool | None:
        """Return whether the agent's move keeps the outcome; None if that is unknown, or before its first move."""
        best = self.best_moves
        return None if best is None or column.move is None else column.move in best

    @property
    def played(self) -> frozenset[Move]:
        """The moves that agents play."""
        return frozenset(column.move for column in self.columns if column.move is not None)

    @property
    def apart(self) -> bool:
        """Do two agents play different moves?"""
        return len(self.played) > 1

    def disputed(self, move: Move) -> bool:
        """Return whether some agents play this move and others another one."""
        return self.apart and move in self.played


def check(game: Game, state: State, agents: Sequence[Agent]) -> None:
    """Raise InputError if there is nothing to compare here."""
    if base.outcome(state) != base.GOING_ON:
        raise InputError(f"the game is over at {game.position_name(state)}: choose a position with moves")
    if not agents:
        raise InputError("name the agents to compare, e.g. -a mcts:simulations=1000 -a alphabeta:depth=8")
    names = [agent.name for agent in agents]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise InputError(f"{twice} is named twice: compare different agents")


def ask(agent: Agent, state: State, seed: int, seconds: float = 0, progress: Progress = SILENT) -> Column:
    """Return an agent's column; an agent that fails has a column with its fault. Raises Cancelled.

    The random numbers are those of `Stream(seed)`, so that `nimtui moves` gives the same answer. After so many
    `seconds` [0: no limit] a search answers with its best move so far. Any other agent then has no answer.
    """
    began = perf_counter()
    try:
        agent.prepare(progress)
        began = perf_counter()
        limited = Within(progress, seconds) if seconds else progress
        decision = agent.decide(base.copy(state), Stream(seed), limited)
        return Column.of_decision(agent.name, decision)
    except TimeUp:
        why = f"no answer within {Seconds(seconds)}"
    except Cancelled:
        raise
    except InputError as fault:
        why = str(fault).removeprefix(f"{agent.name} ")
    except Exception as fault:  # noqa: BLE001 - an own agent may raise anything
        why = raised_text(agent, fault).removeprefix(f"{agent.name} ")
    return Column(agent.name, seconds=perf_counter() - began, fault=why, decided=True)


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


def check_agents(game: Game, agents: Sequence[Agent]) -> None:
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
    check_agents(game, agents)
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
