"""A tree line by line. Only the lines that are seen are made, so that a million of them are shown as soon as ten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message

from nimtui.ui.kit.canvas import Canvas
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Line
from nimtui.ui.kit.shell import shell
from nimtui.ui.search.outline import Outline

PaintLine = Callable[[int, bool, int, Glyphs], Line]  # place, is it marked, columns, signs
PaintHead = Callable[[int, Glyphs], Line]


class SearchTree(Vertical, can_focus=True):
    """Shows an `Outline`, with one line of it marked. How a line is painted is said by the screen."""

    BINDING_GROUP_TITLE = "Tree"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", "Up", show=False, tooltip="A line up"),
        Binding("down,j", "step(1)", "Down", show=False, tooltip="A line down"),
        Binding("pageup", "page(-1)", "Page up", show=False, tooltip="A page up or down"),
        Binding("pagedown", "page(1)", "Page down", show=False, tooltip="A page up or down"),
        Binding("right,l", "unfold", "Unfold", show=False, tooltip="Unfold; in what is unfolded a line down"),
        Binding("left,h", "fold", "Fold", show=False, tooltip="Fold, or to the move above"),
        Binding("enter", "turn", "Fold or unfold", show=False, tooltip="Fold or unfold"),
    ]

    @dataclass
    class Moved(Message):
        """Another line is marked, or something was folded."""

        tree: SearchTree

        @property
        def control(self) -> SearchTree:
            return self.tree

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.outline: Outline | None = None
        self._paint: PaintLine | None = None
        self._head: PaintHead | None = None
        self._top = 0

    def compose(self) -> ComposeResult:
        yield Canvas()

    def show(self, outline: Outline | None, paint: PaintLine | None, head: PaintHead | None) -> None:
        """Show this outline."""
        self.outline, self._paint, self._head, self._top = outline, paint, head, 0
        self.draw()

    def text(self) -> str:
        """What it shows, as plain text."""
        return self.query_one(Canvas).text()

    def on_resize(self) -> None:
        self.draw()

    @property
    def _room(self) -> int:
        return max(1, self.size.height - 1)

    def draw(self) -> None:
        if not self.is_mounted or not self.size.area or not self.display:
            return
        canvas, outline = self.query_one(Canvas), self.outline
        if outline is None or self._paint is None or self._head is None:
            canvas.show([])
            return
        room, signs, columns = self._room, shell(self).glyphs, self.size.width
        if not self._top <= outline.at < self._top + room:
            self._top = outline.at - room // 2
        self._top = max(0, min(self._top, len(outline) - room))
        lines = [self._head(columns, signs)]
        for place in range(self._top, min(len(outline), self._top + room)):
            lines.append(self._paint(place, place == outline.at, columns, signs))
        canvas.show(lines)

    def _moved(self) -> None:
        self.draw()
        self.post_message(self.Moved(self))

    def action_step(self, by: int) -> None:
        outline = self.outline
        if outline is not None:
            before, outline.at = outline.at, max(0, min(len(outline) - 1, outline.at + by))
            if before != outline.at:
                self._moved()

    def action_page(self, by: int) -> None:
        self.action_step(by * max(1, self._room - 1))

    def action_unfold(self) -> None:
        if self.outline is not None:
            if self.outline.is_open(self.outline.at):
                self.action_step(1)
            elif self.outline.open(self.outline.at):
                self._moved()

    def action_fold(self) -> None:
        if self.outline is not None:
            self.outline.step_out()
            self._moved()

    def action_turn(self) -> None:
        outline = self.outline
        if outline is not None and (outline.close(outline.at) or outline.open(outline.at)):
            self._moved()

    def on_click(self, event: events.Click) -> None:
        at = self._top + event.screen_y - self.content_region.y - 1
        if self.outline is not None and self._top <= at < len(self.outline):
            if at == self.outline.at:
                self.action_turn()
            else:
                self.outline.at = at
                self._moved()
