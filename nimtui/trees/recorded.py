"""The interface of every recorded search tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from nimtui.games.base import Move, State


class RecordedTree(Protocol):
    """A tree of numbered nodes; 0 is the root. A position may have several nodes, one per path to it."""

    def children(self, node: int) -> Sequence[int]:
        """Return the nodes one move further."""

    def move(self, node: int) -> Move:
        """Return the move that leads to a node other than the root."""

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to this one, both included."""

    def state(self, node: int) -> State:
        """Return the position of a node as a copy to play on."""

    @property
    def principal(self) -> list[int]:
        """The nodes of the best line, the root first."""

    def find_position(self, state: State) -> list[int]:
        """Return all nodes of a position; [] if the tree has no index of positions."""
