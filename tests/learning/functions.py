"""Saved functions for tests, made without training, and positions with what a function sees of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from nimtui.games import Game, base, parse_game
from nimtui.learning.estimator import Estimator
from nimtui.learning.table import Table


def save(path: Path, game: str, learner: str = "ntuple:tuples=6,length=3") -> Estimator:
    """Save a function whose weights are drawn at random, and return it."""
    table, draw = Table.empty(parse_game(game), learner), random.Random(game)
    for part in table.function.arrays().values():
        part.flat[:] = [draw.uniform(-0.4, 0.4) for _ in range(part.size)]
    table.save(path)
    return table.function


def walk(game: Game, seed: int) -> list[tuple[Any, int]]:
    """The positions of a random game, each with the move that follows; −1 at the end."""
    state, draw, positions = game.new(), random.Random(seed), []
    while moves := base.legal_moves(state):
        positions.append((base.copy(state), draw.choice(moves)))
        base.play(state, positions[-1][1])
    return [*positions, (base.copy(state), -1)]


def seen(state: Any) -> list[int]:
    return [base.input(state, i) for i in range(base.inputs(state))]
