"""The board of a game without a picture: where it stands, by name, and the moves that can be made, to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from nimtui.ui.board.board import Board
from nimtui.ui.board.cursor import Cell, ListCursor
from nimtui.ui.kit.canvas import Canvas
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import BLANK, Ink, Line, Run, line, paragraphs

MOVE = Binding.Group("move", compact=True)


class ListBoard(Board):
    """The position's name above the legal moves, as many in a line as fit."""

    cursor: ListCursor

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step('UP')", "Line above", group=MOVE),
        Binding("down", "step('DOWN')", "Line below", group=MOVE),
        Binding("left", "step('LEFT')", "Move before", group=MOVE),
        Binding("right", "step('RIGHT')", "Move after", group=MOVE),
        Binding("enter", "take", "play", key_display="⏎", tooltip="Play the marked move"),
    ]

    def compose(self) -> ComposeResult:
        yield Canvas()

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
        return f"Position {self.game.position_name(self.position)}"

    def _scroll(self, room: int) -> int:
        """How many lines of moves are above the window: the marked one stays in it."""
        lines = -(-len(self.cursor.moves) // self.cursor.across)
        at = self.cursor.at // self.cursor.across
        return max(0, min(lines - room, at - room // 2))

    def cell_at(self, x: int, y: int) -> Cell | None:
        at, row = (x - 2) // self._wide, y - len(self._head) + self._top
        return (row, at) if 0 <= at < self.cursor.across and row >= self._top else None
