"""The time slider: replays a search event by event, or simulation by simulation in four phases."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TypeAlias

import numpy as np

from nimtui.engine.windows import CUT, INFINITY
from nimtui.report.values import Mean, Named, Result, Score
from nimtui.trees import report as search_words
from nimtui.trees.mcts_replay import Change, Choice, GrowingTree, Simulation
from nimtui.trees.replay import Event, Frame, Kind, Replay
from nimtui.trees.report import TreeValue
from nimtui.trees.settings import MINIMAX
from nimtui.trees.tree import Tree
from nimtui.ui.search.rows import RESULTS, GrowthRows, Interval, WindowRows

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
        child = event.child or 0
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
