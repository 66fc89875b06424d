"""Self-play of functions on Connect Four in NumPy, as short as it gets: baselines. Each position is looked up again."""

from __future__ import annotations

from itertools import pairwise
from math import tanh
from random import Random
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

COLUMNS, ROWS, LINE = 7, 6, 4
LEVELS = 4  # of a cell: out of reach, next to be filled, the first player's disc, the second's
STEP, TRACE, EXPLORE = 0.004, 0.8, 0.1
Numbers: TypeAlias = npt.NDArray[Any]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Board:
    """Discs on a board of columns."""

    def __init__(self) -> None:
        self.cells, self.height = np.zeros((COLUMNS, ROWS), np.int64), [0] * COLUMNS
        self.cells[:, 0] = 1

    def moves(self) -> list[int]:
        return [column for column in range(COLUMNS) if self.height[column] < ROWS]

    def put(self, column: int, side: int) -> bool:
        """Drop a disc, and return whether it completes a line."""
        row = self.height[column]
        self.height[column] += 1
        self.cells[column, row] = 2 + side
        if row + 1 < ROWS:
            self.cells[column, row + 1] = 1
        return any(self._run(column, row, x, y) + self._run(column, row, -x, -y) + 1 >= LINE for x, y in DIRECTIONS)

    def take(self, column: int) -> None:
        self.height[column] -= 1
        row = self.height[column]
        self.cells[column, row] = 1
        if row + 1 < ROWS:
            self.cells[column, row + 1] = 0

    def _run(self, column: int, row: int, x: int, y: int) -> int:
        """Return how many discs like this one follow in a direction."""
        disc, length = self.cells[column, row], 0
        while (
            0 <= (column := column + x) < COLUMNS and 0 <= (row := row + y) < ROWS and self.cells[column, row] == disc
        ):
            length += 1
        return length


class Function(Protocol):
    """What a position is worth to the side that has just moved, before the tangent."""

    def total(self, cells: Numbers, side: int) -> float: ...

    def learn(self, cells: Numbers, side: int, step: float) -> None:
        """Add step × the gradient of the total."""


class Tuples:
    """Tables for a few cells each; tables of one cell each are the linear learner."""

    def __init__(self, number: int, length: int, random: Random) -> None:
        every = range(COLUMNS * ROWS)
        cells = np.array(
            [[at] for at in every] if length == 1 else [random.sample(every, length) for _ in range(number)]
        )
        mirrored = (COLUMNS - 1 - cells // ROWS) * ROWS + cells % ROWS
        self._slots, self._worth = np.concatenate([cells, mirrored]), LEVELS ** np.arange(length)
        self._table = np.tile(np.arange(len(cells)), 2)
        self.weights = np.zeros((2, len(cells), LEVELS**length), np.float32)

    def total(self, cells: Numbers, side: int) -> float:
        return float(self.weights[side, self._table, cells.reshape(-1)[self._slots] @ self._worth].sum())

    def learn(self, cells: Numbers, side: int, step: float) -> None:
        entries = cells.reshape(-1)[self._slots] @ self._worth
        np.add.at(self.weights[side], (self._table, entries), np.float32(step))


class Net:
    """One layer of hidden units, of which each sees every value of every cell; the mean with the mirror image."""

    def __init__(self, hidden: int, random: Random) -> None:
        draw, inputs = np.random.default_rng(random.randrange(1 << 30)), COLUMNS * ROWS * LEVELS
        self.weights, self.out = (
            draw.normal(0, inputs**-0.5, (2, inputs, hidden)),
            draw.normal(0, 1 / hidden, (2, hidden)),
        )

    def _sums(self, cells: Numbers, side: int) -> tuple[Numbers, Numbers]:
        """Return the rows of the position and its image, and the sums of their units."""
        rows = np.arange(COLUMNS * ROWS) * LEVELS + np.stack([cells.reshape(-1), cells[::-1].reshape(-1)])
        return rows, self.weights[side, rows].sum(axis=1)

    def total(self, cells: Numbers, side: int) -> float:
        return float((np.maximum(self._sums(cells, side)[1], 0) @ self.out[side]).mean())

    def learn(self, cells: Numbers, side: int, step: float) -> None:
        rows, sums = self._sums(cells, side)
        back = step / len(sums) * (sums > 0) * self.out[side]
        self.out[side] += step * np.maximum(sums, 0).mean(axis=0)
        for row, by in zip(rows, back, strict=True):
            self.weights[side, row] += by


def play(function: Function, games: int, random: Random) -> None:
    """Let a function learn from so many games against itself."""

    def tried(board: Board, move: int, side: int) -> float:
        won = board.put(move, side)
        worth = 1.0 if won else tanh(function.total(board.cells, side)) if board.moves() else 0.0
        board.take(move)
        return worth

    for _ in range(games):
        board, side, ended, game = Board(), 0, False, []
        while not ended:
            worths = {move: tried(board, move, side) for move in board.moves()}
            best = max(worths.values())
            by_chance = random.random() < EXPLORE and best < 1
            move = random.choice([move for move in worths if by_chance or worths[move] == best])
            ended = board.put(move, side) or not board.moves()
            game.append((side, board.cells.copy(), worths[move], best, by_chance))
            side = 1 - side
        after = game[-1][2]
        for (mover, cells, own, _, _), (_, _, _, best, by_chance) in reversed(list(pairwise(game))):
            after = -best if by_chance else -((1 - TRACE) * best + TRACE * after)
            function.learn(cells, mover, STEP * (after - own) * (1 - own * own))
