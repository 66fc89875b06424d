"""Progress that cancels the work: after a number of reports, or at an amount of work.

The amount of work at a report depends on the machine's speed; a test that needs finished work uses StopAt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nimtui.progress import Cancelled, Progress


class StopAfter(Progress):
    """Cancel at the report with this number, and at every later one."""

    def __init__(self, reports: int) -> None:
        self.left = reports

    def report(self, done: float, total: float, what: str = "") -> None:
        assert 0 <= done <= (total or done)  # a total of 0 is unknown
        self.left -= 1
        if self.left <= 0:
            raise Cancelled("test")


class StopAt(Progress):
    """Cancel when so much work of the named kind, or of any, is done. Check that the reports rise."""

    def __init__(self, done: float, what: str = "") -> None:
        self.until, self.what = done, what
        self.seen: list[tuple[float, float]] = []

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.what and what != self.what:
            return
        assert (self.seen[-1][0] if self.seen else 0) <= done <= (total or done)
        self.seen.append((done, total))
        if done >= self.until:
            raise Cancelled("test")


class Noted(Progress):
    """Note what is reported, and what was believed last; cancel at a report, if its number is given."""

    def __init__(self, last: int = 0) -> None:
        self.last, self.lines, self.thought = last, list[tuple[float, float, str]](), None

    def report(self, done: float, total: float, what: str = "") -> None:
        self.lines.append((done, total, what))
        if len(self.lines) == self.last:
            raise Cancelled("test")

    def think(self, thinking: Callable[[], Any]) -> None:
        self.thought = thinking()
