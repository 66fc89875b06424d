"""The games: rules as plain functions on a flat state; names, moves and positions as text.

Needs only NumPy. Each family of games has one file; `base` defines the functions that all of them share.
"""

from nimtui.games.game import Game, Record

__all__ = ["Game", "Record", "parse_game"]


def parse_game(text: str) -> Game:
    """Return the game of this name, e.g. 'nim:1,3,5,7'. Raises InputError with what is wrong and what is allowed."""
    from nimtui.games import registry  # imported late: it lists the modules of this package

    return registry.parse_game(text)
