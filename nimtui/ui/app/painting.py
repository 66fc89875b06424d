"""Paints what the screens draw, at the pace of the link to the terminal: how much may be on its way at once.

Guarantees screens a minimum size: in a smaller terminal a notice asks for a larger window. The notice is not a screen:
it replaces what the screens draw, and they keep the minimum size meanwhile. So no screen, dialog or palette meets a
size that it cannot draw.
"""

from __future__ import annotations

import asyncio
import os
import textwrap
from collections import deque
from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Any, NamedTuple, cast

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console, RenderableType
from rich.control import Control
from textual import events
from textual.geometry import Size
from textual.screen import Screen

from nimtui.ui.kit.contract.stack import ScreenStack
from nimtui.ui.kit.terminal.glyphs import Glyphs
from nimtui.ui.kit.terminal.pen import of_terminal
from nimtui.ui.kit.terminal.textual_parts import SYNC_END, SYNC_START, CompositorUpdate
from nimtui.ui.kit.terminal.wire import Picture, pieces, sound

LEAST = 1_200  # bytes of the smallest window: one slice
FIRST = 16_000  # bytes until the first answer
WIDE = 1 << 20  # bytes of the largest window
LATE, PROMPT = 0.1, 0.05  # seconds of queueing: above the first the window shrinks, below the second it grows
MEMORY = 60.0  # seconds: the least round trip of this and of the last such period counts, as links change
UNKNOWN, LOST = 1.0, 10.0  # seconds to wait for an answer: of a terminal that never answered, and of one that did


class Question(NamedTuple):
    """A question that was sent."""

    at: float
    sent: int  # bytes by then
    under_way: int  # bytes


