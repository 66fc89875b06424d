"""Underlines what a click would act on, where the mouse is: a key in a bar, a line of a list, a piece of a board.

A widget that handles clicks itself tells what lies where by `target_at`; texts with an action of their own tell it by
their style. Over a slow line nothing is underlined.
"""

from __future__ import annotations

from textual import events
from textual.errors import NoWidget
from textual.geometry import Offset
from textual.widget import Widget

from nimtui.ui.app.selecting import Selecting
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.terminal.wire import Span

ACTS = ("@click", "option")  # parts of a style that a click acts on


class Hovering(Selecting):
    """The part of the app that shows what a click would do."""

    def takes_input(self, event: events.Event) -> bool:
        if isinstance(event, events.MouseMove) and not event.button and not shell(self).slow:
            self._hover(event.screen_offset)
        elif isinstance(event, events.Key | events.MouseEvent):
            self._hover(None)
        return super().takes_input(event)

    def _hover(self, at: Offset | None) -> None:
        """Underline what lies at this place of the screen, and nothing else."""
        if self.picture.hover(None if at is None else self._span(at)):
            self.paint()

    def _span(self, at: Offset) -> Span | None:
        """Return the row, first and last (exclusive) column of the lower edge of what a click at a place acts on."""
        try:
            widget, region = self.screen.get_widget_at(*at)
        except NoWidget:
            return None
        region = region.intersection(self.size.region)
        target = self._target(widget, at)

        def same(x: int, y: int) -> bool:
            return region.contains(x, y) and self._target(widget, Offset(x, y)) == target

        if target is None:
            return None
        left, right, low = at.x, at.x + 1, at.y
        while same(left - 1, at.y):
            left -= 1
        while same(right, at.y):
            right += 1
        while same(at.x, low + 1):
            low += 1
        return low, left, right

    def _target(self, widget: Widget, at: Offset) -> object:
        for node in widget.ancestors_with_self:
            if (target_at := getattr(node, "target_at", None)) is not None and (target := target_at(at)) is not None:
                return target
        meta = self.screen.get_style_at(*at).meta
        return next((meta[act] for act in ACTS if act in meta), None)
