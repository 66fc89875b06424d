"""The tree search kernel: compiled as interpreted, as the original in plain Python, and right in what is proven."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.engine import exact, graph, mcts
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game
from nimtui.trees import mcts as mcts_nodes
from tests.theory.force import Force
from tests.trees import literal_mcts

RULES = ["nim:1,3,5,7", "nim:3,2:misere", "connect:4x4x4", "connect:3x2x2"]
OPTIONS = [
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
    game: Game,
    options: mcts.Options,
    simulations: int,
    seed: int = 5,
) -> tuple[mcts.Tree, mcts.Growth, int, int]:
    """The used part of a tree, what each simulation did, how many there were, where the generator ended."""
    tree, growth = mcts.tree(mcts_nodes.most_nodes(game.start, simulations), options.proven), mcts.growth(simulations)
    at, path, stream = mcts.at_first(), np.zeros(simulations + 2, np.int32), Stream(seed)
    state = game.new()
    against, ended = opponent_in(game, options), False
    while at[1] < simulations and not ended:
        until = min(int(at[1]) + 97, simulations)
        with np.errstate(over="ignore"):
            ended = mcts.grow(
                state, game.start.board, tree, growth, against, None, None, options, mcts.roots(simulations), at,
                path, stream.counter, until, 29,
            )  # fmt: skip
    used = mcts.Tree(*(column[: at[0]] for column in tree))
    return used, mcts.Growth(*(column[: at[1]] for column in growth)), int(at[1]), int(stream.counter[0])


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


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("options", OPTIONS)
def test_every_number_of_a_tree_adds_up(name: str, options: mcts.Options) -> None:
    game = parse_game(name)
    tree, growth, done, _ = grown(game, options, 250)
    visited = {int(node) for node in np.flatnonzero(tree.visits)}
    below = np.empty(len(tree.visits), np.int64)
    nodes, leaves = mcts.survey(tree, below)
    assert (tree.visits[0], nodes) == (done, len(visited)) and below[0] == nodes
    assert leaves == len(visited - {int(tree.parent[node]) for node in visited if node})
    unvisited = tree._replace(visits=np.zeros_like(tree.visits))
    assert mcts.survey(unvisited, np.empty_like(below)) == (1, 1)  # the root always counts
    assert tree.first[0] == 1 and tree.parent[0] == 0
    for node in sorted(visited):
        children = mcts_nodes.children(tree, node)
        state = state_of(game, tree, node)
        if node:
            assert tree.ended[node] == base.outcome(state)
        assert tree.mean[node] == pytest.approx(tree.total[node] / tree.visits[node])
        assert tree.doubt[node] == pytest.approx(1 / tree.visits[node] ** 0.5)
        here = growth.result[growth.leaf == node]  # its own playout, and visits after it was proven
        assert below[node] == 1 + sum(below[child] for child in children)
        if children:
            assert [int(move) for move in tree.move[children]] == base.legal_moves(state)
            assert (tree.parent[children] == node).all()
            assert tree.visits[node] == tree.visits[children].sum() + len(here)
            assert tree.total[node] == here.sum() - tree.total[children].sum()
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
    for options in OPTIONS[2:]:
        tree, _, done, _ = grown(game, options, 1_500)
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


def test_an_outcome_is_a_result_and_children_prove_a_node() -> None:
    assert [mcts._worth(outcome) for outcome in (base.WON, base.LOST, base.DRAW)] == [1.0, -1.0, 0.0]
    tree = mcts.tree(4, True)
    tree.first[0], tree.width[0] = 1, 3
    for proofs, proof in (
        ((base.LOST, 0, base.WON), base.LOST),
        ((base.LOST, 0, base.DRAW), 0),
        ((base.LOST, base.DRAW, base.LOST), base.DRAW),
        ((base.LOST, base.LOST, base.LOST), base.WON),
    ):
        tree.proof[1:] = proofs
        assert mcts._prove(tree, 0) == proof
    tree.mean[1:], tree.doubt[1:], tree.proof[1:] = (0.5, 0.2, 0.5), (0.1, 0.9, 0.1), (0, 0, base.LOST)
    assert [int(mcts._highest(tree, 0, wide, proven)) for wide, proven in ((0.0, False), (1.0, False))] == [1, 2]
    tree.proof[1:] = base.LOST, base.DRAW, base.WON
    assert int(mcts._highest(tree, 0, 1.0, True)) == 3
