"""Which board shows which game."""

from __future__ import annotations

from nimtui.games import Game
from nimtui.ui.board.board import Board
from nimtui.ui.board.columns_board import ColumnsBoard
from nimtui.ui.board.list_board import ListBoard
from nimtui.ui.board.rows_board import RowsBoard, RunsBoard

BOARDS: dict[str, type[Board]] = {"rows": RowsBoard, "runs": RunsBoard, "columns": ColumnsBoard}


def new_board(game: Game) -> Board:
    """A board of this game's kind; the list of moves where it has no picture."""
    return BOARDS.get(game.board_kind, ListBoard)(game, id="board")
