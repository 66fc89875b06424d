"""What came of a search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from nimtui.games.base import Move
from nimtui.progress import SILENT, Progress
from nimtui.search.recorded import RecordedTree
from nimtui.search.settings import Settings


@dataclass(frozen=True, slots=True)
class MoveResult:
    """What a search believes of one move of its root, for the player who makes it."""

    move: Move
    value: float | None  # None: not searched yet
    bound: str | None = None  # "exact", or the value is an "upper" or "lower" bound; None without windows
    nodes: int = 0  # visited below and with the position after it
    visits: int | None = None  # and what Monte Carlo tree search knows
    mean: float | None = None
    ucb: float | None = None
    proven: int | None = None


@dataclass(frozen=True, slots=True)
class Iteration:
    """One of the searches of iterative deepening."""

    depth: int
    nodes: int
    value: int
    best_move: Move
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """What a search has found, finished or not. Values are for the player to move at the root."""

    settings: Settings
    finished: bool
    nodes: int  # visited, the root included, in all iterations
    leaves: int  # of them not expanded: decided, or at the depth limit
    cutoffs: int  # positions left because α ≥ β
    skipping: int  # of them with moves left
    skipped: int  # moves left there
    table_hits: int  # positions answered by the transposition table
    value: float | None  # None: nothing is known yet
    exact: bool  # is the value that of perfect play, whatever the depth?
    best_move: Move | None
    principal_variation: tuple[Move, ...]
    seconds: float
    peak_bytes: int
    moves: tuple[MoveResult, ...]  # every move of the root, in the order of the moves
    depth: int | None = None  # plies of the last iteration that was finished; −1 to the end
    iterations: tuple[Iteration, ...] = field(default=())
    simulations: int | None = None  # of Monte Carlo tree search: how many there were

    @property
    def expanded(self) -> int:
        """Positions of which a move was tried."""
        return self.nodes - self.leaves - self.table_hits


class Searching(Protocol):
    """What each algorithm's search can do."""

    @property
    def result(self) -> Result: ...

    @property
    def tree(self) -> RecordedTree: ...

    @property
    def bytes_needed(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    def run(self, progress: Progress = SILENT) -> None: ...
