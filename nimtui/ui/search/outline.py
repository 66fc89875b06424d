"""The visible lines of a tree as arrays, so that a million lines are fast.

A line is a node, or ~node: the line below a node's moves about those that were not searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.engine.windows import CUT, DECIDED, EXPANDED, OPEN
from nimtui.trees.mcts_replay import CurrentTree
from nimtui.trees.tree import Kind, Replay, Tree

Lines = npt.NDArray[np.int64]
MOST_LINES = 3_000_000  # more unfolded lines would only take memory


class WindowSource:
    """A tree of minimax or alpha-beta: whole, or as it was after some event, or while it grows."""

    def __init__(self, tree: Tree, replay: Replay | None = None) -> None:
        self.tree, self.replay = tree, replay
        self.growing = replay is None
        self.at: int | None = None  # the event; None: the end

    def entered(self, node: int) -> bool:
        return self.at is None or self.replay is None or self.replay.entered(node) <= self.at

    def returned(self, node: int) -> bool:
        """Has the search returned from this node at the shown event?"""
        if self.at is None or self.replay is None:
            return not self.growing or self.tree.kind(node) != OPEN
        event = self.replay.returned(node)
        return event is not None and event <= self.at

    def children(self, node: int) -> list[int]:
        return [child for child in self.tree.children(node) if self.entered(child)]

    def leaves_out(self, node: int) -> bool:
        """Has the node moves that were not searched?"""
        tree, kind = self.tree, self.tree.kind(node)
        if self.at is None or self.replay is None:
            return kind in (CUT, OPEN) or (kind == EXPANDED and int(tree.ends[node]) > len(tree))
        event = self.replay.event(self.at)
        return kind == CUT and (self.returned(node) or (event.node == node and event.kind in (Kind.CUT, Kind.RETURN)))

    def parents(self, node: int) -> bool:
        return self.tree.kind(node) in (CUT, OPEN, EXPANDED)

    def to_ply(self, ply: int, most: int) -> tuple[Lines, Lines]:
        """Return the lines down to this depth, and their depths; more than `most` if there are more."""
        return self._woven(np.flatnonzero(self.tree.plies <= ply)[: most + 1], ply)

    def cuts(self) -> tuple[Lines, Lines]:
        """Return every node with a cutoff, the nodes above it, and its line of pruned moves."""
        return self._only(self.tree.kinds == CUT)

    def wins(self) -> tuple[Lines, Lines]:
        """Return every node won for the player at the root, or with a payoff for this player, and the nodes above."""
        tree = self.tree
        least = 0 if tree.game.pays else DECIDED
        return self._only((np.where(tree.plies % 2, -tree.values, tree.values) > least) & (tree.kinds != OPEN))

    def _only(self, visible: npt.NDArray[np.bool_]) -> tuple[Lines, Lines]:
        fresh = np.flatnonzero(visible)
        while len(fresh):
            above = np.unique(np.maximum(self.tree.parent[fresh], 0))
            fresh = above[~visible[above]]
            visible[fresh] = True
        visible[0] = True
        return self._woven(np.flatnonzero(visible)[:MOST_LINES], 1 << 30)

    def _woven(self, nodes: Lines, ply: int) -> tuple[Lines, Lines]:
        """Return these nodes, each followed after its subtree by the line of its unsearched moves."""
        tree = self.tree
        kinds, plies = tree.kinds[nodes], tree.plies[nodes]
        partial = (kinds == CUT) | (kinds == OPEN) | ((kinds == EXPANDED) & (tree.ends[nodes] > len(tree)))
        above = nodes[partial & (plies < ply)]
        ends = np.where(tree.kinds[above] == OPEN, len(tree), tree.ends[above])
        order = np.lexsort((-above, ends))
        above, ends = above[order], ends[order]
        places = np.searchsorted(nodes, ends)
        lines = np.insert(nodes.astype(np.int64), places, ~above)
        depths = np.insert(plies.astype(np.int64), places, tree.plies[above].astype(np.int64) + 1)
        return lines, depths


class GrowthSource:
    """A tree of Monte Carlo tree search: the nodes visited by now, or by the moment of its replay."""

    def __init__(self, tree: CurrentTree) -> None:
        self.tree = tree

    def children(self, node: int) -> list[int]:
        return self.tree.visited(node)

    def leaves_out(self, node: int) -> bool:
        """Has the node moves that were never tried?"""
        children = list(self.tree.children(node))
        return 0 < sum(bool(self.tree.visits[child]) for child in children) < len(children)

    def parents(self, node: int) -> bool:
        return bool(self.children(node))

    def to_ply(self, ply: int, most: int) -> tuple[Lines, Lines]:
        lines: list[int] = []
        depths: list[int] = []
        waiting = [(0, 0)]
        while waiting and len(lines) <= most:
            node, depth = waiting.pop()
            lines.append(node)
            depths.append(depth)
            if node >= 0 and depth < ply:
                waiting.extend((below, depth + 1) for below in reversed(lines_below(self, node)))
        return np.array(lines, np.int64), np.array(depths, np.int64)


Source: TypeAlias = WindowSource | GrowthSource  # a tree as an outline reads it


def lines_below(source: Source, node: int) -> list[int]:
    """Return the lines below a node: its moves, then the line about those that were not searched."""
    return source.children(node) + [~node] * source.leaves_out(node)


class Outline:
    """The visible lines, one of them marked."""

    def __init__(self, source: Source) -> None:
        self.begin(source)

    def begin(self, source: Source) -> None:
        """Show the root of this tree and its moves, and mark the root."""
        self.source = source
        self.alone(0)

    def _fill(self, lines: Lines, depths: Lines) -> None:
        self.at = 0  # the marked line
        self.lines, self.depths, self._moves = lines, depths, self._moves_of(lines)

    def _moves_of(self, lines: Lines) -> Lines:
        """Return the move to the node of each line; −1 for the root, and for lines without a node."""
        return np.where(lines > 0, self.source.tree.moves[np.maximum(lines, 0)], -1).astype(np.int64)

    def moves(self, place: int) -> tuple[int, ...]:
        """Return the moves from the root to the node of a line. Reads nothing of the tree."""
        moves: list[int] = []
        while self.depths[place] > 0:
            if self.lines[place] > 0:
                moves.append(int(self._moves[place]))
            place = self._parent(place)
        return tuple(reversed(moves))

    def _parent(self, place: int) -> int:
        """Return the place of the line above which has this line's among the lines below it."""
        return int(np.flatnonzero(self.depths[:place] < self.depths[place])[-1])

    def _end(self, place: int) -> int:
        """Return the place after the lines below this one."""
        shallow = self.depths[place + 1 :] <= self.depths[place]
        return place + 1 + (int(shallow.argmax()) if shallow.any() else len(shallow))

    def after(self, moves: Sequence[int]) -> int | None:
        """Return the place of the node after these moves; None if no line shows it."""
        place = 0
        for depth, move in enumerate(moves, int(self.depths[0]) + 1):
            below = slice(place + 1, self._end(place))
            named = (self.depths[below] == depth) & (self._moves[below] == move) & (self.lines[below] > 0)
            if not named.any():
                return None
            place += 1 + int(named.argmax())
        return place

    def grow(self, source: Source) -> None:
        """Show what the same tree, grown meanwhile, has below the unfolded nodes. New moves are the last of a node."""
        self.source = source
        for place in np.flatnonzero(self.lines < 0)[::-1]:
            node, depth = ~int(self.lines[place]), int(self.depths[place])
            above = int(np.flatnonzero(self.lines[:place] == node)[-1])
            added = lines_below(source, node)[np.count_nonzero(self.depths[above + 1 : place] == depth) :]
            if added == [~node]:
                continue
            marked = self.at == place
            self._put(int(place), int(place) + 1, np.array(added, np.int64), np.full(len(added), depth))
            if marked:
                self.at = int(place) + len(added) - 1

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def node(self) -> int:
        """The node of the marked line."""
        line = int(self.lines[self.at])
        return line if line >= 0 else ~line

    def is_open(self, place: int) -> bool:
        return place + 1 < len(self.lines) and bool(self.depths[place + 1] > self.depths[place])

    def place(self, node: int) -> int | None:
        places = np.flatnonzero(self.lines == node)
        return int(places[0]) if len(places) else None

    # Folding.

    def open(self, place: int) -> bool:
        """Unfold the moves of a line's node; return True if there were any."""
        node = int(self.lines[place])
        below = [] if node < 0 or self.is_open(place) else lines_below(self.source, node)
        if below:
            self._put(place + 1, place + 1, np.array(below, np.int64), np.full(len(below), self.depths[place] + 1))
        return bool(below)

    def close(self, place: int) -> bool:
        if not self.is_open(place):
            return False
        self._put(place + 1, self._end(place), np.zeros(0, np.int64), np.zeros(0, np.int64))
        return True

    def _put(self, first: int, end: int, lines: Lines, depths: Lines) -> None:
        self.lines = np.concatenate([self.lines[:first], lines, self.lines[end:]])
        self.depths = np.concatenate([self.depths[:first], depths, self.depths[end:]])
        self._moves = np.concatenate([self._moves[:first], self._moves_of(lines), self._moves[end:]])
        if self.at >= end:
            self.at += len(lines) - (end - first)
        elif self.at >= first:
            self.at = first - 1

    def show(self, lines: Lines, depths: Lines) -> None:
        """Show these lines; the mark stays on its node, or moves to the nearest node above."""
        path = self.source.tree.path(self.node)
        self._fill(lines, depths)
        for node in reversed(path):
            if (place := self.place(node)) is not None:
                self.at = place
                break

    def fold_to(self, ply: int, most: int = MOST_LINES) -> bool:
        """Unfold to this depth; return False, and change nothing, if that takes more than so many lines."""
        lines, depths = self.source.to_ply(ply, most)
        if len(lines) > most:
            return False
        self.show(lines, depths)
        return True

    def alone(self, node: int) -> None:
        """Unfold only the line to this node and mark the node."""
        self._fill(np.zeros(1, np.int64), np.zeros(1, np.int64))
        for step in self.source.tree.path(node):
            if (place := self.place(step)) is None:
                break
            self.at = place
            self.open(place)

    def reveal(self, node: int) -> None:
        """Unfold the line to this node and mark the node."""
        for step in self.source.tree.path(node)[:-1]:
            if (place := self.place(step)) is not None:
                self.open(place)
        if (place := self.place(node)) is None:  # a filter hid it
            self.alone(node)
        else:
            self.at = place

    def step_out(self) -> bool:
        """Fold the marked line, or go to its parent if it is folded; return False at the folded root."""
        if self.close(self.at):
            return True
        at = self.at
        if at:
            self.at = self._parent(at)
        return bool(at)
