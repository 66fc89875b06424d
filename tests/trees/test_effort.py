"""The memory and the pace of a search, against recursions that know nothing of the engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nimtui.engine.windows import ENTRY_BYTES
from nimtui.games import base, parse_game
from nimtui.games.base import State
from nimtui.report.values import Pace
from nimtui.trees import Result, parse, report, search_of
from nimtui.trees.depth_first import DepthFirst
from nimtui.trees.result import Space
from nimtui.trees.tree import Tree
from nimtui.ui.search import view
from tests.trees.helpers import search, tree


def whole_tree(state: State, depth: int) -> tuple[int, int]:
    """The nodes of the whole tree to this depth, and the plies of its longest line: a plain recursion."""
    if depth == 0 or base.outcome(state) != base.GOING_ON:
        return 1, 0
    nodes, deepest = 1, 0
    for move in base.legal_moves(state):
        base.play(state, move)
        below, plies = whole_tree(state, depth - 1)
        base.undo(state, move)
        nodes, deepest = nodes + below, max(deepest, 1 + plies)
    return nodes, deepest


@pytest.mark.parametrize(
    ("game", "depth", "nodes", "plies"),
    [
        ("nim:1,2,3,4", 4, 2_978, 4),  # the game lasts longer than the search looks ahead
        ("subtraction:7,3", -1, 96, 7),
        ("connect:3x2x3", 12, 265, 6),  # the board is full after six moves
    ],
)
def test_tree_and_stack_of_minimax_are_those_of_a_recursion(game: str, depth: int, nodes: int, plies: int) -> None:
    start = parse_game(game).new()
    assert whole_tree(base.copy(start), 99 if depth < 0 else depth) == (nodes, plies)
    space = search(game, f"minimax:depth={depth}", record=False).result.space
    assert (space.tree_nodes, space.stack_plies, space.stack_bytes) == (nodes, plies, plies * 64)
    assert (space.recorded, space.used_bytes, space.tree_bytes) == (0, plies * 64, nodes * 25)
    assert (space.table_used, space.table_entries, space.table_bytes) == (None, None, 0)


@pytest.mark.parametrize("how", ["alphabeta:depth=3,heuristic=original", "alphabeta:depth=-1"])
def test_the_tree_of_alpha_beta_lacks_exactly_the_pruned_nodes(how: str) -> None:
    game = "nim:1,2,3,4" if "-1" not in how else "nim:1,2,3"
    found, depth = tree(game, how), parse(how).depth if parse(how).depth > 0 else 99
    pruned = 0
    for node in range(len(found)):
        skipped = found.skipped(node)
        for move in () if skipped is None else skipped.moves:
            state = found.state(node)
            base.play(state, move)
            pruned += whole_tree(state, depth - int(found.plies[node]) - 1)[0]
    minimax = search(game, how.replace("alphabeta", "minimax")).result.space
    kept = search(game, how).result.space
    assert pruned > 0 and kept.tree_nodes + pruned == minimax.tree_nodes
    assert kept.recorded == kept.tree_nodes == len(found)
    assert kept.tree_bytes == len(found) * kept.node_bytes == minimax.tree_bytes - pruned * 25


@pytest.mark.parametrize("how", ["alphabeta:depth=-1", "alphabeta:depth=3,order=killer"])
def test_the_stack_is_as_deep_as_the_deepest_recorded_node(how: str) -> None:
    for game in ("nim:1,2,3", "connect:3x2x2"):
        found = search(game, how)
        assert isinstance(found.tree, Tree) and found.result.space.stack_plies == int(found.tree.plies.max())


def test_a_truncated_tree_is_stated_with_its_bytes() -> None:
    space = search("nim:1,2,3,4", "minimax:depth=5", most=1_000).result.space
    assert (space.tree_nodes, space.recorded, space.used_bytes) == (11_508, 1_000, 1_000 * 25 + 5 * 64)
    assert report.recorded(space) == "the first 1,000 stored, 25 kB"


def test_the_move_order_costs_the_lists_that_stood_at_one_time() -> None:
    # 6 plies of 64 + 16 bytes; from the root 10 + 9 + … + 5 moves stand in the lists, of 4 bytes each
    space = search("nim:1,2,3,4", "alphabeta:depth=6,order=killer", record=False).result.space
    assert space.stack_plies == 6 and space.stack_bytes == 6 * (64 + 16) + 4 * (10 + 9 + 8 + 7 + 6 + 5)


def test_the_table_states_its_entries() -> None:
    game = parse_game("nim:1,2,3,4")
    found = search_of(game, game.new(), parse("minimax:depth=-1,table=4096"), record=False).run()
    space = found.result.space
    # 2 × 3 × 4 × 5 positions, all but the last with a move: 119 entries, if no two share a slot
    assert isinstance(found, DepthFirst) and found._table is not None
    assert space.table_used == int(np.count_nonzero(found._table.key >= 0)) <= 119
    assert (space.table_entries, space.table_bytes) == (4096, 4096 * ENTRY_BYTES)
    best_first = search("nim:1,2,3,4", "alphabeta:depth=6,order=best-first", record=False).result.space
    assert best_first.table_entries == 65_536 and 0 < (best_first.table_used or 0) <= 119


def test_iterations_count_once_in_the_tree_and_together_in_the_nodes() -> None:
    found = search("nim:1,2,3,4", "minimax:depth=4,deepening=yes,heuristic=original", record=False).result
    assert found.nodes == 11 + 91 + 591 + 2_978 and found.space.tree_nodes == 2_978
    assert found.space.stack_plies == 4


def test_a_tree_search_states_the_nodes_and_the_path_that_it_used() -> None:
    found = search("nim:1,2,3,4", "mcts:simulations=300")
    grown: Any = found.tree
    whole, space = found.columns, found.result.space  # type: ignore[attr-defined]
    assert grown is not None and space.tree_nodes == space.recorded == len(whole.parent) > found.result.nodes
    depth = np.zeros(len(whole.parent), np.int64)
    for node in range(1, len(depth)):
        depth[node] = depth[whole.parent[node]] + 1
    assert space.stack_plies == int(depth[whole.visits > 0].max()) and space.stack_bytes == 4 * (space.stack_plies + 1)
    assert space.tree_bytes == sum(column.nbytes for column in whole[:9])
    assert space.used_bytes == space.tree_bytes + space.stack_bytes + 300 * 29


def result(nodes: int, seconds: float) -> Result:
    made: Any = search("nim:1,2", "minimax:depth=1").result
    return Result(**{name: getattr(made, name) for name in made.__slots__} | {"nodes": nodes, "seconds": seconds})


def test_only_a_search_of_a_tenth_of_a_second_has_a_pace() -> None:
    assert result(3_000_000, 0.1).nodes_per_second == 30_000_000
    assert result(3_000_000, 0.0999).nodes_per_second is None and result(1, 0.0).nodes_per_second is None
    texts = {
        None: "–",
        3.0: "3/s",
        2_978.0: "3.0 k/s",
        123_456.0: "120 k/s",
        9_960_000.0: "10 M/s",
        8_249_000.0: "8.2 M/s",
    }
    assert {rate: Pace(rate).text for rate in texts} == texts


def test_texts() -> None:
    space = Space(2_978, 25, 0, 1, 64, 109, 65_536, 65_536 * 19)
    assert report.recorded(space) == "not stored" and report.entries(space) == "109 of 65,536 entries"
    found = replace(result(100, 1.0), space=space)
    assert view.memory(found.space) == [("tree", "2,978 nodes, 74.5 kB"), ("stack", "1 ply, 64 bytes")]


# Source of the nodes of minimax and plain alpha-beta: minimax and alpha-beta.
COSTS = {
    ("nim:1,2,3,4", "minimax:depth=4"): (2_978, 2_978, 4, 256),
    ("nim:1,2,3,4", "alphabeta:depth=4"): (669, 669, 4, 256),
    ("nim:1,2,3,4", "alphabeta:depth=4,order=killer"): (409, 409, 4, 456),
    ("nim:1,2,3,4", "alphabeta:depth=4,order=best-first"): (1_383, 979, 4, 456),
    ("connect4:4x4", "alphabeta:depth=7"): (2_005, 2_005, 7, 448),
    ("connect4:4x4", "alphabeta:depth=7,order=best-first"): (2_888, 2_047, 7, 672),
}


def test_time_and_space_of_the_originals_positions_as_documented() -> None:
    for (game, how), costs in COSTS.items():
        result = search(game, f"{how},heuristic=original", record=False).result
        space = result.space
        assert (result.nodes, space.tree_nodes, space.stack_plies, space.stack_bytes) == costs
