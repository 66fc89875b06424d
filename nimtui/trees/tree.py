"""A recorded tree of minimax or alpha-beta, and its replay. Nodes are numbers, in the order of visits.

The facts of a node are computed on demand, so that a tree of millions of nodes opens at once.

`RecordedTree` is what every recorded search tree has.

`Replay` goes through the search event by event, forwards and backwards, and finds any event in logarithmic time. Nodes
are entered in preorder and left in postorder. The number of events before each node is entered or left is summed up
once; everything else is looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nimtui.engine.windows import CUT, EXPANDED, INFINITY, LEAF, OPEN, TABLE, TERMINAL
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.trees.settings import MINIMAX, Settings

if TYPE_CHECKING:
    from nimtui.engine.alpha_beta import Record, Stack


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


KINDS = {OPEN: "open", EXPANDED: "expanded", CUT: "cut", LEAF: "leaf", TERMINAL: "terminal", TABLE: "table"}
BLOCK = 1 << 16  # nodes scanned at once


@dataclass(frozen=True, slots=True)
class Skipped:
    """The moves of a node without nodes in the tree, and why; numbers are for the player to move there."""

    moves: tuple[Move, ...]
    why: str  # "cut": pruned; "limit": visited, but not recorded; "open": not reached by the search
    by: Move | None = None  # of a cutoff: the move that caused it
    alpha: int = -INFINITY  # of a cutoff: α after that move, which is at least β
    beta: int = INFINITY


class Tree(RecordedTree):
    """The nodes 0 (the root) … len − 1, in preorder. Values and windows are for the player to move at a node."""

    def __init__(self, game: Game, state: State, settings: Settings, record: Record, stack: Stack) -> None:
        from nimtui.engine.alpha_beta import NODES, PLY

        self.game, self.root, self.settings = game, base.copy(state), settings
        self.visited = int(stack.at[NODES])  # visited nodes, recorded or not
        self._length = min(self.visited, len(record.parent))
        self.parent = record.parent[: self._length]
        self.moves = record.move[: self._length]
        self.plies: npt.NDArray[np.int16] = record.ply[: self._length]
        self.alpha: npt.NDArray[np.int32] = record.alpha[: self._length]
        self.beta: npt.NDArray[np.int32] = record.beta[: self._length]
        self.values: npt.NDArray[np.int32] = record.value[: self._length]
        self.kinds: npt.NDArray[np.int8] = record.kind[: self._length]
        self.ends: npt.NDArray[np.int32] = record.end[: self._length]  # not set for open nodes
        self._record = record
        standing = int(stack.at[PLY])
        self._best_move = int(stack.best_move[0])
        self._best_so_far = {int(stack.node[ply]): int(stack.best[ply]) for ply in range(standing + 1)}

    def __len__(self) -> int:
        return self._length

    @property
    def complete(self) -> bool:
        """Are all visited nodes recorded?"""
        return self._length == self.visited

    # One node.

    def kind(self, node: int) -> int:
        return int(self.kinds[node])

    def value(self, node: int) -> int | None:
        """Return the value of a node; for an open node the best so far, None before there is one."""
        if self.kind(node) == OPEN:
            best = self._best_so_far.get(node, -INFINITY)
            return None if best == -INFINITY else best
        return int(self.values[node])

    def window(self, node: int) -> tuple[int, int]:
        """Return α and β at the entry of the node."""
        return int(self.alpha[node]), int(self.beta[node])

    def bound(self, node: int) -> str:
        """Return whether the value is "exact" or a bound: "lower" (it may be more) or "upper" (it may be less).

        For a value from the table, the window decides.
        """
        value, (alpha, beta) = self.value(node), self.window(node)
        if value is None:
            return "lower"
        if self.kind(node) in (LEAF, TERMINAL):
            return "exact"
        return "lower" if value >= beta or self.kind(node) == OPEN else "upper" if value <= alpha else "exact"

    def end(self, node: int) -> int:
        """Return the number after the last recorded node of the subtree."""
        return self._length if self.kind(node) == OPEN else min(int(self.ends[node]), self._length)

    def below(self, node: int) -> int:
        """Return how many nodes were visited below this node, recorded or not."""
        return (self.visited if self.kind(node) == OPEN else int(self.ends[node])) - node - 1

    def children(self, node: int) -> list[int]:
        """Return the recorded children of a node, in the order of visits."""
        child, end, children = node + 1, self.end(node), []
        while child < end:
            children.append(child)
            child = self.end(child)
        return children

    def best_child(self, node: int) -> int | None:
        """Return the first child of the highest value: a later equal value is a bound, and may be less."""
        searched = [child for child in self.children(node) if self.kind(child) != OPEN]
        return min(searched, key=lambda child: int(self.values[child]), default=None)

    def skipped(self, node: int) -> Skipped | None:
        """Return the moves without nodes, and why; None if all have nodes, or none was tried."""
        kind = self.kind(node)
        if kind not in (OPEN, EXPANDED, CUT):
            return None
        children = self.children(node)
        tried = {self.move(child) for child in children}
        moves = tuple(move for move in base.legal_moves(self.state(node)) if move not in tried)
        if not moves:
            return None
        if kind == OPEN:
            return Skipped(moves, "open" if self.complete else "limit")
        if int(self.ends[node]) > self._length:
            return Skipped(moves, "limit")
        value = int(self.values[node])
        return Skipped(moves, "cut", self.move(children[-1]), value, int(self.beta[node]))

    @cached_property
    def principal(self) -> list[int]:
        """The nodes of the best line, the root first, as far as they are certain."""
        first = next((child for child in self.children(0) if self.move(child) == self._best_move), None)
        line = [0] if first is None else [0, first]
        while line[-1] and int(self.ends[line[-1]]) <= self._length:
            best = self.best_child(line[-1])
            if best is None:
                break
            line.append(best)
        return line

    def next_cut(self, node: int, backwards: bool = False) -> int | None:
        """Return the next node with pruned moves, in the order of visits; None if there is none."""
        step = -1 if backwards else 1
        at: int | None = node
        while at is not None:
            at = self._next(at + step, backwards)
            if at is not None and self.skipped(at) is not None:
                return at
        return None

    def _next(self, node: int, backwards: bool) -> int | None:
        """Return the next node with a cutoff, starting with this one; None if there is none."""
        while 0 <= node < self._length:
            low, high = (max(0, node + 1 - BLOCK), node + 1) if backwards else (node, node + BLOCK)
            cutoffs = np.flatnonzero(self.kinds[low:high] == CUT)
            if len(cutoffs):
                return low + int(cutoffs[-1 if backwards else 0])
            node = low - 1 if backwards else high
        return None

    # Repeated positions.

    @cached_property
    def keys(self) -> npt.NDArray[np.int64] | None:
        """The position number of each node, [len]; None if positions have no numbers. One second for 20 million."""
        if int(base.key(self.root)) < 0:
            return None
        from nimtui.engine.alpha_beta import fill_keys

        keys = np.empty(self._length, np.int64)
        fill_keys(base.copy(self.root), self._record, self._length, keys)
        return keys

    def same(self, node: int) -> list[int]:
        """Return all nodes with the position of this one, itself included, in the order of visits."""
        return [node] if self.keys is None else np.flatnonzero(self.keys == self.keys[node]).tolist()

    def find_position(self, state: State) -> list[int]:
        """Return all nodes of a position; [] if positions have no numbers."""
        if self.keys is None:
            return []
        return np.flatnonzero(self.keys == int(base.key(state))).tolist()


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
        place = int(np.searchsorted(cuts, number, "left" if backwards else "right")) - backwards
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
