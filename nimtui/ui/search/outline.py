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
from nimtui.trees.replay import Kind, Replay
from nimtui.trees.tree import Tree

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
        found = self.tree.children(node)
        return found if self.at is None else [child for child in found if self.entered(child)]

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
        """Return every node that is won for the player at the root, and the nodes above it."""
        tree = self.tree
        return self._only((np.where(tree.plies % 2, -tree.values, tree.values) > DECIDED) & (tree.kinds != OPEN))

    def _only(self, kept: npt.NDArray[np.bool_]) -> tuple[Lines, Lines]:
        tree = self.tree
        fresh = np.flatnonzero(kept)
        while len(fresh):
            above = np.unique(np.maximum(tree.parent[fresh], 0))
            fresh = above[~kept[above]]
            kept[fresh] = True
        kept[0] = True
        return self._woven(np.flatnonzero(kept)[:MOST_LINES], 1 << 30)

    def _woven(self, nodes: Lines, ply: int) -> tuple[Lines, Lines]:
        """Return these nodes, each followed after its subtree by the line of its unsearched moves."""
        tree = self.tree
        kinds, plies = tree.kinds[nodes], tree.plies[nodes]
        partial = (kinds == CUT) | (kinds == OPEN) | ((kinds == EXPANDED) & (tree.ends[nodes] > len(tree)))
        left = nodes[partial & (plies < ply)]
        ends = np.where(tree.kinds[left] == OPEN, len(tree), tree.ends[left])
        order = np.lexsort((-left, ends))
        left, ends = left[order], ends[order]
        places = np.searchsorted(nodes, ends)
        lines = np.insert(nodes.astype(np.int64), places, ~left)
        depths = np.insert(plies.astype(np.int64), places, tree.plies[left].astype(np.int64) + 1)
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
            if node < 0 or depth >= ply:
                continue
            below = self.children(node) + ([~node] if self.leaves_out(node) else [])
            waiting.extend((child, depth + 1) for child in reversed(below))
        return np.array(lines, np.int64), np.array(depths, np.int64)


Source: TypeAlias = WindowSource | GrowthSource  # a tree as an outline reads it


class Outline:
    """The visible lines, one of them marked."""

    def __init__(self, source: Source) -> None:
        self.at = 0  # the marked line
        self.begin(source)

    def begin(self, source: Source) -> None:
        """Show the root of this tree and its moves, and mark the root."""
        self.source, self.at = source, 0
        self._fill(np.zeros(1, np.int64), np.zeros(1, np.int64))
        self.open(0)

    def _fill(self, lines: Lines, depths: Lines) -> None:
        self.lines, self.depths, self._moves = lines, depths, self._made(lines)

    def _made(self, lines: Lines) -> Lines:
        """Return the move to the node of each line; −1 for the root, and for lines without a node."""
        moves = np.where(lines > 0, self.source.tree.moves[np.maximum(lines, 0)], -1)
        return moves.astype(np.int64)

    def moves(self, place: int) -> tuple[int, ...]:
        """Return the moves from the root to the node of a line. Reads nothing of the tree."""
        found: list[int] = []
        depth = int(self.depths[place])
        while depth > 0:
            if self.lines[place] > 0:
                found.append(int(self._moves[place]))
            place = int(np.flatnonzero(self.depths[:place] < depth)[-1])
            depth = int(self.depths[place])
        return tuple(reversed(found))

    def after(self, moves: Sequence[int]) -> int | None:
        """Return the place of the node after these moves; None if no line shows it."""
        place = 0
        for depth, move in enumerate(moves, int(self.depths[0]) + 1):
            below = self.depths[place + 1 :]
            shallow = below < depth
            end = place + 1 + (int(shallow.argmax()) if shallow.any() else len(below))
            here = slice(place + 1, end)
            found = np.flatnonzero((self.depths[here] == depth) & (self._moves[here] == move) & (self.lines[here] > 0))
            if not len(found):
                return None
            place += 1 + int(found[0])
        return place

    def grow(self, source: Source) -> None:
        """Show what the same tree, grown meanwhile, has below the unfolded nodes. New moves are the last of a node."""
        self.source = source
        for place in np.flatnonzero(self.lines < 0)[::-1]:
            node, depth = ~int(self.lines[place]), int(self.depths[place])
            above = int(np.flatnonzero(self.lines[:place] == node)[-1])
            shown = int(np.count_nonzero(self.depths[above + 1 : place] == depth))
            below = source.children(node) + ([~node] if source.leaves_out(node) else [])
            added = below[shown:]
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
        shown = int(self.lines[self.at])
        return shown if shown >= 0 else ~shown

    def is_open(self, place: int) -> bool:
        return place + 1 < len(self.lines) and bool(self.depths[place + 1] > self.depths[place])

    def place(self, node: int) -> int | None:
        found = np.flatnonzero(self.lines == node)
        return int(found[0]) if len(found) else None

    # Folding.

    def open(self, place: int) -> bool:
        """Unfold the moves of a line's node; return True if there were any."""
        node = int(self.lines[place])
        if node < 0 or self.is_open(place):
            return False
        below = self.source.children(node) + ([~node] if self.source.leaves_out(node) else [])
        if not below:
            return False
        self._put(place + 1, place + 1, np.array(below, np.int64), np.full(len(below), self.depths[place] + 1))
        return True

    def close(self, place: int) -> bool:
        if not self.is_open(place):
            return False
        shallow = self.depths[place + 1 :] <= self.depths[place]
        end = place + 1 + (int(shallow.argmax()) if shallow.any() else len(shallow))
        self._put(place + 1, end, np.zeros(0, np.int64), np.zeros(0, np.int64))
        return True

    def _put(self, first: int, end: int, lines: Lines, depths: Lines) -> None:
        self.lines = np.concatenate([self.lines[:first], lines, self.lines[end:]])
        self.depths = np.concatenate([self.depths[:first], depths, self.depths[end:]])
        self._moves = np.concatenate([self._moves[:first], self._made(lines), self._moves[end:]])
        if self.at >= end:
            self.at += len(lines) - (end - first)
        elif self.at >= first:
            self.at = first - 1

    def show(self, lines: Lines, depths: Lines) -> None:
        """Show these lines; the mark stays on its node, or moves to the nearest node above."""
        path = self.source.tree.path(self.node)
        self.at = 0
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
        path = self.source.tree.path(node)
        self.at = 0
        self._fill(np.zeros(1, np.int64), np.zeros(1, np.int64))
        for step in path:
            if (place := self.place(step)) is None:
                break
            self.at = place
            self.open(place)
        found = self.place(node)
        self.at = found if found is not None else self.at

    def reveal(self, node: int) -> None:
        """Unfold the line to this node and mark the node."""
        for step in self.source.tree.path(node)[:-1]:
            if (place := self.place(step)) is not None:
                self.open(place)
        found = self.place(node)
        if found is None:  # a filter hid it
            self.alone(node)
        else:
            self.at = found

    def step_out(self) -> bool:
        """Fold the marked line, or go to its parent if it is folded; return False at the folded root."""
        if self.close(self.at):
            return True
        depth = self.depths[self.at]
        above = np.flatnonzero(self.depths[: self.at] < depth)
        if len(above):
            self.at = int(above[-1])
        return bool(len(above))
