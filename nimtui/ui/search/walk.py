"""The walk through one search tree: what is unfolded and marked, and the moment that is shown. Its sliders replay the
search event by event, or simulation by simulation in four phases.

The tree of a running search is looked at while the search stands still. The marked node and the unfolded nodes stay:
by their numbers while one tree grows, by their moves where a deeper search records another.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from nimtui.engine.windows import CUT, INFINITY
from nimtui.games.base import Move
from nimtui.report.values import Mean, Named, Result, Score
from nimtui.trees import report as search_words
from nimtui.trees.mcts_replay import Change, Choice, CurrentTree, GrowingTree, MctsSearch, Simulation
from nimtui.trees.report import TreeValue
from nimtui.trees.result import Search
from nimtui.trees.settings import MINIMAX
from nimtui.trees.tree import Event, Frame, Kind, Replay, Tree
from nimtui.ui.search.outline import GrowthSource, Outline, WindowSource
from nimtui.ui.search.rows import RESULTS, GrowthRows, Interval, Rows, WindowRows
from nimtui.ui.search.work import Found

SCALED = 200_000
PHASES = ("select", "expand", "play out", "back up")


class WindowSlider:
    """The events of minimax or alpha-beta."""

    def __init__(self, replay: Replay, rows: WindowRows) -> None:
        self.replay, self.rows, self.tree = replay, rows, replay.tree
        self.at: int | None = None
        self.node = 0
        self._event: Event | None = None
        self._frames: list[Frame] = []

    def __len__(self) -> int:
        return len(self.replay)

    def go(self, at: int | None) -> None:
        self.at = self.rows.source.at = at
        self._event = None if at is None else self.replay.event(at)
        self._frames = [] if at is None else self.replay.path(at)
        self.rows.frames = {frame.node: frame for frame in self._frames}
        if self._event is not None:
            self.node = self._event.node

    def begin(self, node: int) -> int:
        """Return the moment when the search first entered this node."""
        return self.replay.entered(node)

    def next_cut(self, backwards: bool) -> int | None:
        return self.replay.next_cut(len(self) if self.at is None else self.at, backwards)

    @property
    def moment(self) -> str:
        if self.at is None:
            return f"{len(self):,} events"
        return f"event {self.at + 1:,} of {len(self):,}"

    @property
    def sentences(self) -> list[str]:
        """What happens at this event, in a sentence."""
        event, tree = self._event, self.tree
        if event is None:
            return []
        node = event.node
        name, ply = tree.name(node), int(tree.plies[node])
        match event.kind:
            case Kind.ENTER:
                return [f"Enter {name}: {search_words.interval(*search_words.window(tree, node), tree.game.pays)}"]
            case Kind.EVALUATE:
                return [f"{name} is worth {search_words.value(tree, node)}: {search_words.KINDS[tree.kind(node)]}"]
            case Kind.RETURN:
                return [f"{name} returns {search_words.value(tree, node)}"]
            case Kind.CUT:
                return [search_words.why_cut(tree, node)]
        child = event.child
        assert child is not None
        by = tree.name(child)
        value = TreeValue(search_words.for_root(int(tree.values[child]), int(tree.plies[child])), tree.game.pays).text
        if tree.settings.algorithm == MINIMAX:
            return [f"{by} is the best of {name} so far: {value}"]
        return [f"{by} is the best so far: {'β falls' if ply % 2 else 'α rises'} to {value}"]

    @property
    def counts(self) -> list[tuple[str, str]]:
        if self.at is None:
            return []
        tree = self.tree
        nodes = bisect_right(range(len(tree)), self.at, key=self.replay.entered)
        cutting = self._event.node if self._event is not None and self._event.kind is Kind.CUT else None
        standing = sum(tree.kind(frame.node) == CUT and frame.node != cutting for frame in self._frames)
        cuts = int(np.count_nonzero(tree.kinds[:nodes] == CUT)) - standing
        far, whole = (Named(number, "node", "nodes").text for number in (nodes, len(tree)))
        return [("so far", f"{far}  cutoffs {cuts:,}"), ("of", whole)]

    @cached_property
    def scale(self) -> list[int]:
        """The distinct values of the first nodes, for the player at the root, ascending."""
        values = np.where(self.tree.plies[:SCALED] % 2, -self.tree.values[:SCALED], self.tree.values[:SCALED])
        return list(map(int, np.unique(values[np.abs(values) < INFINITY])))

    def windows(self, node: int) -> list[Interval]:
        """Return the windows on the line to a node: the current ones while it is searched, else those at entry."""
        if self._event is not None and self._frames and node == self._event.node:
            tree, plies = self.tree, self.tree.plies
            windows = (search_words.window_for_root(at.alpha, at.beta, int(plies[at.node])) for at in self._frames)
            both = zip(self._frames, windows, strict=True)
            return [Interval(tree.name(frame.node), *window, tree.game.pays) for frame, window in both]
        return windows_to(self.tree, node)


def windows_to(tree: Tree, node: int) -> list[Interval]:
    """Return the windows at the entry of the nodes on the line to this one."""
    return [Interval(tree.name(step), *search_words.window(tree, step), tree.game.pays) for step in tree.path(node)]


class GrowthSlider:
    """The simulations of Monte Carlo tree search, four phases each."""

    def __init__(self, replay: GrowingTree, rows: GrowthRows) -> None:
        self.replay, self.rows = replay, rows
        self.at: int | None = None
        self.node = 0
        self._simulation: Simulation | None = None

    def __len__(self) -> int:
        return len(PHASES) * self.replay.simulations

    def go(self, at: int | None) -> None:
        self.at = at
        if at is None:
            self._simulation, self.rows.path = None, frozenset()
            self.replay.seek(self.replay.simulations)
            return
        number, phase = at // len(PHASES) + 1, at % len(PHASES)
        if self._simulation is None or self._simulation.number != number:
            self._simulation = self.replay.simulation(number)
        self.replay.seek(number if phase == 3 else number - 1)
        path = self.replay.path(self._simulation.leaf)
        self.rows.path = frozenset(path)
        self.node = next((node for node in reversed(path) if self.replay.visits[node]), 0)

    def begin(self, node: int) -> int:
        return len(PHASES) * max(0, self.replay.reached_first(node) - 1)

    def next_cut(self, backwards: bool) -> int | None:
        """Return the next simulation; MCTS has no cutoffs."""
        at = len(self) if self.at is None else self.at
        target = (at // len(PHASES) + (-1 if backwards else 1)) * len(PHASES)
        return target if 0 <= target < len(self) else None

    @property
    def moment(self) -> str:
        if self.at is None:
            return f"{self.replay.simulations:,} simulations"
        number, phase = divmod(self.at, len(PHASES))
        return f"simulation {number + 1:,} of {self.replay.simulations:,} · {PHASES[phase]}"

    @property
    def sentences(self) -> list[str]:
        replay, simulation = self.replay, self._simulation
        if simulation is None or self.at is None:
            return []
        name = replay.name(simulation.leaf)
        match self.at % len(PHASES):
            case 0:
                return ["Select", *map(self._choice, simulation.select)]
            case 1:
                new = f"Expand: {name} is a new node"
                return [new if simulation.expanded else f"{name}: no new node (over or proven)"]
            case 2 if replay.is_estimate(simulation.leaf):
                return [f"No playout: the function expects {Result(simulation.result)} for the player of {name}"]
            case 2:
                played = " ".join(replay.game.line_names(simulation.playout, replay.state(simulation.leaf)))
                if replay.search.largest:
                    result = f"Worth {Score(simulation.result)} to the player of {name}"
                else:
                    result = f"A {RESULTS[int(simulation.result)]} for the player of {name}"
                return [f"Play out: {played or 'the game is over here'}", result]
        return ["Back up", *map(self._change, simulation.backup)]

    def _change(self, change: Change) -> str:
        before = "new" if change.before is None else Result(change.before)
        result = Result(change.result) if self.replay.search.valued else Score(change.result)
        name, visits = self.replay.name(change.node), Named(change.visits + 1, "visit", "visits")
        return f"{name} {result}: {before} → {Result(change.after)}, {visits}"

    def _choice(self, choice: Choice) -> str:
        name = self.replay.name(choice.chosen)
        if choice.untried:
            return f"{name}: the first move not tried yet"
        branch = next(branch for branch in choice.branches if branch.node == choice.chosen)
        if branch.bonus is None or branch.mean is None:
            return f"{name}: proven"
        return f"{name}: {Mean(branch.mean)} + {branch.bonus:.2f} = {Mean(branch.bound)} is highest"

    @property
    def counts(self) -> list[tuple[str, str]]:
        if self.at is None:
            return []
        return [("so far", Named(int(np.count_nonzero(self.replay.visits)), "node", "nodes").text)]


Slider: TypeAlias = WindowSlider | GrowthSlider
"""A moment of a search; `at` None is the end, with the whole search. `node` is the node of the moment's event."""


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
