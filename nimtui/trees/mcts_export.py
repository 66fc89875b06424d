"""Writes the tree of a Monte Carlo search as JSON or as a Graphviz drawing, limited by ply or nodes.

The most visited nodes come first, each with all nodes above it.
"""

from __future__ import annotations

import json
from heapq import heappop, heappush
from typing import Any

from nimtui.trees.mcts_replay import GrowingTree

MOST_NODES = 10_000
DRAWN_NODES = 200
MEAN_OF = "the player who makes the move, at the root the player to move"


def chosen(replay: GrowingTree, to_ply: int | None = None, most_nodes: int = MOST_NODES) -> dict[int, int]:
    """Return the most visited nodes, at most `most_nodes`, with their plies; nodes of equal visits as they grew."""
    found: dict[int, int] = {}
    waiting = [(0, 0, 0)]  # −visits, node, ply
    while waiting and len(found) < most_nodes:
        _, node, ply = heappop(waiting)
        found[node] = ply
        if to_ply is None or ply < to_ply:
            for child in replay.children(node):
                if replay.visits[child]:
                    heappush(waiting, (-int(replay.visits[child]), child, ply + 1))
    return found


def as_json(replay: GrowingTree, to_ply: int | None = None, most_nodes: int = MOST_NODES) -> str:
    """Return the search and its nodes, one per line; for `mean` and `proven` see `CurrentTree.mean`."""
    nodes = chosen(replay, to_ply, most_nodes)
    search = replay.search
    head = {
        "game": search.game.name,
        "position": search.game.position_name(search.state),
        "algorithm": "mcts",
        "simulations": replay.at,
        "c": search.c,
        "log": search.log,
        "policy": search.policy,
        "written": len(nodes),
        "mean_of": MEAN_OF,
    }
    lines = ",\n".join("    " + json.dumps(_node(replay, node, ply), ensure_ascii=False) for node, ply in nodes.items())
    told = json.dumps(head, ensure_ascii=False, indent=2)
    return f'{told[:-2]},\n  "nodes": [\n{lines}\n  ]\n}}\n'


def as_dot(replay: GrowingTree, to_ply: int | None = None, most_nodes: int = DRAWN_NODES) -> str:
    """Return a drawing: each node has its move, visits, mean and proven result; omitted nodes are dots."""
    nodes = chosen(replay, to_ply, most_nodes)
    lines = [
        "digraph search {",
        f'  label="mcts · {replay.search.game.name} · means of {MEAN_OF}";',
        "  node [shape=box];",
    ]
    for node in nodes:
        mean, proven = replay.mean(node), replay.proven(node)
        told = [_move_name(replay, node) or "root", f"{int(replay.visits[node]):,} visits"]
        told += ["" if mean is None else f"mean {mean:+.3f}"]
        told += [] if proven is None else [{1: "wins", 0: "draws", -1: "loses"}[proven]]
        label = "\\n".join(part for part in told if part)
        lines.append(f'  n{node} [label="{label}"];')
        if node:
            lines.append(f"  n{int(replay.tree.parent[node])} -> n{node};")
        left_out = sum(child not in nodes for child in replay.children(node))
        if left_out:
            lines.append(f'  m{node} [label="… {left_out} more", shape=plaintext]; n{node} -> m{node} [style=dotted];')
    return "\n".join([*lines, "}", ""])


def _node(replay: GrowingTree, node: int, ply: int) -> dict[str, Any]:
    visits = int(replay.visits[node])
    told: dict[str, Any] = {
        "node": node,
        "parent": int(replay.tree.parent[node]) if node else None,
        "move": _move_name(replay, node) or None,
        "ply": ply,
        "visits": visits,
        "mean": replay.mean(node),
        "born": replay.reached_first(node),
    }
    proven = replay.proven(node)
    return told if proven is None else told | {"proven": proven}


def _move_name(replay: GrowingTree, node: int) -> str:
    if not node:
        return ""
    before = replay.state(int(replay.tree.parent[node]))
    return replay.search.game.move_name(int(replay.tree.move[node]), before)
