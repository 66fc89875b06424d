"""The board of a game with discs, a tile a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from nimtui.ui.board.board import Board
from nimtui.ui.board.cursor import Cell, ColumnsCursor
from nimtui.ui.board.discs import Discs
from nimtui.ui.kit.canvas import Canvas
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Line

COLUMN = Binding.Group("column", compact=True)


class ColumnsBoard(Board):
    """Columns into which discs are dropped."""

    cursor: ColumnsCursor
    _picture: Discs

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step('LEFT')", "Column to the left", group=COLUMN),
        Binding("right", "step('RIGHT')", "Column to the right", group=COLUMN),
        Binding("enter", "take", "drop", key_display="⏎", tooltip="Drop a disc into the marked column"),
    ]

    def compose(self) -> ComposeResult:
        yield from (Canvas() for _ in range(len(self.cursor.cells[0]) + 2))

    def lay_out(self, width: int, height: int, signs: Glyphs) -> Sequence[int]:
        cells = self.cursor.cells
        self._picture = Discs(len(cells[0]), len(cells), width, height, signs)
        return self._picture.widths

    def pictures(self, signs: Glyphs) -> Sequence[Sequence[Line]]:
        column = self.cursor.column if self.live else None
        return self._picture.paint(self.cursor.cells, self.marked, self.owned.winning, column)

    def cell_at(self, x: int, y: int) -> Cell | None:
        return self._picture.cell_at(x)
