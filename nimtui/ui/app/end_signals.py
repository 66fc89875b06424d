"""When the link is gone, or the system asks the app to end: it ends, saves, and says nothing.

A plain signal handler, not one of the event loop: that may wait for the terminal to take a write, which then never
happens. A handler of Python's own runs even so.
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

from nimtui import stopping
from nimtui.store import guard

SIGNALS = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM", "SIGINT") if hasattr(signal, name)]
PATIENCE = 5.0  # seconds to end in good order
UNTAKEN = 0.4  # seconds until the app must have begun with it


class EndSignals:
    """Calls `end` with the status to end with when a signal comes, and `last` if the app does not end then.

    `end` is called in the main thread at any moment, `last` in another thread just before the process is ended.
    """

    def __init__(self, end: Callable[[int], object], last: Callable[[], object]) -> None:
        self._end = end
        self._last = last
        self._before: dict[int, Any] = {}
        self._taken = threading.Event()

    def listen(self) -> None:
        """From now on. Only the main thread can; in any other nothing changes."""
        with contextlib.suppress(ValueError):
            for number in SIGNALS:
                self._before[number] = signal.signal(number, self._come)

    def taken(self) -> None:
        """The app has begun to end."""
        self._taken.set()

    def leave(self) -> None:
        """As it was before."""
        with contextlib.suppress(ValueError):
            for number, handler in self._before.items():
                signal.signal(number, handler)
        self._before.clear()

    def _come(self, number: int, frame: FrameType | None) -> None:
        stopping.heard()
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
    """What is read and written from now on comes from and goes nowhere, without an error."""
    if hasattr(signal, "SIGCONT"):
        signal.signal(signal.SIGCONT, signal.SIG_IGN)  # it comes with SIGHUP, and would have the screen set up again
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
