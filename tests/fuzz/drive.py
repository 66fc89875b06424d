"""Does steps to the app, and after each waits until all that follows from it is done.

A step is over when the event loop has nothing ready, no key waits for its turn and the screen is painted: some 0.1 ms
of waiting. A cursor key then costs 4 to 6 ms, opening a screen 30 to 100, the first time in a process up to a second:
`warm` does that once, and every sequence runs in a fork, some 30 ms.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable
from time import monotonic
from typing import Any

from nimtui.ui.app.terminal import TerminalInfo
from tests.fuzz import faults
from tests.fuzz.faults import Broken
from tests.fuzz.steps import KEYS, Step
from tests.fuzz.watched import WatchedApp
from tests.patience import busy

BUSY = 8.0  # seconds in which all that follows from a step has to be done
LEAVE = 2.0  # seconds in which Ctrl+Q has to end the app
SUITE = 10.0  # times the patience of the long run
START = 20.0  # seconds for a start state


def load() -> float:
    """How many times longer things may take than on a machine with nothing else to do; in the suite far longer.

    How fast the app leaves is for the long run to say: no test depends on how fast a machine is.
    """
    return SUITE * busy() if "PYTEST_CURRENT_TEST" in os.environ else busy()


class Drive:
    """One app from its start to its end."""

    def __init__(self, app: WatchedApp) -> None:
        self.app = app
        self.events = 0

    @property
    def ended(self) -> bool:
        """Has the app left, or begun to?"""
        return bool(self.app._exit) or self.app._exception is not None or not self.app._running

    async def do(self, step: Step) -> None:
        """One step, and all that follows from it."""
        if isinstance(step, bytes):
            self.events += self.app.wire.type(step)
        else:
            self.events += 1
            if isinstance(step, tuple):
                self.app.wire.resize(*step)
            else:
                await asyncio.sleep(step)
        await self.settle()

    async def settle(self) -> None:
        """Let the app work until nothing is left to be done but what timers and jobs will bring, and it is painted."""
        end = monotonic() + BUSY * load()
        await self._rest(end)
        while not self.ended and not self.app.at_rest:  # a key waits, for some milliseconds at most
            await asyncio.sleep(0.0005)
            await self._rest(end)
        if not self.ended:
            self.app.screen._on_timer_update()
            await self._rest(end)

    async def _rest(self, end: float) -> None:
        ready: Any = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
        turns = 0
        while ready or not turns:
            await asyncio.sleep(0)
            turns += 1
            if turns % 256 == 0 and monotonic() > end:
                busy = Counter(self.app.recent).most_common(5)
                raise Broken("never rests", ", ".join(f"{name} ×{times}" for name, times in busy))

    async def until(self, condition: Callable[[], bool], seconds: float = START) -> bool:
        """Let time pass until this holds; False if it never does."""
        end = monotonic() + seconds
        while not condition():
            if monotonic() > end or self.ended:
                return False
            await asyncio.sleep(0.002)
            await self.settle()
        return True

    async def leave(self) -> None:
        """Ctrl+Q, and y where it asks: the app ends, and its jobs do."""
        app, end = self.app, monotonic() + LEAVE * load()
        for key in (KEYS["ctrl+q"], b"y"):
            if not self.ended:
                await self.do(key)
        while not app._task.done() and monotonic() < end:
            await asyncio.sleep(0.001)
        if not app._task.done():
            names = [type(screen).__name__ for screen in app.screen_stack]
            text = f"at {names}, jobs: {[job.name for job in app.jobs.running()]}, focus: {app.focused}"
            raise Broken("does not leave", f"{text}, heard: {list(app.heard)[-5:]}", faults.of_task(app._task))


@contextlib.asynccontextmanager
async def driven(size: tuple[int, int], terminal: TerminalInfo | None = None) -> AsyncIterator[Drive]:
    """An app of this size on such a terminal, and what drives it; what it raises is in `app.found`."""
    app = WatchedApp(size, terminal)
    app.listen()
    drive = Drive(app)
    with contextlib.suppress(Exception):  # known by then
        async with app.run_test(size=size, tooltips=True, notifications=True, message_hook=app.handled):
            try:
                await drive.settle()
                yield drive
            except Broken as broken:
                app.found.append(broken.fault)
    app.failed_jobs()
