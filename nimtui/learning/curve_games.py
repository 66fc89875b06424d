"""The games against perfect play that points of a curve have, played beside the training.

They are played by a copy of the function, in a thread that works for a tenth of the time. So the training goes on, and
the same run has the same points however fast the machine is. A run that stops meanwhile lacks the unfinished points.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event
from time import thread_time
from typing import TYPE_CHECKING

from nimtui.learning.points import against_perfect
from nimtui.progress import SILENT, Cancelled, Progress

if TYPE_CHECKING:
    from nimtui.learning.estimator import Estimator

SPARING = 10  # the thread may work 1/SPARING of the time
BRIEF = 0.05  # seconds between two reports to whoever waits for the games


class Sparing(Progress):
    """Rests after each piece of work, until its result is waited for."""

    def __init__(self) -> None:
        self.waited_for, self.dropped = Event(), False
        self._since = 0.0

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.dropped:
            raise Cancelled("measure")
        self.waited_for.wait((SPARING - 1) * max(0.0, thread_time() - self._since))
        self._since = thread_time()


class CurveGames:
    """The games of all points of one curve that are not finished."""

    def __init__(self) -> None:
        self._pace = Sparing()
        self._player: ThreadPoolExecutor | None = None
        self._points: deque[tuple[int, Future[float]]] = deque()

    def play(self, games: int, estimator: Estimator, number: int) -> None:
        """Let a function that nobody changes play so many games, for the point after `games` games of training."""
        self._player = self._player or ThreadPoolExecutor(1, "points")
        work = self._player.submit(lambda: against_perfect(estimator, number, self._pace).points)
        self._points.append((games, work))

    def finished(self, until: int) -> list[tuple[int, float]]:
        """Return the points finished since the last call, up to this one, each with its number of games of training."""
        done = []
        while self._points and self._points[0][0] <= until and self._points[0][1].done():
            games, work = self._points.popleft()
            done.append((games, work.result()))
        return done

    def wait(self, progress: Progress = SILENT) -> None:
        """Wait until all are finished, which work without rests meanwhile."""
        self._pace.waited_for.set()
        while pending := [work for _, work in self._points if not work.done()]:
            progress.report(len(self._points) - len(pending), len(self._points), "measuring: points")
            wait(pending, BRIEF)
        self._pace.waited_for.clear()

    def drop(self) -> None:
        """Stop; the unfinished points are lost."""
        self._pace.dropped = True
        self._pace.waited_for.set()
        if self._player is not None:
            self._player.shutdown(wait=False, cancel_futures=True)
        self._pace, self._player = Sparing(), None
        self._points.clear()
