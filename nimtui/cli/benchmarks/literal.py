"""Baselines: learners and the agents of the subtraction tournament, in plain Python; functions, in NumPy.

The reward learner comes twice: with each row as a list of matches, like its source, the tower of 16, and with
each row as a number, as fast as plain dictionaries allow. The quality learner has a list of moves per position (source:
the quality learner). Rules, learner and game share one loop on purpose. Functions learn Connect Four by self-play, as
short as it gets: each position is looked up again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from math import log, sqrt, tanh
from random import Random
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Table = dict[tuple[int, ...], dict[tuple[int, int], int]]  # position -> (row, take) -> score


def empty_table(rows: Sequence[int]) -> Table:
    """Return every position with moves, each move with score 0."""
    return {
        position: {(row, take): 0 for row, matches in enumerate(position) for take in range(1, matches + 1)}
        for position in product(*(range(full + 1) for full in rows))
        if any(position)
    }


def learn_on_lists(rows: Sequence[int], games: int, seed: int) -> Table:
    """Train by self-play with rows as lists, whose matches are removed one by one."""
    table = empty_table(rows)
    draw = Random(seed).randint
    for _ in range(games):
        tower = [[1] * matches for matches in rows]
        moves = []
        while any(tower):
            position = tuple(len(row) for row in tower)
            scores = table[position]
            move = max(scores, key=scores.__getitem__)
            if scores[move] <= 0:
                row = draw(0, len(tower) - 1)
                while not tower[row]:
                    row = draw(0, len(tower) - 1)
                move = (row, draw(1, len(tower[row])))
            for _ in range(move[1]):
                tower[move[0]].remove(1)
            moves.append((position, move))
        _reward(table, moves)
    return table


def learn_on_numbers(rows: Sequence[int], games: int, seed: int) -> Table:
    """Train by self-play with rows as numbers."""
    table = empty_table(rows)
    random = Random(seed).random
    for _ in range(games):
        heaps = list(rows)
        moves = []
        while any(heaps):
            position = tuple(heaps)
            scores = table[position]
            move = max(scores, key=scores.__getitem__)
            if scores[move] <= 0:
                row = int(random() * len(heaps))
                while not heaps[row]:
                    row = int(random() * len(heaps))
                move = (row, 1 + int(random() * heaps[row]))
            heaps[move[0]] -= move[1]
            moves.append((position, move))
        _reward(table, moves)
    return table


def _reward(table: Table, made: list[tuple[tuple[int, ...], tuple[int, int]]]) -> None:
    """Add 1 to each move of the winner, who moved last, and subtract 1 from each move of the loser."""
    change = 1
    for position, move in reversed(made):
        table[position][move] += change
        change = -change


Qualities = dict[int, list[list[int]]]  # a position's digits as a number -> [row, take, quality] of each move


def learn_qualities(rows: Sequence[int], games: int, seed: int) -> Qualities:
    """Train by self-play that chooses among all moves within 90 of the best. Rows have at most 9 matches."""
    table: Qualities = {
        _digits(position): [[row, take, 50] for row, matches in enumerate(position) for take in range(1, matches + 1)]
        for position in product(*(range(full + 1) for full in rows))
    }
    draw = Random(seed).randint
    for _ in range(games):
        position = list(rows)
        moves: list[list[list[int]]] = [[], []]
        player = 1
        while position != [0] * len(rows):
            player = 1 - player
            number = _digits(position)
            best = max(move[2] for move in table[number])
            near = [at for at, move in enumerate(table[number]) if move[2] > best - 90]
            at = near[draw(0, len(near) - 1)]
            row, take, _ = table[number][at]
            position[row] -= take
            moves[player].append([number, at])
        for number, at in moves[player]:
            if table[number][at][2] < 100:
                table[number][at][2] = min(100, table[number][at][2] + 29)
        for number, at in moves[1 - player]:
            if 0 < table[number][at][2] <= 100:
                table[number][at][2] = max(0, table[number][at][2] - 11)
        for last, sure in ((moves[player][-1:], 1000), (moves[1 - player][-1:], -1000)):
            for number, at in last:
                table[number][at][2] = sure
    return table


def _digits(position: Sequence[int]) -> int:
    number = 0
    for matches in position:
        number = 10 * number + matches
    return number


MATCHES, TAKE = 21, 3
PLAYOUTS, SIMULATIONS, C = 1000, 500, 1.0

Agent = Callable[[int], int]
draw = Random(0).random


def seed(number: int) -> None:
    """Restart the random numbers from this seed."""
    global draw
    draw = Random(number).random


def at_random(left: int) -> int:
    return 1 + int(draw() * min(TAKE, left))


def perfectly(left: int) -> int:
    """Leave 1, 5, 9, … matches; from such a position play any move."""
    right = (left - 1) % (TAKE + 1)
    return right if right else at_random(left)


def _playout(matches: int, opponent: Agent, mine: bool) -> bool:
    """Play to the end and return whether the random player wins. It moves first if `mine`."""
    while matches:
        matches -= at_random(matches) if mine else opponent(matches)
        mine = not mine
    return mine  # the opponent took the last match


def _flat(left: int, opponent: Agent) -> int:
    best, most = [], -1
    for take in range(1, min(TAKE, left) + 1):
        won = sum(_playout(left - take, opponent, False) for _ in range(PLAYOUTS))
        if won > most:
            best, most = [take], won
        elif won == most:
            best.append(take)
    return best[int(draw() * len(best))]


def flat(left: int) -> int:
    """Choose by flat Monte Carlo."""
    return _flat(left, at_random)


def flat_against_perfect(left: int) -> int:
    """Choose by flat Monte Carlo with a perfect opponent in the playouts."""
    return _flat(left, perfectly)


class Node:
    """A node of the search tree; `won` is counted for the player whose move led to it."""

    def __init__(self, left: int) -> None:
        self.left, self.visits, self.won = left, 0, 0.0
        self.children: list[Node] = []

    def expand(self) -> Node:
        child = Node(self.left - 1 - len(self.children))
        self.children.append(child)
        return child

    def highest(self) -> Node:
        wide = log(self.visits)
        return max(self.children, key=lambda child: child.won / child.visits + C * sqrt(wide / child.visits))


def tree_search(left: int) -> int:
    """Choose by Monte Carlo tree search."""
    root = Node(left)
    for _ in range(SIMULATIONS):
        node, path = root, [root]
        while node.left and len(node.children) == min(TAKE, node.left):
            node = node.highest()
            path.append(node)
        if node.left:
            node = node.expand()
            path.append(node)
        won = not _playout(node.left, at_random, True)
        for above in reversed(path):
            above.visits += 1
            above.won += 1 if won else -1
            won = not won
    most = max(root.children, key=lambda child: child.visits)
    return left - most.left


def by_values(left: int) -> int:
    """Choose by looking one ply ahead in a table of exact values."""
    values = [1]
    for matches in range(1, left + 1):
        values.append(max(-values[matches - take] for take in range(1, min(TAKE, matches) + 1)))
    return max(range(1, min(TAKE, left) + 1), key=lambda take: -values[left - take])


AGENTS: tuple[Agent, ...] = (at_random, perfectly, flat, flat_against_perfect, tree_search, by_values)


def first_wins(first: Agent, second: Agent) -> bool:
    """Play one game and return whether the first agent wins."""
    matches, mine = MATCHES, True
    while matches:
        matches -= first(matches) if mine else second(matches)
        mine = not mine
    return mine


def play(first: Agent, second: Agent, games: int) -> int:
    """Play games and return how many the first agent wins."""
    return sum(first_wins(first, second) for _ in range(games))


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


def learn_by_play(function: Function, games: int, random: Random) -> None:
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
