"""Solve connect games exactly: who wins, and how soon, for every move of a position.

Read in this order:

- `board`: how a board is a number, and how lines are found in it,
- `bounds`: what can be proven about a position without any search,
- `order`: which move to try first,
- `table`: how results are stored for positions that come up again,
- `search`: how these are put together,
- `solver`: questions and answers.

What each idea is worth is measured in docs/connect-four.md.
"""

from nimtui.engine.connect.solver import Solver

__all__ = ["Solver"]
