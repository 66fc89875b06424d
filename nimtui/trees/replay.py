"""Replays a recorded search event by event, forwards and backwards, and finds any event in logarithmic time.

Nodes are entered in preorder and left in postorder. The number of events before each node is entered or left is summed
up once; everything else is looked up.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from nimtui.engine.windows import CUT, INFINITY, LEAF, OPEN, TABLE, TERMINAL
from nimtui.trees.settings import MINIMAX
from nimtui.trees.tree import Tree


class Kind(Enum):
    """The kinds of events."""

    ENTER = "enter"  # a node is visited, with a window
    EVALUATE = "evaluate"  # the node is a leaf: game over, depth limit, or in the table
    RETURN = "return"  # the search leaves the node with its value
    RAISE = "raise"  # the value is more than α of the parent (minimax: than its best so far)
    CUT = "cut"  # the value is at least β of the parent: its other moves are pruned


@dataclass(frozen=True, slots=True)
class Event:
    """One event, from 0. ENTER, EVALUATE and RETURN happen at `node`; RAISE and CUT when `child` returns to `node`."""

    number: int
    kind: Kind
    node: int
    child: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """A node that is being searched, after an event; numbers are for the player to move there."""

    node: int
    alpha: int  # the current α
    beta: int
    best: int | None  # of the searched moves; None before the first


class Replay:
    """The events of a tree, 0 … len − 1."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._n = len(tree)
        kinds, parent = tree.kinds, tree.parent
        closed = kinds != OPEN
        self._raises = closed & self._improves()
        self._cuts = closed & (kinds[parent] == CUT) & (tree.ends == tree.ends[parent])
        self._raises[0] = self._cuts[0] = False
        self._evaluated = (kinds == LEAF) | (kinds == TERMINAL) | (kinds == TABLE)
        nodes = np.arange(self._n, dtype=np.int32)
        self._by_leaving = np.empty(self._n, np.int32)
        self._by_leaving[self._left(nodes)] = nodes
        self._entering = _sums(1 + self._evaluated)
        returning = np.where(closed, 1 + self._raises + self._cuts, 0)
        self._leaving = _sums(returning[self._by_leaving])
        self._entered = self._entering[:-1] + self._leaving[nodes - tree.plies]  # the event of entering each node
        self._length = int(self._entering[-1] + self._leaving[-1])
        cutting = np.flatnonzero(self._cuts)
        self._cut_events = np.sort(self._returned(cutting) + 1 + self._raises[cutting])

    def __len__(self) -> int:
        return self._length

    def _improves(self) -> npt.NDArray[np.bool_]:
        """Return for each node whether its value improved its parent, [nodes]."""
        tree = self.tree
        if tree.settings.algorithm != MINIMAX:
            return tree.values < tree.beta
        # The greatest among the siblings so far: one running maximum over all, each family far above the one before.
        families = np.argsort(tree.parent, kind="stable")
        far = np.int64(1) << 31
        values = np.where(tree.kinds == OPEN, 0, tree.values).astype(np.int64)  # an open node is the last of its family
        worth = -values[families] + (tree.parent[families].astype(np.int64) + 1) * far
        highest = np.concatenate([[np.int64(-1) << 62], np.maximum.accumulate(worth)[:-1]])
        first = np.concatenate([[True], np.diff(tree.parent[families]) != 0])
        improves = np.empty(self._n, np.bool_)
        improves[families] = first | (worth > highest)
        return improves

    def _ends(self, node: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """Return how many recorded nodes were entered before these were left."""
        ends = np.where(self.tree.kinds[node] == OPEN, self._n, self.tree.ends[node])
        return np.minimum(ends, self._n).astype(np.int32)

    def _left(self, node: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """Return how many recorded nodes were left before these."""
        leaving: npt.NDArray[np.int32] = self._ends(node) - 1 - self.tree.plies[node]
        return leaving

    def _returned(self, node: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Return the events at which nodes return."""
        events: npt.NDArray[np.int64] = self._entering[self._ends(node)] + self._leaving[self._left(node)]
        return events.astype(np.int64)

    # Events.

    def event(self, number: int) -> Event:
        """Return the event of this number."""
        node = int(np.searchsorted(self._entered, number, "right")) - 1
        passed = number - int(self._entered[node])
        if passed == 0:
            return Event(number, Kind.ENTER, node)
        if passed == 1 and self._evaluated[node]:
            return Event(number, Kind.EVALUATE, node)
        leaving = number - int(self._entering[node + 1])
        place = int(np.searchsorted(self._leaving, leaving, "right")) - 1
        child = int(self._by_leaving[place])
        passed = leaving - int(self._leaving[place])
        if passed == 0:
            return Event(number, Kind.RETURN, child)
        above = int(self.tree.parent[child])
        return Event(number, Kind.RAISE if passed == 1 and self._raises[child] else Kind.CUT, above, child)

    def entered(self, node: int) -> int:
        """Return the event at which a node is entered."""
        return int(self._entered[node])

    def returned(self, node: int) -> int | None:
        """Return the event at which a node returns its value; None if the search was stopped before."""
        if self.tree.kind(node) == OPEN:
            return None
        return int(self._returned(np.array([node]))[0])

    def next_cut(self, number: int, backwards: bool = False) -> int | None:
        """Return the next cutoff event; None if there is none."""
        cuts = self._cut_events
        place = (
            int(np.searchsorted(cuts, number, "left")) - 1 if backwards else int(np.searchsorted(cuts, number, "right"))
        )
        return int(cuts[place]) if 0 <= place < len(cuts) else None

    def path(self, number: int) -> list[Frame]:
        """Return the nodes being searched after this event, the root first, each with its current window.

        The list is empty after the last event of a finished search.
        """
        event, tree = self.event(number), self.tree
        returned = event.node if event.kind is Kind.RETURN else event.child
        standing = int(tree.parent[event.node]) if event.kind is Kind.RETURN else event.node
        if standing < 0:
            return []
        nodes = tree.path(standing)
        frames = [  # while its child `below` is searched
            Frame(node, self._alpha(node, below), tree.window(node)[1], self._best(node, below))
            for node, below in pairwise(nodes)
        ]
        alpha, beta = tree.window(standing)
        best: int | None = None
        if event.kind is Kind.EVALUATE:
            best = tree.value(standing)
        elif returned is not None:
            best = self._best(standing, returned + 1)
            alpha = self._alpha(standing, returned)
            if event.kind is not Kind.RETURN and tree.settings.algorithm != MINIMAX:
                alpha = max(alpha, -int(tree.values[returned]))
        return [*frames, Frame(standing, alpha, beta, best)]

    def _alpha(self, node: int, child: int) -> int:
        """Return α of a node at the entry of this child."""
        alpha, _ = self.tree.window(node)
        return alpha if self.tree.settings.algorithm == MINIMAX else -int(self.tree.beta[child])

    def _best(self, node: int, before: int) -> int | None:
        """Return the best value of a node's children with numbers below `before`; None if there are none."""
        best = -INFINITY
        for child in self.tree.children(node):
            if child >= before:
                break
            best = max(best, -int(self.tree.values[child]))
        return None if best == -INFINITY else best


def _sums(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the sums of the first 0, 1, … n numbers, [n + 1]; each number is at most 3."""
    sums = np.zeros(len(numbers) + 1, np.int32 if len(numbers) < 1 << 28 else np.int64)
    np.cumsum(numbers, out=sums[1:])
    return sums
