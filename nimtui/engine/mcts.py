"""Monte Carlo tree search (UCB1) for every game; the nodes stay in the order in which the tree grew.

One simulation walks down from the root. At a node with an untried move it plays the first such move, which adds a leaf;
otherwise it continues to the child with the highest bound. From the leaf a playout gives a result, which is added to
every node on the path. Results are 1 won, 0 drawn, −1 lost, for the player whose move led to a node, so that signs
alternate from ply to ply. A learned function may value the leaf instead: its results lie between −1 and 1, in whole
parts of 2⁻²⁰, so that sums are exact and can be taken back. Of a game with payoffs the results are payoffs.

Sources: Kocsis and Szepesvári 2006 (UCT); Winands, Björnsson and Saito 2008 (proven values); the subtraction
tournament, which takes the root's count in place of the parent's.

Copies the subtree of a node out of the tree of a Monte Carlo search, so that the search continues from there.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine import dispatch  # noqa: F401 - lets kernels find the rules
from nimtui.engine.exact import Perfect
from nimtui.engine.function_play import Evaluation, estimate, mover_of, reach
from nimtui.engine.graph import Graph
from nimtui.engine.jit import helper, kernel, paced_kernel
from nimtui.engine.limits import MOST_PLIES
from nimtui.engine.rng import GAMMA, Counter, below, drawn, mix
from nimtui.games.base import (
    DRAW,
    LOST,
    WON,
    Board,
    State,
    count,
    following,
    index,
    nth,
    outcome,
    payoff,
    play,
    restore,
)


class Tree(NamedTuple):
    """The nodes, each after its parent, the children of one node side by side; node 0 is the root.

    A node with some untried moves has child nodes for these too, with no visits.
    """

    parent: npt.NDArray[np.int32]
    move: npt.NDArray[np.int32]  # the move that led to this node
    visits: npt.NDArray[np.int32]
    total: npt.NDArray[np.int32 | np.float64]  # the sum of the results for the player whose move led here
    mean: npt.NDArray[np.float64]  # total / visits
    doubt: npt.NDArray[np.float64]  # 1 / √visits
    first: npt.NDArray[np.int32]  # its first child
    width: npt.NDArray[np.int32]  # the number of its children: none before its second visit
    ended: npt.NDArray[np.int8]  # the outcome here: GOING_ON, or WON, LOST, DRAW for the player whose move led here
    proof: npt.NDArray[np.int8]  # the proven outcome for the same player; 0 none. Size 1 if nothing is to be proven
    proved: npt.NDArray[np.int32]  # the number of simulations when it was proven


class Growth(NamedTuple):
    """The record of each simulation, in order: enough to restore the tree as it was after any of them."""

    leaf: npt.NDArray[np.int32]  # the node where its tree walk ended
    result: npt.NDArray[np.int8 | np.float64]  # 1, 0, −1, an estimate or a payoff, for the player who moved there
    clock: npt.NDArray[np.uint64]  # the generator's counter before the playout


class Options(NamedTuple):
    """The options of the tree's growth."""

    c: float  # the weight of exploration, times the largest payoff if the game has payoffs
    root_log: bool  # take the logarithm of the root's count (the subtraction tournament), not of the parent's
    perfect: bool  # the player to move at the leaf plays perfectly in the playout
    proven: bool  # prove nodes as soon as possible


class Roots(NamedTuple):
    """Precomputed parts of the bounds, for every number of visits up to all simulations."""

    log: npt.NDArray[np.float64]  # √ln n
    inverse: npt.NDArray[np.float64]  # 1 / √n


class Opponent(NamedTuple):
    """All positions with the moves of a perfect player; arrays of size 0 if all playouts are uniform."""

    node_of: npt.NDArray[np.int32]
    ptr: npt.NDArray[np.int64]
    to: npt.NDArray[np.int32]
    best_ptr: npt.NDArray[np.int64]
    best: npt.NDArray[np.int64]


def tree(nodes: int, proven: bool, valued: bool = False) -> Tree:
    """Return room for so many nodes, with the root in place; `valued` by a function. Unused room takes no memory."""
    total = np.float64 if valued else np.int32
    kinds: tuple[Any, ...] = (*[np.int32] * 3, total, *[np.float64] * 2, *[np.int32] * 2, np.int8)
    proofs = nodes if proven else 1
    tree = Tree._make(
        [*(np.empty(nodes, kind) for kind in kinds), np.empty(proofs, np.int8), np.empty(proofs, np.int32)]
    )
    for column in tree:
        column[0] = 0
    return tree


