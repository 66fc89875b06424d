"""Compares several settings on one position, to depth 1, 2, 3, and so on: costs and results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress, Relay
from nimtui.report.tables import sheet
from nimtui.report.values import Share
from nimtui.trees.effort import Space, pace
from nimtui.trees.report import COUNTS, MEMORY
from nimtui.trees.search import Search
from nimtui.trees.settings import MCTS, Settings

HEADER = (
    "algorithm,depth,nodes,leaves,cutoffs,skipped,table_hits,branching,seconds,nodes_per_second,tree_nodes,tree_bytes,"
    "stack_plies,stack_bytes,table_used,table_entries,table_bytes,bytes,value,best_move"
)
"""The columns of the CSV. `bytes` is the sum of what the search used; a short search has no nodes per second."""


@dataclass(frozen=True, slots=True)
class Row:
    """One search of a comparison."""

    settings: Settings
    depth: int | None  # −1: to the end; None for Monte Carlo tree search
    nodes: int
    leaves: int
    cutoffs: int
    skipped: int
    table_hits: int
    branching: float | None  # b with 1 + b + … + b^depth = nodes; None without a depth
    seconds: float
    space: Space
    value: float | None
    best_move: Move | None
    finished: bool
    shallower: int = 0  # nodes of the iterations before the last one

    @property
    def nodes_per_second(self) -> float | None:
        """None if the search was too short to tell."""
        return pace(self.nodes, self.seconds)


@dataclass
class Comparison:
    """The searches done so far; `run` does the others, and may be cancelled and called again.

    It searches all settings to the first depth, then to the next, so that cheap searches come first.
    """

    game: Game
    state: State
    entrants: Sequence[Settings]
    depths: Sequence[int]
    rows: list[Row] = field(default_factory=list)

    def run(self, progress: Progress = SILENT) -> Comparison:
        planned = list(self._planned())
        for number, settings in enumerate(planned):
            if number < len(self.rows):
                continue
            search = Search(self.game, self.state, settings, record=False).run(_Within(progress, number, len(planned)))
            self.rows.append(row(search))
            progress.report(number + 1, len(planned), settings.name)
        return self

    def _planned(self) -> Iterator[Settings]:
        for number, depth in enumerate(self.depths):
            for settings in self.entrants:
                if settings.algorithm != MCTS:
                    yield replace(settings, depth=depth)
                elif number == 0:
                    yield settings

    def of(self, settings: Settings) -> list[Row]:
        """Return the rows of these settings, for any depth."""
        return [row for row in self.rows if replace(row.settings, depth=settings.depth) == settings]

    def csv(self) -> str:
        """Return all rows as CSV, with a header."""
        return sheet(map(self._keys, self.rows), HEADER.split(","))

    def _keys(self, found: Row) -> dict[str, object]:
        return {
            "algorithm": found.settings.name,
            "branching": None if found.branching is None else f"{found.branching:.4f}",
            "seconds": f"{found.seconds:.6f}",
            "nodes_per_second": None if found.nodes_per_second is None else round(found.nodes_per_second),
            **{key: getattr(found, key) for key in ("depth", *COUNTS, "value")},
            **{key: getattr(found.space, key) for key in MEMORY},
            "bytes": found.space.used_bytes,
            "best_move": None if found.best_move is None else self.game.move_name(found.best_move, self.state),
        }


def row(search: Search) -> Row:
    """Return a search as a row of a comparison."""
    found, settings = search.result, search.settings
    depth = None if settings.algorithm == MCTS else settings.depth
    return Row(
        settings,
        depth,
        found.nodes,
        found.leaves,
        found.cutoffs,
        found.skipped,
        found.table_hits,
        None if depth is None or depth < 1 else branching(found.nodes, depth),
        found.seconds,
        found.space,
        found.value,
        found.best_move,
        found.finished,
        sum(done.nodes for done in found.iterations[:-1]),
    )


def cost_of_order(ordered: Row, plain: Row) -> str:
    """Return what a best-first search pays for its move order, and whether that pays off against natural order."""
    last, share = ordered.nodes - ordered.shallower, Share(ordered.shallower / max(1, ordered.nodes)).text
    if last > plain.nodes:
        verdict = "the order found prunes less than natural order"
    elif ordered.nodes > plain.nodes:
        verdict = "the order prunes more, but costs more than it saves"
    else:
        verdict = "the order saves more than it costs"
    return (
        f"Best-first: shallower searches take {ordered.shallower:,} of {ordered.nodes:,} nodes ({share}) to sort the "
        f"moves. The last one takes {last:,}, alpha-beta {plain.nodes:,}: {verdict}."
    )


def branching(nodes: int, depth: int) -> float:
    """Return the effective branching factor: b with 1 + b + … + b^depth = nodes."""
    low, high = 0.0, float(nodes)
    for _ in range(80):
        middle = (low + high) / 2
        total, power = 1.0, 1.0
        for _ in range(depth):
            power *= middle
            total += power
            if total > nodes:
                break
        low, high = (low, middle) if total > nodes else (middle, high)
    return (low + high) / 2


class _Within(Relay):
    """Turns the progress of one search into the progress of the comparison."""

    def __init__(self, whole: Progress, number: int, total: int) -> None:
        super().__init__(whole)
        self.number, self.total = number, total

    def report(self, done: float, total: float, what: str = "") -> None:
        share = min(done / total, 1.0) if total else 0.0
        super().report(self.number + share, self.total, f"{done:,.0f} {what}")