class Link:
    """Counts what is under way. All times are in seconds, all sizes in bytes."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._asked: deque[Question] = deque()  # not answered yet, the oldest first
        self._sent = self._arrived = 0
        self._window = FIRST
        self._silent = False  # the terminal has not answered for too long
        self._answers = False  # it did at least once
        self._least = self._least_before = inf  # round trips: of this period, of the last one
        self._period = clock()  # its start
        self._shrunk = -inf  # when the window last shrank

    @property
    def slow(self) -> bool:
        """Whether frames have to be cut into slices."""
        return self._answers and self._window < FIRST

    @property
    def under_way(self) -> int:
        """How many bytes have not arrived, as far as is known."""
        return self._sent - self._arrived

    @property
    def round_trip(self) -> float:
        """The least time of late from a question to its answer."""
        return min(self._least, self._least_before)

    def room(self, urgent: bool = False) -> float:
        """Return how many bytes may be sent now; `inf` if the terminal does not answer. What is `urgent` may exceed the
        window once.
        """
        self._give_up()
        if self._silent:
            return inf
        room = self._window - self.under_way
        if urgent and room < LEAST:
            room += self._window
        return min(room, LEAST) if self.slow else room

    def wait(self) -> float | None:
        """Return after how many seconds the oldest question counts as lost; None if none is open."""
        if not self._asked:
            return None
        return max(0.0, self._asked[0].at + (LOST if self._answers else UNKNOWN) - self._clock())

    def sent(self, size: int) -> None:
        """Count a frame that is followed by a question."""
        self._sent += size
        self._asked.append(Question(self._clock(), self._sent, self.under_way))

    def answered(self, at: float) -> None:
        """Count the answer to the oldest question, heard at this time."""
        if not self._asked:
            return  # late, or twice
        question = self._asked.popleft()
        self._arrived, self._answers, self._silent = question.sent, True, False
        if at - self._period > MEMORY:
            self._least, self._least_before, self._period = inf, self._least, at
        self._least = min(self._least, at - question.at)
        queued = at - question.at - self.round_trip
        if queued > LATE:
            if question.at >= self._shrunk:  # else it was asked before the window shrank
                self._window, self._shrunk = max(LEAST, self._window // 2), at
        elif queued * self._window < PROMPT * question.under_way:  # a full window would be prompt, too
            self._window = min(WIDE, self._window + (LEAST if self._window < FIRST else self._window))

    def _give_up(self) -> None:
        if self.wait() == 0.0:
            self._asked.clear()
            self._arrived, self._silent = self._sent, not self._answers
            if self._answers:
                self._window = LEAST


BUSY = 0.04  # seconds until a look whether earlier frames are written
TURN = 0.01  # seconds
AFTER_KEY = 1.0  # seconds: what changes so soon after a key is its effect
ROOM = Size(60, 20)  # that screens need at least
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


class Painting(ScreenStack):
    """The part of the app that sends pictures to the terminal, and tracks its size."""

    glyphs: Glyphs

    def __init__(self) -> None:
        super().__init__()
        self._terminal: Size | None = None  # its real size; None before the first resize
        self.picture = Picture()
        self.link = Link()
        self._last_key = -AFTER_KEY
        self._checking: asyncio.TimerHandle | None = None

    @property
    def link_is_slow(self) -> bool:
        return self.link.slow

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
        width, height = self._terminal or ROOM
        lines = self.asked_in_little_room() or [
            f"nimtui needs {ROOM.width} columns",
            f"and {ROOM.height} lines.",
            f"This window: {width} × {height}.",
            "",
            "Nothing is lost:",
            "make the window larger.",
        ]
        return [self.glyphs.plain(line) for line in lines]

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent | events.Paste):
            self._last_key = monotonic()
        elif isinstance(event, events.Resize):
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
        """Draw what has changed on a screen, or the notice if the terminal is too small; send what the link takes."""
        if self.too_small:
            update = cast("RenderableType", Notice(self.notice, self._terminal or ROOM))
        if not isinstance(update, CompositorUpdate) or (parts := pieces(update)) is None:
            if update is not None:
                self.picture.forget()
            super().draw_update(screen, update)
            return
        if not self.has_terminal or self.draws_later:
            super().draw_update(screen, None)
            return
        self.picture.resized(self.size)
        urgent = monotonic() - self._last_key < AFTER_KEY
        try:
            for x, y, strip in parts:
                self.picture.draw(x, y, sound(strip), urgent)
        except Exception as fault:  # noqa: BLE001 - of a widget that draws: told like any other
            self.fail(fault)
        else:
            self.paint()
        finally:
            super().draw_update(screen, None)

    def redraw(self) -> None:
        """Send the whole screen again."""
        self.picture.forget()
        self.screen.refresh()

    def paint(self) -> None:
        """Send a frame if something has changed and the link has room for it."""
        if not self.picture.pending or not self.has_terminal:
            return
        room, again = self.link.room(self.picture.urgent), self.link.wait()
        if room == inf and getattr(self.own_driver, "is_busy", False):  # it does not answer: as fast as it takes frames
            room, again = 0.0, BUSY
        if room > 0 and (drawn := self.picture.frame(room)):
            self._send(drawn + Control.move_to(*self.settle_cursor()).segment.text)
        if self.picture.pending and self._checking is None and again is not None:
            self._checking = asyncio.get_running_loop().call_later(again + TURN, self._check)

    def _send(self, frame: str) -> None:
        driver = self.own_driver
        assert driver is not None
        driver.write(f"{SYNC_START}{frame}{SYNC_END}" if self.draws_at_once else frame)
        self._ask(len(frame.encode()))
        driver.flush()

    def _ask(self, size: int) -> None:
        """Ask the terminal to answer after so many bytes, if this driver hears answers."""
        if (ask := getattr(self.own_driver, "ask", None)) is not None:
            ask()
            self.link.sent(size)

    def _check(self) -> None:
        """Look again: an answer may be lost."""
        self._checking = None
        self.paint()

    def begin_painting(self) -> None:
        """Begin with an unknown terminal, and measure the link to it."""
        colors = COLOR_SYSTEMS.get(self.console.color_system or "", ColorSystem.TRUECOLOR)
        self.picture = Picture(colors, of_terminal(os.environ.get("TERM", "")))
        self.link = Link()
        self._ask(0)

    def answered(self, at: float) -> None:
        """Take the terminal's answer, heard at this time: it has drawn a frame."""
        self.link.answered(at)
        self.paint()


def _roomy(size: Size) -> Size:
    return Size(max(size.width, ROOM.width), max(size.height, ROOM.height))
