"""Search: minimax, alpha-beta and Monte Carlo tree search, recorded so that their trees can be explored.

`Settings` configures a search (`search_of`), which runs and has a result. `tree` shows and replays what the search did,
`compare` compares several searches. `report` also compares a search with perfect play, `export` writes trees. Nothing
here draws or prints.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nimtui.games import Game
from nimtui.games.base import State
from nimtui.trees.result import MoveResult, Result, Search
from nimtui.trees.settings import MCTS, Settings, parse

if TYPE_CHECKING:
    from nimtui.learning.saved_tables import LearnedValues

__all__ = ["MOST_NODES", "MoveResult", "Result", "Search", "Settings", "parse", "search_of"]

MOST_NODES = 4_000_000  # recorded at most: 100 MB


def search_of(
    game: Game,
    state: State,
    settings: Settings,
    record: bool = True,
    most_nodes: int = MOST_NODES,
    values: LearnedValues | None = None,
) -> Search:
    """Return the search of a position. Raises InputError if it is impossible, before anything is allocated: the game
    is over, memory would not suffice, or the depth is out of reach.

    `values` is the function that `settings.value` names [default: it is found by this name].
    """
    if settings.value and values is None:
        from nimtui.learning import saved_tables

        values = saved_tables.find_function(settings.value, game)
    if values is not None:
        settings = replace(settings, value=values.called)
    if settings.algorithm == MCTS:
        from nimtui.trees.mcts_replay import MctsSearch

        return MctsSearch(game, state, settings, values)
    from nimtui.trees.depth_first import DepthFirst

    return DepthFirst(game, state, settings, record, most_nodes, values)
