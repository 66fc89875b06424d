"""The time of work: how long it takes without pauses, how fast it was lately, and how long it will still take."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from time import monotonic

from nimtui.engine import activity
from nimtui.jobs.job import Snapshot

LATELY = 5.0  # seconds that a rate looks back, over at least FEW moments: slow games end seldom
FEW, APART = 10, 0.1  # moments remembered, and least seconds between two of them
SOON = 0.2  # seconds before a rate is known,
SURE = 2.0  # and before it is good enough for a forecast


class Clock:
    """A clock that runs while work runs. For any thread."""

    def __init__(self, before: float = 0.0) -> None:
        """Start from `before` seconds of earlier runs."""
        self._lock = RLock()  # guards all below
        self._before = before
        self._going: float | None = None  # since when it runs
        self._games, self._played = 0, 0.0  # games finished, and the seconds their players spent on them
        self._moments: deque[tuple[float, int, float]] = deque([(before, 0, 0.0)])

    @property
    def seconds(self) -> float:
        """Return the seconds of work so far."""
        with self._lock:
            return self._before + (0.0 if self._going is None else monotonic() - self._going)

    def go(self) -> None:
        """Start the clock."""
        with self._lock:
            if self._going is None:
                self._going = monotonic()

    def rest(self) -> bool:
        """Stop the clock; return whether it was running."""
        with self._lock:
            went = self._going is not None
            self._before, self._going = self.seconds, None
            return went

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Stop the clock for a while."""
        went = self.rest()
        try:
            yield
        finally:
            if went:
                self.go()

    def begin(self) -> None:
        """Forget the pace so far, which says nothing about the work to come."""
        with self._lock:
            self._moments = deque([(self.seconds, self._games, self._played)])

    def did(self, games: int, seconds: float) -> None:
        """Record that so many games took one worker so many seconds."""
        with self._lock:
            self._games += games
            self._played += seconds
            now = self.seconds
            if now - self._moments[-1][0] >= APART:
                self._moments.append((now, self._games, self._played))
            while len(self._moments) > FEW and self._moments[1][0] < now - LATELY:
                self._moments.popleft()

    @property
    def rate(self) -> float:
        """Return the recent games per second; 0 while unknown."""
        return self._lately()[0]

    @property
    def speed(self) -> float:
        """Return the recent seconds of play per second, about the number of workers; 0 while uncertain."""
        return self._lately(SURE)[1]

    def _lately(self, soon: float = SOON) -> tuple[float, float]:
        with self._lock:
            since, games, played = self._moments[0]
            gone = self.seconds - since
            return ((self._games - games) / gone, (self._played - played) / gone) if gone > soon else (0.0, 0.0)


TRUSTED = 1.5  # seconds of work before a guess is worth showing


class Remaining:
    """Watches the snapshots of one job; each new kind of work restarts the timing."""

    def __init__(self) -> None:
        self._work: tuple[str, float] | None = None  # what is done, of how much
        self._since = (0.0, 0.0)  # when this work was first seen, and how much of it was done then

    def seen(self, snapshot: Snapshot, now: float) -> float | None:
        """Return the seconds left at the pace so far (`now` in seconds); None while that is only a guess."""
        if self._work != (snapshot.what, snapshot.total):
            self._work, self._since = (snapshot.what, snapshot.total), (now, snapshot.done)
        began, done = self._since
        worked, took = snapshot.done - done, now - began
        if snapshot.total <= 0 or worked <= 0 or took < TRUSTED:
            return None
        return max(0.0, snapshot.total - snapshot.done) * took / worked


def compiling_text() -> str:
    """Return 'compiling the engine, once: 1 of 3 kernels, 4 s'; '' if nothing waits for the compiler."""
    if activity.compiling() is None:
        return ""
    from nimtui.games.notation import plural  # with NumPy, which the start screen does without

    orders = activity.orders()
    if orders is None:  # compiled in this process, in the order of need: how many are to come is unknown
        return "compiling the engine, once"
    done = f"{orders.done} of {plural(orders.total, 'kernel', 'kernels')}"
    return f"compiling the engine, once: {done}, {round(orders.seconds)} s"


def remaining_text(seconds: float | None) -> str:
    """Return 'about 2 min left'; '' if unknown or shorter than 2 s."""
    return f"{duration_text(seconds)} left" if seconds is not None and seconds >= 2 else ""


def duration_text(seconds: float) -> str:
    """Return a duration in plain words: 'a few seconds', 'about 2 min'."""
    if seconds < 10:
        return "a few seconds"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} s"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min"
    return f"about {round(seconds / 3600)} h"