def growth(simulations: int, valued: bool = False) -> Growth:
    """Return room for so many simulations."""
    result: Any = np.empty(simulations, np.float64 if valued else np.int8)
    return Growth(np.empty(simulations, np.int32), result, np.empty(simulations, np.uint64))


def roots(visits: int) -> Roots:
    """Return the roots up to so many visits, computed once for all searches."""
    roots = _roots.get("all")
    if roots is None:
        roots = Roots(np.zeros(1), np.zeros(1))
    if (size := len(roots.log)) <= visits:
        last = max(visits, LEAST_ROOTS, size + min(size, MOST_AHEAD))
        numbers = np.arange(size, last + 1, dtype=np.float64)
        more = np.sqrt(np.log(numbers)), 1 / np.sqrt(numbers)
        roots = _roots["all"] = Roots(*(np.append(*columns) for columns in zip(roots, more, strict=True)))
    return roots


PARTS = 1 << 20  # of a win, in estimates
LEAST_ROOTS, MOST_AHEAD = 10_000, 200_000  # more ahead takes time that a search with a clock may not have
SIZE, DONE, DEPTH, PLY, DEEPEST, NUMBERS = range(6)
"""The places in the state of a search: nodes; simulations; for a simulation interrupted in its playout the depth of its
leaf (otherwise 0), and the plies of the playout so far; the depth of the deepest leaf."""
_roots: dict[str, Roots] = {}


def opponent(graph: Graph | None = None, player: Perfect | None = None) -> Opponent:
    """Return a perfect player of this graph, or an empty opponent without one."""
    if graph is None or player is None:
        small, wide = np.empty(0, np.int32), np.empty(0, np.int64)
        return Opponent(small, wide, small, wide, wide)
    return Opponent(graph.node_of, graph.ptr, graph.to, player.ptr, player.best)


@helper
def _highest(tree: Tree, node: Any, wide: float, proven: bool) -> Any:
    """Return the child with the highest upper confidence bound, the first of equals. A proven child has no doubt."""
    first = np.int64(tree.first[node])
    best: Any = first
    best_bound = -math.inf
    for child in range(first, first + tree.width[node]):
        bound = tree.mean[child] + wide * tree.doubt[child]
        if proven and tree.proof[child] != 0:
            bound = _worth(tree.proof[child])
        if bound > best_bound:
            best = child
            best_bound = bound
    return best


@helper
def _worth(outcome: int) -> float:
    """Return an outcome as a result."""
    return 0.0 if outcome == DRAW else float(outcome)


@helper
def _prove(tree: Tree, node: Any) -> int:
    """Return what the children prove of a node, for the player whose move led to it; 0 if nothing."""
    open_moves = False
    drawn = False
    for child in range(tree.first[node], tree.first[node] + tree.width[node]):
        if tree.proof[child] == WON:
            return LOST
        if tree.proof[child] == 0:
            open_moves = True
        if tree.proof[child] == DRAW:
            drawn = True
    if open_moves:
        return 0
    return DRAW if drawn else WON


def at_first() -> npt.NDArray[np.int64]:
    """Return [NUMBERS]: the state of a search before its first simulation."""
    at = np.zeros(NUMBERS, np.int64)
    at[SIZE] = 1
    return at


