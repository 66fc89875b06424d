"""Progress: how long work reports how far it is, and learns that it should stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Cancelled(Exception):
    """Raised when the work should stop. Its finished parts stay valid."""


class TimeUp(Cancelled):
    """Raised when the time for one answer is up. The work returns its best answer so far, if it has one."""


class Progress:
    """Receives reports from long work, which calls `report` between chunks of some 10 to 100 ms.

    This class ignores them. A job passes its own subclass, which pauses, steps and cancels.
    """

    def report(self, done: float, total: float, what: str = "") -> None:
        """Report that `done` of `total` is finished. May wait while paused; raises Cancelled."""

    def think(self, thinking: Callable[[], Any]) -> None:
        """Offer what the work believes so far. `thinking` is called at once, but only if somebody watches."""


SILENT = Progress()


class Aloud(Progress):
    """Passes reports on, and offers with each one what the work believes by then."""

    def __init__(self, progress: Progress, thinking: Callable[[], Any]) -> None:
        self._progress, self._thinking = progress, thinking

    def report(self, done: float, total: float, what: str = "") -> None:
        self._progress.think(self._thinking)
        self._progress.report(done, total, what)

    def think(self, thinking: Callable[[], Any]) -> None:
        self._progress.think(thinking)
