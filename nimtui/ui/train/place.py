"""Where one is among the positions: the one that is looked at, its marked move, and the way one came."""

from __future__ import annotations

MOST = 200  # positions to come back to


class Place:
    """A position by its node, a move by its edge."""

    def __init__(self, node: int = -1) -> None:
        self.node = node
        self.edge: int | None = None  # the marked move; None: the best one
        self._way: list[int] = []

    def go(self, node: int, *, keep: bool) -> None:
        """To another position; `keep` this one, to come back to."""
        if node == self.node:
            return
        if keep and self.node >= 0:
            self._way = [*self._way[-MOST:], self.node]
        self.node, self.edge = node, None

    def back(self) -> int | None:
        """The position one came from, which is forgotten; None where one began."""
        return self._way.pop() if self._way else None
