"""What the nodes of a Monte Carlo search tree say: the results of moves, their rank, the best line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nimtui.games import base
from nimtui.games.base import Move

if TYPE_CHECKING:
    from nimtui.engine.mcts import Tree


@dataclass(frozen=True, slots=True)
class MoveReport:
    """The results for one move of the root, for the player who makes it."""

    move: Move
    visits: int
    mean: float | None  # of the results, −1 to 1; None if never tried
    ucb: float | None  # mean + c·√(ln N / n)
    proven: int | None  # 1, 0, −1; None: not proven

    @property
    def value(self) -> float | None:
        """The proven value, else the mean."""
        return self.mean if self.proven is None else float(self.proven)


def report(tree: Tree, child: int, c: float) -> MoveReport:
    """Return the results for the move that leads to this child of the root; `c` is the weight of exploration."""
    visits, proven = int(tree.visits[child]), proof_of(tree, child)
    if not visits:
        return MoveReport(int(tree.move[child]), 0, None, None, proven)
    mean = int(tree.total[child]) / visits
    bonus = c * float(np.sqrt(np.log(int(tree.visits[0])) / visits))
    return MoveReport(int(tree.move[child]), visits, mean, mean + bonus if proven is None else proven, proven)


def principal_variation(tree: Tree) -> list[Move]:
    """Return the best move, the best answer to it, and so on, as far as moves were visited."""
    node, line = 0, []
    while children(tree, node):
        node = max(children(tree, node), key=lambda child: (*_rank(tree, child), -child))
        if not tree.visits[node]:
            break
        line.append(int(tree.move[node]))
    return line


def children(tree: Tree, node: int) -> range:
    """Return the children of a node, visited or not; none while a running search still adds them."""
    first, width = int(tree.first[node]), int(tree.width[node])
    return range(first, first + width) if width and first + width <= len(tree.parent) else range(0)


def proof_of(tree: Tree, node: int) -> int | None:
    """Return the proven value of a node for the player whose move led there: 1, 0, −1; None if unproven."""
    if len(tree.proof) <= node or not tree.visits[node] or not tree.proof[node]:
        return None
    return {base.WON: 1, base.LOST: -1}.get(int(tree.proof[node]), 0)


def _rank(tree: Tree, child: int) -> tuple[int, int, float]:
    visits = int(tree.visits[child])
    return (*rank(proof_of(tree, child), visits), float(tree.mean[child]) if visits else 0.0)


def rank(proven: int | None, visits: int) -> tuple[int, int]:
    """Return the sort key of a move: proven wins first, proven losses last, else by visits."""
    return (0 if proven is None else proven, visits)
