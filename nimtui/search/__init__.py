"""Searching ahead: minimax, alpha-beta and Monte Carlo tree search, recorded so that their trees can be walked.

`Settings` say how, `Search` does it and tells what came of it; `tree` and `replay` show what it did, `compare` sets
several beside each other, `move_values` sets one beside perfect play, `export` writes trees. Nothing here draws or
prints.
"""

from __future__ import annotations

from nimtui.search.result import MoveResult, Result
from nimtui.search.search import Search
from nimtui.search.settings import Settings, parse

__all__ = ["MoveResult", "Result", "Search", "Settings", "parse"]
