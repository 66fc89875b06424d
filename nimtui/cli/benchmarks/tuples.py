"""Self-play of n-tuples on Connect Four in NumPy, as short as it gets: a baseline. Each position is looked up again."""

from __future__ import annotations

from itertools import pairwise
from math import tanh
from random import Random

import numpy as np

COLUMNS, ROWS, LINE = 7, 6, 4
LEVELS = 4  # of a cell: out of reach, next to be filled, the first player's disc, the second's
STEP, TRACE, EXPLORE = 0.004, 0.8, 0.1
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


def learn(tuples: int, length: int, games: int, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return the weights after so many games, [sides, tuples, entries]."""
    random = Random(seed)
    cells = np.array([random.sample(range(COLUMNS * ROWS), length) for _ in range(tuples)])
    mirrored = (COLUMNS - 1 - cells // ROWS) * ROWS + cells % ROWS
    slots, worth = np.concatenate([cells, mirrored]), LEVELS ** np.arange(length)
    table, weights = np.tile(np.arange(tuples), 2), np.zeros((2, tuples, LEVELS**length), np.float32)

    def entries(board: Board) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        found: np.ndarray[tuple[int, ...], np.dtype[np.int64]] = board.cells.reshape(-1)[slots] @ worth
        return found

    def value(board: Board, side: int) -> float:
        return tanh(float(weights[side, table, entries(board)].sum()))

    def tried(board: Board, move: int, side: int) -> float:
        won = board.put(move, side)
        worth = 1.0 if won else value(board, side) if board.moves() else 0.0
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
            game.append((side, entries(board), worths[move], best, by_chance))
            side = 1 - side
        after = game[-1][2]
        for (mover, at, own, _, _), (_, _, _, best, by_chance) in reversed(list(pairwise(game))):
            after = -best if by_chance else -((1 - TRACE) * best + TRACE * after)
            np.add.at(weights[mover], (table, at), np.float32(STEP * (after - own) * (1 - own * own)))
    return weights
