"""The tree search kernel: compiled as interpreted, as the original in plain Python, and right in what is proven."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nimtui.engine import exact, graph, mcts
from nimtui.engine.rng import Stream, drawn
from nimtui.games import Game, base, parse_game
from nimtui.trees import mcts as mcts_nodes
from tests.theory.force import Force
from tests.trees import literal_mcts

SEARCHES = [
    mcts.Options(1.0, False, False, False),
    mcts.Options(0.3, True, False, False),
    mcts.Options(1.0, False, False, True),
    mcts.Options(1.0, False, True, True),
]


def opponent_in(game: Game, options: mcts.Options) -> mcts.Opponent:
    if not options.perfect:
        return mcts.opponent()
    built = graph.build(game.new())
    return mcts.opponent(built, exact.perfect(built, exact.values(built)))


def grown(
    game: Game, options: mcts.Options, simulations: int, seed: int = 5
) -> tuple[mcts.Tree, mcts.Growth, list[int], int]:
    """The used part of a tree, what each simulation did, how the search stands, where the generator ended."""
    size, growth = mcts_nodes.most_nodes(game.start, simulations), mcts.growth(simulations, game.pays)
    tree, pays = mcts.tree(size, options.proven, game.pays), game.pays or None
    at, path, stream = mcts.at_first(), np.zeros(simulations + 2, np.int32), Stream(seed)
    state = game.new()
    against, ended = opponent_in(game, options), False
    while at[1] < simulations and not ended:
        until, before = min(int(at[1]) + 97, simulations), stream.counter[0]
        with np.errstate(over="ignore"):
            ended = mcts.grow(
                state, game.start.board, tree, growth, against, None, pays, options, mcts.roots(simulations), at,
                path, stream.counter, until, 29,
            )  # fmt: skip
            assert options.perfect or drawn(before, stream.counter[0]) <= 29 + 1
    used = mcts.Tree(*(column[: at[0]] for column in tree))
    return used, mcts.Growth(*(column[: at[1]] for column in growth)), at.tolist(), int(stream.counter[0])


class Node:
    """A node of a plain tree search: it gets all its children at once, when one of them is visited first."""

    def __init__(self, state: base.State, line: tuple[int, ...]) -> None:
        self.state, self.line, self.children = state, line, list[Node]()
        self.visits, self.total, self.ended, self.proof, self.proved = 0, 0.0, 0, 0, 0

    def bound(self, wide: float, proven: bool) -> float:
        if proven and self.proof:
            return float({base.DRAW: 0}.get(self.proof, self.proof))
        return float(self.total / self.visits + wide * (1 / np.sqrt(np.float64(self.visits))))


class Plain:
    """A tree search as a person writes it: nodes by their lines, each simulation's leaf, result and random numbers."""

    def __init__(self, game: Game, options: mcts.Options, simulations: int) -> None:
        self.game, self.how, self.force, self.stream = game, options, Force(game), Stream(5)
        self.root, self.growth = Node(game.new(), ()), list[tuple[Any, ...]]()
        while len(self.growth) < simulations and not self.root.proof:
            self.simulate()

    def every(self, root: Node | None = None) -> list[Node]:
        nodes = [root or self.root]
        for node in nodes:  # it grows as it goes
            nodes += node.children
        return nodes

    def simulate(self) -> None:
        path, result, fresh = [self.root], 0, False
        while not (result or fresh):
            node = path[-1]
            if not node.children:
                moves = base.legal_moves(node.state)
                node.children = [Node(self.game.after(node.state, move), (*node.line, move)) for move in moves]
            if tried := next((child for child in node.children if not child.visits), None):
                tried.ended = result = int(base.outcome(tried.state))
                fresh = True
            else:
                count = self.root.visits if self.how.root_log else node.visits
                wide = self.how.c * np.sqrt(np.log(np.float64(count)))
                tried = max(node.children, key=lambda child: child.bound(wide, self.how.proven))
                result = tried.proof if self.how.proven else tried.ended
            path.append(tried)
        clock, points = int(self.stream.counter[0]), self.played(path[-1], result)
        self.growth.append((path[-1].line, points, clock))
        for up, node in enumerate(reversed(path)):
            node.visits, node.total = node.visits + 1, node.total + points * (-1) ** up
        proof = result if self.how.proven and fresh else 0
        while proof:
            node = path.pop()
            node.proof, node.proved = proof, len(self.growth)
            proofs = [child.proof for child in path[-1].children] if path else [0]
            proof = base.LOST if base.WON in proofs else 0 if 0 in proofs else max(base.DRAW * (base.DRAW in proofs), 1)

    def played(self, leaf: Node, result: int) -> float:
        """The result of a playout for the player who moved to the leaf."""
        state, plies = base.copy(leaf.state), 0
        while not result:
            best = self.how.perfect and plies % 2 == 0
            base.play(state, self.stream.choose(self.force.best(state) if best else base.legal_moves(state)))
            result, plies = int(base.outcome(state)), plies + 1
        points = int(base.payoff(state)) if self.game.pays else {base.WON: 1, base.LOST: -1}.get(result, 0)
        return points * (-1) ** plies


