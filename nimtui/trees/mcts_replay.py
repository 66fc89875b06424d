"""A Monte Carlo tree search that can be replayed: its tree as it stands and after any simulation, and the four phases
of each.

A simulation selects a path, expands the tree by a leaf, plays the game out and backs the result up.
Simulations are numbered from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nimtui.engine.rng import Stream
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.trees.mcts import ROOT, MonteCarloSearch, children, proof_of
from nimtui.trees.result import Result, Standing
from nimtui.trees.settings import PERFECT_OPPONENT, Settings
from nimtui.trees.tree import RecordedTree

if TYPE_CHECKING:
    from nimtui.learning.saved_tables import LearnedValues


@dataclass(frozen=True, slots=True)
class Branch:
    """One move at a node at the moment of a choice; results are those of the player who chooses."""

    node: int
    move: Move
    visits: int
    mean: float | None  # None if not tried yet
    bonus: float | None  # c·√(ln N / n)
    proven: int | None  # 1, 0, −1: then it has no bonus

    @property
    def bound(self) -> float | None:
        """The compared number: mean + bonus, or the proven value."""
        if self.proven is not None:
            return float(self.proven)
        return None if self.mean is None or self.bonus is None else self.mean + self.bonus


@dataclass(frozen=True, slots=True)
class Choice:
    """Selection at one node: the first untried move, else the branch with the highest bound."""

    node: int
    count: int  # N, whose logarithm the bounds take: the visits of this node, or of the root
    branches: tuple[Branch, ...]
    chosen: int  # the chosen child

    @property
    def untried(self) -> bool:
        """Was the move chosen because it was untried?"""
        return any(branch.node == self.chosen and branch.mean is None for branch in self.branches)


class CurrentTree(RecordedTree):
    """The tree of a search between two of its chunks: once the search has gone on, its numbers are out of date.

    Nodes keep their numbers while the tree grows.
    """

    def __init__(self, search: MonteCarloSearch) -> None:
        self.search, self.tree, self.game, self.root = search, search.columns, search.game, search.state
        self.parent, self.moves = self.tree.parent, self.tree.move
        self.at = search.done  # the simulations that it shows
        self.visits: npt.NDArray[np.int32] = self.tree.visits
        self.total: npt.NDArray[np.int32 | np.float64] = self.tree.total

    def __len__(self) -> int:
        return len(self.parent)

    def branch(self, node: int) -> Branch:
        """Return a node other than the root as a branch of the node above."""
        return self._branch(node, self._count(int(self.parent[node])))

    def choice(self, node: int, chosen: int = -1) -> Choice:
        """Return the current branches of a node; `chosen` is the child that the next simulation chooses, or −1."""
        count = self._count(node)
        return Choice(node, count, tuple(self._branch(child, count) for child in children(self.tree, node)), chosen)

    def children(self, node: int) -> range:
        """Return the current children, tried or not; none of a node that is not expanded yet."""
        nodes = children(self.tree, node)
        return nodes if nodes and self.visits[nodes[0]] else range(0)

    def visited(self, node: int) -> list[int]:
        """Return the current children that were tried."""
        return [child for child in self.children(node) if self.visits[child]]

    def best_child(self, node: int) -> int | None:
        below = self.visited(node)
        return max(below, key=lambda child: (self.proven(child) or 0, int(self.visits[child]), -child), default=None)

    def mean(self, node: int) -> float | None:
        """Return the current mean result of the player whose move led there; of the root: of the player to move."""
        return self.side(node) * float(self.total[node]) / int(self.visits[node]) if self.visits[node] else None

    def proven(self, node: int) -> int | None:
        """Return the currently proven value for that player; None if unproven."""
        proof = proof_of(self.tree, node)
        return self.side(node) * proof if proof is not None and int(self.tree.proved[node]) <= self.at else None

    @staticmethod
    def side(node: int) -> int:
        """Return −1 for the root: the search counts its results for the opponent, but no move of theirs led there."""
        return 1 if node else -1

    @property
    def principal(self) -> list[int]:
        """The most visited move now, its most visited answer, and so on; proven moves first."""
        line = [0]
        while (best := self.best_child(line[-1])) is not None:
            line.append(best)
        return line

    def _count(self, node: int) -> int:
        """Return the visits whose logarithm the bounds at this node take."""
        return int(self.visits[0 if self.search.log == ROOT else node])

    def _branch(self, child: int, count: int) -> Branch:
        visits, move, proven = int(self.visits[child]), self.move(child), self.proven(child)
        if not visits:
            return Branch(child, move, 0, None, None, None)
        bonus = self.search.scale * self.search.c * sqrt(log(count) / visits) if count else 0.0
        return Branch(child, move, visits, self.mean(child), bonus if proven is None else None, proven)


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one node by backing up; results are those of `CurrentTree.mean`."""

    node: int
    result: float
    visits: int  # before
    total: float
    proven: int | None  # proven by this simulation

    @property
    def before(self) -> float | None:
        """The mean before."""
        return self.total / self.visits if self.visits else None

    @property
    def after(self) -> float:
        """The mean after."""
        return (self.total + self.result) / (self.visits + 1)


@dataclass(frozen=True, slots=True)
class Simulation:
    """The four phases of one simulation."""

    number: int
    select: tuple[Choice, ...]  # from the root on
    leaf: int  # the last node of the path
    expanded: bool  # is the leaf new? Not if the game is over there or the leaf is proven
    playout: tuple[Move, ...]  # from the leaf to the end of the game; none if a function values the leaf
    result: float  # 1, 0, −1 or an estimate, for the player whose move led to the leaf
    backup: tuple[Change, ...]  # from the leaf to the root


