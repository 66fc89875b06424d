"""The kinds of boards, and the choice of one for a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from nimtui.games import Game
from nimtui.report.lines import BLANK, Ink, Line, Run, line, paragraphs
from nimtui.ui.board.board import Board
from nimtui.ui.board.cursor import Cell, ColumnsCursor, ListCursor, RowsCursor, RunsCursor
from nimtui.ui.board.discs import Discs
from nimtui.ui.board.grid import Grid
from nimtui.ui.board.grid_cursor import GridCursor
from nimtui.ui.board.matches import Matches
from nimtui.ui.kit.canvas import Canvas
from nimtui.ui.kit.glyphs import Glyphs

DIGITS = 9  # columns that one digit can name
ROW = Binding.Group("row", compact=True)
COLUMN = Binding.Group("column", compact=True)
COUNT = Binding.Group("count", compact=True)
MOVE = Binding.Group("move", compact=True)
SIZE = Binding.Group("size", compact=True)
TAKE = Binding("enter", "take", "take", key_display="⏎", tooltip="Take the marked matches")


class RowsBoard(Board):
    """Shows heaps of matches, taken from the right."""

    cursor: RowsCursor | RunsCursor
    _picture: Matches

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step('UP')", "Row above", group=ROW),
        Binding("down", "step('DOWN')", "Row below", group=ROW),
        Binding("left", "step('LEFT')", "Take one more", group=COUNT),
        Binding("right", "step('RIGHT')", "Take one fewer", group=COUNT),
        Binding("plus,equals_sign", "step('MORE')", "Take one more", show=False),
        Binding("minus", "step('LESS')", "Take one fewer", show=False),
        TAKE,
    ]

    def lay_out(self, width: int, height: int, signs: Glyphs) -> Sequence[int]:
        self._picture = Matches([len(row) for row in self.cursor.cells], width, height)
        return [width]

    def pictures(self, signs: Glyphs) -> Sequence[Sequence[Line]]:
        row = self.cursor.row if self.live else None
        cells = self.cursor.cells
        return [self._picture.paint(cells, self.marked, self.owned, row, signs)]

    def cell_at(self, x: int, y: int) -> Cell | None:
        return self._picture.cell_at(x, y, self.cursor.row)


class RunsBoard(RowsBoard):
    """Shows rows of neighbours; a run is taken anywhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step('UP')", "Row above", group=MOVE),
        Binding("down", "step('DOWN')", "Row below", group=MOVE),
        Binding("left", "step('LEFT')", "Move left", group=MOVE),
        Binding("right", "step('RIGHT')", "Move right", group=MOVE),
        Binding("shift+right,plus,equals_sign", "step('MORE')", "Longer run", group=SIZE, key_display="+"),
        Binding("shift+left,minus", "step('LESS')", "Shorter run", group=SIZE, key_display="-"),
    ]


class ColumnsBoard(Board):
    """Shows columns into which discs are dropped."""

    cursor: ColumnsCursor
    _picture: Discs

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step('LEFT')", "Column to the left", group=COLUMN),
        Binding("right", "step('RIGHT')", "Column to the right", group=COLUMN),
        *(Binding(str(at), f"column({at})", f"Column {at}", show=False) for at in range(1, DIGITS + 1)),
        Binding("enter", "take", "drop", key_display="⏎", tooltip="Drop a disc into the marked column"),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "column":
            columns = len(self.cursor.cells[0])
            return not self.asleep and columns <= DIGITS and int(str(parameters[0])) <= columns
        return super().check_action(action, parameters)

    def action_column(self, column: int) -> None:
        """Mark a column, if it is not full."""
        if self.live and self.cursor.aim((0, column - 1)):
            self._moved()

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


class GridBoard(Board):
    """Shows cells in rows and columns, one of them marked."""

    cursor: GridCursor
    _picture: Grid

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step('UP')", "Cell above", group=MOVE),
        Binding("down", "step('DOWN')", "Cell below", group=MOVE),
        Binding("left", "step('LEFT')", "Cell to the left", group=MOVE),
        Binding("right", "step('RIGHT')", "Cell to the right", group=MOVE),
        Binding("plus,equals_sign", "step('MORE')", "Next move", show=False),
        Binding("minus", "step('LESS')", "Previous move", show=False),
        Binding("enter", "take", "play", key_display="⏎", tooltip="Play the marked move"),
    ]

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


class ListBoard(Board):
    """Shows the position's name above a list of the legal moves."""

    cursor: ListCursor

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step('UP')", "Line above", group=MOVE),
        Binding("down", "step('DOWN')", "Line below", group=MOVE),
        Binding("left", "step('LEFT')", "Previous move", group=MOVE),
        Binding("right", "step('RIGHT')", "Next move", group=MOVE),
        Binding("enter", "take", "play", key_display="⏎", tooltip="Play the marked move"),
    ]

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
