"""How large a search would be, estimated from a few random games."""

from __future__ import annotations

import pytest

from nimtui.games import parse_game
from nimtui.trees import depth_first
from tests.engine.perft import tree_nodes


@pytest.mark.parametrize("name", ["nim:1,2,3", "connect:3x2x2"])
def test_the_estimate_has_the_right_size(name: str) -> None:
    state = parse_game(name).new()
    assert depth_first.tree_nodes(state, 300) == depth_first.tree_nodes(state, 300, 60, seed=0)
    assert 0.1 < depth_first.tree_nodes(state, 300) / tree_nodes(state) < 10


def test_a_tree_of_equal_branches_is_counted_exactly() -> None:
    assert depth_first.tree_nodes(parse_game("connect4").new(), 5) == sum(7**ply for ply in range(6))


def test_what_ends_is_not_refused() -> None:
    for name in ("tower:16", "connect4:4x4", "connect:5x4x4"):
        game = parse_game(name)
        assert depth_first.why_endless(game, game.new(), 6_630, cutting=True) is None
    game = parse_game("connect4")
    assert depth_first.why_endless(game, game.new(), 8, cutting=False) is None
    assert "10^" in (depth_first.why_endless(game, game.new(), 42, cutting=False) or "")
