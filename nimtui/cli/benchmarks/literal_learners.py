"""The reward and quality learners in plain Python, as a baseline for the compiled ones.

The reward learner comes twice: with each row as a list of matches, like its source, the tower of 16, and with
each row as a number, as fast as plain dictionaries allow. The quality learner has a list of moves per position (source:
the quality learner). Rules, learner and game share one loop on purpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

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
