"""How the app ends without being told to by a key: by a signal, or by a fault of nimtui itself.

If the connection is lost or the system asks the app to end, it saves and ends silently. That uses plain signal
handlers: the event loop may wait forever for a lost terminal to accept a write, but Python's own handlers still run.
After a fault running work is saved, the terminal restored, and two lines are printed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from textual import __version__ as textual_version
from textual.app import ScreenError
from textual.css.query import NoMatches
from textual.worker import WorkerFailed

from nimtui.process import children, stopping
from nimtui.store import guard
from nimtui.ui.app.inputs import InputQueue

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


class CrashReporting(InputQueue):
    """The part of the app that ends it after a fault, always with a report.

    An exception arrives from a handler, a timer, a worker or a paint (Textual), or from a callback of the event loop.
    `run` stops and saves the jobs, as at any end.
    """

    def __init__(self) -> None:
        super().__init__()
        self.failure: tuple[str, str] | None = None  # the two lines to print after a fault

    def on_mount(self) -> None:
        asyncio.get_running_loop().set_exception_handler(self._loop_failed)

    def _loop_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception):
            self.fail(error)
        else:
            loop.default_exception_handler(context)

    def fail(self, error: Exception) -> None:
        if self.is_ending and isinstance(error, NoMatches | ScreenError):
            return  # a timer or a job asked for a removed widget
        if self.take_first_fault(error):  # others follow from it
            self.failure = self._report(error.error if isinstance(error, WorkerFailed) else error)
        self.end_with(guard.STATUS)

    def tell_fault(self, error: BaseException, where: str) -> None:
        what, report = guard.report_lines(error, where, guard.write_report(error, {"keys": " ".join(self.heard)}))
        self.notify(f"{what}\n{report}", title="Internal error", severity="error", timeout=20)

    def _report(self, error: BaseException) -> tuple[str, str]:
        where, stack = "before the first screen", ""
        with suppress(ScreenError):
            where = f"on the screen {self.screen.BINDING_GROUP_TITLE or type(self.screen).__name__}"
            stack = " > ".join(type(screen).__name__ for screen in self.screen_stack)
        facts = {
            "textual": textual_version,
            "terminal": f"{self.console.size.width} x {self.console.size.height}, {self.console.color_system}",
            "screen": f"{self.current_mode}: {stack}",
            "keys": " ".join(self.heard),
        }
        return guard.report_lines(error, where, guard.write_report(error, facts))
