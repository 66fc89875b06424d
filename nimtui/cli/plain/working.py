"""Long work between two prompts: occasional lines tell how far it is, and Ctrl+C leads back to the prompt."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from time import monotonic
from typing import TypeVar

from nimtui.cli import output
from nimtui.cli.bar import Bar
from nimtui.progress import Cancelled, Progress, Relay

T = TypeVar("T")
PATIENCE, EVERY = 2.0, 5.0  # seconds before the first line of progress, and between two


class Reporting(Relay):
    """Prints a line from time to time: `told` puts a report into words."""

    def __init__(self, progress: Progress, told: Callable[[float, float, str], str]) -> None:
        super().__init__(progress)
        self._told, self._stdout = told, sys.stdout
        self._due = monotonic() + PATIENCE

    def report(self, done: float, total: float, what: str = "") -> None:
        if monotonic() >= self._due:
            with redirect_stdout(self._stdout):  # others are silent meanwhile
                output.paragraph(self._told(done, total, what))
                self._stdout.flush()
            self._due = monotonic() + EVERY
        super().report(done, total, what)


class Stopped(Exception):
    """A person stopped the work by Ctrl+C."""


def work(name: str, function: Callable[[Progress], T], told: Callable[[float, float, str], str] | None = None) -> T:
    """Return what the function returns. Raises Stopped after Ctrl+C; another signal ends the program.

    What own games and agents print meanwhile is discarded.
    """
    reporting = Reporting(bar := Bar(name, shown=False), told or (lambda *report: f"{name}: {counted(*report)}."))
    sys.stdout.flush()
    try:
        with bar, output.others_silent():
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
