"""The choice of the cursor for a game's board."""

from __future__ import annotations

from nimtui.games import Game
from nimtui.games.base import State
from nimtui.ui.board.cursor import ColumnsCursor, Cursor, ListCursor, RowsCursor, RunsCursor
from nimtui.ui.board.grid_cursor import GridCursor

KINDS: dict[str, type[Cursor]] = {"rows": RowsCursor, "runs": RunsCursor, "columns": ColumnsCursor, "grid": GridCursor}


def new_cursor(game: Game, state: State) -> Cursor:
    """Return the cursor for this game's board; the list of moves if it has no picture."""
    return KINDS.get(game.board_kind, ListCursor)(game, state)
