"""Monte Carlo tree search as original 002 has it, for the misère subtraction game, in plain Python: an oracle."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt

Below = Callable[[int], int]  # a random number 0 … n − 1


class Node:
    """A position with so many matches left, and the take that led to it."""

    def __init__(self, parent: Node | None, matches: int, most: int, take: int) -> None:
        self.parent, self.matches, self.take = parent, matches, take
        self.value, self.visits = 0, 0
        self.untried = list(range(1, min(most, matches) + 1))
        self.children: list[Node] = []


def playout(matches: int, most: int, below: Below) -> int:
    """1 where the player to move wins, both moving at random; who takes the last match loses."""
    turn = 1
    while matches:
        matches -= 1 + below(min(most, matches))
        turn = -turn
    return turn


def search(matches: int, most: int, simulations: int, below: Below, of_root: bool, c: float = 1.0) -> Node:
    """The root after so many simulations, which take the logarithm of the root's count or the parent's."""
    root = Node(None, matches, most, 0)
    for _ in range(simulations):
        node = root
        while not node.untried and node.children:
            count = root.visits if of_root else node.visits
            node = max(
                node.children, key=lambda child: child.value / child.visits + c * sqrt(log(count) / child.visits)
            )
        if node.untried:
            take = node.untried.pop(0)
            node.children.append(Node(node, node.matches - take, most, take))
            node = node.children[-1]
        value = -playout(node.matches, most, below)
        above: Node | None = node
        while above is not None:
            above.visits += 1
            above.value += value
            value, above = -value, above.parent
    return root


def move(matches: int, most: int, simulations: int, below: Below, of_root: bool) -> int:
    """The most visited take, the first of equals."""
    return max(search(matches, most, simulations, below, of_root).children, key=lambda child: child.visits).take
