"""Compares several settings on one position, to depth 1, 2, 3, and so on: costs and results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from nimtui.games import Game
from nimtui.games.base import State
from nimtui.progress import SILENT, Progress, Relay
from nimtui.report.tables import sheet
from nimtui.report.values import Count, Share
from nimtui.trees import search_of
from nimtui.trees.report import COUNTS, MEMORY
from nimtui.trees.result import Result
from nimtui.trees.settings import Settings

HEADER = (
    "algorithm,depth,nodes,leaves,cutoffs,skipped,table_hits,branching,seconds,nodes_per_second,tree_nodes,tree_bytes,"
    "stack_plies,stack_bytes,table_used,table_entries,table_bytes,bytes,value,best_move"
)
"""The columns of the CSV. `bytes` is the sum of what the search used; a short search has no nodes per second."""


@dataclass
class Comparison:
    """The searches of minimax and alpha-beta done so far; `run` does the others, and may be cancelled and called again.

    It searches all settings to the first depth, then to the next, so that cheap searches come first.
    """

    game: Game
    state: State
    entrants: Sequence[Settings]
    depths: Sequence[int]
    rows: list[Result] = field(default_factory=list)

    def run(self, progress: Progress = SILENT) -> Comparison:
        planned = [replace(settings, depth=depth) for depth in self.depths for settings in self.entrants]
        for number, settings in enumerate(planned):
            if number < len(self.rows):
                continue
            search = search_of(self.game, self.state, settings, record=False)
            self.rows.append(search.run(_Within(progress, number, len(planned))).result)
            progress.report(number + 1, len(planned), settings.name)
        return self

    def csv(self) -> str:
        """Return all rows as CSV, with a header."""
        return sheet(map(self._keys, self.rows), HEADER.split(","))

    def _keys(self, result: Result) -> dict[str, object]:
        return {
            "algorithm": result.settings.name,
            "depth": result.settings.depth,
            "branching": f"{branching(result.nodes, result.settings.depth):.4f}",
            "seconds": f"{result.seconds:.6f}",
            "nodes_per_second": None if result.nodes_per_second is None else round(result.nodes_per_second),
            **{key: getattr(result, key) for key in (*COUNTS, "value")},
            **{key: getattr(result.space, key) for key in MEMORY},
            "bytes": result.space.used_bytes,
            "best_move": None if result.best_move is None else self.game.move_name(result.best_move, self.state),
        }


def cost_of_order(ordered: Result, plain: Result) -> str:
    """Return what a best-first search pays for its move order, and whether that pays off against natural order."""
    shallower = sum(done.nodes for done in ordered.iterations[:-1])
    last, share = ordered.nodes - shallower, Share(shallower / max(1, ordered.nodes)).text
    if last > plain.nodes:
        verdict = "the order found prunes less than natural order"
    elif ordered.nodes > plain.nodes:
        verdict = "the order prunes more, but costs more than it saves"
    else:
        verdict = "the order saves more than it costs"
    return (
        f"Best-first: shallower searches take {shallower:,} of {ordered.nodes:,} nodes ({share}) to sort the "
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
        super().report(self.number + share, self.total, f"{Count(done)} {what}")
