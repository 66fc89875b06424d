"""Writes a recorded tree as JSON and as a Graphviz drawing, limited by ply or by nodes.

Of minimax and alpha-beta the nodes nearest to the root come first, so that the written tree is complete down to some
ply; of Monte Carlo tree search the most visited ones, each with all nodes above it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection
from heapq import heappop, heappush
from typing import Any

from nimtui.engine.windows import CUT, INFINITY, OPEN
from nimtui.report.document import long_file
from nimtui.report.values import Count, Result
from nimtui.theory.report import BOUNDS
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.trees.report import PROVEN
from nimtui.trees.tree import KINDS, RecordedTree, Tree

MOST_NODES = 10_000
DRAWN_NODES, DRAWN_GROWN = 500, 200  # of Monte Carlo tree search
MEAN_OF = "the player who makes the move, at the root the player to move"


def tree_text(tree: RecordedTree, suffix: str, to_ply: int | None = None, most_nodes: int | None = None) -> str:
    """Return the text of a tree in the format of `suffix`, limited by ply and nodes [default: by kind of tree]."""
    if suffix != ".dot":
        return as_json(tree, to_ply, most_nodes or MOST_NODES)
    return as_dot(tree, to_ply, most_nodes or (DRAWN_GROWN if isinstance(tree, GrowingTree) else DRAWN_NODES))


def chosen(tree: Tree, to_ply: int | None = None, most_nodes: int = MOST_NODES) -> list[int]:
    """Return the recorded nodes nearest to the root, ply by ply, at most `most_nodes`."""
    nodes: list[int] = []
    waiting = deque([0])
    while waiting and len(nodes) < most_nodes:
        node = waiting.popleft()
        nodes.append(node)
        if to_ply is None or int(tree.plies[node]) < to_ply:
            waiting.extend(tree.children(node))
    return nodes


def most_visited(tree: GrowingTree, to_ply: int | None = None, most_nodes: int = MOST_NODES) -> dict[int, int]:
    """Return the most visited nodes, at most `most_nodes`, with their plies; nodes of equal visits as they grew."""
    plies: dict[int, int] = {}
    waiting = [(0, 0, 0)]  # −visits, node, ply
    while waiting and len(plies) < most_nodes:
        _, node, ply = heappop(waiting)
        plies[node] = ply
        if to_ply is None or ply < to_ply:
            for child in tree.children(node):
                if tree.visits[child]:
                    heappush(waiting, (-int(tree.visits[child]), child, ply + 1))
    return plies


def as_json(tree: RecordedTree, to_ply: int | None = None, most_nodes: int = MOST_NODES) -> str:
    """Return the search and its nodes, one per line. Infinite bounds of windows are null; for `mean` and `proven` see
    `CurrentTree.mean`.
    """
    if isinstance(tree, GrowingTree):
        search = tree.search
        nodes = [_grown(tree, node, ply) for node, ply in most_visited(tree, to_ply, most_nodes).items()]
        how = {"algorithm": "mcts", "simulations": tree.at, "c": search.c, "log": search.log, "policy": search.policy}
        how |= {"value": search.values.called} if search.values is not None else {}
        end: dict[str, Any] = {"mean_of": MEAN_OF}
    else:
        assert isinstance(tree, Tree)
        nodes = [_searched(tree, node) for node in chosen(tree, to_ply, most_nodes)]
        how = {"algorithm": tree.settings.name, "visited": tree.visited, "recorded": len(tree)}
        end = {"principal_variation": [tree.name(node) for node in tree.principal[1:]]}
    head = {"game": tree.game.name, "position": tree.game.position_name(tree.root), **how, "written": len(nodes), **end}
    return "".join(long_file(head, "nodes", nodes))


def _finite(bound: int) -> int | None:
    return None if abs(bound) == INFINITY else bound


def _searched(tree: Tree, node: int) -> dict[str, Any]:
    alpha, beta = tree.window(node)
    keys: dict[str, Any] = {
        "node": node,
        "parent": int(tree.parent[node]) if node else None,
        "move": tree.name(node) if node else None,
        "ply": int(tree.plies[node]),
        "kind": KINDS[tree.kind(node)],
        "value": tree.value(node),
        "bound": tree.bound(node),
        "alpha": _finite(alpha),
        "beta": _finite(beta),
        "nodes": tree.below(node) + 1,
    }
    if (skipped := tree.skipped(node)) is not None:
        state = tree.state(node)
        keys["skipped"] = [tree.game.move_name(move, state) for move in skipped.moves]
        keys["why"] = skipped.why
        if skipped.by is not None:
            keys["cut_by"] = tree.game.move_name(skipped.by, state)
    return keys


def _grown(tree: GrowingTree, node: int, ply: int) -> dict[str, Any]:
    keys: dict[str, Any] = {
        "node": node,
        "parent": int(tree.parent[node]) if node else None,
        "move": tree.name(node) if node else None,
        "ply": ply,
        "visits": int(tree.visits[node]),
        "mean": tree.mean(node),
        "born": tree.reached_first(node),
    }
    proven = tree.proven(node)
    return keys if proven is None else keys | {"proven": proven}


def as_dot(tree: RecordedTree, to_ply: int | None = None, most_nodes: int = DRAWN_NODES) -> str:
    """Return a drawing. Of minimax and alpha-beta: best line bold, cutoffs dashed with the number of pruned moves; of
    Monte Carlo tree search each node has its move, visits, mean and proven result. Omitted nodes are dots.
    """
    bold: Collection[int] = ()
    if isinstance(tree, GrowingTree):
        nodes: Collection[int] = most_visited(tree, to_ply, most_nodes)
        title = f"mcts · {tree.game.name} · means of {MEAN_OF}"
    else:
        assert isinstance(tree, Tree)
        nodes, bold = dict.fromkeys(chosen(tree, to_ply, most_nodes)), set(tree.principal)
        title = f"{tree.settings.name} · {tree.game.name}"
    lines = ["digraph search {", f"  label={_quoted(title)};", "  node [shape=box, fontname=monospace];"]
    for node in nodes:
        best, edge = (", penwidth=3", " [penwidth=3]") if node in bold else ("", "")
        if isinstance(tree, GrowingTree):
            mean, shape = tree.mean(node), ""
            value = "" if mean is None else f"mean {Result(mean)}"
            parts = tree.name(node), f"{Count(tree.visits[node])} visits", value, PROVEN.get(tree.proven(node), "")
            label = "\n".join(filter(None, parts))
        else:
            label, shape = _drawn(tree, node)
        lines.append(f"  n{node} [label={_quoted(label)}{best}{shape}];")
        if node:
            lines.append(f"  n{tree.parent[node]} -> n{node}{edge};")
        if left_out := sum(child not in nodes for child in tree.children(node)):
            lines.append(f'  m{node} [label="… {left_out} more", shape=plaintext]; n{node} -> m{node} [style=dotted];')
        if isinstance(tree, Tree) and (skipped := tree.skipped(node)) is not None:
            what = f"{len(skipped.moves)} {'pruned' if skipped.why == 'cut' else 'not recorded'}"
            lines.append(f'  c{node} [label="{what}", shape=plaintext]; n{node} -> c{node} [style=dashed];')
    return "\n".join([*lines, "}", ""])


def _drawn(tree: Tree, node: int) -> tuple[str, str]:
    """Return the label of a node, and how its box is drawn."""
    alpha, beta = tree.window(node)
    low, high = "−∞" if _finite(alpha) is None else alpha, "∞" if _finite(beta) is None else beta
    value = tree.value(node)
    told = "…" if value is None else f"{BOUNDS.get(tree.bound(node), '')}{value}"
    shape = {CUT: ", style=dashed", OPEN: ", style=dotted"}.get(tree.kind(node), "")
    return f"{tree.name(node)}\n{told}  ({low}, {high})", shape


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
