"""Write a move in a sentence: `named` as a thing, `doing` as what a player does.

Tables, trees, lists and transcripts print what a person types: `game.move_name`, such as c3.
"""

from __future__ import annotations

from nimtui.games.base import Move, State
from nimtui.games.game import Game

MATCHES = ("rows", "runs")  # kinds of board


def named(game: Game, state: State, move: Move) -> str:
    """Return a move as the subject or object of a sentence: 'b2', 'column 3'."""
    name = game.move_name(move, state)
    return f"column {name}" if game.board_kind == "columns" else name


def doing(game: Game, state: State, move: Move, taking: str = "take", dropping: str = "drop") -> str:
    """Return what a move does: 'take 2 from C', 'take c2-4', 'drop in column 4', 'eat b2', 'play b2'.

    `taking` and `dropping` are the verbs' forms; `VERBS` and 'play' take the form of `taking`.
    """
    name = game.move_name(move, state)
    cells = sorted(game.touched(state, move))
    if game.verbs is not None or not cells or game.board_kind not in (*MATCHES, "columns"):
        return f"{verbed(game, taking)} {name}"
    row, first = cells[0]
    letter = chr(ord("A") + row)
    if game.board_kind == "columns":
        return f"{dropping} in column {first + 1}"
    if game.board_kind == "rows":
        return f"{taking} {len(cells)} from {letter}" if len(game.cells(state) or ()) > 1 else f"{taking} {len(cells)}"
    return f"{taking} {name}"


def verbed(game: Game, taking: str) -> str:
    """Return the game's own verb in the form of 'take', 'takes' or 'took'; 'play' without `VERBS`."""
    now, past = game.verbs or ("play", "played")
    if taking == "takes":
        return f"{now}{'es' if now.endswith(('s', 'x', 'z', 'ch', 'sh', 'o')) else 's'}"
    return past if taking == "took" else now
