"""The points of a learning curve, the game counts at which it has them, and how many games are played at a time.

The games against perfect play that points of a curve have, played beside the training.

They are played by a copy of the function, in a thread that works for a tenth of the time. So the training goes on, and
the same run has the same points however fast the machine is. A run that stops meanwhile lacks the unfinished points.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event
from time import thread_time
from typing import TYPE_CHECKING, Any, NamedTuple

from nimtui.learning.points import against_perfect
from nimtui.progress import SILENT, Cancelled, Progress

if TYPE_CHECKING:
    from nimtui.learning.estimator import Estimator

CHUNK_SECONDS = 0.03  # a chunk of games should take about this long
FINE = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)  # the points of the curve, in each decade
COARSE = (10, 20, 50)  # the same for large tables, where a point takes as long as many games
LARGE, LARGE_FROM = 200_000, 1_000  # cells from which a table is large; games at its first point
HUGE, HUGE_FROM = 2_000_000, 100_000  # the same for huge tables


class Point(NamedTuple):
    """One point of the learning curve of a table (see `evaluate.Standing`)."""

    games: int
    accuracy: float
    unbeaten: float


class FunctionPoint(NamedTuple):
    """One point of the learning curve of a function: the first three as for a table, None where positions are too many.

    None also for what is not measured.
    """

    games: int
    accuracy: float | None
    unbeaten: float | None
    right_moves: float | None  # share of right moves where moves differ in their result, in the sample or everywhere
    points_against_perfect: float | None  # moving first, see `points.measure`: exactly, or in games
    points_against_random: float | None = None  # the same against random moves


def column(curve: Sequence[Sequence[Any]], name: str) -> list[tuple[int, float]]:
    """Return the games and one share of each point of a saved curve that has it: 'accuracy', 'right_moves', …"""
    at = FunctionPoint._fields.index(name)
    return [(int(point[0]), float(point[at])) for point in curve if len(point) > at and point[at] is not None]


def curve_points(after: int, cells: int) -> Iterator[int]:
    """Yield the game counts above this one at which the curve of a table of this size has a point."""
    steps, least = (FINE, 1) if cells < LARGE else (COARSE, LARGE_FROM if cells < HUGE else HUGE_FROM)
    decade = 1
    while True:
        for step in steps:
            games, rest = divmod(step * decade, 10)
            if not rest and games > after and games >= least:
                yield games
        decade *= 10


class Chunk:
    """The number of games that takes about CHUNK_SECONDS."""

    def __init__(self, games: int) -> None:
        self.games = games

    def took(self, games: int, seconds: float) -> None:
        if games == self.games or seconds > CHUNK_SECONDS:
            self.games = math.ceil(min(games * CHUNK_SECONDS / max(seconds, 1e-6), 4 * games))


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
