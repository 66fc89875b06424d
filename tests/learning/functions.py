"""Saved functions for tests, made without training."""

from __future__ import annotations

import random
from pathlib import Path

from nimtui.games import parse_game
from nimtui.learning.estimator import Estimator
from nimtui.learning.table import Table


def save(path: Path, game: str, learner: str = "ntuple:tuples=6,length=3") -> Estimator:
    """Save a function whose weights are drawn at random, and return it."""
    table, draw = Table.empty(parse_game(game), learner), random.Random(game)
    assert table.function is not None
    for part in table.function.arrays().values():
        part.flat[:] = [draw.uniform(-0.4, 0.4) for _ in range(part.size)]
    table.save(path)
    return table.function
