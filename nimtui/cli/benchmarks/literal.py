"""The learners of rewards and qualities, and the agents of the subtraction tournament, in plain Python: a baseline.

The reward learner comes twice: with each row as a list of matches, like its source, the tower of 16, and with
each row as a number, as fast as plain dictionaries allow. The quality learner has a list of moves per position (source:
the quality learner). Rules, learner and game share one loop on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import log, sqrt
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
