"""A cursor on a board of cells in rows and columns: it stands only where a move is legal. Which cursor a game has."""

from __future__ import annotations

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.ui.board.cursor import Cell, Cursor, ListCursor, RowsCursor, RunsCursor, Step


class GridCursor(Cursor):
    """A cell of the grid, and one of the moves there if it has several."""

    at: Cell | None = None  # the cell where it stood last
    chosen: Move | None = None

    def settle(self) -> None:
        squares = {move: self.square(move) for move in base.legal_moves(self.state)}
        self.moves = sorted((cell, move) for move, cell in squares.items() if cell is not None)
        rows, columns = len(self.cells), max(map(len, self.cells), default=0)
        y, x = self.at or ((rows - 1) // 2, (columns - 1) // 2)
        near = min(self.moves, key=lambda each: (abs(each[0][0] - y) + abs(each[0][1] - x), each), default=None)
        self.at, self.chosen = near or (self.at, None)

    def square(self, move: Move) -> Cell | None:
        """Return the cell that stands for a legal move; None if none does."""
        return self.game.square(self.state, move)

    @property
    def move(self) -> Move | None:
        return self.chosen

    @property
    def preview(self) -> list[list[int]]:
        """The cells after its move; those of the position where nothing is marked."""
        if self.chosen is None:
            return self.cells
        return self.game.cells(self.game.after(self.state, self.chosen)) or self.cells

    def step(self, step: Step) -> None:
        if self.at is None or self.chosen is None:
            return
        if step in (Step.FIRST, Step.LAST, Step.MORE, Step.LESS):
            here = self.moves.index((self.at, self.chosen))
            last = len(self.moves) - 1
            goals = {Step.FIRST: 0, Step.LAST: last, Step.MORE: min(here + 1, last), Step.LESS: max(here - 1, 0)}
            self.at, self.chosen = self.moves[goals[step]]
            return
        # The nearest cell with a move in this direction: in the same row or column if there is one.
        along = 0 if step in (Step.UP, Step.DOWN) else 1
        sign = 1 if step in (Step.DOWN, Step.RIGHT) else -1
        y_x = self.at
        ahead = [each for each in self.moves if sign * (each[0][along] - y_x[along]) > 0]

        def away(each: tuple[Cell, Move]) -> tuple[int, int]:
            return abs(each[0][1 - along] - y_x[1 - along]), abs(each[0][along] - y_x[along])

        self.at, self.chosen = min(ahead, key=away, default=(self.at, self.chosen))

    def aim(self, cell: Cell) -> bool:
        if cell == self.at and self.chosen is not None:
            return True
        goal = next((each for each in self.moves if each[0] == cell), None)
        if goal is not None:
            self.at, self.chosen = goal
        return goal is not None

    def go_to(self, move: Move) -> None:
        self.at, self.chosen = next(each for each in self.moves if each[1] == move)


class ColumnsCursor(GridCursor):
    """Discs: a column that is not full."""

    def settle(self) -> None:
        super().settle()
        self.at = self.at if self.moves else None

    def square(self, move: Move) -> Cell:
        return 0, self.game.touched(self.state, move)[0][1]

    @property
    def column(self) -> int | None:
        return None if self.at is None else self.at[1]

    def aim(self, cell: Cell) -> bool:
        return super().aim((0, cell[1]))


KINDS: dict[str, type[Cursor]] = {"rows": RowsCursor, "runs": RunsCursor, "columns": ColumnsCursor, "grid": GridCursor}


def new_cursor(game: Game, state: State) -> Cursor:
    """Return the cursor for this game's board; the list of moves if it has no picture."""
    return KINDS.get(game.board_kind, ListCursor)(game, state)
