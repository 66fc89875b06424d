"""The progress of a tournament's play: reports the whole tournament often enough, and keeps its clock."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from nimtui.jobs.clock import Clock
from nimtui.progress import Cancelled, Progress, Relay

GAMES, PREPARING = "games", "preparing"
BEAT = 0.1  # least seconds between two views


class TooSlow(Cancelled):
    """A piece takes so long that other processes should have it."""


class Reports(Relay):
    """Reports the whole tournament some twenty times a second; its clock stops during a pause."""

    def __init__(
        self, progress: Progress, clock: Clock, far: Callable[[], tuple[int, int]], refresh: Callable[[], None]
    ) -> None:
        """Report the games of `far`, (done, total), and call `refresh` before each report."""
        super().__init__(progress)
        self._clock, self._far, self._refresh = clock, far, refresh
        self._told = 0.0
        self.until: float | None = None  # when patience with the piece played here ends

    def report(self, done: float, total: float, what: str = "") -> None:
        """Report from within a piece. TooSlow when patience ends."""
        now = monotonic()
        if self.until is not None and now > self.until:
            raise TooSlow
        if now - self._told >= BEAT / 2:
            self.tell()

    def tell(self) -> None:
        """Report the present state; waits as long as there is a pause."""
        self._tell(*self._far(), GAMES)

    def preparing(self) -> Progress:
        """Return the progress for preparations, which are reported as such."""
        return _Preparing(self._tell)

    def _tell(self, done: float, total: float, what: str) -> None:
        self._refresh()
        with self._clock.resting():
            self._progress.report(done, total, what)
        self._told = monotonic()


class _Preparing(Progress):
    def __init__(self, tell: Callable[[float, float, str], None]) -> None:
        self._tell = tell

    def report(self, done: float, total: float, what: str = "") -> None:
        self._tell(done, total, f"{PREPARING}: {what}" if what else PREPARING)
