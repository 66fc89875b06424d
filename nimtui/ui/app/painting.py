"""Paints what the screens draw, at the pace of the link.

Screens draw as often as they like. A frame is sent when the link has room for it, and holds all that has changed since
the last one; on a slow link a part of it, and what the last key changed first.
"""

from __future__ import annotations

import asyncio
import os
from math import inf
from time import monotonic
from typing import Any

from rich.color import ColorSystem
from rich.console import RenderableType
from rich.control import Control
from textual import events
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual._compositor import CompositorUpdate
from textual.screen import Screen

from nimtui.ui.app.link import Link
from nimtui.ui.kit.abilities import of_terminal
from nimtui.ui.kit.stack import ScreenStack
from nimtui.ui.kit.wire import Picture, pieces, sound

BUSY = 0.04  # seconds until a look whether earlier frames are written
TURN = 0.01  # seconds
PROMPT = 1.0  # seconds: what changes so soon after a key is its effect


class Painting(ScreenStack):
    """The part of the app that sends pictures to the terminal."""

    def __init__(self) -> None:
        super().__init__()
        self.picture = Picture()
        self.link = Link()
        self._last_key = -PROMPT
        self._checking: asyncio.TimerHandle | None = None

    @property
    def link_is_slow(self) -> bool:
        """Whether frames take long to the terminal, as measured."""
        return self.link.slow

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent | events.Paste):
            self._last_key = monotonic()
        await super().on_event(event)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Draw what has changed on a screen, and send what the link takes."""
        if not isinstance(renderable, CompositorUpdate) or (found := pieces(renderable)) is None:
            if renderable is not None:
                self.picture.forget()
            super()._display(screen, renderable)
            return
        if not self._paints or self._batch_count:
            super()._display(screen, None)
            return
        self.picture.resized(self.size)
        urgent = monotonic() - self._last_key < PROMPT
        try:
            for x, y, strip in found:
                self.picture.draw(x, y, sound(strip), urgent)
        except Exception as fault:  # noqa: BLE001 - of a widget that draws: told like any other
            self._handle_exception(fault)
        else:
            self.paint()
        finally:
            super()._display(screen, None)

    @property
    def _paints(self) -> bool:
        return self._running and not self._closed and not self.is_headless and self._driver is not None

    def paint(self) -> None:
        """Send a frame if something has changed and the link has room for it."""
        if not self.picture.pending or not self._paints:
            return
        room, again = self.link.room(self.picture.urgent), self.link.wait()
        if room == inf and getattr(self._driver, "is_busy", False):  # it does not answer: as fast as it takes frames
            room, again = 0.0, BUSY
        if room > 0 and (drawn := self.picture.frame(room)):
            self._previous_cursor_position = self.screen.outer_size.clamp_offset(self.cursor_position)
            self._send(drawn + Control.move_to(*self._previous_cursor_position).segment.text)
        if self.picture.pending and self._checking is None and again is not None:
            self._checking = asyncio.get_running_loop().call_later(again + TURN, self._check)

    def _send(self, frame: str) -> None:
        driver = self._driver
        assert driver is not None
        driver.write(f"{SYNC_START}{frame}{SYNC_END}" if self._sync_available else frame)
        self._ask(len(frame.encode()))
        driver.flush()

    def _ask(self, size: int) -> None:
        """Ask the terminal to answer after so many bytes, if this driver hears answers."""
        if (ask := getattr(self._driver, "ask", None)) is not None:
            ask()
            self.link.sent(size)

    def _check(self) -> None:
        """Look again: an answer may be lost."""
        self._checking = None
        self.paint()

    def begin_painting(self) -> None:
        """Begin with an unknown terminal, and measure the link to it."""
        self.picture = Picture(
            self.console._color_system or ColorSystem.TRUECOLOR, of_terminal(os.environ.get("TERM", ""))
        )
        self.link = Link()
        self._ask(0)

    def answered(self, at: float) -> None:
        """Take the terminal's answer, heard at this time: it has drawn a frame."""
        self.link.answered(at)
        self.paint()
