"""Compares several settings on one position, to depth 1, 2, 3, and so on: costs and results.

Two recorded search trees of one position, walked by the same moves: where they differ, and where they part.

A place is a path of moves from the root. Values are those of the player who makes the last move of the path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.progress import SILENT, Progress, Relay
from nimtui.report.document import sheet
from nimtui.report.values import Count, Share
from nimtui.theory.report import FLIPPED
from nimtui.trees import search_of
from nimtui.trees.mcts_replay import CurrentTree
from nimtui.trees.report import COUNTS, MEMORY
from nimtui.trees.result import Result
from nimtui.trees.settings import Settings
from nimtui.trees.tree import RecordedTree, Tree

HEADER = (
    "algorithm,depth,nodes,leaves,cutoffs,skipped,table_hits,branching,seconds,nodes_per_second,tree_nodes,tree_bytes,"
    "stack_plies,stack_bytes,table_used,table_entries,table_bytes,bytes,value,best_move"
)
"""The columns of the CSV. `bytes` is the sum of what the search used; a short search has no nodes per second."""


@dataclass
class Comparison:
    """The searches of minimax and alpha-beta done so far; `run` does the others, and may be cancelled and called again.

    It searches all settings to the first depth, then to the next, so that cheap searches come first.
    """

    game: Game
    state: State
    entrants: Sequence[Settings]
    depths: Sequence[int]
    rows: list[Result] = field(default_factory=list)

    def run(self, progress: Progress = SILENT) -> Comparison:
        planned = [replace(settings, depth=depth) for depth in self.depths for settings in self.entrants]
        for number, settings in enumerate(planned):
            if number < len(self.rows):
                continue
            search = search_of(self.game, self.state, settings, record=False)
            self.rows.append(search.run(_Within(progress, number, len(planned))).result)
            progress.report(number + 1, len(planned), settings.name)
        return self

    def csv(self) -> str:
        """Return all rows as CSV, with a header."""
        return sheet(map(self._keys, self.rows), HEADER.split(","))

    def _keys(self, result: Result) -> dict[str, object]:
        return {
            "algorithm": result.settings.name,
            "depth": result.settings.depth,
            "branching": f"{branching(result.nodes, result.settings.depth):.4f}",
            "seconds": f"{result.seconds:.6f}",
            "nodes_per_second": None if result.nodes_per_second is None else round(result.nodes_per_second),
            **{key: getattr(result, key) for key in (*COUNTS, "value")},
            **{key: getattr(result.space, key) for key in MEMORY},
            "bytes": result.space.used_bytes,
            "best_move": None if result.best_move is None else self.game.move_name(result.best_move, self.state),
        }


def cost_of_order(ordered: Result, plain: Result) -> str:
    """Return what a best-first search pays for its move order, and whether that pays off against natural order."""
    shallower = sum(done.nodes for done in ordered.iterations[:-1])
    last, share = ordered.nodes - shallower, Share(shallower / max(1, ordered.nodes)).text
    if last > plain.nodes:
        verdict = "the order found prunes less than natural order"
    elif ordered.nodes > plain.nodes:
        verdict = "the order prunes more, but costs more than it saves"
    else:
        verdict = "the order saves more than it costs"
    return (
        f"Best-first: shallower searches take {shallower:,} of {ordered.nodes:,} nodes ({share}) to sort the "
        f"moves. The last one takes {last:,}, alpha-beta {plain.nodes:,}: {verdict}."
    )


def branching(nodes: int, depth: int) -> float:
    """Return the effective branching factor: b with 1 + b + … + b^depth = nodes."""
    low, high = 0.0, float(nodes)
    for _ in range(80):
        middle = (low + high) / 2
        total, power = 1.0, 1.0
        for _ in range(depth):
            power *= middle
            total += power
            if total > nodes:
                break
        low, high = (low, middle) if total > nodes else (middle, high)
    return (low + high) / 2


class _Within(Relay):
    """Turns the progress of one search into the progress of the comparison."""

    def __init__(self, whole: Progress, number: int, total: int) -> None:
        super().__init__(whole)
        self.number, self.total = number, total

    def report(self, done: float, total: float, what: str = "") -> None:
        share = min(done / total, 1.0) if total else 0.0
        super().report(self.number + share, self.total, f"{Count(done)} {what}")


Path: TypeAlias = tuple[Move, ...]
CACHED = 4096  # places whose moves stay known


@dataclass(frozen=True, slots=True)
class Half:
    """What one tree says of a place."""

    node: int
    value: float | None  # the score of minimax or alpha-beta, or the mean of a tree search; proven values too
    bound: str  # "exact", "upper" (at most that) or "lower" (at least)
    size: int  # nodes in the subtree, or visits
    best: bool  # is this the tree's best move from the place before?

    @property
    def leaning(self) -> int:
        """1 if the tree sees an advantage for the player who moved here, −1 for a disadvantage, 0 for neither."""
        value = self.value or 0
        if self.bound == ("upper" if value > 0 else "lower"):
            return 0
        return (value > 0) - (value < 0)


@dataclass(frozen=True, slots=True)
class Place:
    """A path with what both trees say of its end; None where a tree does not have it."""

    path: Path
    halves: tuple[Half | None, Half | None]

    @property
    def only(self) -> int | None:
        """The tree (0 or 1) that alone has this place; None if both have it."""
        return None if all(self.halves) else 0 if self.halves[0] is not None else 1

    @property
    def parts(self) -> bool:
        """Is this the best move of one tree, and not of the other one?"""
        return len({half is not None and half.best for half in self.halves}) == 2

    @property
    def opposed(self) -> bool:
        """Does one tree see an advantage here, and the other one a disadvantage?"""
        one, other = (0 if half is None else half.leaning for half in self.halves)
        return one * other < 0


class TwoTrees:
    """Both trees, and the places that are unfolded."""

    def __init__(self, game: Game, state: State, one: RecordedTree, other: RecordedTree) -> None:
        self.game = game
        self.root, self.trees = base.copy(state), (one, other)
        self.means = tuple(isinstance(tree, CurrentTree) for tree in self.trees)  # are values means of playouts?
        self.open: set[Path] = {()}
        self.children = lru_cache(CACHED)(self._children)

    def lines(self) -> list[Place]:
        """Return the visible places in order, without the root."""
        places: list[Place] = []
        todo = list(reversed(self.children(())))
        while todo:
            place = todo.pop()
            places.append(place)
            if place.path in self.open:
                todo += reversed(self.children(place.path))
        return places

    def unfold(self, path: Path) -> bool:
        """Show the moves after a place; return False if neither tree has any."""
        if not self.children(path):
            return False
        self.open.add(path)
        return True

    def fold(self, path: Path) -> None:
        """Hide the moves after a place, and all below."""
        self.open = {each for each in self.open if each[: len(path)] != path or not path}

    def reveal(self, path: Path) -> None:
        """Unfold all places above this one."""
        self.open |= {path[:ply] for ply in range(len(path))}

    def parting(self) -> Path:
        """Return the first place at which the best moves differ, with the first tree's move; () if they never do.

        Both trees are followed along their best moves, as far as both have one.
        """
        path: Path = ()
        while True:
            one, other = (self.best(path, at) for at in (0, 1))
            if one is None or other is None:
                return ()
            path = (*path, one)
            if one != other:
                return path

    def line(self, at: int) -> Path:
        """Return the best line of a tree, as far as it goes."""
        path: Path = ()
        while (best := self.best(path, at)) is not None:
            path = (*path, best)
        return path

    def state(self, path: Path) -> State:
        """Return the position after these moves."""
        state = base.copy(self.root)
        for move in path:
            base.play(state, move)
        return state

    def name(self, path: Path) -> str:
        """Return the name of the last move of a path."""
        return self.game.move_name(path[-1], self.state(path[:-1]))

    def best(self, path: Path, at: int) -> Move | None:
        """Return the best move of a tree after these moves; None if it has none."""
        halves = ((place.path[-1], place.halves[at]) for place in self.children(path))
        return next((move for move, half in halves if half is not None and half.best), None)

    def node(self, path: Path, at: int) -> int | None:
        """Return the node of a tree at the end of a path; None if the tree does not have it."""
        node = 0
        for move in path:
            tree = self.trees[at]
            child_node = next((child for child in _children_of(tree, node) if tree.move(child) == move), None)
            if child_node is None:
                return None
            node = child_node
        return node

    def _children(self, path: Path) -> list[Place]:
        """Return the places one move further that any tree has, in the order of the moves."""
        sides: list[dict[Move, Half]] = []
        for at, tree in enumerate(self.trees):
            node = self.node(path, at)
            best, below = (None, []) if node is None else (tree.best_child(node), _children_of(tree, node))
            sides.append({tree.move(child): _half(tree, child, child == best) for child in below})
        moves = sorted(set(sides[0]) | set(sides[1]))
        return [Place((*path, move), (sides[0].get(move), sides[1].get(move))) for move in moves]


def _children_of(tree: RecordedTree, node: int) -> Sequence[int]:
    """Return the searched children: a tree search also has children without visits."""
    return tree.visited(node) if isinstance(tree, CurrentTree) else tree.children(node)


def _half(tree: RecordedTree, node: int, best: bool) -> Half:
    if isinstance(tree, CurrentTree):
        proven = tree.proven(node)
        value = tree.mean(node) if proven is None else float(proven)
        return Half(node, value, "exact", int(tree.visits[node]), best)
    assert isinstance(tree, Tree)
    score = tree.value(node)
    return Half(node, None if score is None else -float(score), FLIPPED[tree.bound(node)], tree.below(node) + 1, best)
