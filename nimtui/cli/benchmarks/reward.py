"""Benchmark: five million games of the reward learner, against the same algorithm in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from nimtui.cli.benchmarks import learners, literal
from nimtui.cli.benchmarks.rows import PYTHON, Benchmark

GAME, ROWS = "tower:16", (1, 3, 5, 7)
GAMES, GAMES_IN_PYTHON = 5_000_000, 100_000

Learn = Callable[[Sequence[int], int, int], literal.Table]


def benchmarks() -> list[Benchmark]:
    return [
        Benchmark(
            name=f"reward learner {GAME}{than}",
            unit="games/s",
            against=f"{PYTHON}, {how}",
            ours=partial(learners.ours, GAME, "reward", GAMES),
            theirs=partial(_theirs, learn),
        )
        for than, how, learn in (
            ("", "as the tower of 16, rows as lists", literal.learn_on_lists),
            (", against quick Python", "rows as numbers", literal.learn_on_numbers),
        )
    ]


def _theirs(learn: Learn) -> Callable[[], float]:
    def work() -> float:
        learn(ROWS, GAMES_IN_PYTHON, 0)
        return GAMES_IN_PYTHON

    return work
