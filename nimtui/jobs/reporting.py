"""What the play of a tournament is handed down: how far all of it is, told often enough, with its clock kept."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from nimtui.jobs.clock import Clock
from nimtui.progress import Cancelled, Progress

GAMES, PREPARING = "games", "preparing"
BEAT = 0.1  # seconds between two views, at least


class TooSlow(Cancelled):
    """A piece takes so long that other processes shall have it."""


class Reports(Progress):
    """Tells how far the whole tournament is, some twenty times a second; its clock stands still in a pause."""

    def __init__(
        self, progress: Progress, clock: Clock, far: Callable[[], tuple[int, int]], refresh: Callable[[], None]
    ) -> None:
        """`far`: games that are done, and that there will be; `refresh`: what is done before each report."""
        self._progress, self._clock, self._far, self._refresh = progress, clock, far, refresh
        self._told = 0.0
        self.until: float | None = None  # when patience with what is played here ends

    def report(self, done: float, total: float, what: str = "") -> None:
        """A piece goes on. TooSlow where patience is at its end."""
        now = monotonic()
        if self.until is not None and now > self.until:
            raise TooSlow
        if now - self._told >= BEAT / 2:
            self.tell()

    def tell(self) -> None:
        """How far all is, now; waits as long as there is a pause."""
        self._tell(*self._far(), GAMES)

    def preparing(self) -> Progress:
        """What preparation is handed, which is told as that."""
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
