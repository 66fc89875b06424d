"""A recorded tree of minimax or alpha-beta. Nodes are numbers, in the order of visits.

The facts of a node are computed on demand, so that a tree of millions of nodes opens at once.

`RecordedTree` is what every recorded search tree has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nimtui.engine.windows import CUT, EXPANDED, INFINITY, LEAF, OPEN, TABLE, TERMINAL
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.trees.settings import Settings

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
        best, highest = None, -INFINITY
        for child in self.children(node):
            value = self.value(child)
            if value is not None and self.kind(child) != OPEN and -value > highest:
                best, highest = child, -value
        return best

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
        if kind != OPEN and int(self.ends[node]) > self._length:
            return Skipped(moves, "limit")
        if kind == OPEN:
            return Skipped(moves, "open" if self.complete else "limit")
        value = int(self.values[node])
        return Skipped(moves, "cut", self.move(children[-1]), value, int(self.beta[node]))

    @cached_property
    def principal(self) -> list[int]:
        """The nodes of the best line, the root first, as far as they are certain."""
        first = next((child for child in self.children(0) if self.move(child) == self._best_move), None)
        line = [0] if first is None else [0, first]
        while line[-1] and self.kind(line[-1]) in (EXPANDED, CUT) and int(self.ends[line[-1]]) <= self._length:
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
