"""The rules of a game in two or three sentences, for the help."""

from __future__ import annotations

from nimtui.games import Game
from nimtui.games.adjacent import Adjacent
from nimtui.games.connect import Connect
from nimtui.games.heaps import Heaps


def told(game: Game) -> str:
    """Return how the players move and who wins; for a person's own game only what its file says of itself."""
    start = game.start
    if isinstance(start, Heaps | Adjacent):
        neighbours = "" if isinstance(start, Heaps) else " that stand side by side"
        rows = len(game.cells(start) or ())
        most = "any number of matches" if start.limit >= _widest(game) else _up_to(start.limit)
        where = "" if rows == 1 else " from one row"
        end = "loses" if start.misere else "wins"
        return f"You take {most}{neighbours}{where} in turn. Whoever takes the last match {end}."
    if isinstance(start, Connect):
        return (
            "You drop a disc into a column in turn. "
            f"Whoever first has {start.k} discs in a line, in any direction, wins. A full board is a draw."
        )
    return f"{game.title}. You move in turn. Its file defines the rules."


def _widest(game: Game) -> int:
    return max(map(len, game.cells(game.start) or [[]]))


def _up_to(limit: int) -> str:
    return {1: "one match", 2: "1 or 2 matches"}.get(limit, f"1 to {limit} matches")
