"""Long work between two prompts: occasional lines tell how far it is, and Ctrl+C leads back to the prompt."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from threading import Event, Thread
from typing import TypeVar

from nimtui.cli import output
from nimtui.cli.bar import Bar
from nimtui.progress import Cancelled, Progress, Relay

T = TypeVar("T")
PATIENCE, EVERY = 0.8, 5.0  # seconds before the first line of progress, and between two


class Reporting(Relay):
    """Prints a line from time to time, also while nothing is reported: `told` puts the latest report into words."""

    def __init__(self, progress: Progress, told: Callable[[float, float, str], str]) -> None:
        super().__init__(progress)
        self._told, self._stdout = told, sys.stdout  # others are silent meanwhile
        self._latest, self._ended = (0.0, 0.0, ""), Event()
        self._thread = Thread(target=self._speak, daemon=True)

    def __enter__(self) -> Reporting:
        self._thread.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._ended.set()
        self._thread.join()

    def report(self, done: float, total: float, what: str = "") -> None:
        self._latest = done, total, what
        super().report(done, total, what)

    def _speak(self) -> None:
        wait = PATIENCE
        while not self._ended.wait(wait):
            output.paragraph(self._told(*self._latest), to=self._stdout)
            wait = EVERY


class Stopped(Exception):
    """A person stopped the work by Ctrl+C."""


def work(name: str, function: Callable[[Progress], T], told: Callable[[float, float, str], str] | None = None) -> T:
    """Return what the function returns. Raises Stopped after Ctrl+C; another signal ends the program.

    What own games and agents print meanwhile is discarded.
    """
    reporting = Reporting(bar := Bar(name, shown=False), told or (lambda *report: f"{name}: {counted(*report)}."))
    sys.stdout.flush()
    try:
        with bar, reporting, output.others_silent():
            return function(reporting)
    except (Cancelled, KeyboardInterrupt):
        if bar.stopped_by not in (0, signal.SIGINT):
            raise
        if sys.stdin is not None and sys.stdin.isatty():
            output.say("")  # ends the line of the ^C that the terminal shows
        raise Stopped from None


def counted(done: float, total: float, what: str) -> str:
    """Return a report in words: '412,000 of 1,000,000 games'."""
    if total > 0:
        return f"{done:,.0f} of {total:,.0f} {what}".rstrip()
    return f"{done:,.0f} {what}".rstrip() if done else what or "at work"
