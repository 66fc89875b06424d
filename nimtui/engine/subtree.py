"""Copies the subtree of a node out of the tree of a Monte Carlo search, so that the search continues from there."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nimtui.engine.jit import kernel
from nimtui.engine.mcts import Growth, Tree


@kernel
def copy_subtree(
    tree: Tree,
    growth: Growth,
    root: int,
    into: Tree,
    grown: Growth,
    place: npt.NDArray[np.int32],
    before: npt.NDArray[np.int32],
    proven: bool,
) -> tuple[int, int]:
    """Copy the subtree of `root` and the simulations that went below it. Return how many nodes and simulations.

    Nodes keep their order, so that each comes after its parent and the children of one node stay side by side. A root
    counts no playout of its own, so the new root has the visits and the results of its children alone. `tree` and
    `growth` hold the nodes and the simulations so far; `into` and `grown` have room for as many. Scratch: `place`
    [nodes] becomes the new number of each node, −1 outside the subtree; `before` [simulations + 1] becomes how many of
    the copied simulations there were before each.
    """
    nodes = 0
    for node in range(root):
        place[node] = -1
    for node in range(root, place.shape[0]):
        parent = np.int64(tree.parent[node]) if node > root else np.int64(0)
        inside = node == root or (parent >= root and place[parent] >= 0)
        place[node] = nodes if inside else -1
        if not inside:
            continue
        new = nodes
        nodes += 1
        into.move[new] = tree.move[node]
        into.visits[new] = tree.visits[node]
        into.total[new] = tree.total[node]
        into.mean[new] = tree.mean[node]
        into.doubt[new] = tree.doubt[node]
        into.width[new] = tree.width[node]
        into.first[new] = 0
        into.ended[new] = tree.ended[node]
        if proven:
            into.proof[new] = tree.proof[node]
            into.proved[new] = tree.proved[node]
        into.parent[new] = 0
        if node > root:
            into.parent[new] = place[parent]
            if tree.first[parent] == node:
                into.first[place[parent]] = new
    done = 0
    for simulation in range(before.shape[0] - 1):
        before[simulation] = done
        leaf = np.int64(growth.leaf[simulation])
        if place[leaf] > 0:
            grown.leaf[done] = place[leaf]
            grown.result[done] = growth.result[simulation]
            grown.clock[done] = growth.clock[simulation]
            done += 1
    before[before.shape[0] - 1] = done
    total: Any = tree.total[0] * 0
    for child in range(into.first[0], into.first[0] + into.width[0]):
        total -= into.total[child] if into.visits[child] > 0 else 0
    into.visits[0] = done
    into.total[0] = total
    into.mean[0] = total / done if done > 0 else 0.0
    into.doubt[0] = 1 / np.sqrt(done) if done > 0 else 0.0
    if proven:
        for node in range(nodes):
            if into.visits[node] > 0 and into.proof[node] != 0:
                into.proved[node] = before[into.proved[node]]
    return nodes, done
