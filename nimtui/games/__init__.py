"""The games: rules as plain functions over a flat state, their names, moves and positions as text.

Needs NumPy alone. One file a family; `base` is the vocabulary all of them speak.
"""

from nimtui.games.game import Game
from nimtui.games.record import Record

__all__ = ["Game", "Record", "parse_game"]


def parse_game(text: str) -> Game:
    """The game of this name, e.g. 'nim:1,3,5,7'. InputError with what is wrong and what is allowed."""
    from nimtui.games import registry  # it looks through this package, so it comes after it

    return registry.parse_game(text)
