"""Guarantees screens a minimum size. In a smaller terminal a notice asks for a larger window.

The notice is not a screen: it replaces what the screens draw, and they keep the minimum size meanwhile. So no screen,
dialog or palette meets a size that it cannot draw.
"""

from __future__ import annotations

import textwrap
from typing import Any, cast

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.control import Control
from textual import events
from textual.geometry import Size
from textual.screen import Screen

from nimtui.ui.app.painting import Painting
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.terminal.textual_parts import CompositorUpdate

LEAST = Size(60, 20)
LEAVING = frozenset({"q", "ctrl+q", "ctrl+c", "ctrl+z"})  # the keys that work in a terminal that is too small


class Notice(CompositorUpdate):
    """Draws a few lines in the middle of an otherwise empty terminal."""

    def __init__(self, lines: list[str], size: Size) -> None:
        wrapped = [part for line in lines for part in textwrap.wrap(line, max(1, size.width)) or [""]]
        self.lines = wrapped if len(wrapped) <= size.height else [line for line in wrapped if line][-size.height :]
        self.size = size

    def render_segments(self, console: Console) -> str:
        top = max(0, (self.size.height - len(self.lines)) // 2)
        written = [Control.clear().segment.text]
        for y, line in enumerate(self.lines, top):
            margin = max(0, (self.size.width - cell_len(line)) // 2)
            written += [Control.move_to(margin, y).segment.text, line]
        return "".join(written)


class LeastSize(Painting):
    """The part of the app that tracks the terminal's size."""

    glyphs: Glyphs

    def __init__(self) -> None:
        super().__init__()
        self._terminal: Size | None = None  # its real size; None before the first resize

    @property
    def size(self) -> Size:
        """The size for the layout of screens: the terminal's, at least the minimum."""
        return _roomy(super().size)

    @property
    def too_small(self) -> bool:
        """Whether the terminal is smaller than the minimum."""
        return self._terminal is not None and _roomy(self._terminal) != self._terminal

    def asked_in_little_room(self) -> list[str]:
        """Return the lines of a question that must be answered even in a small terminal; usually none."""
        return []

    @property
    def notice(self) -> list[str]:
        """The lines shown in a terminal that is too small."""
        width, height = self._terminal or LEAST
        lines = self.asked_in_little_room() or [
            f"nimtui needs {LEAST.width} columns",
            f"and {LEAST.height} lines.",
            f"This window: {width} × {height}.",
            "",
            "Nothing is lost:",
            "make the window larger.",
        ]
        return [self.glyphs.plain(line) for line in lines]

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Resize):
            was_small, self._terminal = self.too_small, event.size
            if self.too_small:
                self.draw_update(self.screen, None)
            elif was_small:
                self.call_later(self.redraw)
            room = _roomy(event.size)
            event = events.Resize(room, room, pixel_size=event.pixel_size)
        await super().on_event(event)

    def takes_input(self, event: events.Event) -> bool:
        """Return whether the screens should get this key, click or paste.

        False while they are hidden, and for a late click outside of a window that shrank.
        """
        if isinstance(event, events.MouseEvent):
            return not self.too_small and self.size.region.contains(event.x, event.y)
        if not self.too_small or self.asked_in_little_room():
            return True
        return isinstance(event, events.Key) and event.key in LEAVING

    def draw_update(self, screen: Screen[Any], update: RenderableType | None) -> None:
        """Draw what a screen does, or the notice if the terminal is too small."""
        if self.too_small:
            update = cast("RenderableType", Notice(self.notice, self._terminal or LEAST))
        super().draw_update(screen, update)

    def redraw(self) -> None:
        """Send the whole screen again."""
        self.picture.forget()
        self.screen.refresh()


def _roomy(size: Size) -> Size:
    return Size(max(size.width, LEAST.width), max(size.height, LEAST.height))
