"""The walk through one search tree: what is unfolded and marked, and the moment that is shown.

The tree of a running search is looked at while the search stands still. The marked node and the unfolded nodes stay:
by their numbers while one tree grows, by their moves where a deeper search records another.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nimtui.games.base import Move
from nimtui.trees.mcts_replay import CurrentTree, GrowingTree, MctsSearch
from nimtui.trees.result import Search
from nimtui.trees.tree import Tree
from nimtui.ui.search.outline import GrowthSource, Outline, WindowSource
from nimtui.ui.search.rows import GrowthRows, Rows, WindowRows
from nimtui.ui.search.slider import GrowthSlider, Slider, WindowSlider
from nimtui.ui.search.work import Found

MOST = 300  # unfolded nodes; of more only those above the marked node are remembered


@dataclass
class Folds:
    """What an outline should show as soon as its tree has the nodes."""

    unfolded: set[tuple[Move, ...]] = field(default_factory=set)
    mark: tuple[Move, ...] | None = None

    def remember(self, outline: Outline) -> None:
        """Add what this outline shows, the root's moves apart. A mark that is still waiting stays."""
        if self.mark is None:
            self.mark = outline.moves(outline.at)
        unfolded = np.flatnonzero(outline.depths[1:] > outline.depths[:-1])
        if len(unfolded) <= MOST:
            self.unfolded |= {outline.moves(int(place)) for place in unfolded}
        self.unfolded |= {self.mark[:ply] for ply in range(len(self.mark))}

    def apply(self, outline: Outline) -> None:
        """Unfold and mark the nodes that are there by now; the others wait."""
        for moves in sorted(self.unfolded, key=len):
            place = outline.after(moves)
            if place is not None and (outline.is_open(place) or outline.open(place)):
                self.unfolded.discard(moves)
        if self.mark is not None:
            for ply in range(len(self.mark), -1, -1):
                if (place := outline.after(self.mark[:ply])) is not None:
                    outline.at = place
                    self.mark = self.mark if ply < len(self.mark) else None
                    break


MOST_GROWING = 3_000  # lines of a growing tree: every look goes through those of nodes with unsearched moves


class Walk:
    """The state of one tree, or of several that deepen one search."""

    def __init__(self, lineage: int) -> None:
        self.lineage = lineage
        self.found: Found | None = None  # what is shown; None while the search runs
        self.outline: Outline | None = None
        self.rows: Rows | None = None
        self.slider: Slider | None = None  # only of a tree that stands still
        self.filter = ""  # "principal", "cuts" or "wins"
        self.folds = Folds()
        self.touched = False  # has a person folded or marked anything?
        self._best: tuple[int, object] = (0, None)  # the room in which the best line was unfolded, and the lines then
        self._tree: tuple[Search, int] | None = None  # which tree gave the nodes their numbers

    @property
    def source(self) -> WindowSource | GrowthSource | None:
        """The tree, as its outline reads it."""
        return None if self.outline is None else self.outline.source

    def open(self, found: Found, search: Search) -> None:
        """Show a tree that stands still, and whose events can be shown."""
        self.found, tree = found, found.tree
        if isinstance(tree, GrowingTree):
            growth_rows = self.rows = GrowthRows(self._follow(GrowthSource(tree), search))
            self.slider = GrowthSlider(tree, growth_rows)
        elif isinstance(tree, Tree) and found.replay is not None:
            rows = self.rows = WindowRows(self._follow(WindowSource(tree, found.replay), search))
            self.slider = WindowSlider(found.replay, rows)

    def look(self, search: Search) -> bool:
        """Show the tree as far as it has grown; return False if there is none yet. The search must stand still."""
        if not search.trees:
            return False
        if self.found is not None:
            self._go_on()
        if isinstance(search, MctsSearch):
            if not search.done:
                return False
            self.rows = GrowthRows(self._follow(GrowthSource(CurrentTree(search)), search))
        else:
            tree = search.tree
            assert isinstance(tree, Tree)
            self.rows = WindowRows(self._follow(WindowSource(tree), search))
        if self.filter == "principal":
            self.show_principal()
        return True

    def _go_on(self) -> None:
        """Leave what only a tree that stands still can show."""
        assert self.outline is not None
        self.leave_time()
        if self.filter or len(self.outline) > MOST_GROWING:
            self.outline.alone(self.outline.node)
        self.found = self.slider = None
        self.filter = ""

    def show_principal(self) -> None:
        """Show only the best line."""
        assert self.outline is not None
        line = self.outline.source.tree.principal
        self.outline.show(np.array(line, np.int64), np.arange(len(line), dtype=np.int64))

    def unfold_best(self, room: int) -> None:
        """Unfold the best line from the root, then the moves on which most work was spent, as far as all lines have
        room; the mark stays. In other room start again, unless other lines have been unfolded since.
        """
        assert self.outline is not None and self.rows is not None
        before, lines = self._best
        if room == before or (before and (self.outline.lines is not lines or self.outline.at)):
            return
        if before:
            self.outline.alone(0)
        source = self.outline.source
        moves = sorted(source.children(0), key=self.rows.size, reverse=True)
        for node in (*source.tree.principal, *moves):
            place = self.outline.place(node)
            if place is not None and len(self.outline) + len(source.children(node)) < room:
                self.outline.open(place)
        self._best = (room, self.outline.lines)

    def _follow(self, source: WindowSource | GrowthSource, search: Search) -> Outline:
        """Show a tree, or show it again."""
        tree = (search, search.trees)
        if self.outline is None:
            self.outline = Outline(source)
        elif tree != self._tree:
            self.folds.remember(self.outline)
            self.outline.begin(source)
        else:
            self.outline.grow(source)
        self._tree = tree
        self.folds.apply(self.outline)
        return self.outline

    def leave_time(self) -> None:
        """Show the whole search again."""
        if self.slider is not None and self.outline is not None and self.slider.at is not None:
            self.slider.go(None)
            self.outline.alone(self.outline.node)
