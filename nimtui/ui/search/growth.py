"""The tree of Monte Carlo tree search as an outline asks about it: nodes that were visited by now."""

from __future__ import annotations

import numpy as np

from nimtui.search.mcts_replay import GrowingTree
from nimtui.ui.search.outline import Lines

PHASES = ("select", "expand", "play out", "back up")


class GrowthSource:
    """A growing tree at whatever moment its replay stands."""

    def __init__(self, tree: GrowingTree) -> None:
        self.tree = tree

    def children(self, node: int) -> list[int]:
        return [child for child in self.tree.children(node) if self.tree.visits[child]]

    def leaves_out(self, node: int) -> bool:
        """Has it moves that were never tried?"""
        children = list(self.tree.children(node))
        return 0 < sum(bool(self.tree.visits[child]) for child in children) < len(children)

    def parents(self, node: int) -> bool:
        return bool(self.children(node))

    def ply(self, node: int) -> int:
        return len(self.path(node)) - 1

    def path(self, node: int) -> list[int]:
        return self.tree.path(node)

    def to_ply(self, ply: int) -> tuple[Lines, Lines]:
        lines: list[int] = []
        depths: list[int] = []
        waiting = [(0, 0)]
        while waiting:
            node, depth = waiting.pop()
            lines.append(node)
            depths.append(depth)
            if node < 0 or depth >= ply:
                continue
            below = self.children(node) + ([~node] if self.leaves_out(node) else [])
            waiting.extend((child, depth + 1) for child in reversed(below))
        return np.array(lines, np.int64), np.array(depths, np.int64)
