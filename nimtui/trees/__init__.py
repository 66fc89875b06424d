"""Search: minimax, alpha-beta and Monte Carlo tree search, recorded so that their trees can be explored.

`Settings` configures a search (`search_of`), which runs and has a result. `tree` and `replay` show what the search did,
`compare` compares several searches.
`report` also compares a search with perfect play, `export` writes trees. Nothing here
draws or prints.
"""

from __future__ import annotations

from nimtui.trees.result import MoveResult, Result, Search
from nimtui.trees.search import search_of
from nimtui.trees.settings import Settings, parse

__all__ = ["MoveResult", "Result", "Search", "Settings", "parse", "search_of"]
