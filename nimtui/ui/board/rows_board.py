"""Boards of matches: heaps (`RowsBoard`) and rows of neighbours (`RunsBoard`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from nimtui.ui.board.board import Board
from nimtui.ui.board.cursor import Cell, RowsCursor, RunsCursor
from nimtui.ui.board.matches import Matches
from nimtui.ui.kit.canvas import Canvas
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Line

ROW = Binding.Group("row", compact=True)
COUNT = Binding.Group("count", compact=True)
MOVE = Binding.Group("move", compact=True)
SIZE = Binding.Group("size", compact=True)
TAKE = Binding("enter", "take", "take", key_display="⏎", tooltip="Take what is marked")


class RowsBoard(Board):
    """Rows of matches, taken from the right."""

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

    def compose(self) -> ComposeResult:
        yield Canvas()

    def lay_out(self, width: int, height: int, signs: Glyphs) -> Sequence[int]:
        self._picture = Matches([len(row) for row in self.cursor.cells], width, height)
        return [width]

    def pictures(self, signs: Glyphs) -> Sequence[Sequence[Line]]:
        row = self.cursor.row if self.live else None
        cells = self.cursor.cells
        return [self._picture.paint(cells, self.marked, self.owned.by, row, signs)]

    def cell_at(self, x: int, y: int) -> Cell | None:
        return self._picture.cell_at(x, y, self.cursor.row)


class RunsBoard(RowsBoard):
    """Rows of neighbours, of which a run is taken anywhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step('UP')", "Row above", group=MOVE),
        Binding("down", "step('DOWN')", "Row below", group=MOVE),
        Binding("left", "step('LEFT')", "Place to the left", group=MOVE),
        Binding("right", "step('RIGHT')", "Place to the right", group=MOVE),
        Binding("shift+right,plus,equals_sign", "step('MORE')", "Longer run", group=SIZE, key_display="+"),
        Binding("shift+left,minus", "step('LESS')", "Shorter run", group=SIZE, key_display="-"),
    ]
