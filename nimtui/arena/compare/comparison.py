"""Several agents on one position: what each believes of every move, beside the exact value of the move.

An agent's column grows while it thinks (`Column.of_thinking`) and is complete with its decision (`ask`). A column knows
nothing of the others; `Comparison` puts them beside each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from nimtui.agents.agent import Agent, Decision, Thinking, Thought, raised_text
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Cancelled, Progress, TimeUp, Within
from nimtui.report.values import Seconds

if TYPE_CHECKING:
    from nimtui.theory.answers import MoveValue

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
    total = sum(weights)
    ranks = ranks_of(thoughts, played)
    return tuple(
        Cell(
            thought.move,
            ranks.get(thought.move),
            thought.value,
            thought.score,
            thought.bound,
            weight / total if total else None,
            thought.largest,
        )
        for thought, weight in zip(thoughts, weights, strict=True)
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