@paced_kernel
def grow(
    state: State,
    start: Board,
    tree: Tree,
    growth: Growth,
    against: Opponent,
    by: Evaluation | None,
    pays: bool | None,
    options: Options,
    roots: Roots,
    at: npt.NDArray[np.int64],
    path: npt.NDArray[np.int32],
    rng: Counter,
    until: int,
    plies: int,
) -> bool:
    """Simulate until there have been so many simulations. Return True if the root is proven before, which ends the
    search.

    Also return after so many plies; the next call continues. `at` [NUMBERS] is the state of the search; at[PLY] is
    MOST_PLIES if a playout has no end. `by` values leaves instead of playouts; `pays` is True in a game with payoffs,
    else None. `state` is scratch and may be at any position of the game, but must stay unchanged between two
    calls; so must `path`. `start` is the root's board, which is not over.
    """
    size = at[SIZE]
    done = at[DONE]
    depth = at[DEPTH]
    ply = at[PLY]
    x = rng[0]
    path[0] = 0
    budget = plies
    while done < until:
        node: Any = np.int64(0)
        result: Any = np.int64(0)
        mover: Any = np.int64(0)  # the side whose move led to the leaf
        theirs = False  # did the opponent of the player whose move led to the leaf make the last move?
        if depth > 0:
            node = np.int64(path[depth])
        elif budget <= 0:
            break
        else:
            restore(state, start)
        fresh = depth > 0
        anew = not fresh
        while result == 0 and not fresh:
            if by is not None:
                mover = mover_of(by.function, state)
            if tree.width[node] == 0:
                tree.first[node] = size
                move = following(state, -1)
                while move >= 0:
                    tree.parent[size] = node
                    tree.move[size] = move
                    tree.visits[size] = 0
                    tree.total[size] = 0
                    tree.width[size] = 0
                    if options.proven:
                        tree.proof[size] = 0
                    size += 1
                    move = following(state, move)
                tree.width[node] = size - tree.first[node]
            tried = np.int64(tree.visits[node]) - (node > 0)  # all its visits except its own playout
            if tried < tree.width[node]:
                node = np.int64(tree.first[node]) + tried
                play(state, tree.move[node])
                result = np.int64(outcome(state))
                tree.ended[node] = result
                fresh = True
            else:
                count_of = tree.visits[0] if options.root_log else tree.visits[node]
                node = np.int64(_highest(tree, node, options.c * roots.log[count_of], options.proven))
                play(state, tree.move[node])
                result = np.int64(tree.proof[node] if options.proven else tree.ended[node])
            depth += 1
            path[depth] = node
        if anew:
            growth.leaf[done] = node
            growth.clock[done] = x
            budget -= depth
            at[DEEPEST] = max(at[DEEPEST], depth)
            ply = np.int64(0)
        points: Any = np.int64(0)
        if by is not None:
            points = 0.0
            if result == 0:
                reach(by, state)
                points = estimate(by, mover, PARTS) / PARTS
                result = np.int64(DRAW)  # the points stand, and there is no playout
        if result == 0 and options.perfect:
            here = np.int64(against.node_of[index(state)])
            while here >= 0:
                x += GAMMA
                if theirs:
                    edge = against.ptr[here]
                    edge += below(mix(x), against.ptr[here + 1] - edge)
                else:
                    first = against.best_ptr[here]
                    edge = against.best[first + below(mix(x), against.best_ptr[here + 1] - first)]
                here = np.int64(against.to[edge])
                theirs = not theirs
                budget -= 1
            result = 1 if here == -1 else (-1 if here == -2 else 2)
        if result == 0:
            before = x
            stop = x + GAMMA * np.uint64(min(MOST_PLIES - ply, max(budget, 1)))  # one number is drawn per ply
            while x != stop:
                x += GAMMA
                play(state, nth(state, below(mix(x), count(state))))
                result = np.int64(outcome(state))
                if result != 0:
                    break
            moves = drawn(before, x)
            ply += moves
            budget -= moves
            if result == 0:
                break
            theirs = ply & 1 == 1
        if pays is not None:
            points = float(payoff(state))
            if theirs:
                points = -points
        elif result != DRAW:
            points = 1 if (result == 1) != theirs else -1
        growth.result[done] = points
        done += 1
        for d in range(depth, -1, -1):
            above = path[d]
            visits = tree.visits[above] + 1
            total = tree.total[above] + points
            tree.visits[above] = visits
            tree.total[above] = total
            tree.mean[above] = total / visits
            tree.doubt[above] = roots.inverse[visits]
            points = -points
        if options.proven and fresh:
            proof: Any = np.int64(tree.ended[node])  # 0 while the game goes on there
            d = depth
            while proof != 0:
                tree.proof[path[d]] = proof
                tree.proved[path[d]] = done
                d -= 1
                if d < 0:
                    break
                proof = np.int64(_prove(tree, np.int64(path[d])))
            if d < 0:
                depth = np.int64(0)
                break
        depth = np.int64(0)
    at[SIZE] = size
    at[DONE] = done
    at[DEPTH] = depth
    at[PLY] = ply if depth > 0 else 0
    rng[0] = x
    return options.proven and tree.proof[0] != 0


