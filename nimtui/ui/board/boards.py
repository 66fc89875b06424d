"""The kinds of boards, and the choice of one for a game."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from nimtui.games import Game
from nimtui.report.lines import BLANK, Ink, Line, Run, line, paragraphs
from nimtui.ui.board.board import Board, arrows, step, take
from nimtui.ui.board.cursor import Cell, ListCursor, RowsCursor, RunsCursor, Step
from nimtui.ui.board.discs import Discs
from nimtui.ui.board.grid import Grid
from nimtui.ui.board.grid_cursor import ColumnsCursor, GridCursor
from nimtui.ui.board.matches import Matches
from nimtui.ui.kit.canvas import Canvas
from nimtui.ui.kit.command import Command
from nimtui.ui.kit.glyphs import Glyphs

DIGITS = 9  # columns that one digit can name


class RowsBoard(Board, place="rows-board"):
    """Shows heaps of matches, taken from the right."""

    cursor: RowsCursor | RunsCursor
    _picture: Matches

    ROWS = (
        *arrows("row", up="Row above", down="Row below"),
        *arrows("count", left="Take one more", right="Take one fewer"),
        step("plus,equals_sign", Step.MORE, "Take one more"),
        step("minus", Step.LESS, "Take one fewer"),
        take("take", "Take the marked matches"),
    )

    def lay_out(self, width: int, height: int, signs: Glyphs) -> Sequence[int]:
        self._picture = Matches([len(row) for row in self.cursor.cells], width, height)
        return [width]

    def pictures(self, signs: Glyphs) -> Sequence[Sequence[Line]]:
        row = self.cursor.row if self.live else None
        cells = self.cursor.cells
        return [self._picture.paint(cells, self.marked, self.owned, row, signs)]

    def cell_at(self, x: int, y: int) -> Cell | None:
        return self._picture.cell_at(x, y, self.cursor.row)


class RunsBoard(RowsBoard, place="runs-board"):
    """Shows rows of neighbours; a run is taken anywhere."""

    ROWS = (
        *arrows("move", up="Row above", down="Row below", left="Move left", right="Move right"),
        step("shift+right,plus,equals_sign", Step.MORE, "Longer run", "size", "+"),
        step("shift+left,minus", Step.LESS, "Shorter run", "size", "-"),
    )


def _column(at: int) -> Command[ColumnsBoard]:
    """Return the row of the digit that marks a column."""
    digit = at + 1
    about = f"Column {digit}"
    return Command(str(digit), f"column({digit})", about, "", lambda b: b.mark(at), lambda b: b.has(at), show=False)


class ColumnsBoard(Board, place="columns-board"):
    """Shows columns into which discs are dropped."""

    cursor: ColumnsCursor
    _picture: Discs

    ROWS = (
        *arrows("column", left="Column to the left", right="Column to the right"),
        *map(_column, range(DIGITS)),
        take("drop", "Drop a disc into the marked column"),
    )

    def mark(self, column: int) -> None:
        """Mark a column, if it is not full."""
        if self.live and self.cursor.aim((0, column)):
            self._moved()

    def has(self, column: int) -> bool:
        """Return whether a digit names this column now."""
        return not self.asleep and column < len(self.cursor.cells[0]) <= DIGITS

    def compose(self) -> ComposeResult:
        yield from (Canvas() for _ in range(len(self.cursor.cells[0]) + 2))

    def lay_out(self, width: int, height: int, signs: Glyphs) -> Sequence[int]:
        cells = self.cursor.cells
        self._picture = Discs(len(cells[0]), len(cells), width, height, signs, self.labels is not None)
        return self._picture.widths

    def pictures(self, signs: Glyphs) -> Sequence[Sequence[Line]]:
        column = self.cursor.column if self.live else None
        return self._picture.paint(self.cursor.cells, self.marked, self.owned, column, self.labels or {})

    def cell_at(self, x: int, y: int) -> Cell | None:
        return self._picture.cell_at(x)


class GridBoard(Board, place="grid-board"):
    """Shows cells in rows and columns, one of them marked."""

    cursor: GridCursor
    _picture: Grid

    ROWS = (
        *arrows("move", up="Cell above", down="Cell below", left="Cell to the left", right="Cell to the right"),
        step("plus,equals_sign", Step.MORE, "Next move"),
        step("minus", Step.LESS, "Previous move"),
        take("play", "Play the marked move"),
    )

    def lay_out(self, width: int, height: int, signs: Glyphs) -> Sequence[int]:
        self._picture = Grid(self.cursor.cells, width, height, signs)
        return [width]

    def pictures(self, signs: Glyphs) -> Sequence[Sequence[Line]]:
        after = self.cursor.preview
        marked = {(row, column): after[row][column] for row, column in self.marked}
        at = self.cursor.at if self.live else None
        return [self._picture.paint(self.cursor.cells, at, marked, self.owned)]

    def cell_at(self, x: int, y: int) -> Cell | None:
        return self._picture.cell_at(x, y, self.cursor.at if self.live else None)


class ListBoard(Board, place="list-board"):
    """Shows the position's name above a list of the legal moves."""

    cursor: ListCursor

    ROWS = (
        *arrows("move", up="Line above", down="Line below", left="Previous move", right="Next move"),
        take("play", "Play the marked move"),
    )

    def lay_out(self, width: int, height: int, signs: Glyphs) -> Sequence[int]:
        return [width]

    def pictures(self, signs: Glyphs) -> Sequence[Sequence[Line]]:
        names = [signs.plain(self.game.move_name(move, self.position)) for move in self.cursor.moves]
        self._head = [BLANK, *paragraphs([signs.plain(self._position())], self.size.width - 4, Ink.STRONG), BLANK]
        self._wide = max(map(len, names), default=1) + 3
        self.cursor.across = max(1, (self.size.width - 2) // self._wide)
        self._top = self._scroll(self.size.height - len(self._head))
        lines = []
        for first in range(0, len(names), self.cursor.across):
            runs: list[Run] = []
            for at in range(first, min(first + self.cursor.across, len(names))):
                here = self.live and at == self.cursor.at
                text = f"{signs.cursor if here else ' '}{names[at]}".ljust(self._wide)
                runs.append(Run(text, Ink.PICK if here else Ink.STICK))
            lines.append(line("  ", *runs))
        return [[*(line("  ", *head) for head in self._head), *lines[self._top :]]]

    def _position(self) -> str:
        last = f" · last move {self.owned.move}" if self.owned.move else ""
        return f"Position {self.game.position_name(self.position)}{last}"

    def _scroll(self, room: int) -> int:
        """Return how many lines of moves are hidden above; the marked one stays visible."""
        lines = -(-len(self.cursor.moves) // self.cursor.across)
        at = self.cursor.at // self.cursor.across
        return max(0, min(lines - room, at - room // 2))

    def cell_at(self, x: int, y: int) -> Cell | None:
        at, row = (x - 2) // self._wide, y - len(self._head) + self._top
        return (row, at) if 0 <= at < self.cursor.across and row >= self._top else None


BOARDS: dict[str, type[Board]] = {"rows": RowsBoard, "runs": RunsBoard, "columns": ColumnsBoard, "grid": GridBoard}


def new_board(game: Game) -> Board:
    """Return a board of this game's kind; the list of moves if it has no picture."""
    return BOARDS.get(game.board_kind, ListBoard)(game, id="board")
