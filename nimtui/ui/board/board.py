"""The board of any kind: it shows a position, has a cursor, and reports the chosen move.

A kind of board is a subclass that lays out and paints; see `boards`. One or more canvases side by side, its tiles, show
the picture. Textual sends a widget's line from its left edge, so one tile per column keeps cursor moves cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget

from nimtui.games import Game
from nimtui.games.base import Move, State
from nimtui.report.lines import Line
from nimtui.ui.board.cursor import NOBODY, Cell, Cursor, Owned, Step
from nimtui.ui.board.discs import Labels
from nimtui.ui.board.grid_cursor import new_cursor
from nimtui.ui.kit.canvas import Canvas, entitle
from nimtui.ui.kit.command import Command, Commanded
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.shell import shell


def step(key: str, to: Step, name: str, group: str = "", shown: str | None = None) -> Command[Board]:
    """Return the row of keys that move the cursor. The footer shows those of a group together, and no others."""
    return Command(
        key, f"step('{to.name}')", name, "", lambda b: b.step(to), lambda b: b.heeds(to), bool(group), shown, group
    )


def arrows(group: str, **names: str) -> tuple[Command[Board], ...]:
    """Return the rows of arrow keys, key -> name, that the footer shows as one group."""
    return tuple(step(key, Step[key.upper()], name, group) for key, name in names.items())


def take(name: str, about: str) -> Command[Board]:
    """Return the row of Enter, which plays the marked move."""
    return Command("enter", "take", name, about, lambda board: board.take(), lambda board: not board.asleep)


class Board(Commanded, Horizontal, can_focus=True, place="board"):
    """A position, and a cursor on it while `live`: while a person may move."""

    BINDING_GROUP_TITLE = "Board"
    ROWS: ClassVar[Sequence[Command[Any]]] = (step("home", Step.FIRST, "First"), step("end", Step.LAST, "Last"))

    class Moved(Message):
        """The cursor has moved to another move."""

    @dataclass
    class Chosen(Message):
        """The person has chosen this move."""

        move: Move

    def __init__(self, game: Game, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.game = game
        self.position: State = game.new()
        self.cursor: Cursor = new_cursor(game, self.position)
        self.owned = NOBODY
        self.live = False
        self.asleep = False  # if a person has no move to make, its keys are off
        self.labels: Labels | None = None  # of columns; None: no room is kept for them
        self.paced = False  # are + and − for the pace of two watched agents?
        self._seen = b""  # the board that the cursor knows
        self._drawn: tuple[int, int, Glyphs, bool] | None = None

    def compose(self) -> ComposeResult:
        yield Canvas()

    @property
    def tiles(self) -> list[Canvas]:
        return list(self.query_children(Canvas))

    # Called by the screen.

    def show(self, position: State, owned: Owned = NOBODY, live: bool = False, labels: Labels | None = None) -> None:
        """Show this position, whose board may have changed in place. The cursor goes to a legal move."""
        self.owned, self.live, self.labels = owned, live, labels
        if position is not self.position or position.board.tobytes() != self._seen:
            self.position, self._seen = position, position.board.tobytes()
            self.cursor.look(position)
        self.draw()

    def point_at(self, move: Move) -> None:
        """Put the cursor on this legal move."""
        self.cursor.go_to(move)
        self.cursor.by_mouse = False
        self.draw()

    @property
    def marked(self) -> frozenset[Cell]:
        return self.cursor.marked if self.live else frozenset()

    # Drawing.

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Redraw the picture; only changes are sent."""
        size, signs = self.size, shell(self).glyphs
        if not self.is_mounted or not size.area:
            return
        if isinstance(self.parent, Widget):
            entitle(self.parent, "Board")
        if self._drawn != (drawing := (size.width, size.height, signs, self.labels is not None)):
            self._drawn = drawing
            for tile, width in zip(self.tiles, self.lay_out(size.width, size.height, signs), strict=True):
                tile.styles.width = width
        for tile, lines in zip(self.tiles, self.pictures(signs), strict=True):
            tile.show(lines)

    def lay_out(self, width: int, height: int, signs: Glyphs) -> Sequence[int]:
        """Lay out the picture for this size; return the columns of each tile."""
        raise NotImplementedError

    def pictures(self, signs: Glyphs) -> Sequence[Sequence[Line]]:
        """Return the lines of each tile."""
        raise NotImplementedError

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Return the cell drawn at this place of the board, or None."""
        raise NotImplementedError

    # What a person does.

    def heeds(self, to: Step) -> bool:
        """Return whether a key may move the cursor so."""
        return not (self.asleep or (self.paced and to in (Step.MORE, Step.LESS)))

    def step(self, to: Step) -> None:
        if self.live and self.cursor.press(to):
            self._moved()

    def take(self) -> None:
        """Report the marked move as chosen."""
        if self.live and (move := self.cursor.move) is not None:
            self.live = False  # a second Enter before this one is answered means nothing
            self.post_message(self.Chosen(move))

    def on_click(self, event: events.Click) -> None:
        if not self.live:
            return
        cell = self.cell_at(event.screen_x - self.content_region.x, event.screen_y - self.content_region.y)
        if cell is None:
            return
        if self.cursor.point(cell):
            self.take()
        else:
            self._moved()

    def _moved(self) -> None:
        self.draw()
        self.post_message(self.Moved())
