"""Turns the recorded tree of any search into the text of a file: JSON, or a drawing for Graphviz."""

from __future__ import annotations

from nimtui.trees import export, mcts_export
from nimtui.trees.mcts_replay import GrowingTree
from nimtui.trees.recorded import RecordedTree
from nimtui.trees.tree import Tree


def tree_text(tree: RecordedTree, suffix: str, to_ply: int | None = None, most_nodes: int | None = None) -> str:
    """Return the text of a tree in the format of `suffix`, limited by ply and nodes [default: by kind of tree]."""
    most = {} if most_nodes is None else {"most_nodes": most_nodes}
    drawn = suffix == ".dot"
    if isinstance(tree, GrowingTree):
        return (mcts_export.as_dot if drawn else mcts_export.as_json)(tree, to_ply, **most)
    if not isinstance(tree, Tree):
        raise TypeError(f"cannot export {type(tree)}")
    return (export.as_dot if drawn else export.as_json)(tree, to_ply, **most)
