"""Benchmark: what each idea of the Connect Four solver is worth, by leaving one out at a time.

Nodes are the same on every machine; times are not. Each position has an empty table of 64 MB.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from time import process_time

from nimtui.cli.benchmarks.rows import Row
from nimtui.progress import SILENT, Progress

GAME = "connect4"
POSITIONS = ("4444", "2626", "4243", "123456", "44444412", "43215672", "26543217", "12345671")
IDEAS = (  # in the order of their bits in `nimtui.engine.connect.search`
    "the history of cutoffs",
    "asking the table about the children",
    "mirror images",
    "bounds of the children",
    "the bound by zugzwang",
    "the bound by pairing",
    "the weighted sum in the order of moves",
)


@dataclass(frozen=True, slots=True)
class Ablation:
    """The work for the scores of some positions with all ideas, and without one of them."""

    idea: int  # its place in IDEAS
    timed: bool  # by processor time, or by nodes?

    @property
    def name(self) -> str:
        return f"connect4: {IDEAS[self.idea]}"

    def measure(self, progress: Progress = SILENT) -> Row:
        """Return the scores per unit of work with all ideas, and without this one."""
        progress.report(self.idea, len(IDEAS), self.name)
        ours, theirs = work(0, progress), work(1 << self.idea, progress)
        mine, other = len(POSITIONS) / ours[self.timed], len(POSITIONS) / theirs[self.timed]
        unit = "scores/s" if self.timed else "scores/M nodes"
        return Row(self.name, mine, other, "the search without it", unit, mine / other)


@cache
def work(without: int, progress: Progress = SILENT) -> tuple[float, float]:
    """Return the millions of nodes and the seconds of processor time for the scores of all positions."""
    from nimtui.engine.connect import Solver
    from nimtui.games import parse_game
    from nimtui.games.connect import Connect

    game, nodes, seconds = parse_game(GAME), 0, 0.0
    for position in POSITIONS:
        state = game.new(position)
        assert isinstance(state, Connect)
        solver = Solver(state, without=without)
        began = process_time()
        solver.score(state)
        seconds += process_time() - began
        nodes += solver.nodes
        progress.report(0, 0, position)
    return nodes / 1e6, seconds


def benchmarks() -> list[Ablation]:
    return [Ablation(idea, timed) for idea in range(len(IDEAS)) for timed in (False, True)]