@pytest.mark.parametrize("name", ["nim:1,2,3", "nim:3,2:misere", "connect:3x2x2", "noughts:3x2x3", "redblue:4,3"])
def test_every_node_and_simulation_is_that_of_a_plain_tree_search(name: str) -> None:
    game = parse_game(name)
    for options in [*SEARCHES, mcts.Options(0.7, False, True, False)] if not game.pays else SEARCHES[:2]:
        tree, growth, at, ended = grown(game, options, 120)
        plain = Plain(game, options, 120)
        lines: list[tuple[int, ...]] = [()]
        for node in range(1, len(tree.parent)):
            lines.append((*lines[int(tree.parent[node])], int(tree.move[node])))
        nodes = {node.line: node for node in plain.every()}
        assert len(nodes) == len(lines) == len({*lines})
        for node, own in enumerate(nodes[line] for line in lines):
            first, width = int(tree.first[node]), int(tree.width[node])
            assert [nodes[line] for line in lines[first : first + width]] == own.children
            assert (tree.visits[node], tree.total[node]) == (own.visits, own.total)
            if own.visits:
                assert node == 0 or tree.ended[node] == own.ended
                assert (tree.mean[node], tree.doubt[node]) == pytest.approx((own.total / own.visits, own.visits**-0.5))
            if options.proven:
                assert tree.proof[node] == own.proof and (not own.proof or tree.proved[node] == own.proved)
                worth = {0: None, base.DRAW: 0}.get(own.proof, own.proof)
                assert mcts_nodes.proof_of(tree, node) == worth in (None, -plain.force.value(own.state)[0])
        leaves, done = [lines[node] for node in growth.leaf], len(plain.growth)
        assert at == [len(lines), done, 0, 0, max(map(len, leaves))]
        assert [*zip(leaves, growth.result.tolist(), growth.clock.tolist(), strict=True)] == plain.growth
        assert ended == int(plain.stream.counter[0])
        below, visits, total, now = np.empty(len(lines), np.int64), np.zeros_like(tree.visits), tree.total * 0, 0
        place, counted = {line: node for node, line in enumerate(lines)}, [0] * len(lines)
        for line, own in nodes.items():
            counted[place[line]] = sum(one.visits > 0 for one in plain.every(own))
        ends = [not any(child.visits for child in own.children) for own in nodes.values() if own.visits]
        assert mcts.survey(tree, below) == (counted[0], sum(ends))
        assert below.tolist() == counted
        for until in (done, done // 2 + 1, done // 2, done, 0):
            mcts.wind(tree, growth, visits, total, now, until)
            sums, now = np.zeros((2, len(lines))), until
            for leaf, points in zip(growth.leaf[:now], growth.result[:now], strict=True):
                for depth in range(len(lines[leaf]) + 1):
                    sums[:, place[lines[leaf][:depth]]] += 1, points * (-1) ** (len(lines[leaf]) - depth)
            assert [visits.tolist(), total.tolist()] == sums.tolist()
        assert mcts.survey(tree._replace(visits=visits), below) == (1, 1)  # the root always counts


FAMILIES = ["nim:1,3,5,7", "nim:3,2:misere", "connect:4x4x4", "connect:3x2x2"]


@pytest.mark.parametrize("of_root", [False, True])
@pytest.mark.parametrize("matches", [3, 15])
def test_it_grows_exactly_the_tree_of_the_original(of_root: bool, matches: int) -> None:
    # source: original 002, in plain Python with the same random numbers; its variant with the root's count too
    game = parse_game(f"nim:{matches}:max=3:misere")
    tree, _, _, ended = grown(game, mcts.Options(1.0, of_root, False, False), 300, seed=matches)
    stream = Stream(matches)
    root = literal_mcts.search(matches, 3, 300, stream.below, of_root)
    assert ended == int(stream.counter[0])

    def compare(node: int, literal: literal_mcts.Node) -> None:
        assert (int(tree.visits[node]), int(tree.total[node])) == (literal.visits, literal.value)
        visited = [child for child in mcts_nodes.children(tree, node) if tree.visits[child]]
        assert [int(tree.move[child]) + 1 for child in visited] == [child.take for child in literal.children]
        for child, below in zip(visited, literal.children, strict=True):
            compare(child, below)

    compare(0, root)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("options", SEARCHES)
def test_a_tree_is_counted_and_wound_to_any_simulation(name: str, options: mcts.Options) -> None:
    game = parse_game(name)
    tree, growth, (_, done, *_), _ = grown(game, options, 250)
    visited = {int(node) for node in np.flatnonzero(tree.visits)}
    below = np.empty(len(tree.visits), np.int64)
    nodes, leaves = mcts.survey(tree, below)
    assert (tree.visits[0], nodes) == (done, len(visited)) and below[0] == nodes
    assert leaves == len(visited - {int(tree.parent[node]) for node in visited if node})
    unvisited = tree._replace(visits=np.zeros_like(tree.visits))
    assert mcts.survey(unvisited, np.empty_like(below)) == (1, 1)  # the root always counts
    for node in visited:
        assert below[node] == 1 + sum(below[child] for child in mcts_nodes.children(tree, node))
    whole = mcts.Growth(*(column[:done] for column in growth))
    at, path, now = np.zeros_like(tree.visits), np.zeros_like(tree.total), 0
    for until in (done, done // 2 + 1, done // 2, done, 0):
        mcts.wind(tree, whole, at, path, now, until)
        now = until
        if now == done:
            assert np.array_equal(at, tree.visits) and np.array_equal(path, tree.total)
        else:
            assert at[0] == now and at.sum() >= now
    assert not at.any() and not path.any()


@pytest.mark.parametrize("name", ["nim:2,1", "nim:2,2:misere", "adjacent:2", "connect:3x2x2", "nim:1"])
def test_what_is_proven_is_true_and_small_games_are_proven_to_the_root(name: str) -> None:
    game, force, proven = parse_game(name), Force(name), 0
    for options in SEARCHES[2:]:
        tree, _, (_, done, *_), _ = grown(game, options, 1_500)
        for node in np.flatnonzero(tree.visits):
            worth = mcts_nodes.proof_of(tree, int(node))
            if worth is not None and not (tree.ended[node] and node):
                proven += 1
                assert worth == -force.value(state_of(game, tree, int(node)))[0]
                assert 0 < tree.proved[node] <= done
        assert mcts_nodes.proof_of(tree, 0) == -force.value(game.start)[0] and done < 1_500
        assert tree.proved[0] == done
    assert proven > 1


def state_of(game: Game, tree: mcts.Tree, node: int) -> base.State:
    path = []
    while node:
        path.append(int(tree.move[node]))
        node = int(tree.parent[node])
    state = game.new()
    for move in reversed(path):
        base.play(state, move)
    return state


def test_the_bytes_of_a_tree_are_those_of_its_arrays() -> None:
    for proven in (False, True):
        whole = sum(column.nbytes for column in mcts.tree(10, proven))
        assert whole == 10 * mcts_nodes.NODE_BYTES + (10 if proven else 1) * mcts_nodes.PROOF_BYTES
    per_simulation = sum(column.nbytes for column in mcts.growth(1))
    assert per_simulation + np.dtype(np.int32).itemsize + 2 * 8 == mcts_nodes.SIMULATION_BYTES
    roots = mcts.roots(30_000)
    assert roots.log[:4].tolist() == pytest.approx([0, 0, np.log(2) ** 0.5, np.log(3) ** 0.5])
    assert roots.inverse[:5].tolist() == pytest.approx([0, 1, 2**-0.5, 3**-0.5, 0.5])
    assert len(roots.log) > 30_000 and mcts.roots(len(roots.log) - 1) is mcts.roots(5)
    assert len(mcts.roots(len(roots.log)).log) >= min(2 * len(roots.log), len(roots.log) + mcts.MOST_AHEAD)
