"""A recorded tree of whichever search as the text of a file: JSON, or a drawing for Graphviz."""

from __future__ import annotations

from nimtui.search import export, mcts_export
from nimtui.search.mcts_replay import GrowingTree
from nimtui.search.recorded import RecordedTree
from nimtui.search.tree import Tree


def tree_text(tree: RecordedTree, suffix: str, to_ply: int | None = None, most_nodes: int | None = None) -> str:
    """Return a tree to this ply and of at most so many nodes, those of its kind by default, as `suffix` says."""
    most = {} if most_nodes is None else {"most_nodes": most_nodes}
    drawn = suffix == ".dot"
    if isinstance(tree, GrowingTree):
        return (mcts_export.as_dot if drawn else mcts_export.as_json)(tree, to_ply, **most)
    if not isinstance(tree, Tree):
        raise TypeError(f"{type(tree)} is not written to files")
    return (export.as_dot if drawn else export.as_json)(tree, to_ply, **most)
