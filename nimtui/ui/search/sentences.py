"""Texts for the numbers of a search.

On the screen all numbers are those of the player to move at the root. That player wants them high and raises α; the
opponent wants them low and lowers β.
"""

from __future__ import annotations

from itertools import pairwise

from nimtui.engine.windows import CUT, LEAF, OPEN, TABLE, TERMINAL
from nimtui.theory.report import bounded
from nimtui.trees.report import TreeValue
from nimtui.trees.tree import Tree
from nimtui.trees.two_trees import FLIPPED

KINDS = {OPEN: "being searched", LEAF: "depth limit", TERMINAL: "game over", TABLE: "from the table"}


def for_root(value: int, ply: int) -> int:
    """Convert a value of the player to move at this ply to one of the player at the root."""
    return -value if ply % 2 else value


def window_for_root(alpha: int, beta: int, ply: int) -> tuple[int, int]:
    """Convert a window of the player to move at this ply to one of the player at the root."""
    return (-beta, -alpha) if ply % 2 else (alpha, beta)


def window(tree: Tree, node: int) -> tuple[int, int]:
    """Return α and β at the entry of the node, for the player at the root."""
    return window_for_root(*tree.window(node), int(tree.plies[node]))


def value(tree: Tree, node: int, brief: bool = False) -> str:
    """Return the value of a node for the player at the root: '≤ −4', '≤ loses in 6', `brief` '≤ loss 6'; or '…'."""
    found = tree.value(node)
    if found is None:
        return "…"
    ply = int(tree.plies[node])
    bound = tree.bound(node)
    told = bounded(TreeValue(for_root(found, ply)), FLIPPED[bound] if ply % 2 else bound)
    return told.short if brief else told.text


def interval(low: int, high: int) -> str:
    return f"({TreeValue(low).short}, {TreeValue(high).short})"


def why_cut(tree: Tree, node: int) -> str:
    """Return a sentence on which moves of a node were not searched, and why; '' if all were."""
    skipped = tree.skipped(node)
    if skipped is None:
        return "cutoff at the last move: nothing left to prune" if tree.kind(node) == CUT else ""
    count = len(skipped.moves)
    moves = f"{count} move{'s' * (count > 1)}"
    if skipped.why == "limit" and tree.kind(node) == OPEN:
        return f"{moves} not recorded, or not searched yet"
    if skipped.why == "limit":
        return f"{moves} beyond the recorded nodes"
    if skipped.why == "open":
        return f"{moves} not searched yet"
    by = tree.game.move_name(skipped.by, tree.state(node)) if skipped.by is not None else ""
    other = _preferred(tree, node)
    if int(tree.plies[node]) % 2:
        why = f"β {TreeValue(-skipped.alpha).short} ≤ α {TreeValue(-skipped.beta).short}"
        then = f"after {by} this line cannot beat {other}" if other else f"after {by} this line is not good enough"
    else:
        why = f"α {TreeValue(skipped.alpha).short} ≥ β {TreeValue(skipped.beta).short}"
        then = f"{by} is so good that the opponent plays {other} instead" if other else f"{by} is too good here"
    return f"{moves} pruned: {why}, {then}"


def _preferred(tree: Tree, node: int) -> str:
    """Return the nearest earlier move whose value is the bound that caused the cutoff; '' if there is none."""
    bound = int(tree.beta[node])  # of the player to move; the other player has it as α
    path = tree.path(node)
    for up, (above, below) in enumerate(reversed(list(pairwise(path)))):
        if up % 2:
            continue
        for sibling in tree.children(above):
            if sibling >= below:
                break
            proven = tree.kind(sibling) != OPEN and tree.bound(sibling) != "lower"  # pruned itself: it may be worse
            if proven and int(tree.values[sibling]) == bound:
                return tree.name(sibling)
    return ""


def count(nodes: int) -> str:
    """Return a count in at most seven columns: '2,978', '131.1 M'."""
    if nodes < 100_000:
        return f"{nodes:,}"
    return f"{nodes / 1000:.0f} k" if nodes < 1_000_000 else f"{nodes / 1e6:.1f} M"
