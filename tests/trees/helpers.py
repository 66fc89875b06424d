"""Searches made short."""

from __future__ import annotations

from typing import Any

from nimtui.engine.rng import Stream
from nimtui.games import parse_game
from nimtui.trees import MOST_NODES, Search, parse, search_of
from nimtui.trees.mcts import MonteCarloSearch
from nimtui.trees.tree import Tree

ORIGINAL = "alphabeta:depth=4,heuristic=original"


def begun(name: str, how: str, position: str | None = None, record: bool = True, most: int = MOST_NODES) -> Any:
    game = parse_game(name)
    return search_of(game, game.new(position), parse(how), record, most)


def search(name: str, how: str, position: str | None = None, record: bool = True, most: int = MOST_NODES) -> Search:
    found: Search = begun(name, how, position, record, most).run()
    return found


def tree(name: str, how: str, most: int = MOST_NODES) -> Tree:
    found = search(name, how, most=most).tree
    assert isinstance(found, Tree)
    return found


def growing(name: str, simulations: int, position: str | None = None, seed: int = 3, **how: Any) -> MonteCarloSearch:
    """A Monte Carlo tree search that has yet to run."""
    game = parse_game(name)
    return MonteCarloSearch(game, game.new(position), simulations, stream=Stream(seed), **how)


def line(tree: Tree, names: str) -> int:
    """The node after these moves."""
    node = 0
    for name in names.split():
        move = tree.game.parse_move(name, tree.state(node))
        [node] = [child for child in tree.children(node) if tree.move(child) == move]
    return node
