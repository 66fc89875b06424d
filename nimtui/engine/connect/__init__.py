"""Solve connect games exactly: who wins, and how soon, for every move of a position.

Read in this order:

- `board`: how a board is a number, how lines are found in it, and what can be proven about it without any search,
- `table`: how results are stored for positions that come up again,
- `search`: which move to try first, and how all this is put together,
- `solver`: questions and answers.

What each idea is worth is measured in docs/connect-four.md.
"""

from nimtui.engine.connect.solver import Solver

__all__ = ["Solver"]
