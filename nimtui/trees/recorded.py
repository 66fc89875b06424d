"""What every recorded search tree has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nimtui.games import Game, base
from nimtui.games.base import Move, State


class RecordedTree:
    """A tree of numbered nodes; 0 is the root. A position may have several nodes, one per path to it."""

    game: Game
    root: State
    parent: npt.NDArray[np.int32]  # [nodes]
    moves: npt.NDArray[Any]  # the move to each node, [nodes]

    def children(self, node: int) -> Sequence[int]:
        """Return the nodes one move further."""
        raise NotImplementedError

    def best_child(self, node: int) -> int | None:
        """Return the best move of a node; None if it has none."""
        raise NotImplementedError

    @property
    def principal(self) -> list[int]:
        """The nodes of the best line, the root first."""
        raise NotImplementedError

    def find_position(self, state: State) -> list[int]:
        """Return all nodes of a position; [] if the tree has no index of positions."""
        return []

    def move(self, node: int) -> Move:
        """Return the move to a node other than the root."""
        return int(self.moves[node])

    def name(self, node: int) -> str:
        """Return the name of the move to a node; 'root' for the root."""
        return self.game.move_name(self.move(node), self.state(int(self.parent[node]))) if node else "root"

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to this one, both included."""
        path = [node]
        while node:
            node = int(self.parent[node])
            path.append(node)
        return path[::-1]

    def line(self, node: int) -> tuple[Move, ...]:
        """Return the moves from the root to this node."""
        return tuple(self.move(step) for step in self.path(node)[1:])

    def state(self, node: int) -> State:
        """Return the position of a node as a copy to play on."""
        at = base.copy(self.root)
        for move in self.line(node):
            base.play(at, move)
        return at
