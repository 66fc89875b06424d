"""Recorded trees: walked, cut with a reason, found again, whole or in part, at once however large."""

from __future__ import annotations

from time import thread_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.engine.windows import CUT, EXPANDED, LEAF, OPEN, TABLE, TERMINAL
from nimtui.games import base, parse_game
from nimtui.progress import Cancelled
from nimtui.trees import parse, search_of
from nimtui.trees.tree import KINDS, Tree
from tests.stops import StopAfter
from tests.trees.helpers import ORIGINAL, line, tree

HOWS = {
    "nim:1,2,3": "alphabeta:depth=5,order=killer",
    "kayles:4,2:misere": "alphabeta:depth=-1",
    "connect:3x2x2": "alphabeta:table=64,depth=5",
    "connect:3x2x3": "minimax:depth=3",
}


def test_the_first_cuts_of_the_original_have_their_reasons() -> None:
    # Source: original 004, recomputed: after a1 b2 the move c3 proves −3 ≥ β −3, after b1 the move d1 proves 4 ≥ β 4
    # (seen from the root −4 ≤ α −4).
    found = tree("nim:1,2,3,4", ORIGINAL)
    move = found.game.parse_move
    cut = found.skipped(line(found, "a1 b2"))
    assert cut is not None and (cut.why, cut.by, cut.alpha, cut.beta) == ("cut", move("c3", found.root), -3, -3)
    assert len(cut.moves) == 4
    cut = found.skipped(line(found, "b1"))
    assert cut is not None and (cut.why, cut.by, cut.alpha, cut.beta) == ("cut", move("d1", found.root), 4, 4)
    assert len(cut.moves) == 3


def test_the_first_cut_is_found_and_the_last_one_too() -> None:
    found = tree("nim:1,2,3,4", ORIGINAL)
    cuts, node = [], found.next_cut(0)
    while node is not None:
        cuts.append(node)
        node = found.next_cut(node)
    assert len(cuts) == 191
    back, node = [], found.next_cut(len(found), backwards=True)
    while node is not None:
        back.append(node)
        node = found.next_cut(node, backwards=True)
    assert back == cuts[::-1]
    assert found.next_cut(cuts[3] - 1) == cuts[3] and found.next_cut(cuts[3]) == cuts[4]


def test_the_root_tells_values_and_bounds() -> None:
    found = tree("nim:1,2,3,4", ORIGINAL)
    told = {found.game.move_name(found.move(child)): child for child in found.children(0)}
    assert -(found.value(told["d3"]) or 0) == -2 and found.bound(told["d3"]) == "lower"  # for the opponent
    assert found.bound(told["c3"]) == "exact" and found.best_child(0) == told["c3"]
    assert [found.game.move_name(found.move(node)) for node in found.principal[1:]] == ["c3", "d1", "d3", "a1"]


@pytest.mark.parametrize("name", HOWS)
def test_every_node_agrees_with_the_rules_and_its_children(name: str) -> None:
    found = tree(name, HOWS[name])
    assert found.complete and len(found) == found.visited
    left = []
    for node in range(len(found)):
        state, kind, children = found.state(node), found.kind(node), found.children(node)
        assert found.below(node) == sum(1 + found.below(child) for child in children)
        assert [found.parent[child] for child in children] == [node] * len(children)
        assert found.path(node)[-1] == node and len(found.line(node)) == found.plies[node]
        assert len(found.path(node)) == found.plies[node] + 1
        skipped = found.skipped(node)
        if kind in (EXPANDED, CUT):
            assert found.value(node) == max(-(found.value(child) or 0) for child in children)
            untried = () if skipped is None else skipped.moves
            moves = {found.move(child) for child in children} | set(untried)
            assert sorted(moves) == base.legal_moves(state) and len(moves) == len(children) + len(untried)
            assert skipped is None or (kind == CUT and skipped.alpha >= skipped.beta)
        else:
            assert not children and skipped is None
            assert (kind == TERMINAL) == (base.outcome(state) != base.GOING_ON)
            assert kind in (LEAF, TERMINAL, TABLE)
        left.append(found.end(node) - 1 - int(found.plies[node]))
    assert sorted(left) == list(range(len(found)))
    assert left[0] == len(found) - 1


def test_positions_that_come_up_again_are_named() -> None:
    found = tree("nim:1,2,3", "minimax:depth=-1")
    node = line(found, "a1 b1")
    same = found.same(node)
    assert line(found, "b1 a1") in same and node in same
    assert {found.game.position_name(found.state(other)) for other in same} == {"0,1,3"}
    assert found.find_position(found.game.new("0,1,3")) == same
    assert found.find_position(found.game.new("1,2,3")) == [0]


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 669), st.integers(0, 668))
def test_a_tree_with_a_limit_says_what_is_missing(most: int, node: int) -> None:
    whole, part = tree("nim:1,2,3,4", ORIGINAL), tree("nim:1,2,3,4", ORIGINAL, most=most)
    assert len(part) == most and part.visited == 669 and part.complete == (most == 669)
    node = node % most
    assert part.children(node) == [child for child in whole.children(node) if child < most]
    assert part.value(node) == whole.value(node) and part.below(node) == whole.below(node)
    skipped = part.skipped(node)
    if whole.below(node) and node + whole.below(node) >= most and skipped is not None:
        assert skipped.why == "limit"
    else:
        assert skipped == whole.skipped(node)
    assert part.principal == whole.principal[: len(part.principal)]


def test_a_tree_of_a_search_that_was_stopped_is_open_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimtui.trees import depth_first

    monkeypatch.setattr(depth_first, "FIRST_CHUNK", 300)
    game = parse_game("nim:1,2,3,4")
    stopped = search_of(game, game.new(), parse("minimax:depth=6"))
    with pytest.raises(Cancelled):
        stopped.run(StopAfter(1))
    found = stopped.tree
    assert isinstance(found, Tree) and len(found) == 301
    opened = [node for node in range(len(found)) if found.kind(node) == OPEN]
    assert opened == found.path(opened[-1]) and KINDS[found.kind(0)] == "open"
    skipped = found.skipped(0)
    assert skipped is not None and skipped.why == "open" and found.value(opened[-2]) is not None
    for node in opened:
        assert found.end(node) == len(found) and found.below(node) == len(found) - node - 1
    assert sum(1 + found.below(child) for child in found.children(0)) == found.below(0)


@pytest.mark.slow
def test_a_million_nodes_open_at_once() -> None:
    game = parse_game("nim:3,4,5,2")
    search = search_of(game, game.new(), parse("minimax:depth=8"), most_nodes=1_000_000)
    found = search.run().tree
    assert isinstance(found, Tree) and len(found) == 1_000_000 and search.result.space.tree_bytes < 200_000_000
    began = thread_time()
    again = search.tree
    node = 0
    while again.children(node):
        node = again.children(node)[-1]
    again.skipped(node)
    assert again.next_cut(0) is None  # looks through all of them: minimax has none
    assert thread_time() - began < 5  # some milliseconds of work; a wide berth
