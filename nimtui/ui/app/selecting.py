"""What the mouse does on every screen: it selects text, and underlines what a click would act on.

What is dragged over is marked, and copied when the button is released. Textual's own selection belongs to widgets, and
fails when one of them disappears. Here the cells of the terminal are selected, so boards, trees and tables need to know
nothing of it. A click without a drag stays a click.

A widget that handles clicks itself tells what lies where by `target_at`; texts with an action of their own tell it by
their style. Over a slow line nothing is underlined.
"""

from __future__ import annotations

from typing import Any

from textual import events
from textual.errors import NoWidget
from textual.geometry import Offset, Region
from textual.scrollbar import ScrollBar
from textual.widget import Widget
from textual.widgets import Input

from nimtui.ui.app.too_small import LeastSize
from nimtui.ui.kit.contract.shell import shell
from nimtui.ui.kit.copying import Copying
from nimtui.ui.kit.terminal.wire import Span

LEFT = 1  # the button that selects
OWN_DRAG = (Input, ScrollBar)  # where a drag means something else
ACTS = ("@click", "option")  # parts of a style that a click acts on


class Selecting(Copying, LeastSize):
    """The part of the app that selects."""

    _begin: Offset | None = None  # where the button went down
    _place: Any = None  # the screen there, and its size: a drag ends when another one is shown
    _within = Region()  # the widget there, which a selection does not leave
    _dragged = False

    def takes_input(self, event: events.Event) -> bool:
        if isinstance(event, events.MouseDown):
            self._unmark()
            self._begin, self._place = self._start(event), (self.screen, self.size)
        elif isinstance(event, events.MouseMove):
            if self._begin is not None and self._place != (self.screen, self.size):
                self._unmark()
            if self._begin is not None and event.button == LEFT and self._drag(event.screen_offset):
                return False
        elif isinstance(event, events.MouseUp):
            dragged, self._begin, self._dragged = self._dragged, None, False
            if dragged:
                self.forget_press()  # so it is no click
                text = self.picture.marked_text.strip("\n")
                if text.strip():
                    lines = text.count("\n") + 1
                    self.put_on_clipboard(text, f"copied: {f'{lines} lines' if lines > 1 else text.strip()}")
        elif isinstance(event, events.Key):
            self._unmark()
        return super().takes_input(event)

    def _start(self, event: events.MouseDown) -> Offset | None:
        if event.button != LEFT:
            return None
        try:
            widget, region = self.screen.get_widget_at(*event.screen_offset)
        except NoWidget:
            return None
        inside = widget.content_region  # without its frame, also if the drag begins there
        self._within = (inside if inside.area else region).intersection(self.size.region)
        return self._clamped(event.screen_offset) if self._within.area and not isinstance(widget, OWN_DRAG) else None

    def _clamped(self, to: Offset) -> Offset:
        """Return the nearest place in the widget."""
        within = self._within
        return Offset(min(max(to.x, within.x), within.right - 1), min(max(to.y, within.y), within.bottom - 1))

    def _drag(self, to: Offset) -> bool:
        """Mark what lies between the beginning and here; return whether there is anything yet."""
        begin, within = self._begin, self._within
        assert begin is not None
        here = self._clamped(to)
        self._dragged = self._dragged or here != begin
        first, last = sorted((begin, here), key=lambda at: (at.y, at.x))
        rows = range(first.y, last.y + 1) if self._dragged else ()
        self.picture.mark(
            {y: (first.x if y == first.y else within.x, last.x + 1 if y == last.y else within.right) for y in rows}
        )
        self.paint()
        return self._dragged

    def _unmark(self) -> None:
        self._begin, self._dragged = None, False
        self.picture.mark({})
        self.paint()


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
        first, last, low = at.x, at.x + 1, at.y
        while same(first - 1, at.y):
            first -= 1
        while same(last, at.y):
            last += 1
        while same(at.x, low + 1):
            low += 1
        return low, first, last

    def _target(self, widget: Widget, at: Offset) -> object:
        for node in widget.ancestors_with_self:
            if (target_at := getattr(node, "target_at", None)) is not None and (target := target_at(at)) is not None:
                return target
        meta = self.screen.get_style_at(*at).meta
        return next((meta[act] for act in ACTS if act in meta), None)
