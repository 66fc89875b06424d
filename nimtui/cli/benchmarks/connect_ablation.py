"""Benchmark: what each idea of the Connect Four solver is worth: all ideas but one, and none but one.

Nodes are the same on every machine; times are not. Each position has an empty table of 64 MB.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from time import process_time

from nimtui.cli.benchmarks.rows import Row
from nimtui.progress import SILENT, Progress

GAME = "connect4"
POSITIONS = ("4444", "2626", "4243", "123456", "44444412", "43215672", "26543217", "12345671")
LATER = ("7212367744", "4732433577", "5614734245", "7642741427", "3415755572", "4224542367", "2745146325", "4357311132")
"""Random positions for searches with no idea or with one, which would take long for the others."""
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
    """The work for the scores of some positions with an idea, and without it."""

    idea: int  # its place in IDEAS
    timed: bool  # by processor time, or by nodes?
    alone: bool  # without all other ideas, or with them?

    @property
    def name(self) -> str:
        return f"connect4: {'only ' if self.alone else ''}{IDEAS[self.idea]}"

    def measure(self, progress: Progress = SILENT) -> Row:
        """Return the scores per unit of work with the idea, and without it."""
        progress.report(self.idea, len(IDEAS), self.name)
        one, every = 1 << self.idea, (1 << len(IDEAS)) - 1
        positions = LATER if self.alone else POSITIONS
        ours, theirs = (
            work(left_out, positions, progress) for left_out in ((every - one, every) if self.alone else (0, one))
        )
        mine, other = len(positions) / ours[self.timed], len(positions) / theirs[self.timed]
        against = "the search without any of them" if self.alone else "the search without it"
        return Row(self.name, mine, other, against, "scores/s" if self.timed else "scores/M nodes", mine / other)


@cache
def work(without: int, positions: Sequence[str], progress: Progress = SILENT) -> tuple[float, float]:
    """Return the millions of nodes and the seconds of processor time for the scores of these positions."""
    from nimtui.engine.connect import Solver
    from nimtui.games import parse_game
    from nimtui.games.connect import Connect

    game, nodes, seconds = parse_game(GAME), 0, 0.0
    for position in positions:
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
    ways = [(timed, alone) for alone in (False, True) for timed in (False, True)]
    return [Ablation(idea, timed, alone) for idea in range(len(IDEAS)) for timed, alone in ways]
