"""Saves and ends the app silently when the connection is lost or the system asks it to end.

Uses plain signal handlers: the event loop may wait forever for a lost terminal to accept a write, but Python's own
handlers still run.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from nimtui.process import children, stopping
from nimtui.store import guard

SIGNALS = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT") if hasattr(signal, name)]
PATIENCE = 5.0  # seconds to end in an orderly way
UNTAKEN = 0.4  # seconds until the app must have started to end


class EndSignals:
    """Calls `end` with the exit status when a signal comes, and `last` if the app does not end in time.

    `end` runs in the main thread at any moment, `last` in another thread just before the process ends.
    """

    def __init__(self, end: Callable[[int], object], last: Callable[[], object]) -> None:
        self._end = end
        self._last = last
        self._before: dict[int, Any] = {}
        self._taken = threading.Event()

    def listen(self) -> None:
        """Install the handlers. Does nothing outside the main thread."""
        with contextlib.suppress(ValueError):
            for number in SIGNALS:
                self._before[number] = signal.signal(number, self._come)

    def taken(self) -> None:
        """Note that the app has started to end."""
        self._taken.set()

    def insist_unless(self, reacted: threading.Event) -> None:
        """End the app if its thread stays in own code, as in a rule that loops, instead of setting this event.

        Returns at once. Call it when a key asks to quit.
        """
        threading.Thread(target=self._insist_unless, args=(reacted,), name="end_signals", daemon=True).start()

    def _insist_unless(self, reacted: threading.Event) -> None:
        inside = stopping.Inside()
        while not reacted.wait(stopping.LOOK):
            if inside.stays():
                self._last()
                stopping.end(128 + signal.SIGINT)

    def leave(self) -> None:
        """Restore the previous handlers."""
        with contextlib.suppress(ValueError):
            for number, handler in self._before.items():
                signal.signal(number, handler)
        self._before.clear()

    def _come(self, number: int, frame: FrameType | None) -> None:
        stopping.heard(number)
        status = 128 + number
        if not os.isatty(2):  # the link is gone; kill -HUP leaves it as it is
            let_go_of_the_terminal()
        threading.Thread(target=self._insist, args=(status,), name="end_signals", daemon=True).start()
        self._end(status)

    def _insist(self, status: int) -> None:
        if self._taken.wait(UNTAKEN):  # else the screen's thread does not come back, as from a rule that loops
            time.sleep(PATIENCE)
        self._last()
        stopping.put_right()
        guard.end()
        os._exit(status)


def let_go_of_the_terminal() -> None:
    """Redirect the standard streams to nowhere, so that reads and writes do not fail."""
    if hasattr(signal, "SIGCONT"):
        signal.signal(signal.SIGCONT, signal.SIG_IGN)  # it comes with SIGHUP, and would have the screen set up again
    children.silence()
