"""A Monte Carlo tree search shown as it went: the tree after any simulation, and the four phases of each.

A simulation selects a way down, expands the tree by a leaf, plays a game out from it, and backs its result up.
Simulations are numbered from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from nimtui.engine.rng import Stream
from nimtui.games import base
from nimtui.games.base import Move, State
from nimtui.search.mcts import PERFECT_OPPONENT, ROOT, MonteCarloSearch, children, proof_of


@dataclass(frozen=True, slots=True)
class Branch:
    """One move at a node, as it stood when there was a choice; results are those of the player who chooses."""

    node: int
    move: Move
    visits: int
    mean: float | None  # None where it was not tried yet
    bonus: float | None  # c·√(ln N / n)
    proven: int | None  # 1, 0, −1: then it has no bonus

    @property
    def bound(self) -> float | None:
        """What is compared: mean + bonus, or what is proven."""
        if self.proven is not None:
            return float(self.proven)
        return None if self.mean is None or self.bonus is None else self.mean + self.bonus


@dataclass(frozen=True, slots=True)
class Choice:
    """Selection at one node: its first move not tried yet, or else the branch with the highest bound."""

    node: int
    count: int  # N, whose logarithm the bounds take: the visits of this node, or of the root
    branches: tuple[Branch, ...]
    chosen: int  # the node gone to

    @property
    def untried(self) -> bool:
        """Was it chosen because it had not been tried?"""
        return any(branch.node == self.chosen and branch.mean is None for branch in self.branches)


@dataclass(frozen=True, slots=True)
class Change:
    """What backing up did to one node; results are those of the player whose move led there."""

    node: int
    result: int
    visits: int  # before
    total: int
    proven: int | None  # what this simulation proved of it

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
    leaf: int  # the node it came to
    expanded: bool  # is the leaf new? Not where the game is over there, or its value proven
    planted: tuple[int, ...]  # the nodes that its parent got in this simulation: all its moves
    playout: tuple[Move, ...]  # from the leaf to the end of the game
    result: int  # 1, 0, −1 for the player whose move led to the leaf
    backup: tuple[Change, ...]  # from the leaf to the root


class GrowingTree:
    """The tree after `at` simulations. Steps cost next to nothing, leaps what the simulations between did."""

    def __init__(self, search: MonteCarloSearch) -> None:
        from nimtui.engine.mcts import wind

        self.search, self.tree, self.growth = search, search.tree, search.growth
        self.simulations = search.done
        self.at = self.simulations
        self.visits, self.total = self.tree.visits.copy(), self.tree.total.copy()
        wind(self.tree, self.growth, self.visits, self.total, self.at, self.at)  # loads the kernel

    def seek(self, at: int) -> GrowingTree:
        """Show the tree after so many simulations: 0 the root alone. Beyond the ends it stops there."""
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
        """The phases of a simulation, 1 … simulations; the tree is then as it was before it."""
        self.seek(number - 1)
        leaf = int(self.growth.leaf[number - 1])
        path = self.path(leaf)
        select = tuple(self.choice(node, path[ply + 1]) for ply, node in enumerate(path[:-1]))
        fresh = not self.visits[leaf]
        siblings = children(self.tree, path[-2])
        planted = tuple(siblings) if fresh and leaf == siblings[0] else ()
        state = self.state(leaf)
        playout = [] if self.proven(leaf) is not None else self._playout(state, number)
        result = int(self.growth.result[number - 1])
        backup = (self._change(node, -result if above % 2 else result) for above, node in enumerate(reversed(path)))
        return Simulation(number, select, leaf, fresh, planted, tuple(playout), result, tuple(backup))

    def choice(self, node: int, chosen: int = -1) -> Choice:
        """How the moves of a node stand now, and which of them is chosen in the next simulation, where one is."""
        count = int(self.visits[0] if self.search.log == ROOT else self.visits[node])
        return Choice(node, count, tuple(self._branch(child, count) for child in children(self.tree, node)), chosen)

    def children(self, node: int) -> range:
        """The children it has now: of a node not expanded yet none, those not tried yet too."""
        found = children(self.tree, node)
        return found if found and self.visits[found[0]] else range(0)

    def mean(self, node: int) -> float | None:
        """The mean result now, of the player whose move led there."""
        return int(self.total[node]) / int(self.visits[node]) if self.visits[node] else None

    def proven(self, node: int) -> int | None:
        """What is proven now, likewise."""
        found = proof_of(self.tree, node)
        return found if found is not None and int(self.tree.proved[node]) <= self.at else None

    def move(self, node: int) -> Move:
        """The move that leads to a node."""
        return int(self.tree.move[node])

    @property
    def principal(self) -> list[int]:
        """The most visited move, its most visited answer, and so on, at this moment; proven ones first."""
        line, node = [0], 0
        while below := [child for child in self.children(node) if self.visits[child]]:
            node = max(below, key=lambda child: (self.proven(child) or 0, int(self.visits[child]), -child))
            line.append(node)
        return line

    def find_position(self, state: State) -> list[int]:
        """None: its nodes are not known by their positions."""
        return []

    def path(self, node: int) -> list[int]:
        """The nodes from the root to this one."""
        path = [node]
        while path[-1]:
            path.append(int(self.tree.parent[path[-1]]))
        return path[::-1]

    def state(self, node: int) -> State:
        """The position of a node."""
        state = base.copy(self.search.state)
        for step in self.path(node)[1:]:
            base.play(state, self.move(step))
        return state

    @cached_property
    def _born(self) -> npt.NDArray[np.int64]:
        """[nodes]: the simulation that first came to a node; 0 where none did."""
        born = np.zeros(len(self.tree.parent), np.int64)
        leaves, first = np.unique(self.growth.leaf, return_index=True)
        born[leaves] = first + 1
        return born

    def reached_first(self, node: int) -> int:
        """The number of the simulation that made this node; 0 for the root, and for one never visited."""
        return int(self._born[node])

    def reached(self, node: int) -> npt.NDArray[np.int64]:
        """The numbers of all simulations that went through a node, ascending."""
        inside = np.zeros(len(self.tree.parent), np.bool_)
        inside[node] = True
        inner = [node]
        while inner:
            below = [child for above in inner for child in children(self.tree, above)]
            inside[below] = True
            inner = [child for child in below if self.tree.width[child]]
        return np.flatnonzero(inside[self.growth.leaf]) + 1

    def _branch(self, child: int, count: int) -> Branch:
        visits, move, proven = int(self.visits[child]), int(self.tree.move[child]), self.proven(child)
        if not visits:
            return Branch(child, move, 0, None, None, None)
        bonus = self.search.c * sqrt(log(count) / visits) if count else 0.0
        return Branch(child, move, visits, self.mean(child), bonus if proven is None else None, proven)

    def _change(self, node: int, result: int) -> Change:
        proof = proof_of(self.tree, node)
        proven = proof if proof is not None and int(self.tree.proved[node]) == self.at + 1 else None
        return Change(node, result, int(self.visits[node]), int(self.total[node]), proven)

    def _playout(self, state: State, number: int) -> list[Move]:
        """The random moves played again from where the generator stood; changes the state."""
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
        first, last = int(against.kept_ptr[node]), int(against.kept_ptr[node + 1])
        edge = int(against.kept[first + stream.below(last - first)])
        return int(base.nth(state, edge - int(against.ptr[node])))
