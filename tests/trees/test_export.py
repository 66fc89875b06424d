"""Trees as JSON and DOT."""

from __future__ import annotations

import json
import re

from nimtui.engine.rng import Stream
from nimtui.games import parse_game
from nimtui.trees.export import as_dot, as_json, chosen, most_visited
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.mcts_replay import GrowingTree
from tests.trees.helpers import ORIGINAL, tree


def test_json_tells_windows_cuts_and_the_best_line() -> None:
    told = json.loads(as_json(tree("nim:1,2,3,4", ORIGINAL)))
    assert (told["game"], told["position"], told["visited"], told["written"]) == ("nim:1,2,3,4", "1,2,3,4", 669, 669)
    assert told["principal_variation"] == ["c3", "d1", "d3", "a1"]
    nodes = {node["node"]: node for node in told["nodes"]}
    root = nodes[0]
    assert (root["alpha"], root["beta"], root["value"], root["nodes"]) == (None, None, -2, 669)
    [b1] = [node for node in nodes.values() if node["parent"] == 0 and node["move"] == "b1"]
    assert (b1["kind"], b1["cut_by"], b1["why"], len(b1["skipped"])) == ("cut", "d1", "cut", 3)
    assert all(nodes[node["parent"]]["ply"] + 1 == node["ply"] for node in nodes.values() if node["node"])


def test_exports_are_whole_down_to_a_ply() -> None:
    found = tree("nim:1,2,3,4", ORIGINAL)
    assert chosen(found, to_ply=1) == [0, *found.children(0)]
    assert len(chosen(found, most_nodes=5)) == 5
    plies = [int(found.plies[node]) for node in chosen(found, most_nodes=100)]
    assert plies == sorted(plies)
    assert json.loads(as_json(found, to_ply=2))["written"] == sum(found.plies <= 2)


def test_dot_draws_every_node_once_and_says_what_is_left_out() -> None:
    found = tree("connect:3x3x3", "alphabeta:depth=4")
    drawn = as_dot(found, most_nodes=30)
    assert drawn.startswith("digraph search {") and drawn.endswith("}\n")
    assert drawn.count("{") == drawn.count("}") == 1
    names = re.findall(r"^  n(\d+) \[", drawn, re.MULTILINE)
    assert len(names) == len(set(names)) == 30
    edges = re.findall(r"^  n(\d+) -> n(\d+)", drawn, re.MULTILINE)
    assert len(edges) == 29 and {name for edge in edges for name in edge} <= set(names)
    assert "more" in drawn and "pruned" in drawn and "(−∞, ∞)" in drawn


def test_of_a_grown_tree_the_most_visited_nodes_are_written() -> None:
    game = parse_game("connect:3x3x3")
    grown = GrowingTree(MonteCarloSearch(game, game.start, 60, stream=Stream(2)).run())
    grown.seek(60)
    visits = {node: int(each) for node, each in enumerate(grown.visits) if each}
    for most in (1, 2, 7, 30):
        plies = most_visited(grown, most_nodes=most)
        assert sorted((visits[node] for node in plies), reverse=True) == sorted(visits.values(), reverse=True)[:most]
        for node, ply in plies.items():  # a path of nodes that are written leads to each
            above = int(grown.tree.parent[node])
            assert (ply == 0) == (node == 0) and (node == 0 or plies[above] == ply - 1)
    assert set(most_visited(grown, to_ply=1)) == {0, *(child for child in grown.children(0) if child in visits)}
    assert max(most_visited(grown).values()) > 1 and set(most_visited(grown)) == set(visits)
