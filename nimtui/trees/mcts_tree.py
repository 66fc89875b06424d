"""The tree of a Monte Carlo tree search as it stands: its nodes, and the choices at each.

`mcts_replay` shows the same tree after any earlier simulation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from nimtui.games.base import Move
from nimtui.trees.mcts import ROOT, MonteCarloSearch, children, proof_of
from nimtui.trees.recorded import RecordedTree


@dataclass(frozen=True, slots=True)
class Branch:
    """One move at a node at the moment of a choice; results are those of the player who chooses."""

    node: int
    move: Move
    visits: int
    mean: float | None  # None if not tried yet
    bonus: float | None  # c·√(ln N / n)
    proven: int | None  # 1, 0, −1: then it has no bonus

    @property
    def bound(self) -> float | None:
        """The compared number: mean + bonus, or the proven value."""
        if self.proven is not None:
            return float(self.proven)
        return None if self.mean is None or self.bonus is None else self.mean + self.bonus


@dataclass(frozen=True, slots=True)
class Choice:
    """Selection at one node: the first untried move, else the branch with the highest bound."""

    node: int
    count: int  # N, whose logarithm the bounds take: the visits of this node, or of the root
    branches: tuple[Branch, ...]
    chosen: int  # the chosen child

    @property
    def untried(self) -> bool:
        """Was the move chosen because it was untried?"""
        return any(branch.node == self.chosen and branch.mean is None for branch in self.branches)


class CurrentTree(RecordedTree):
    """The tree of a search between two of its chunks: once the search has gone on, its numbers are out of date.

    Nodes keep their numbers while the tree grows.
    """

    def __init__(self, search: MonteCarloSearch) -> None:
        self.search, self.tree, self.game, self.root = search, search.columns, search.game, search.state
        self.parent, self.moves = self.tree.parent, self.tree.move
        self.at = search.done  # the simulations that it shows
        self.visits: npt.NDArray[np.int32] = self.tree.visits
        self.total: npt.NDArray[np.int32] = self.tree.total

    def __len__(self) -> int:
        return len(self.parent)

    def branch(self, node: int) -> Branch:
        """Return a node other than the root as a branch of the node above."""
        return self._branch(node, self._count(int(self.parent[node])))

    def choice(self, node: int, chosen: int = -1) -> Choice:
        """Return the current branches of a node; `chosen` is the child that the next simulation chooses, or −1."""
        count = self._count(node)
        return Choice(node, count, tuple(self._branch(child, count) for child in children(self.tree, node)), chosen)

    def children(self, node: int) -> range:
        """Return the current children, tried or not; none of a node that is not expanded yet."""
        nodes = children(self.tree, node)
        return nodes if nodes and self.visits[nodes[0]] else range(0)

    def visited(self, node: int) -> list[int]:
        """Return the current children that were tried."""
        return [child for child in self.children(node) if self.visits[child]]

    def best_child(self, node: int) -> int | None:
        below = self.visited(node)
        return max(below, key=lambda child: (self.proven(child) or 0, int(self.visits[child]), -child), default=None)

    def mean(self, node: int) -> float | None:
        """Return the current mean result of the player whose move led there; of the root: of the player to move."""
        return self.side(node) * int(self.total[node]) / int(self.visits[node]) if self.visits[node] else None

    def proven(self, node: int) -> int | None:
        """Return the currently proven value for that player; None if unproven."""
        proof = proof_of(self.tree, node)
        return self.side(node) * proof if proof is not None and int(self.tree.proved[node]) <= self.at else None

    @staticmethod
    def side(node: int) -> int:
        """Return −1 for the root: the search counts its results for the opponent, but no move of theirs led there."""
        return 1 if node else -1

    @property
    def principal(self) -> list[int]:
        """The most visited move now, its most visited answer, and so on; proven moves first."""
        line = [0]
        while (best := self.best_child(line[-1])) is not None:
            line.append(best)
        return line

    def _count(self, node: int) -> int:
        """Return the visits whose logarithm the bounds at this node take."""
        return int(self.visits[0 if self.search.log == ROOT else node])

    def _branch(self, child: int, count: int) -> Branch:
        visits, move, proven = int(self.visits[child]), self.move(child), self.proven(child)
        if not visits:
            return Branch(child, move, 0, None, None, None)
        bonus = self.search.c * sqrt(log(count) / visits) if count else 0.0
        return Branch(child, move, visits, self.mean(child), bonus if proven is None else None, proven)
