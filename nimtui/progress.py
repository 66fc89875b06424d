"""Progress: how long work reports how far it is, and learns that it should stop."""

from __future__ import annotations


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


SILENT = Progress()
