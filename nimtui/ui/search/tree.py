"""The widget of a search tree, one line per node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Line
from nimtui.ui.kit.virtual_list import Rows, VirtualList
from nimtui.ui.search.outline import Outline

PaintLine = Callable[[int, bool, int, Glyphs], Line]  # (place, is it marked?, columns, signs)
PaintHead = Callable[[int, Glyphs], Line]


class SearchTree(VirtualList, inherit_bindings=False):
    """Shows an `Outline` with one marked line. The caller of `open` passes the painters.

    Home and End are not its keys: on the Search screen they go to the first and last event.
    """

    BINDING_GROUP_TITLE = "Tree"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", "Up", show=False, tooltip="Go one line up"),
        Binding("down,j", "step(1)", "Down", show=False, tooltip="Go one line down"),
        Binding("pageup", "page(-1)", "Page up", show=False, tooltip="Go one page up"),
        Binding("pagedown", "page(1)", "Page down", show=False, tooltip="Go one page down"),
        Binding("right,l", "unfold", "Unfold", show=False, tooltip="Unfold; if unfolded, go one line down"),
        Binding("left,h", "fold", "Fold", show=False, tooltip="Fold; if folded, go to the parent"),
        Binding("enter", "turn", "Fold or unfold", show=False, tooltip="Fold or unfold"),
    ]

    class Moved(Message):
        """The marked line or the folds changed."""

    outline: Outline | None = None

    def open(self, outline: Outline, paint: PaintLine, head: PaintHead) -> None:
        """Show this outline from its first line."""
        self.outline, self._paint_line, self._paint_head, self.top = outline, paint, head, 0
        self.look()

    def close(self) -> None:
        """Show nothing."""
        self.outline = None
        self.put(None)

    def look(self) -> None:
        """Redraw the outline."""
        outline = self.outline
        if outline is not None:
            self.put(Rows(len(outline), outline.at, self._lines, self._mark, self.action_turn))

    def _lines(self, places: range, columns: int, signs: Glyphs) -> Sequence[Line]:
        at = self.outline.at if self.outline is not None else 0
        lines = (self._paint_line(place, place == at, columns, signs) for place in places)
        return [self._paint_head(columns, signs), *lines]

    def _mark(self, place: int) -> None:
        if self.outline is not None and place != self.outline.at:
            self.outline.at = place
            self._moved()

    def _moved(self) -> None:
        self.look()
        self.post_message(self.Moved())

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