class GrowingTree(CurrentTree):
    """The tree after `at` simulations. A step costs little; a jump costs the simulations in between."""

    def __init__(self, search: MonteCarloSearch) -> None:
        from nimtui.engine.mcts import wind

        super().__init__(search)
        self.growth, self.simulations = search.growth, search.done
        self.visits, self.total = self.tree.visits.copy(), self.tree.total.copy()
        wind(self.tree, self.growth, self.visits, self.total, self.at, self.at)  # loads the kernel

    def seek(self, at: int) -> GrowingTree:
        """Show the tree after this many simulations, limited to the existing ones; 0: only the root."""
        from nimtui.engine.mcts import wind

        at = max(0, min(at, self.simulations))
        if at < abs(self.at - at):
            self.visits[:], self.total[:], self.at = 0, 0, 0
        elif self.simulations - at < abs(self.at - at):
            self.visits[:], self.total[:], self.at = self.tree.visits, self.tree.total, self.simulations
        wind(self.tree, self.growth, self.visits, self.total, self.at, at)
        self.at = at
        return self

    def simulation(self, number: int) -> Simulation:
        """Return the phases of a simulation, 1 … simulations; the tree then stands before that simulation."""
        self.seek(number - 1)
        leaf = int(self.growth.leaf[number - 1])
        path = self.path(leaf)
        select = tuple(self.choice(node, path[ply + 1]) for ply, node in enumerate(path[:-1]))
        fresh = not self.visits[leaf]
        state = self.state(leaf)
        playout = [] if self.proven(leaf) is not None or self.search.valued else self._playout(state, number)
        result = self.growth.result[number - 1].item()
        backup = (self._change(node, -result if above % 2 else result) for above, node in enumerate(reversed(path)))
        return Simulation(number, select, leaf, fresh, tuple(playout), result, tuple(backup))

    @cached_property
    def _born(self) -> npt.NDArray[np.int64]:
        """The simulation that first reached each node, [nodes]; 0 if none did."""
        born = np.zeros(len(self.tree.parent), np.int64)
        leaves, first = np.unique(self.growth.leaf, return_index=True)
        born[leaves] = first + 1
        return born

    def reached_first(self, node: int) -> int:
        """Return the number of the simulation that first reached this node; 0 for the root and unvisited nodes."""
        return int(self._born[node])

    def is_estimate(self, leaf: int) -> bool:
        """Return whether a function values this leaf in the next simulation: its game is not over, nor proven."""
        return self.search.valued and not self.tree.ended[leaf] and self.proven(leaf) is None

    def _change(self, node: int, result: float) -> Change:
        proof, side = proof_of(self.tree, node), self.side(node)
        proven = side * proof if proof is not None and int(self.tree.proved[node]) == self.at + 1 else None
        return Change(node, side * result, int(self.visits[node]), side * self.total[node].item(), proven)

    def _playout(self, state: State, number: int) -> list[Move]:
        """Replay the random moves from the generator's state at that simulation; changes `state`."""
        stream = Stream(0)
        stream.counter[0] = self.growth.clock[number - 1]
        perfect = self.search.policy == PERFECT_OPPONENT
        moves: list[Move] = []
        while base.outcome(state) == base.GOING_ON:
            if perfect and len(moves) % 2 == 0:
                move = self._perfect_move(state, stream)
            else:
                move = int(base.nth(state, stream.below(int(base.count(state)))))
            moves.append(move)
            base.play(state, move)
        return moves

    def _perfect_move(self, state: State, stream: Stream) -> Move:
        against = self.search.against
        assert against is not None
        node = int(against.node_of[base.index(state)])
        first, last = int(against.best_ptr[node]), int(against.best_ptr[node + 1])
        edge = int(against.best[first + stream.below(last - first)])
        return int(base.nth(state, edge - int(against.ptr[node])))


class MctsSearch(MonteCarloSearch):
    """A search by settings, with the result type of every algorithm. It always records everything."""

    trees = 1  # nodes keep their numbers for good

    def __init__(self, game: Game, state: State, settings: Settings, values: LearnedValues | None = None) -> None:
        how = (settings.simulations, settings.c, settings.log, settings.policy, settings.proven)
        super().__init__(game, state, *how, Stream(settings.seed), time=settings.time, values=values)
        self._settings = settings

    @property
    def settings(self) -> Settings:
        return self._settings if self.time else replace(self._settings, simulations=self.simulations, time=0.0)

    @property
    def tree(self) -> GrowingTree:
        """The current tree, which can be shown after any of its simulations."""
        return GrowingTree(self)

    @property
    def standing(self) -> Standing:
        best = self.best if self.done else None
        move, value = (None, None) if best is None else (best.move, best.value)
        far = self.done, 0 if self.time else self.simulations, self.spent, self.deepest
        return Standing(self.settings, *far, move, value, self.settled, tuple(self.moves))

    @property
    def result(self) -> Result:
        best = self.best if self.done else None
        leaves, below = self.survey
        return Result(
            settings=self.settings,
            finished=self.finished,
            nodes=self.nodes,
            leaves=leaves if self.done else 0,
            cutoffs=0,
            skipped=0,
            table_hits=0,
            value=None if best is None else self.value,
            exact=self.settled,
            best_move=None if best is None else best.move,
            principal_variation=tuple(self.principal_variation),
            seconds=self.seconds,
            simulations=self.done,
            space=self.space,
            moves=tuple(replace(move, nodes=nodes) for move, nodes in zip(self.moves, below, strict=True)),
        )
