"""Handles a fault of nimtui itself: running work is saved, the terminal restored, and two lines are printed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from textual import __version__ as textual_version
from textual.app import ScreenError
from textual.css.query import NoMatches
from textual.worker import WorkerFailed

from nimtui.store import guard
from nimtui.ui.app.input_queue import InputQueue


class CrashReporting(InputQueue):
    """The part of the app that ends it after a fault, always with a report.

    An exception arrives from a handler, a timer, a worker or a paint (Textual), or from a callback of the event loop.
    `run` stops and saves the jobs, as at any end.
    """

    def __init__(self) -> None:
        super().__init__()
        self.failure: tuple[str, str] | None = None  # the two lines to print after a fault
        self._leaving = False  # are the screens being removed?

    def on_mount(self) -> None:
        asyncio.get_running_loop().set_exception_handler(self._loop_failed)

    def begin_shutdown(self) -> None:
        self._leaving = True

    def _loop_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception):
            self.fail(error)
        else:
            loop.default_exception_handler(context)

    def fail(self, error: Exception) -> None:
        if (self.is_ending or self._leaving) and isinstance(error, NoMatches | ScreenError):
            return  # a timer or a job asked for a removed widget
        if self.take_first_fault(error):  # others follow from it
            self.failure = self._report(error.error if isinstance(error, WorkerFailed) else error)
        self.end_with(guard.STATUS)

    def tell_fault(self, error: BaseException, where: str) -> None:
        """Write a report of a fault that ends only a job, and notify the person."""
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