@kernel
def survey(tree: Tree, below: npt.NDArray[np.int64]) -> tuple[int, int]:
    """Return how many nodes were visited, the root included, and how many of these have no visited child.

    `below` [nodes] becomes the number of visited nodes in each node's subtree, itself included.
    """
    nodes = 0
    leaves = 0
    for node in range(below.shape[0]):
        below[node] = 1 if tree.visits[node] > 0 or node == 0 else 0
        nodes += below[node]
    for node in range(below.shape[0] - 1, -1, -1):  # children come after their parents
        leaves += below[node] == 1
        if node > 0:
            below[tree.parent[node]] += below[node]
    return nodes, leaves


@kernel
def wind(
    tree: Tree,
    growth: Growth,
    visits: npt.NDArray[np.int32],
    total: npt.NDArray[np.int32 | np.float64],
    now: int,
    until: int,
) -> None:
    """Turn the visits and totals of all nodes after `now` simulations into those after `until`, which may be fewer."""
    step = 1 if until > now else -1
    for n in range(abs(until - now)):
        simulation = now + n if step > 0 else now - 1 - n
        node = np.int64(growth.leaf[simulation])
        points = growth.result[simulation] * step
        while node >= 0:
            visits[node] += step
            total[node] += points
            points = -points
            node = np.int64(tree.parent[node]) if node > 0 else np.int64(-1)


@kernel
def copy_subtree(
    tree: Tree,
    growth: Growth,
    root: int,
    into: Tree,
    grown: Growth,
    place: npt.NDArray[np.int32],
    before: npt.NDArray[np.int32],
    proven: bool,
) -> tuple[int, int]:
    """Copy the subtree of `root` and the simulations that went below it. Return how many nodes and simulations.

    Nodes keep their order, so that each comes after its parent and the children of one node stay side by side. A root
    counts no playout of its own, so the new root has the visits and the results of its children alone. `tree` and
    `growth` hold the nodes and the simulations so far; `into` and `grown` have room for as many. Scratch: `place`
    [nodes] becomes the new number of each node, −1 outside the subtree; `before` [simulations + 1] becomes how many of
    the copied simulations there were before each.
    """
    nodes = 0
    for node in range(root):
        place[node] = -1
    for node in range(root, place.shape[0]):
        parent = np.int64(tree.parent[node]) if node > root else np.int64(0)
        inside = node == root or (parent >= root and place[parent] >= 0)
        place[node] = nodes if inside else -1
        if not inside:
            continue
        new = nodes
        nodes += 1
        into.move[new] = tree.move[node]
        into.visits[new] = tree.visits[node]
        into.total[new] = tree.total[node]
        into.mean[new] = tree.mean[node]
        into.doubt[new] = tree.doubt[node]
        into.width[new] = tree.width[node]
        into.first[new] = 0
        into.ended[new] = tree.ended[node]
        if proven:
            into.proof[new] = tree.proof[node]
            into.proved[new] = tree.proved[node]
        into.parent[new] = 0
        if node > root:
            into.parent[new] = place[parent]
            if tree.first[parent] == node:
                into.first[place[parent]] = new
    done = 0
    for simulation in range(before.shape[0] - 1):
        before[simulation] = done
        leaf = np.int64(growth.leaf[simulation])
        if place[leaf] > 0:
            grown.leaf[done] = place[leaf]
            grown.result[done] = growth.result[simulation]
            grown.clock[done] = growth.clock[simulation]
            done += 1
    before[before.shape[0] - 1] = done
    total: Any = tree.total[0] * 0
    for child in range(into.first[0], into.first[0] + into.width[0]):
        total -= into.total[child] if into.visits[child] > 0 else 0
    into.visits[0] = done
    into.total[0] = total
    into.mean[0] = total / done if done > 0 else 0.0
    into.doubt[0] = 1 / np.sqrt(done) if done > 0 else 0.0
    if proven:
        for node in range(nodes):
            if into.visits[node] > 0 and into.proof[node] != 0:
                into.proved[node] = before[into.proved[node]]
    return nodes, done
