"""The terminal shows what a fresh picture of the screen would show, whatever keys led there."""

from __future__ import annotations

import asyncio
import re
from math import inf
from random import Random
from typing import Any

import pytest
from textual.geometry import Size

from nimtui.ui.kit.wire import Picture
from nimtui.ui.train.lane import PACES
from nimtui.ui.train.setup import TrainSetup
from tests.fuzz.drive import Drive, driven
from tests.fuzz.steps import CURSOR_KEYS, KEYS, Step
from tests.fuzz.watched import WatchedApp
from tests.ui.cells import Terminal

PRIVATE = re.compile(r"\x1b\[[<=>?][^A-Za-z]*[A-Za-z]|\x1b\[\d*[cn]")  # what pyte does not know
FOUND = [b" ", KEYS["end"], b"x", KEYS["left"], KEYS["down"], b"x"]
WALK: list[Step] = [*CURSOR_KEYS, *CURSOR_KEYS, *CURSOR_KEYS, b"x", b"z", b"o", KEYS["tab"]]


def terminal_of(app: WatchedApp) -> Terminal:
    """A terminal that gets all that the app sends from now on: first the whole screen."""
    terminal, write = Terminal(app.size), app.wire.write

    def both(data: str) -> None:
        write(data)
        terminal.gets(PRIVATE.sub("", data))

    app.wire.write = both  # type: ignore[method-assign]
    app.action_redraw()
    return terminal


def fresh(app: WatchedApp) -> list[list[tuple[object, ...]]]:
    """The cells of a screen that is drawn anew, with nothing remembered."""
    for widget in app.screen.walk_children(with_self=True):
        widget._styles_cache.clear()
    picture, terminal = Picture(app.picture._system), Terminal(app.size)
    picture.resized(app.size)
    for y, strip in enumerate(app.screen._compositor.render_strips(app.size)):
        picture.draw(0, y, strip)
    terminal.gets(picture.frame(inf))
    return terminal.seen


async def stale(drive: Drive, terminal: Terminal) -> list[tuple[int, int, Any, Any]]:
    """The cells (x, y) that are not as they should be, once everything has been sent: shown, wanted."""
    app, cells = drive.app, []
    for _ in range(50):  # a running clock or job may draw meanwhile; a ghost stays
        await drive.until(lambda: (app.paint(), not app.picture.pending)[1])  # type: ignore[func-returns-value]
        rows = zip(terminal.seen, fresh(app), strict=True)
        cells = [
            (x, y, shown, wanted)
            for y, row in enumerate(rows)
            for x, (shown, wanted) in enumerate(zip(*row, strict=True))
            if shown != wanted
        ]
        if not cells:
            break
        await asyncio.sleep(0.01)
        await drive.settle()
    return cells


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_keys_on_the_map_of_positions_leave_nothing_behind(size: tuple[int, int]) -> None:
    faults: list[object] = []
    async with driven(size) as drive:
        app = drive.app
        app.training.pace = PACES[-1]
        app.begin("train", TrainSetup("tower:16", "reward", "", 1, "500"))
        await drive.until(lambda: app.training.ended and app.screen_stack[0].stage.seen)
        terminal = terminal_of(app)
        walk = Random(str(size)).choices(WALK, k=20)
        for step in [*FOUND, *walk]:
            await drive.do(step)
            if cells := await stale(drive, terminal):
                faults.append((step, cells))
                break
        else:
            faults.append("none")
    assert [*app.found, *faults] == ["none"] and terminal.seen[0] and Size(*size) == app.size
