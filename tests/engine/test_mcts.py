"""The tree search kernel: compiled as interpreted, as the original in plain Python, and right in what is proven."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.engine import exact, graph, mcts
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game
from nimtui.trees import mcts as mcts_nodes
from tests.trees import literal_mcts

RULES = ["nim:1,3,5,7", "nim:3,2:misere", "adjacent:1,3,5", "connect:4x4x4", "connect:3x3x3", "connect4"]
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
    chunk: int = 10**6,
    interpreted: bool = False,
    plies: int = 10**9,
) -> tuple[mcts.Tree, mcts.Growth, int, int]:
    """The used part of a tree, what each simulation did, how many there were, where the generator ended."""
    tree, growth = mcts.tree(mcts_nodes.most_nodes(game.start, simulations), options.proven), mcts.growth(simulations)
    at, path, stream = mcts.at_first(), np.zeros(simulations + 2, np.int32), Stream(seed)
    state = game.new()
    kernel = mcts.grow.py_func if interpreted else mcts.grow
    against, ended = opponent_in(game, options), False
    while at[1] < simulations and not ended:
        until = min(int(at[1]) + chunk, simulations)
        with np.errstate(over="ignore"):
            ended = kernel(
                state, game.start.board, tree, growth, against, options, mcts.roots(simulations), at, path,
                stream.counter, until, plies,
            )  # fmt: skip
    used = mcts.Tree(*(column[: at[0]] for column in tree))
    return used, mcts.Growth(*(column[: at[1]] for column in growth)), int(at[1]), int(stream.counter[0])


def same(one: mcts.Tree, other: mcts.Tree) -> bool:
    """All that is told of visited nodes, and the moves of those not visited."""
    visited = one.visits > 0
    if not np.array_equal(one.visits, other.visits):
        return False
    whole = all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("parent", "move", "total"))
    told = ("mean", "doubt", "width", "ended")
    return whole and all(np.array_equal(getattr(one, name)[visited], getattr(other, name)[visited]) for name in told)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("options", OPTIONS)
def test_it_is_the_same_interpreted_and_in_chunks_of_any_size(name: str, options: mcts.Options) -> None:
    game = parse_game(name)
    if options.perfect and name == "connect4":
        pytest.skip("too large for a table")
    whole = grown(game, options, 300)
    # The smaller pieces end within a playout.
    in_pieces = (
        grown(game, options, 300, chunk=7),
        grown(game, options, 300, plies=3),
    )
    for again in (*in_pieces, grown(game, options, 300, interpreted=True)):
        assert same(whole[0], again[0])
        assert whole[2:] == again[2:]
        assert all(map(np.array_equal, whole[1], again[1]))


def test_the_same_seed_grows_the_same_tree_and_another_another() -> None:
    game = parse_game("nim:1,3,5,7")
    first, again, other = (grown(game, OPTIONS[0], 500, seed)[0] for seed in (1, 1, 2))
    assert same(first, again) and not same(first, other)


@pytest.mark.parametrize("of_root", [False, True])
@pytest.mark.parametrize("matches", [3, 8, 15, 20])
def test_it_grows_exactly_the_tree_of_the_original(of_root: bool, matches: int) -> None:
    # source: original 002, in plain Python with the same random numbers; its variant with the root's count too
    game = parse_game(f"nim:{matches}:max=3:misere")
    tree, _, _, ended = grown(game, mcts.Options(1.0, of_root, False, False), 2000, seed=matches)
    stream = Stream(matches)
    root = literal_mcts.search(matches, 3, 2000, stream.below, of_root)
    assert ended == int(stream.counter[0])

    def compare(node: int, literal: literal_mcts.Node) -> None:
        assert (int(tree.visits[node]), int(tree.total[node])) == (literal.visits, literal.value)
        visited = [child for child in mcts_nodes.children(tree, node) if tree.visits[child]]
        assert [int(tree.move[child]) + 1 for child in visited] == [child.take for child in literal.children]
        for child, below in zip(visited, literal.children, strict=True):
            compare(child, below)

    compare(0, root)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("options", OPTIONS[:3])
def test_visits_and_results_add_up(name: str, options: mcts.Options) -> None:
    tree, growth, done, _ = grown(parse_game(name), options, 3000)
    assert tree.visits[0] == done
    for node in range(len(tree.visits)):
        below = mcts_nodes.children(tree, node)
        if not below:
            continue
        assert all(tree.parent[child] == node for child in below)
        here = growth.result[growth.leaf == node]  # its own playout, and visits after it was proven
        assert tree.visits[node] == tree.visits[below.start : below.stop].sum() + len(here)
        assert tree.total[node] == here.sum() - tree.total[below.start : below.stop].sum()


@pytest.mark.parametrize("name", ["nim:1,3,5,7", "connect:3x3x3"])
def test_a_survey_counts_what_was_visited(name: str) -> None:
    tree, _, _, _ = grown(parse_game(name), OPTIONS[0], 700)
    below = np.empty(len(tree.visits), np.int64)
    nodes, leaves = mcts.survey(tree, below)
    slow = below.copy()
    assert mcts.survey.py_func(tree, slow) == (nodes, leaves) and np.array_equal(below, slow)
    visited = {int(node) for node in np.flatnonzero(tree.visits)}
    assert nodes == len(visited) == below[0]
    assert leaves == len(visited - {int(tree.parent[node]) for node in visited if node})
    for child in mcts_nodes.children(tree, 0):
        inside = {child}
        for node in range(child + 1, len(below)):
            if int(tree.parent[node]) in inside:
                inside.add(node)
        assert below[child] == len(inside & visited)


@pytest.mark.parametrize("name", ["nim:3,2,1", "nim:3,3:misere", "adjacent:2,3", "connect:3x3x3", "connect:4x3x3"])
def test_what_is_proven_is_true(name: str) -> None:
    game = parse_game(name)
    built = graph.build(game.new())
    values = exact.values(built)
    proven = 0
    for seed in range(3):
        tree, _, done, _ = grown(game, mcts.Options(1.0, False, False, True), 20_000, seed)
        for node in np.flatnonzero(tree.visits):
            worth = mcts_nodes.proof_of(tree, int(node))
            if worth is None or (tree.ended[node] and node):
                continue
            proven += 1
            assert worth == -values[graph.node_at(built, state_of(game, tree, int(node)))]
        assert (done < 20_000) == bool(tree.proof[0])
    assert proven > 50


def state_of(game: Game, tree: mcts.Tree, node: int) -> base.State:
    path = []
    while node:
        path.append(int(tree.move[node]))
        node = int(tree.parent[node])
    state = game.new()
    for move in reversed(path):
        base.play(state, move)
    return state


def test_small_games_are_proven_to_the_root() -> None:
    for name in ("nim:1,2,3", "nim:1", "nim:2,2:misere", "adjacent:2,3"):
        game = parse_game(name)
        tree, _, done, _ = grown(game, mcts.Options(1.0, False, False, True), 200_000)
        built = graph.build(game.new())
        assert mcts_nodes.proof_of(tree, 0) == -exact.values(built)[built.start]
        assert done < 200_000


def test_the_tree_winds_back_and_forth() -> None:
    game = parse_game("connect:4x4x4")
    options = OPTIONS[0]
    tree, growth, _, _ = grown(game, options, 400)
    visits, total = np.zeros_like(tree.visits), np.zeros_like(tree.total)
    now = 0
    for until in (0, 1, 130, 399, 400, 17, 16, 400, 0):
        mcts.wind(tree, growth, visits, total, now, until)
        now = until
        then = grown(game, options, until)[0] if until else None
        expected = np.zeros_like(visits)
        if then is not None:
            expected[: len(then.visits)] = then.visits
            assert np.array_equal(total[: len(then.total)], then.total)
        assert np.array_equal(visits, expected)
    slow, sums = visits.copy(), total.copy()
    mcts.wind(tree, growth, visits, total, 0, 300)
    mcts.wind.py_func(tree, growth, slow, sums, 0, 300)
    assert np.array_equal(visits, slow) and np.array_equal(total, sums)


def test_the_bytes_told_are_those_of_the_arrays() -> None:
    for proven in (False, True):
        per_node = sum(column[:1].nbytes for column in mcts.tree(10, proven)) - (
            0 if proven else mcts_nodes.PROOF_BYTES
        )
        assert per_node == mcts_nodes.NODE_BYTES + (mcts_nodes.PROOF_BYTES if proven else 0)
    per_simulation = sum(column.nbytes for column in mcts.growth(1))
    assert per_simulation + np.dtype(np.int32).itemsize + 2 * 8 == mcts_nodes.SIMULATION_BYTES
