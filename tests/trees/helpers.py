"""Searches made short."""

from __future__ import annotations

from nimtui.games import parse_game
from nimtui.trees import MOST_NODES, Search, parse, search_of
from nimtui.trees.tree import Tree

ORIGINAL = "alphabeta:depth=4,heuristic=original"


def search(name: str, how: str, position: str | None = None, record: bool = True, most: int = MOST_NODES) -> Search:
    game = parse_game(name)
    return search_of(game, game.new(position), parse(how), record, most).run()


def tree(name: str, how: str, most: int = MOST_NODES) -> Tree:
    found = search(name, how, most=most).tree
    assert isinstance(found, Tree)
    return found


def line(tree: Tree, names: str) -> int:
    """The node after these moves."""
    node = 0
    for name in names.split():
        move = tree.game.parse_move(name, tree.state(node))
        [node] = [child for child in tree.children(node) if tree.move(child) == move]
    return node
