"""The result of a search, and its effort: nodes per second, and the memory of kept tree, stack and transposition table.

The board costs no memory per ply: a search plays and takes back its moves on one board.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, Self

from nimtui.engine.windows import DECIDED
from nimtui.games.base import Move
from nimtui.progress import SILENT, Progress
from nimtui.theory import Outcome
from nimtui.trees.settings import DEFAULT, MCTS, TO_THE_END, Settings
from nimtui.trees.tree import RecordedTree

LEAST_SECONDS = 0.1
"""The shortest search with a pace. A busy machine may hold a search up for some 15 ms, which distorts a shorter one."""


@dataclass(frozen=True, slots=True)
class Space:
    """The memory of a search, in bytes that it used; reserved memory that was never touched does not count."""

    tree_nodes: int  # of the largest iteration: a kept tree of all of them would have so many
    node_bytes: int  # of one node of a kept tree
    recorded: int  # the nodes that the search kept: all, the first ones up to its limit, or 0
    stack_plies: int  # the deepest ply that the search reached: each ply above it has a frame
    stack_bytes: int  # of these frames, with their lists of moves if there is a move order
    table_used: int | None = None  # entries; None without a table
    table_entries: int | None = None  # used or not
    table_bytes: int = 0  # of all entries, used or not: the table is allocated as a whole
    simulation_bytes: int = 0  # Monte Carlo tree search: the record of its simulations, and the roots in its bounds

    @property
    def tree_bytes(self) -> int:
        """The bytes of the whole tree, kept or not."""
        return self.tree_nodes * self.node_bytes

    @property
    def used_bytes(self) -> int:
        """The sum of what the search used; nodes that it did not keep take nothing."""
        return self.recorded * self.node_bytes + self.stack_bytes + self.table_bytes + self.simulation_bytes


def pace(nodes: int, seconds: float) -> float | None:
    """Return nodes per second, or None if the search was too short to tell: less than LEAST_SECONDS."""
    return nodes / seconds if seconds >= LEAST_SECONDS else None


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The result for one move of the root, for the player who makes it."""

    move: Move
    value: float | None  # None: not searched yet
    bound: str | None = None  # "exact", or the value is an "upper" or "lower" bound; None without windows
    nodes: int = 0  # visited in the subtree of the move, its first node included
    visits: int | None = None  # this and the following: only of Monte Carlo tree search
    mean: float | None = None
    ucb: float | None = None
    proven: int | None = None


@dataclass(frozen=True, slots=True)
class Iteration:
    """One iteration of iterative deepening."""

    depth: int
    nodes: int
    value: int
    best_move: Move
    seconds: float


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a search has come. It is told between two chunks in no time, while a `Result` counts the whole tree."""

    settings: Settings
    done: int  # simulations, or nodes
    total: int  # 0: unknown
    seconds: float  # of all chunks so far
    depth: int  # of the deepest leaf of Monte Carlo tree search; else the limit of this iteration, −1: to the end
    best_move: Move | None
    value: float | None
    exact: bool
    moves: tuple[MoveResult, ...]  # every move of the root; of Monte Carlo tree search without their nodes

    @property
    def per_second(self) -> float | None:
        """None if it is too early to tell."""
        return pace(self.done, self.seconds)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search, finished or not. Values are for the player to move at the root."""

    settings: Settings
    finished: bool
    nodes: int  # visited, the root included, in all iterations
    leaves: int  # nodes not expanded: game over, or at the depth limit
    cutoffs: int  # nodes left because α ≥ β
    skipped: int  # the moves left there
    table_hits: int  # nodes whose value the transposition table had
    value: float | None  # None: unknown yet
    exact: bool  # is the value that of perfect play?
    best_move: Move | None
    principal_variation: tuple[Move, ...]
    seconds: float
    space: Space
    moves: tuple[MoveResult, ...]  # every move of the root, in the order of the moves
    depth: int | None = None  # plies of the last finished iteration; −1: to the end
    iterations: tuple[Iteration, ...] = field(default=())
    searching: Move | None = None  # the root's move whose subtree is being searched
    simulations: int | None = None  # of Monte Carlo tree search: the simulations done

    @property
    def nodes_per_second(self) -> float | None:
        """None if the search was too short to tell."""
        return pace(self.nodes, self.seconds)


def best_first(moves: tuple[MoveResult, ...], best: Move) -> list[Move]:
    """Return the moves in order: the best one, then by value; a bound counts as its value."""
    return [rating.move for rating in sorted(moves, key=lambda rating: (rating.move != best, -(rating.value or 0)))]


def claimed_outcome(settings: Settings, rating: MoveResult, exact: bool) -> Outcome | None:
    """Return the outcome that a search has proven for a move, possibly by a bound; None if none."""
    if rating.proven is not None:
        return Outcome.of(rating.proven)
    if settings.algorithm == MCTS or settings.pays or settings.heuristic != DEFAULT or rating.value is None:
        return None
    if rating.value > DECIDED and rating.bound != "upper":
        return Outcome.WIN
    if rating.value < -DECIDED and rating.bound != "lower":
        return Outcome.LOSS
    to_the_end = settings.depth == TO_THE_END and not settings.time
    if rating.value == 0 and exact and rating.bound == "exact" and to_the_end:
        return Outcome.DRAW
    return None


class Search(Protocol):
    """A search that can be run, read, stopped and continued, of any algorithm."""

    @property
    def settings(self) -> Settings:
        """The settings; a search that was extended has those of its new end."""

    @property
    def finished(self) -> bool: ...

    @property
    def trees(self) -> int:
        """How many trees it has started to record, one after the other: the nodes of each have numbers of their own."""

    @property
    def result(self) -> Result:
        """The result so far."""

    @property
    def standing(self) -> Standing:
        """How far the search has come; cheap between two chunks."""

    @property
    def tree(self) -> RecordedTree:
        """The recorded nodes: a `tree.Tree`, or the `GrowingTree` of Monte Carlo tree search."""

    @property
    def nodes(self) -> int:
        """The visited nodes so far; cheap enough for a progress display."""

    @property
    def bytes_needed(self) -> int:
        """The most memory the search can take, in bytes, known before it allocates any."""

    def run(self, progress: Progress = SILENT) -> Self:
        """Search to the end, in chunks of about 20 ms. After a cancel, the next `run` continues."""
