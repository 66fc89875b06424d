"""The agents of the subtraction tournament in plain Python, as a baseline for the compiled ones.

21 matches, take 1 to 3, whoever takes the last match loses. A position is the number of matches left, a move the number
taken. An agent is a function from a position to a move.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from random import Random

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
