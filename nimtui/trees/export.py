"""Writes a recorded tree as JSON and as a Graphviz drawing, limited by ply or by nodes.

The nodes nearest to the root come first, so that the written tree is complete down to some ply.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from nimtui.engine.windows import CUT, INFINITY, OPEN
from nimtui.trees.tree import KINDS, Tree

MOST_NODES = 10_000
DRAWN_NODES = 500


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


def as_json(tree: Tree, to_ply: int | None = None, most_nodes: int = MOST_NODES) -> str:
    """Return the search and its nodes, one per line; infinite bounds of windows are null."""
    nodes = chosen(tree, to_ply, most_nodes)
    head = {
        "game": tree.game.name,
        "position": tree.game.position_name(tree.root),
        "algorithm": tree.settings.name,
        "visited": tree.visited,
        "recorded": len(tree),
        "written": len(nodes),
        "principal_variation": [name for _, name in _named(tree)],
    }
    lines = ",\n".join("    " + json.dumps(_node(tree, node), ensure_ascii=False) for node in nodes)
    told = json.dumps(head, ensure_ascii=False, indent=2)
    return f'{told[:-2]},\n  "nodes": [\n{lines}\n  ]\n}}\n'


def _named(tree: Tree) -> list[tuple[int, str]]:
    """Return the nodes of the best line after the root, with the names of their moves."""
    return [(node, _move_name(tree, node)) for node in tree.principal[1:]]


def _move_name(tree: Tree, node: int) -> str:
    return tree.game.move_name(tree.move(node), tree.state(int(tree.parent[node])))


def _finite(bound: int) -> int | None:
    return None if abs(bound) == INFINITY else bound


def _node(tree: Tree, node: int) -> dict[str, Any]:
    alpha, beta = tree.window(node)
    told: dict[str, Any] = {
        "node": node,
        "parent": int(tree.parent[node]) if node else None,
        "move": _move_name(tree, node) if node else None,
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
        told["skipped"] = [tree.game.move_name(move, state) for move in skipped.moves]
        told["why"] = skipped.why
        if skipped.by is not None:
            told["cut_by"] = tree.game.move_name(skipped.by, state)
    return told


def as_dot(tree: Tree, to_ply: int | None = None, most_nodes: int = DRAWN_NODES) -> str:
    """Return a drawing: best line bold, cutoffs dashed with the number of pruned moves, omitted nodes as dots."""
    nodes = chosen(tree, to_ply, most_nodes)
    drawn, principal = set(nodes), set(tree.principal)
    title = _quoted(f"{tree.settings.name} · {tree.game.name}")
    lines = ["digraph search {", f"  label={title};", "  node [shape=box, fontname=monospace];"]
    for node in nodes:
        best = ", penwidth=3" if node in principal else ""
        lines.append(f"  n{node} [label={_quoted(_label(tree, node))}{best}{_shape(tree, node)}];")
        if node:
            bold = " [penwidth=3]" if node in principal else ""
            lines.append(f"  n{tree.parent[node]} -> n{node}{bold};")
        left_out = sum(child not in drawn for child in tree.children(node))
        if left_out:
            lines.append(f'  m{node} [label="… {left_out} more", shape=plaintext]; n{node} -> m{node} [style=dotted];')
        skipped = tree.skipped(node)
        if skipped is not None:
            what = f"{len(skipped.moves)} {'pruned' if skipped.why == 'cut' else 'not recorded'}"
            lines.append(f'  c{node} [label="{what}", shape=plaintext]; n{node} -> c{node} [style=dashed];')
    return "\n".join([*lines, "}", ""])


def _label(tree: Tree, node: int) -> str:
    alpha, beta = (f"{bound}" if _finite(bound) is not None else "∞" for bound in tree.window(node))
    low = "−∞" if alpha == "∞" else alpha
    sign = {"lower": "≥ ", "upper": "≤ ", "exact": ""}[tree.bound(node)]
    name = _move_name(tree, node) if node else "root"
    value = tree.value(node)
    return f"{name}\n{sign}{'…' if value is None else value}  ({low}, {beta})"


def _shape(tree: Tree, node: int) -> str:
    kind = tree.kind(node)
    return ", style=dashed" if kind == CUT else ", style=dotted" if kind == OPEN else ""


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
