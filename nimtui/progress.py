"""How long work below the jobs reports its progress and learns that it should stop."""

from __future__ import annotations


class Cancelled(Exception):
    """The work was asked to stop; whatever it had finished stays valid."""


class TimeUp(Cancelled):
    """The time for one answer is up: work that can give one by now gives it, the best it has."""


class Progress:
    """Handed down into long work, which calls `report` between chunks of some 10 to 100 ms.

    This plain one lets everything pass; a job hands down its own, which pauses, steps and cancels.
    """

    def report(self, done: float, total: float, what: str = "") -> None:
        """Say that `done` of `total` is finished. May wait while paused; raises Cancelled."""


SILENT = Progress()
