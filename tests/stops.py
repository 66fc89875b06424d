"""Progress that cancels the work: after so many reports, or as soon as so much is done.

How much is done at a report depends on how fast the machine is; a test that wants something done uses StopAt.
"""

from __future__ import annotations

from nimtui.progress import Cancelled, Progress


class StopAfter(Progress):
    """Cancels at the report of this number, and at every later one."""

    def __init__(self, reports: int) -> None:
        self.left = reports

    def report(self, done: float, total: float, what: str = "") -> None:
        assert 0 <= done <= (total or done)  # a total of 0 is not known
        self.left -= 1
        if self.left <= 0:
            raise Cancelled("test")


class StopAt(Progress):
    """Cancels as soon as so much is done, of the kind that is named or of any. Checks that the reports rise."""

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
