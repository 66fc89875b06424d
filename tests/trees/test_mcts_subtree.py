"""A search continues after a move with what it found below that move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nimtui.engine.mcts import DEPTH
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.games.base import Move
from nimtui.theory.answers import known_moves
from nimtui.trees.mcts import MonteCarloSearch, children, proof_of

GAMES = ["nim:3,4", "connect:4x3x3"]


def searched(name: str, simulations: int = 300, **how: Any) -> MonteCarloSearch:
    game = parse_game(name)
    return MonteCarloSearch(game, game.start, simulations, stream=Stream(3), **how).run()


def path_of(tree: Any, node: int) -> tuple[Move, ...]:
    """Return the moves from the root to a node."""
    moves: list[Move] = []
    while node:
        moves.append(int(tree.move[node]))
        node = int(tree.parent[node])
    return tuple(reversed(moves))


def numbers(search: MonteCarloSearch, below: tuple[Move, ...] = ()) -> dict[tuple[Move, ...], tuple[Any, ...]]:
    """Return visits, total and proof of each visited node strictly below some moves, by the path from there."""
    tree, found = search.columns, {}
    for node in range(1, len(tree.parent)):
        path = path_of(tree, node)
        if tree.visits[node] and path[: len(below)] == below and len(path) > len(below):
            numbers = int(tree.visits[node]), int(tree.total[node]), proof_of(tree, node)
            found[path[len(below) :]] = numbers
    return found


def is_sound(search: MonteCarloSearch) -> bool:
    """Return whether every node lies after its parent, beside its siblings, and counts what its children count."""
    tree = search.columns
    if not np.allclose(tree.doubt[tree.visits > 0], tree.visits[tree.visits > 0] ** -0.5):
        return False
    for node in range(len(tree.parent)):
        inside = children(tree, node)
        if any(int(tree.parent[child]) != node for child in inside) or any(child <= node for child in inside):
            return False
        visits = sum(int(tree.visits[child]) for child in inside)
        own = int(node > 0 and tree.visits[node] > 0)
        if (inside or node == 0) and int(tree.visits[node]) != visits + own:
            return False
    return int(tree.visits[0]) == search.done


@pytest.mark.parametrize("how", [{}, {"proven": True}, {"log": "root"}], ids=str)
@pytest.mark.parametrize("name", GAMES)
def test_the_subtree_keeps_its_visits_results_and_proofs(name: str, how: dict[str, Any]) -> None:
    search = searched(name, **how)
    for move in [found.move for found in search.moves if found.visits]:
        try:
            after = search.after(move, Stream(4))
        except InputError:
            continue  # the move ends the game
        assert numbers(after) == numbers(search, (move,))
        child = next(node for node in children(search.columns, 0) if search.columns.move[node] == move)
        assert after.done == int(search.columns.visits[child]) - 1
        assert is_sound(after)
        assert max(map(len, numbers(after)), default=0) <= after.deepest < max(1, search.deepest)
        assert after.moves == after.moves and after.growth.leaf.shape == (after.done,)


@pytest.mark.parametrize("name", GAMES)
def test_it_continues_as_a_valid_search(name: str) -> None:
    search = searched(name)
    after = search.after(search.best.move, Stream(4))
    before, own = numbers(after), numbers(search)
    after.run()
    assert numbers(search) == own and is_sound(search), "the search that it came from stays valid"
    assert after.done == 300 and is_sound(after)
    grown = numbers(after)
    assert all(grown[path][0] >= visits for path, (visits, _, _) in before.items())
    simulated = np.zeros(len(after.columns.parent), np.int64)
    for leaf in after.growth.leaf:  # each simulation counts once in every node from its leaf up to the root
        node = int(leaf)
        while True:
            simulated[node] += 1
            if node == 0:
                break
            node = int(after.columns.parent[node])
    assert np.array_equal(simulated, after.columns.visits)


def test_the_tree_after_two_moves_is_that_of_the_two_in_turn() -> None:
    search = searched("connect:4x3x3", 900)
    line = search.principal_variation[:2]
    after = search.after(line[0], Stream(4)).after(line[1], Stream(5))
    assert numbers(after) == numbers(search, tuple(line))


def test_a_move_that_was_never_tried_starts_an_empty_search() -> None:
    search = searched("tower:16", 1)
    untried = next(found.move for found in search.moves if not found.visits)
    after = search.after(untried, Stream(4))
    assert after.done == 0 and after.run().done == 1


@pytest.mark.slow
def test_a_simulation_that_was_interrupted_in_its_playout_is_left_out() -> None:
    from nimtui.engine import mcts

    game = parse_game("connect4:5x4")
    search = MonteCarloSearch(game, game.start, 2000, stream=Stream(3))
    search.run()
    assert search._at is not None and search._scratch is not None
    scratch, path = search._scratch
    search.simulations = 4000
    search._whole, search._growth = mcts.tree(40_000, False), mcts.growth(4000)
    search._at = mcts.at_first()
    options = mcts.Options(1.0, False, False, False)
    grown = (search._whole, search._growth, mcts.opponent(), None, None)
    given = (scratch, search.state.board, *grown, options, mcts.roots(4000))
    path = np.empty(4002, np.int32)
    for plies in range(1, 400):  # until a chunk ends within a playout that expanded a node
        mcts.grow(*given, search._at, path, search.stream.counter, 4000, plies)
        if search._at[DEPTH] > 1 and search.done > 200:
            break
    assert search._at[DEPTH] > 1
    after = search.after(search.best.move, Stream(4))
    assert is_sound(after) and numbers(after) == numbers(search, (search.best.move,))
    assert is_sound(after.run())


def test_a_proof_below_stays_a_proof() -> None:
    game = parse_game("nim:2,1")
    search = MonteCarloSearch(game, game.start, 2_000, proven=True, stream=Stream(3)).run()
    assert search.settled
    move = search.best.move
    after = search.after(move, Stream(4))
    truths = known_moves(game, after.state)
    assert truths is not None and after.settled and after.value == -1.0
    assert all(truths[found.move].outcome.value == "loss" for found in after.moves)


def test_a_move_that_ends_the_game_is_refused() -> None:
    search = searched("nim:1", 5)
    with pytest.raises(InputError, match="the game is over"):
        search.after(int(base.legal_moves(search.state)[0]), Stream(4))
