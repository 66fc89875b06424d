"""Compares what an app has sent to a terminal with what a full repaint at that moment would show."""

from __future__ import annotations

import asyncio
import re
from math import inf
from typing import Any

from nimtui.ui.kit.terminal.wire import Picture
from tests.fuzz.drive import Drive
from tests.fuzz.watched import WatchedApp
from tests.ui.cells import Terminal

PRIVATE = re.compile(r"\x1b\[[<=>?][^A-Za-z]*[A-Za-z]|\x1b\[\d*[cn]")  # what pyte does not know
TRIES = 50  # a running clock or job may draw between the two pictures; a ghost stays
Cells = list[list[tuple[object, ...]]]
Difference = tuple[int, int, Any, Any]  # x, y, the cell that is shown, the cell that a repaint shows


class Screenful:
    """The terminal of an app: it gets all that the app sends from now on, first the whole screen."""

    def __init__(self, drive: Drive) -> None:
        self.drive, self.app = drive, drive.app
        self._write = self.app.wire.write
        self.app.wire.write = self._both  # type: ignore[method-assign]
        self.resized()

    def resized(self) -> None:
        """Start with an empty terminal of the app's size, as after a resize."""
        self.terminal = Terminal(self.app.size)
        self.app.redraw()

    def _both(self, data: str) -> None:
        self._write(data)
        self.terminal.gets(PRIVATE.sub("", data))

    async def sent(self) -> Cells:
        """Return the cells once everything has been drawn and sent."""
        await self.drive.settle()
        await self.drive.until(
            lambda: (self.app.paint(), not self.app.picture.pending)[1]  # type: ignore[func-returns-value]
        )
        return self.terminal.seen

    async def stale(self) -> list[Difference]:
        """Return the cells that a repaint would change."""
        found: list[Difference] = []
        for _ in range(TRIES if not self.app.too_small else 0):  # too small, the app writes a note over its screen
            found = different(await self.sent(), fresh(self.app))
            if not found:
                break
            await asyncio.sleep(0.01)
        return found

    async def outdated(self) -> list[Difference]:
        """Return the cells that change when all screens in sight fill their panels again; for screens at rest."""
        shown = await self.sent()
        for screen in (self.app.screen, *self.app._background_screens):
            fill = getattr(screen, "draw", None)
            if fill is not None:
                fill()
        return different(shown, await self.sent())


def fresh(app: WatchedApp) -> Cells:
    """Return the cells of a screen that is drawn with nothing remembered."""
    for widget in app.screen.walk_children(with_self=True):
        widget._styles_cache.clear()
    picture, terminal = Picture(app.picture._system), Terminal(app.size)
    picture.resized(app.size)
    for y, strip in enumerate(app.screen._compositor.render_strips(app.size)):
        picture.draw(0, y, strip)
    picture.mark(app.picture._marked)  # what the mouse has selected
    terminal.gets(picture.frame(inf))
    return terminal.seen


def different(shown: Cells, wanted: Cells) -> list[Difference]:
    """Return the cells in which two pictures differ."""
    return [
        (x, y, *pair)
        for y, rows in enumerate(zip(shown, wanted, strict=True))
        for x, pair in enumerate(zip(*rows, strict=True))
        if pair[0] != pair[1]
    ]
